"""Features: what scalers and encoders have made of raw columns so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

import numpy as np

from .._errors import NotDescribed
from .._frame import python_value
from .bends import Bend, applied


@dataclass(frozen=True)
class Feature:
    """A function of one input, step after step: those of ``mindrel_import::pipeline``, and bends."""

    input: int
    steps: tuple[Any, ...] = ()

    def then(self, *steps: Any) -> Feature:
        last = self.steps[-1] if self.steps else None
        if isinstance(last, dict) and last["step"] == "map":
            # What follows a number for each level is done to these numbers.
            known = [*last["values"], last["others"]]
            made = applied(steps, np.array([np.nan if value is None else value for value in known], dtype=np.float64))
            *values, others = [number_or_missing(value) for value in made]
            return Feature(self.input, (*self.steps[:-1], {**last, "values": values, "others": others}))
        return Feature(self.input, self.steps + steps)

    @property
    def bends(self) -> list[Bend]:
        return [step for step in self.steps if isinstance(step, Bend)]

    @property
    def column(self) -> Feature:
        """The raw column, missing values imputed, before anything else is done to it."""
        at = 0
        while at < len(self.steps) and isinstance(self.steps[at], dict) and self.steps[at]["step"] == "impute":
            at += 1
        return Feature(self.input, self.steps[:at])

    def to_json(self) -> dict[str, Any]:
        return {"input": self.input, "steps": list(self.steps)}


@dataclass(frozen=True)
class Reach:
    """Between which numbers a column lies, and whether they are whole."""

    lower: float
    upper: float
    whole: bool

    def holds(self, numbers: np.ndarray) -> np.ndarray:
        """Which numbers lie in it."""
        return (numbers >= self.lower) & (numbers <= self.upper)


@dataclass(frozen=True)
class Mixture:
    """A weighted sum of features, as a principal component is."""

    name: str
    terms: tuple[tuple[float, Feature], ...]
    constant: float = 0.0

    def then(self, *steps: Any) -> Mixture:
        factor, constant = 1.0, self.constant
        for step in steps:
            if isinstance(step, Bend) or step["step"] not in ("add", "multiply", "divide"):
                raise NotDescribed(f"{step.name if isinstance(step, Bend) else step['step']} behind {self.name}")
            if step["step"] == "add":
                constant += step["value"]
            else:
                by = step["value"] if step["step"] == "multiply" else 1.0 / step["value"]
                factor, constant = factor * by, constant * by
        return Mixture(self.name, tuple((factor * weight, feature) for weight, feature in self.terms), constant)


def mixtures(name: str, weights: np.ndarray, constants: np.ndarray, features: list[Any]) -> list[Mixture]:
    """The sums ``weights · features + constants``."""
    return [
        _mixture(name, row, constant, features)
        for row, constant in zip(np.asarray(weights, dtype=np.float64), np.asarray(constants, dtype=np.float64))
    ]


def _mixture(name: str, weights: np.ndarray, constant: float, features: list[Any]) -> Mixture:
    terms: list[tuple[float, Feature]] = []
    for weight, feature in zip(weights.tolist(), features):
        if isinstance(feature, Mixture):
            constant += weight * feature.constant
            terms += [(weight * inner, base) for inner, base in feature.terms]
        else:
            terms.append((weight, feature))
    return Mixture(name, tuple(terms), float(constant))


def base_features(features: Sequence[Any]) -> tuple[list[Feature], np.ndarray, np.ndarray]:
    """The features that others are sums of: each once, the weight of each in every feature, and every constant."""
    base: dict[str, Feature] = {}
    rows: list[dict[str, float]] = []
    for feature in features:
        row: dict[str, float] = {}
        for weight, one in feature.terms if isinstance(feature, Mixture) else ((1.0, feature),):
            base.setdefault(repr(one), one)
            row[repr(one)] = row.get(repr(one), 0.0) + weight
        rows.append(row)
    weights = np.array([[row.get(key, 0.0) for key in base] for row in rows])
    constants = np.array([feature.constant if isinstance(feature, Mixture) else 0.0 for feature in features])
    return list(base.values()), weights, constants


@dataclass
class Inputs:
    """The raw columns: their names, the numbers they hold, the levels the model knows of categories, and what stands in
    for missing values."""

    names: list[str]
    reaches: dict[int, Reach] = field(default_factory=dict)
    levels: dict[int, dict[str, Any]] = field(default_factory=dict)
    fills: dict[int, Any] = field(default_factory=dict)

    def features(self) -> list[Feature]:
        return [Feature(place) for place in range(len(self.names))]

    def know_levels(self, place: int, known: list[Any], others: bool, ordered: bool = True) -> None:
        """Notes the levels a model knows. Two parts of it must not disagree about their order where it matters."""
        levels = {"known": known, "others": others}
        before = self.levels.setdefault(place, levels)
        if not ordered:
            before["known"] = before["known"] + [level for level in known if level not in before["known"]]
        elif before["known"] != known:
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


def number_or_missing(value: Any) -> Optional[float]:
    """A finite number as JSON writes it, or ``None`` for a missing one."""
    return None if value != value else number(value)
