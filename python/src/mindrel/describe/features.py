"""Features: what scalers and encoders have made of raw columns so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._errors import NotDescribed
from .._frame import python_value


@dataclass(frozen=True)
class Feature:
    """A function of one input, step after step."""

    input: int
    steps: tuple[dict[str, Any], ...] = ()

    def then(self, *steps: dict[str, Any]) -> Feature:
        return Feature(self.input, self.steps + steps)

    def to_json(self) -> dict[str, Any]:
        return {"input": self.input, "steps": list(self.steps)}


@dataclass
class Inputs:
    """The raw columns: their names, the levels the model knows of categories, and what stands in for missing values."""

    names: list[str]
    levels: dict[int, dict[str, Any]] = field(default_factory=dict)
    fills: dict[int, Any] = field(default_factory=dict)

    def features(self) -> list[Feature]:
        return [Feature(place) for place in range(len(self.names))]

    def know_levels(self, place: int, known: list[Any], others: bool) -> None:
        """Notes the levels a model knows; two parts of it must not disagree about their order."""
        levels = {"known": known, "others": others}
        before = self.levels.setdefault(place, levels)
        if before["known"] != known:
            raise NotDescribed(f"column `{self.names[place]}` is encoded twice with different levels")
        before["others"] = before["others"] and others

    def to_json(self) -> list[dict[str, Any]]:
        return [{"name": name, "levels": self.levels.get(place)} for place, name in enumerate(self.names)]


def category(value: Any) -> Any:
    """A level as JSON writes it: a text, a number, or a boolean. A missing value is the empty text."""
    if value is None or value != value:
        return ""
    value = python_value(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str):
        return value
    raise NotDescribed(f"a category has levels of type {type(value).__name__}")


def number(value: Any) -> float:
    """A finite number as JSON writes it: what lies beyond all numbers becomes the largest."""
    largest = float(np.finfo(np.float64).max)
    return float(min(max(float(value), -largest), largest))


