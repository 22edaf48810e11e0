"""The verdict of the certified test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass(frozen=True)
class Verdict:
    """Whether known answers settle the decision. Its ``repr`` shows no answer."""

    outcome: str
    """core: no answer to the other questions changes the class; open: some do; or out of budget: neither was found."""
    label: Any
    """The class, if the outcome is core."""
    witness: Optional[tuple[dict[str, Any], dict[str, Any]]] = field(repr=False)
    """If it is open, the answers of two people who agree in everything known and are given different classes. Numbers
    that need not be whole are exact only up to rounding."""
