"""The questions of a table, and its columns in the form that the compiled half expects."""

from __future__ import annotations

import json
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _mindrel
from ._frame import Column, Frame, level_name, python_value

Lent = tuple[str, Union[bool, list[str]], np.ndarray, Union[None, float, str]]
"""A column's name, its levels (or whether its numbers are booleans), its cells, and what replaces missing ones."""


def public_columns(names: list[str], public: Any, sensitive: Any) -> list[bool]:
    """Whether each column is known beforehand. If neither list is given, none is."""
    given_public, given_sensitive = _named(names, public, "public"), _named(names, sensitive, "sensitive")
    both = set(given_public or []) & set(given_sensitive or [])
    if both:
        raise ValueError(f"`{sorted(both)[0]}` is given as public and as sensitive; choose one")
    if given_public is not None and given_sensitive is not None:
        left = [name for name in names if name not in given_public and name not in given_sensitive]
        if left:
            raise ValueError(f"`{left[0]}` is neither public nor sensitive; name it, or give only one of the two lists")
    if given_public is not None:
        return [name in given_public for name in names]
    if given_sensitive is not None:
        return [name not in given_sensitive for name in names]
    return [False] * len(names)


def _named(names: list[str], given: Any, role: str) -> Optional[list[str]]:
    if given is None:
        return None
    found = []
    for entry in [given] if isinstance(given, str) else list(given):
        if isinstance(entry, (int, np.integer)) and not isinstance(entry, bool) and 0 <= entry < len(names):
            found.append(names[entry])
        elif str(entry) in names:
            found.append(str(entry))
        else:
            raise ValueError(f"there is no column `{entry}` to be {role}; the columns are: {', '.join(names)}")
    return found


def questions_of(
    frame: Frame, is_public: list[bool], inputs: list[dict], fills: dict[str, Any], given: dict[str, dict]
) -> list[dict]:
    """The question of each column, inferred from its cells, the model's levels, and the options given by the user."""
    said = {
        name: json.dumps({**options, **_named_levels(options)}, default=python_value) for name, options in given.items()
    }
    return json.loads(_mindrel.infer(lend(frame, fills), is_public, json.dumps(inputs), said))


def _named_levels(options: dict) -> dict:
    return {"levels": [level_name(level) for level in options["levels"]]} if "levels" in options else {}


def lend(frame: Frame, fills: dict[str, Any]) -> list[Lent]:
    """The columns in the form that the compiled half expects, with the replacement for missing cells."""
    return [_lend(column, python_value(fills.get(column.name))) for column in frame.columns]


def _lend(column: Column, fill: Any) -> Lent:
    fill = fill if fill is None or isinstance(fill, str) else float(fill)
    if column.kind == "category":
        return column.name, column.levels or [], np.asarray(column.values, dtype=np.int64), fill
    return column.name, column.kind == "boolean", column.values, fill


def places_of(values: Any, classes: Sequence[Any]) -> np.ndarray:
    """The index of each value among the classes."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"y has {array.ndim} dimensions; give one class for each row")
    places = {python_value(label): place for place, label in enumerate(classes)}
    distinct, inverse = np.unique(array, return_inverse=True)
    found = np.array([places.get(python_value(label), -1) for label in distinct], dtype=np.int64)
    if (found < 0).any():
        raise ValueError(f"y holds something that is none of the model's classes: {', '.join(map(str, classes))}")
    return found[inverse]
