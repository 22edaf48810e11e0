"""Functions of one number that are not linear, in front of trees.

Trees only ask on which side of a threshold a feature lies. So a function is as good as the staircase that changes
wherever the answer to one of these questions does. The places are found by bisection over all floating-point numbers
with the library's own function, so that they are right to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np

from .._errors import NotDescribed

LARGEST = float(np.finfo(np.float64).max)
Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Bend:
    """A function of a number that is monotone between neighbouring ends, and not defined beyond the outer ones."""

    name: str
    function: Function
    ends: tuple[float, ...] = (-LARGEST, LARGEST)
    kinks: tuple[float, ...] = ()
    """Where it is not smooth, beside the ends."""
    monotone: bool = True
    """Whether it is monotone between ends; if not, it stands in front of linear models alone."""


def applied(steps: Sequence[Any], values: np.ndarray) -> np.ndarray:
    """What steps make of numbers, rounded as in the library."""
    with np.errstate(all="ignore"):
        for step in steps:
            values = step.function(values.copy()) if isinstance(step, Bend) else STEPS[step["step"]](step, values)
        return np.asarray(values, dtype=np.float64)


def staircase(steps: Sequence[Any], later: Sequence[Any], splits: list[tuple[float, bool]]) -> dict[str, Any]:
    """The step that stands for others in front of splits, each a threshold and whether numbers at it go left.

    ``later`` is what the predictor does to the feature first.
    """
    ends = np.array([-LARGEST, LARGEST])
    for place, step in enumerate(steps):
        if isinstance(step, Bend):
            before = steps[:place]
            reaching = crossings(before, [(end, True) for end in step.ends], ends)
            # Where a function begins, the first number within counts, not the last one before.
            ends = np.unique(np.concatenate([ends, reaching, np.nextafter(reaching, LARGEST)]))
            reached = applied(before, ends)
            ends = ends[(reached >= step.ends[0]) & (reached <= step.ends[-1])]
            if len(ends) < 2:
                raise NotDescribed(f"{step.name} of numbers for which it is not defined")
    every = [*steps, *later]
    # The ends are among the cuts: neighbouring pieces may have different values there.
    cuts = np.unique(np.concatenate([crossings(every, splits, ends), ends[1:-1]]))
    values = applied(every, np.append(cuts, ends[-1]))
    if np.isnan(values).any():
        raise NotDescribed("a function that is not defined between the numbers for which it is")
    return {"step": "staircase", "cuts": cuts.tolist(), "values": np.clip(values, -LARGEST, LARGEST).tolist()}


def crossings(steps: Sequence[Any], splits: list[tuple[float, bool]], ends: np.ndarray) -> np.ndarray:
    """The last numbers before the side of a split changes, on each piece between two ends."""
    if not splits:
        return np.empty(0)
    thresholds = np.array([threshold for threshold, _ in splits])
    stays = np.array([at_threshold for _, at_threshold in splits])

    def left(numbers: np.ndarray) -> np.ndarray:
        reached = applied(steps, numbers)
        return np.where(stays, reached <= thresholds, reached < thresholds)

    found = []
    for place, (lower, upper) in enumerate(zip(ends[:-1], ends[1:])):
        # A piece begins just above its end; the first one with it.
        low = np.full(len(splits), _order(np.array([lower]))[0] + (place > 0))
        high = np.full(len(splits), _order(np.array([upper]))[0])
        start = left(_number(low))
        changes = start != left(_number(high))
        low, high = low.copy(), high.copy()
        while (changes & (low + 1 < high)).any():
            middle = (low >> 1) + (high >> 1) + (low & high & 1)
            same = left(_number(middle)) == start
            low, high = np.where(same, np.maximum(low, middle), low), np.where(same, high, middle)
        found.append(_number(low[changes]))
    return np.unique(np.concatenate(found))


def _order(numbers: np.ndarray) -> np.ndarray:
    """The place of numbers in the order of all of them."""
    bits = numbers.astype(np.float64).view(np.int64)
    return np.where(bits < 0, np.int64(-(2**63)) - bits, bits)


def _number(places: np.ndarray) -> np.ndarray:
    bits = np.where(places < 0, np.int64(-(2**63)) - places, places)
    return bits.astype(np.int64).view(np.float64)


STEPS: dict[str, Callable[[dict[str, Any], np.ndarray], np.ndarray]] = {
    "single": lambda step, values: values.astype(np.float32).astype(np.float64),
    "add": lambda step, values: values + step["value"],
    "multiply": lambda step, values: values * step["value"],
    "divide": lambda step, values: values / step["value"],
    "clip": lambda step, values: np.clip(values, step["lower"], step["upper"]),
    "impute": lambda step, values: values,
}
