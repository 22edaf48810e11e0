"""Decisions about many people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _mindrel
from ._html import decisions_html


GUARANTEES = np.array(_mindrel.Plan.guarantees(), dtype=object)
_IN_WORDS = dict(zip(GUARANTEES, _mindrel.Plan.guarantees_in_words()))


def in_words(guarantee: str) -> str:
    """What a guarantee is called when people read it: ``sampled`` is "no counterexample found"."""
    return _IN_WORDS[guarantee]


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions about a table, with one entry per row in each array. It contains no answers."""

    labels: np.ndarray
    """The classes decided for."""
    guarantees: np.ndarray
    """What each decision rests on: complete, proved, probable, or sampled, which says that no counterexample was found; or
    none, for someone with an answer outside its domain, whom no proof is about."""
    n_asked: np.ndarray
    """How many sensitive questions were asked."""
    n_implied: np.ndarray
    """How many sensitive questions were not asked because their answers followed from others, by the plan's rules between
    questions."""
    order: np.ndarray
    """When each sensitive question was asked, from 1, or 0 for never: a row per person, a column per question."""
    out_of_budget: np.ndarray
    """How many tests ran out of budget or time. If any did, more may have been asked than necessary."""
    outside: np.ndarray
    """Who has an answer outside its domain, public or sensitive, asked or not, or answers that break a rule between
    questions. A session would refuse them, unless the question has ``outside="accept"``."""
    questions: list[str]
    """The sensitive questions, the columns of ``order``."""
    rows: np.ndarray = field(repr=False)
    """The row of the table that each entry is about: all of them, unless some were skipped."""
    skipped: dict[int, str] = field(default_factory=dict, repr=False)
    """The rows that were left out (``errors="skip"``), and what is wrong with them."""

    @property
    def asked(self) -> np.ndarray:
        """Which sensitive questions each person was asked."""
        return self.order > 0

    @property
    def leakage(self) -> float:
        """Revealed sensitive questions / all sensitive questions, on average."""
        return float(self.asked.mean()) if self.order.size else 0.0

    def to_frame(self) -> Any:
        """A pandas DataFrame: label, guarantee, n_asked, n_implied, out_of_budget, outside, and when each question was asked.

        Its index is ``rows``.
        """
        import pandas

        head = {
            "label": self.labels,
            "guarantee": self.guarantees,
            "n_asked": self.n_asked,
            "n_implied": self.n_implied,
            "out_of_budget": self.out_of_budget,
            "outside": self.outside,
        }
        each = {f"asked_{name}": self.order[:, place] for place, name in enumerate(self.questions)}
        return pandas.DataFrame({**head, **each}, index=self.rows)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        mean = self.n_asked.mean() if len(self) else 0
        kinds, counts = np.unique(self.guarantees.astype(str), return_counts=True)
        rests_on = "".join(f", {count} {in_words(kind)}" for kind, count in zip(kinds, counts))
        implied = f", {self.n_implied.mean():.2f} implied" if self.n_implied.any() else ""
        left_out = f", {len(self.skipped)} rows skipped" if self.skipped else ""
        return f"Decisions({len(self)} people, {mean:.2f} of {len(self.questions)} asked{implied}{rests_on}{left_out})"

    def _repr_html_(self) -> str:
        return decisions_html(self)
