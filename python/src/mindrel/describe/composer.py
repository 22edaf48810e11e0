"""Compositions as they are put together: predictors, and functions of their scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline
from .features import Feature, Inputs

# A score above zero is at least the smallest positive number.
ABOVE_ZERO = 5e-324

# What a model takes: features of raw columns, or values of the composition by their places.
Taken = Sequence[Union[Feature, int]]


@dataclass(frozen=True)
class Scores:
    """What a model says of each class: one place for two classes, otherwise one for each, or shares of all."""

    places: list[int]
    link: str
    """``logits`` and ``one-vs-rest`` have probabilities by exponentials, ``margins`` have none, ``shares`` are some."""
    zero_is_positive: bool = False
    single: bool = False
    probabilities: Optional[list[int]] = None
    """The probability of each class, where it does not follow from the scores."""
    decisions: Optional[list[int]] = None
    """What ``decision_function`` says, where it is not the scores."""


@dataclass
class Composer:
    """A composition that is being put together."""

    inputs: Inputs
    parts: list[Pipeline] = field(default_factory=list)
    values: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, **fields: Any) -> int:
        self.values.append({"kind": kind, **fields})
        return len(self.values) - 1

    def sum(self, terms: Sequence[tuple[int, float]], start: float = 0.0, divisor: float = 1.0) -> int:
        return self.add(
            "sum",
            start=float(start),
            terms=[(int(place), float(weight)) for place, weight in terms],
            divisor=float(divisor),
        )

    def part(self, pipeline: Pipeline, n_scores: int) -> list[int]:
        """The scores of a predictor over raw columns."""
        self.parts.append(pipeline)
        return [self.add("score", model=len(self.parts) - 1, score=score) for score in range(n_scores)]

    def complement(self, place: int) -> list[int]:
        """The probabilities of two classes, by that of the second."""
        return [self.sum([(place, -1.0)], start=1.0), place]

    def mean(self, rows: Sequence[Sequence[int]], weights: Sequence[float]) -> list[int]:
        """The weighted mean of several models' numbers, class by class."""
        total = float(np.sum(weights))
        return [self.sum(list(zip(places, weights)), divisor=total) for places in zip(*rows)]

    def probabilities(self, scores: Scores) -> list[int]:
        """The probability of each class."""
        places = scores.places
        if scores.probabilities is not None:
            return scores.probabilities
        if scores.link == "shares":
            return places
        if scores.link == "margins":
            raise NotDescribed("a part of it has no probabilities")
        if len(places) == 1:
            found = self.add("sigmoid", of=places[0])
            return self.complement(self.add("single", of=found) if scores.single else found)
        if scores.link == "one-vs-rest":
            places = [self.add("sigmoid", of=place) for place in places]
            return [self.add("share", of=places, **{"class": one}) for one in range(len(places))]
        found = [self.add("softmax", of=places, **{"class": one}) for one in range(len(places))]
        return [self.add("single", of=place) for place in found] if scores.single else found

    def outputs(self, scores: Scores) -> tuple[list[int], list[int]]:
        """A value for each class, of which the largest wins, and the order in which classes win ties."""
        if len(scores.places) == 1:
            zero = self.sum([])
            return [zero, scores.places[0]], [1, 0] if scores.zero_is_positive else [0, 1]
        return scores.places, list(range(len(scores.places)))

    def votes(self, scores: Scores) -> list[int]:
        """1 for the class that a model predicts, 0 for every other."""
        if len(scores.places) > 2:
            return [self.add("largest", of=scores.places, **{"class": one}) for one in range(len(scores.places))]
        place, bound = scores.places[0], 0.0 if scores.zero_is_positive else ABOVE_ZERO
        if len(scores.places) == 2:
            place, bound = self.sum([(scores.places[1], 1.0), (scores.places[0], -1.0)]), ABOVE_ZERO
        return self.complement(self.add("at-least", of=place, bound=bound))


def needed(composer: Composer, outputs: list[int]) -> tuple[list[Pipeline], list[dict[str, Any]], list[int]]:
    """The parts and values that the outputs depend on, with their new places."""
    needed = set(outputs)
    for place in reversed(range(len(composer.values))):
        if place in needed:
            needed.update(_operands(composer.values[place]))
    kept = sorted(needed)
    places = {place: new for new, place in enumerate(kept)}
    models = sorted({composer.values[place]["model"] for place in kept if composer.values[place]["kind"] == "score"})
    new_model = {model: new for new, model in enumerate(models)}
    values = []
    for place in kept:
        value = dict(composer.values[place])
        if value["kind"] == "score":
            value["model"] = new_model[value["model"]]
        elif value["kind"] == "sum":
            value["terms"] = [(places[term], weight) for term, weight in value["terms"]]
        else:
            of = value["of"]
            value["of"] = [places[one] for one in of] if isinstance(of, list) else places[of]
        values.append(value)
    return [composer.parts[model] for model in models], values, [places[place] for place in outputs]


def _operands(value: dict[str, Any]) -> list[int]:
    if value["kind"] == "sum":
        return [place for place, _ in value["terms"]]
    of = value.get("of", [])
    return of if isinstance(of, list) else [of]
