"""The options of a minimizer, checked before any work starts."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any


if TYPE_CHECKING:
    from ._minimizer import Minimizer

CHOICES = {
    "selector": ("decisive", "f-score", "f-score-mc", "importance", "random"),
    "test": ("certified", "sampled"),
    "estimate": ("qmc", "taylor"),
    "certify": ("warn", "require", "ignore"),
    "mismatch": ("error", "warn"),
    "output": ("auto", "labels", "probabilities", "scores"),
}
OPTIONAL = {"test", "samples"}
BELIEFS = ("gaussian", "copula", "bayes-nn")
COUNTS = ("samples", "budget", "draws", "seed")
MAPPINGS = ("costs", "questions")


def check_options(minimizer: Minimizer) -> None:
    """Refuses options that mean nothing, and says which ones there are."""
    for name, choices in CHOICES.items():
        value = getattr(minimizer, name)
        if value is None and name in OPTIONAL:
            continue
        if value not in choices:
            raise ValueError(_no_such(name, value, choices))
    _check_belief(minimizer.belief)
    delta = minimizer.delta
    is_fit = not isinstance(delta, bool) and isinstance(delta, Real) and 0 <= delta < 0.5
    if delta is not None and not is_fit:
        raise ValueError(f"delta must be a number from 0 to less than 0.5, not {delta!r}; 0 asks for a proof")
    for name in COUNTS:
        value = getattr(minimizer, name)
        if value is None and name in OPTIONAL:
            continue
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
            raise ValueError(f"{name} must be a whole number that is not negative, not {value!r}")
    for name in MAPPINGS:
        value = getattr(minimizer, name)
        if value is not None and not isinstance(value, Mapping):
            raise TypeError(f"{name} is of type {type(value).__name__}; give a dict from column to what is said of it")
    for column, said in (minimizer.questions or {}).items():
        if not isinstance(said, Mapping):
            raise TypeError(f"questions[{column!r}] is of type {type(said).__name__}; give a dict such as {{'upper': 99}}")


def _check_belief(belief: Any) -> None:
    kind = belief.get("kind") if isinstance(belief, Mapping) else belief
    if not isinstance(kind, str) or kind not in BELIEFS:
        raise ValueError(_no_such("belief", kind, BELIEFS) + "; options go into a dict, as {'kind': 'bayes-nn'}")


def _no_such(name: str, value: Any, choices: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(value, choices, 1) if isinstance(value, str) else []
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"there is no {name}={value!r}; choose from {', '.join(choices)}{meant}"
