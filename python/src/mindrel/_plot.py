"""Drawings, which notebooks show."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING, Union

from . import _mindrel

if TYPE_CHECKING:
    from ._session import Decision


class Plot:
    """A drawing as SVG. Notebooks show it; :meth:`save` writes it to a file."""

    def __init__(self, title: str, svg: str) -> None:
        self.title, self.svg = title, svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the drawing to an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_html_(self) -> str:
        # As an image of its own, so that its styles and those of the page leave each other alone.
        data = base64.b64encode(self.svg.encode()).decode()
        alt = self.title.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
        return f'<img alt="{alt}" style="max-width:100%" src="data:image/svg+xml;base64,{data}"/>'

    def __repr__(self) -> str:
        return f"Plot({self.title!r})"


def path_of(decision: Decision) -> Plot:
    """The way to a decision, without answers."""
    title = f"The way to “{decision.label}”"
    asked = [(name, "") for name in decision.asked]
    return Plot(title, _mindrel.path_drawing(title, asked, str(decision.label), decision.guarantee))
