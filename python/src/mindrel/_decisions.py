"""Decisions about many people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions about a table, with one entry per row in each array. It contains no answers."""

    labels: np.ndarray
    """The classes decided for."""
    guarantees: np.ndarray
    """What each decision rests on: complete, proved, sampled or probable."""
    n_asked: np.ndarray
    """How many sensitive questions were asked."""
    order: np.ndarray
    """When each sensitive question was asked, from 1, or 0 for never: a row per person, a column per question."""
    out_of_budget: np.ndarray
    """How many tests ran out of budget. If any did, more may have been asked than necessary."""
    questions: list[str]
    """The sensitive questions, the columns of ``order``."""

    @property
    def asked(self) -> np.ndarray:
        """Which sensitive questions each person was asked."""
        return self.order > 0

    @property
    def leakage(self) -> float:
        """Revealed sensitive questions / all sensitive questions, on average."""
        return float(self.asked.mean()) if self.order.size else 0.0

    def to_frame(self) -> Any:
        """A pandas DataFrame: label, guarantee, n_asked, out_of_budget, and when each question was asked."""
        import pandas

        head = {
            "label": self.labels,
            "guarantee": self.guarantees,
            "n_asked": self.n_asked,
            "out_of_budget": self.out_of_budget,
        }
        each = {f"asked_{name}": self.order[:, place] for place, name in enumerate(self.questions)}
        return pandas.DataFrame({**head, **each})

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        mean = self.n_asked.mean() if len(self) else 0
        return f"Decisions({len(self)} people, {mean:.2f} of {len(self.questions)} asked)"
