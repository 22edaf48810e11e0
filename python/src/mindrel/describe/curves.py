"""Functions of one number that are not linear, in front of linear models.

A linear model over such functions is a sum of one function for each column. In a column of whole numbers, and wherever
it jumps, a function is a tree that cuts at every number or jump: exactly what the library computes. Elsewhere it is a
table of corners with lines between them, which differs from it by at most :data:`TOLERANCE` of what the column can
change a score by.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Sequence

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline
from . import linear
from .bends import STEPS, Bend, applied, crossings
from .composer import Composer
from .features import Feature, Inputs, Reach, base_features

# How far a table may be from its function, as a share of the function's range.
TOLERANCE = 1e-7
# A tree cuts at each of so many whole numbers, a table has so many corners.
MOST_WHOLE, MOST_CORNERS = 4096, 20_000
# Beyond the numbers of its column, a table goes no further than so many times the function's range.
RUNS_AWAY = 10.0
# A table begins with so many corners, so that no bend between them is overlooked.
FIRST_CORNERS = 65

Function = Callable[[np.ndarray], np.ndarray]


def are_bent(features: Sequence[Any], inputs: Inputs) -> bool:
    """Whether some features of a linear model are not linear in their columns."""
    return any(_is_bent(feature, inputs) for feature in base_features(features)[0])


def linear_scores(composer: Composer, model: Any, features: Sequence[Any]) -> list[int]:
    """The scores of a linear model over features of which some are bent."""
    base, sums, constants = base_features(features)
    own = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    weights, starts = own @ sums, np.ravel(model.intercept_) + own @ constants
    curves, straight = _by_column(base, composer.inputs)
    scores = _Scores(composer, [[] for _ in weights])
    if straight:
        predictor = {"family": "linear", "weights": weights[:, straight].tolist(), "intercepts": [0.0] * len(weights)}
        scores.add_part(linear.plain(predictor, len(straight)), [base[place] for place in straight])
    for places in curves.values():
        scores.add_curve([base[place] for place in places], weights[:, places])
    scores.add_trees()
    return [composer.sum(row, start=start) for row, start in zip(scores.terms, starts)]


def _is_bent(feature: Feature, inputs: Inputs) -> bool:
    return bool(feature.bends) or _is_clipped(feature, inputs)


def _is_clipped(feature: Feature, inputs: Inputs) -> bool:
    """Whether a clip changes a number of the column's range."""
    reach = inputs.reaches.get(feature.input)
    if reach is None or not any(step["step"] == "clip" for step in feature.steps):
        return False
    ends = np.array([reach.lower, reach.upper])
    unclipped = applied([step for step in feature.steps if step["step"] != "clip"], ends)
    # Rounding is no clip.
    return bool((np.abs(applied(feature.steps, ends) - unclipped) > 1e-6 * np.abs(unclipped).max()).any())


def _by_column(base: list[Feature], inputs: Inputs) -> tuple[dict[str, list[int]], list[int]]:
    """The places of the features of each bent column, by the column and what is imputed; and all other places."""
    keys = [repr(feature.column) for feature in base]
    bent = {key for key, feature in zip(keys, base) if _is_bent(feature, inputs)}
    curves: dict[str, list[int]] = {}
    straight = []
    for place, (key, feature) in enumerate(zip(keys, base)):
        if key in bent and all(isinstance(step, Bend) or step["step"] in STEPS for step in feature.steps):
            curves.setdefault(key, []).append(place)
        elif feature.bends:
            raise NotDescribed(f"{feature.bends[0].name} of categories")
        else:
            straight.append(place)
    return curves, straight


@dataclass
class _Scores:
    """The scores of a linear model while they are put together."""

    composer: Composer
    terms: list[list[tuple[int, float]]]
    """For each score, values and their weights."""
    trees: list[tuple[Feature, np.ndarray, np.ndarray]] = field(default_factory=list)
    """Columns, where their function jumps, and for each score how high it is before, between and after."""

    def add_part(self, pipeline: Pipeline, features: list[Feature]) -> None:
        """Adds the scores of a predictor, one for each."""
        from ._described import behind

        pipeline = behind(pipeline, features, self.composer.inputs)
        for row, place in zip(self.terms, self.composer.part(pipeline, len(self.terms))):
            row.append((place, 1.0))

    def add_curve(self, features: list[Feature], weights: np.ndarray) -> None:
        """Adds the features of one column."""
        column, inputs = features[0].column, self.composer.inputs
        name = next((feature.bends[0].name for feature in features if feature.bends), "a clipped number")
        reach = inputs.reaches.get(column.input)
        if reach is None:
            raise NotDescribed(f"{name} of column `{inputs.names[column.input]}`, which is not of numbers")
        functions = [_function_of(feature) for feature in features]
        if reach.whole and reach.upper - reach.lower < MOST_WHOLE:
            # The mean of whole numbers, which stands in for missing ones, is none itself.
            imputed = [step["value"] for step in column.steps]
            numbers = np.unique(np.append(_whole_numbers(reach, functions, name), imputed))
            self._add_tree(column, numbers[:-1], weights @ np.array([function(numbers) for function in functions]))
            return
        kinks = np.unique(np.concatenate([_kinks(feature, reach) for feature in features]))
        if len(weights) == 1:
            functions, weights = [_weighted(functions, weights[0])], np.ones((1, 1))
        raw = self.composer.part(_raw_number(column, inputs), 1)[0]
        for function, own in zip(functions, weights.T):
            table = _Table.of(function, kinks, reach, name)
            self._add_table(raw, table, own)
            self._add_tree(column, table.jumps, np.outer(own, np.append(0.0, np.cumsum(table.rises))))

    def _add_tree(self, column: Feature, cuts: np.ndarray, heights: np.ndarray) -> None:
        changes = (heights[:, 1:] != heights[:, :-1]).any(axis=0)
        if heights.any():
            self.trees.append((column, cuts[changes], heights[:, np.append(True, changes)]))

    def _add_table(self, raw: int, table: _Table, weights: np.ndarray) -> None:
        """What rises and what falls, as tables that never fall."""
        steps, start = np.diff(table.heights), table.heights[0]
        rises, falls = (np.append(0.0, np.cumsum(np.maximum(way, 0.0))) for way in (steps, -steps))
        for sign, heights in ((1.0, start + rises), (-1.0, falls)):
            if sign > 0 or heights[-1] > 0:
                place = self.composer.add("table", of=raw, at=table.corners.tolist(), heights=heights.tolist())
                for row, weight in zip(self.terms, weights):
                    row.append((place, sign * float(weight)))

    def add_trees(self) -> None:
        """Adds all trees at once: the model takes the least leaf of each."""
        if not self.trees:
            return
        trees = [{"nodes": _nodes(feature, cuts, heights)} for feature, (_, cuts, heights) in enumerate(self.trees)]
        predictor = {
            "family": "trees",
            "n_outputs": len(self.terms),
            "start": [0.0] * len(self.terms),
            "trees": trees,
            "combine": "sum",
            "single": False,
            "positive_at_zero": True,
        }
        self.add_part(linear.plain(predictor, len(trees)), [column for column, _, _ in self.trees])


def _function_of(feature: Feature) -> Function:
    steps = feature.steps[len(feature.column.steps) :]
    return lambda numbers: applied(steps, numbers)


def _weighted(functions: list[Function], weights: np.ndarray) -> Function:
    return lambda numbers: sum(weight * function(numbers) for weight, function in zip(weights, functions))


def _raw_number(column: Feature, inputs: Inputs) -> Pipeline:
    from ._described import behind

    return behind(linear.plain({"family": "linear", "weights": [[1.0]], "intercepts": [0.0]}, 1), [column], inputs)


def _whole_numbers(reach: Reach, functions: list[Function], name: str) -> np.ndarray:
    """The whole numbers of a column, and some beyond both ends if the functions are defined there."""
    width = reach.upper - reach.lower
    numbers = np.arange(reach.lower - width, reach.upper + width + 1.0)
    defined = np.isfinite([function(numbers) for function in functions]).all(axis=0)
    _check_defined(defined[reach.holds(numbers)], name)
    first = numbers[~defined & (numbers < reach.lower)].max(initial=-np.inf)
    last = numbers[~defined & (numbers > reach.upper)].min(initial=np.inf)
    return numbers[(numbers > first) & (numbers < last)]


def _check_defined(defined: np.ndarray, name: str) -> None:
    if not defined.all():
        raise NotDescribed(f"{name} of numbers for which it is not defined")


def _kinks(feature: Feature, reach: Reach) -> np.ndarray:
    """Where a feature is not smooth, or jumps, as numbers of its column."""
    steps = feature.steps[len(feature.column.steps) :]
    width = reach.upper - reach.lower
    ends = np.array([reach.lower - width, reach.upper + width])
    found = []
    for place, step in enumerate(steps):
        bounds = step.ends[1:-1] + step.kinks if isinstance(step, Bend) else ()
        if not isinstance(step, Bend) and step["step"] == "clip":
            bounds = (step["lower"], step["upper"])
        found.append(crossings(steps[:place], [(bound, True) for bound in bounds], ends))
    at = np.concatenate([np.empty(0), *found])
    return np.concatenate([np.nextafter(at, -np.inf), at, np.nextafter(at, np.inf)])


@dataclass(frozen=True)
class _Table:
    """A function of a number: lines between corners, and jumps."""

    corners: np.ndarray
    heights: np.ndarray
    """Without the jumps."""
    jumps: np.ndarray
    """The last numbers before each."""
    rises: np.ndarray

    @staticmethod
    def of(function: Function, kinks: np.ndarray, reach: Reach, name: str) -> _Table:
        lower, upper = _defined_around(function, reach, name)
        within = np.linspace(reach.lower, reach.upper, FIRST_CORNERS)
        corners = np.unique(np.concatenate([[lower], within, [upper], kinks[(kinks > lower) & (kinks < upper)]]))
        corners, heights = _refined(function, corners, reach, name)
        rises = np.where(np.nextafter(corners[:-1], np.inf) == corners[1:], np.diff(heights), 0.0)
        rises[np.abs(rises) <= TOLERANCE * np.ptp(heights[reach.holds(corners)])] = 0.0
        jumps = np.flatnonzero(rises)
        return _Table(corners, heights - np.append(0.0, np.cumsum(rises)), corners[jumps], rises[jumps])


def _defined_around(function: Function, reach: Reach, name: str) -> tuple[float, float]:
    """The range of a column, widened on both sides as far as the function is defined and does not run away."""
    within = function(np.linspace(reach.lower, reach.upper, FIRST_CORNERS))
    _check_defined(np.isfinite(within), name)
    width, most, ends = reach.upper - reach.lower, RUNS_AWAY * np.ptp(within), []
    for end, beyond, height in (
        (reach.lower, reach.lower - width, within[0]),
        (reach.upper, reach.upper + width, within[-1]),
    ):
        # Half as far each time, down to the end itself; not a number compares as false.
        while beyond != end and not abs(function(np.array([beyond]))[0] - height) <= most:
            beyond = end + (beyond - end) / 2.0
        ends.append(float(beyond))
    return ends[0], ends[1]


def _refined(function: Function, corners: np.ndarray, reach: Reach, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Corners with more between them until lines are near enough to the function, or only a jump is left.

    Beyond the column's own range, as a share of what the function comes to there.
    """
    heights = function(corners)
    while True:
        _check_defined(np.isfinite(heights), name)
        low, width, rise = corners[:-1], np.diff(corners), np.diff(heights)
        off = np.zeros(len(low))
        for share in (0.25, 0.5, 0.75):
            inner = low + share * width
            line = heights[:-1] + rise * ((inner - low) / width)
            off = np.maximum(off, np.abs(function(inner) - line))
        middle = low + 0.5 * width
        inside = reach.holds(corners)
        near = TOLERANCE * np.where(inside[:-1] & inside[1:], np.ptp(heights[inside]), np.ptp(heights))
        # Far off, or not a number.
        bent = ~(off <= near) & (middle > low) & (middle < corners[1:])
        if not bent.any():
            return corners, heights
        if len(corners) + bent.sum() > MOST_CORNERS:
            raise NotDescribed(f"{name}, which bends too often for a table of {MOST_CORNERS} corners")
        at = np.flatnonzero(bent) + 1
        corners, heights = np.insert(corners, at, middle[bent]), np.insert(heights, at, function(middle[bent]))


def _nodes(feature: int, cuts: np.ndarray, heights: np.ndarray) -> list[dict[str, Any]]:
    """A balanced tree with a leaf before, between and after the cuts, in which the heights of all scores are."""
    nodes: list[dict[str, Any]] = []

    def grow(first: int, last: int) -> int:
        place = len(nodes)
        if first == last:
            nodes.append({"leaf": heights[:, first].tolist()})
            return place
        middle = (first + last) // 2
        split: dict[str, Any] = {"feature": feature, "condition": {"atmost": float(cuts[middle])}}
        nodes.append({"split": split})
        split["left"], split["right"] = grow(first, middle), grow(middle + 1, last)
        return place

    grow(0, len(cuts))
    return nodes
