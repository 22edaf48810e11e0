"""What a plan file keeps for Python beside the plan: the types of the classes, and what replaces missing cells."""

from __future__ import annotations

import json
from typing import Any, Optional

import numpy as np

from . import _mindrel
from ._frame import python_value


def notes_of(classes: np.ndarray, fills: dict[str, Any]) -> str:
    """The notes for a plan with these classes, and these replacements by column."""
    return json.dumps({
        "classes": [python_value(label) for label in classes],
        "dtype": str(classes.dtype),
        "fills": {name: python_value(value) for name, value in fills.items()},
    })


def read_notes(path: str) -> tuple[Optional[np.ndarray], dict[str, Any]]:
    """The classes and the replacements that are noted in a file; no classes if the file was not written by Python."""
    text = _mindrel.Plan.notes(path)
    notes = {} if text is None else json.loads(text)
    if "classes" not in notes:
        return None, {}
    return np.array(notes["classes"], dtype=notes["dtype"]), notes.get("fills", {})
