"""Rows that are not people, which are found before anybody is decided about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._schema import Lent
from ._work import Work

ERRORS = ("raise", "skip")
# How many rows an error names.
NAMED_ROWS = 5


@dataclass(frozen=True)
class CheckedRows:
    """The rows of a table that can be decided about."""

    columns: list[Lent]
    rows: Optional[np.ndarray]
    """Their numbers in the table, if some were left out."""
    skipped: dict[int, str]
    """The others, and what is wrong with them."""

    def take(self, values: np.ndarray) -> np.ndarray:
        """The entries of these rows, given one for each row of the table."""
        return values if self.rows is None else values[self.rows]


def checked_rows(plan: Any, columns: list[Lent], work: Work, errors: str) -> CheckedRows:
    """Refuses, or leaves out, the rows that lack an answer or have one that is none."""
    if errors not in ERRORS:
        raise ValueError(f"there is no errors=`{errors}`; choose from {', '.join(ERRORS)}")
    rows, causes = plan.unfit_rows(columns, work)
    if not rows:
        return CheckedRows(columns, None, {})
    if errors == "raise":
        raise ValueError(f"row {rows[0]}: {causes[0]}{_others(rows)}")
    n_rows = len(columns[0][2]) if columns else 0
    kept = np.delete(np.arange(n_rows), rows)
    left = [(name, kind, cells[kept], fill) for name, kind, cells, fill in columns]
    return CheckedRows(left, kept, dict(zip(rows, causes)))


def _others(rows: list[int]) -> str:
    others = rows[1:]
    if not others:
        return ""
    named = ", ".join(map(str, others[:NAMED_ROWS])) + (", …" if len(others) > NAMED_ROWS else "")
    return f" ({len(others)} more such rows: {named}; errors='skip' leaves them out)"
