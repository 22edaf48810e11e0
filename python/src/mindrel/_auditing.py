"""Auditing and calibrating a minimizer on a table."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._audit import Audit
from ._groups import grouping_of
from ._rows import checked_rows
from ._schema import Lent, places_of
from ._tables import whole_table
from ._work import work_of

if TYPE_CHECKING:
    from ._minimizer import Minimizer


def audit(minimizer: Minimizer, X: Any, y: Any, by: Any, settings: dict[str, Any], errors: str) -> Audit:
    """Audits everyone in a table; ``settings`` are those of the compiled half."""
    X = whole_table(X)
    plan, columns = minimizer._plan(), minimizer._columns(X)
    labels = None if y is None else places_of(y, minimizer.classes_)
    grouping = None if by is None else grouping_of(X, by)
    n_rows = len(columns[0][2]) if columns else 0
    for name, given in (("y", labels), ("by", None if grouping is None else grouping.cells)):
        if given is not None and len(given) != n_rows:
            raise ValueError(f"{name} has {len(given)} entries, and X has {n_rows} rows")
    with work_of(minimizer, "auditing") as work:
        checked = checked_rows(plan, columns, work, errors)
        found = plan.audit(
            checked.columns,
            None if labels is None else checked.take(labels),
            checked.rows,
            None if grouping is None else checked.take(grouping.cells),
            json.dumps({**settings, "groups": [] if grouping is None else grouping.columns}),
            work,
        )
    return Audit(json.loads(found.to_json()), checked.skipped, found)


def calibrate(
    minimizer: Minimizer, X: Any, flips: float, confidence: float, by: Optional[str], errors: str
) -> None:
    """Calibrates the plan of a minimizer in place."""
    if minimizer.deadline is not None:
        raise ValueError(
            "a deadline would make the promise depend on how busy this machine is; set deadline=None, and a lower "
            "budget instead"
        )
    plan, columns = minimizer._plan(), minimizer._columns(X)
    settings = {
        "flips": flips,
        "confidence": confidence,
        "by": by,
        "rules": {**json.loads(plan.rules), "delta": 0.0, "test": "certified"},
        "table": _digest(columns),
    }
    with work_of(minimizer, "calibrating") as work:
        checked = checked_rows(plan, columns, work, errors)
        minimizer._fitted.plan = plan.calibrate(checked.columns, json.dumps(settings), work)


def _digest(columns: list[Lent]) -> str:
    """A SHA-256 of the table, by which a plan names what it was calibrated on."""
    digest = hashlib.sha256()
    for name, kind, cells, _ in columns:
        digest.update(json.dumps([name, kind]).encode())
        digest.update(np.ascontiguousarray(cells).tobytes())
    return digest.hexdigest()
