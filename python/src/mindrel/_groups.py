"""Groups of people that an audit compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._frame import Column, Frame, frame_of, level_name

MOST_GROUPS = 50
# Numbers with more different values than this are cut at their quartiles.
MOST_NUMBERS = 10
MISSING = "(missing)"


@dataclass(frozen=True)
class Grouping:
    """The groups of one column or two, and that of each row. Its ``repr`` shows nobody's."""

    columns: list[tuple[str, list[str]]]
    """The names and levels of the columns."""
    cells: np.ndarray
    """The place of each row's group; of two columns, that of the first times the levels of the second, and the second's."""

    def __repr__(self) -> str:
        return f"Grouping({[name for name, _ in self.columns]})"


def grouping_of(X: Any, by: Any) -> Grouping:
    """The groups by one or two columns of X, or by one or two arrays with an entry for each row."""
    given = list(by) if isinstance(by, (list, tuple)) else [by]
    if len(given) not in (1, 2):
        raise ValueError(f"people are grouped by one column or two, not {len(given)}; audit more of them one by one")
    frame = frame_of(X) if any(isinstance(one, str) for one in given) else None
    found = [_levels(_column(frame, one, place)) for place, one in enumerate(given)]
    cells = np.zeros(len(found[0][2]), dtype=np.int64)
    for name, levels, places in found:
        if len(places) != len(cells):
            raise ValueError("the two columns of `by` have different lengths")
        cells = cells * len(levels) + places
    if np.prod([len(levels) for _, levels, _ in found]) > MOST_GROUPS:
        raise ValueError(f"`by` makes more than {MOST_GROUPS} groups; group by fewer levels")
    return Grouping([(name, levels) for name, levels, _ in found], cells)


def _column(frame: Frame | None, given: Any, place: int) -> Column:
    if not isinstance(given, str):
        name = getattr(given, "name", None) or ("group" if place == 0 else "other group")
        values = np.asarray(given)
        if values.ndim != 1:
            raise ValueError("`by` takes the names of one or two columns, or one or two arrays of one dimension")
        return _named(frame_of(values.astype(object)[:, None] if values.dtype.kind in "US" else values[:, None]), name)
    assert frame is not None, "the table is read if a column is named"
    if given not in frame.names:
        raise ValueError(f"X has no column `{given}` to group by; its columns are: {', '.join(frame.names)}")
    return frame.columns[frame.names.index(given)]


def _named(frame: Frame, name: Any) -> Column:
    column = frame.columns[0]
    return Column(str(name), column.kind, column.values, column.levels)


def _levels(column: Column) -> tuple[str, list[str], np.ndarray]:
    """The name of a column, its levels, and the place of each row's."""
    if column.kind == "category":
        names, codes = list(column.levels or []), np.asarray(column.values)
        is_missing = codes < 0
        seen, places = np.unique(np.array(names, dtype=object)[codes[~is_missing]].astype(str), return_inverse=True)
        levels = seen.tolist()
    else:
        is_missing = np.isnan(column.values)
        levels, places = _of_numbers(column, column.values[~is_missing])
    cells = np.empty(len(is_missing), dtype=np.int64)
    cells[~is_missing] = places
    if is_missing.any():
        cells[is_missing] = len(levels)
        levels = [*levels, MISSING]
    if not levels:
        raise ValueError(f"nobody has a group by `{column.name}`, since there are no rows")
    return column.name, levels, cells


def _of_numbers(column: Column, numbers: np.ndarray) -> tuple[list[str], np.ndarray]:
    if column.kind == "boolean":
        return ["no", "yes"], (numbers != 0).astype(np.int64)
    seen, places = np.unique(numbers, return_inverse=True)
    if len(seen) <= MOST_NUMBERS:
        return [level_name(float(value)) for value in seen], places
    cuts = np.unique(np.quantile(numbers, [0.25, 0.5, 0.75], method="inverted_cdf"))
    shown = [level_name(float(cut)) for cut in cuts]
    levels = [f"up to {shown[0]}", *(f"over {low} up to {high}" for low, high in zip(shown, shown[1:]))]
    return [*levels, f"over {shown[-1]}"], np.searchsorted(cuts, numbers, side="left")
