"""scikit-learn's trees, forests and gradient boosting."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline
from .linear import plain

SINGLE = ({"step": "single"},)


def tree(model: Any) -> Pipeline:
    """One tree: a vote of one."""
    return _votes(model, [model])


def forest(model: Any) -> Pipeline:
    """A forest: the mean of the votes of its trees, added up in their order."""
    return _votes(model, model.estimators_)


def _votes(model: Any, estimators: list[Any]) -> Pipeline:
    if getattr(model, "n_outputs_", 1) != 1:
        raise NotDescribed(f"{type(model).__name__} of several outputs")
    n_classes = len(model.classes_)
    trees = [_arrays(one.tree_, one.tree_.value[:, 0, :n_classes]) for one in estimators]
    # The label is the first of the largest votes.
    return ensemble(trees, np.zeros(n_classes), model.n_features_in_, SINGLE, combine="mean")


def gradient_boosting(model: Any) -> Pipeline:
    """Boosted trees: a constant start and the learning rate times every leaf."""
    if model.init_ != "zero" and type(model.init_).__name__ != "DummyClassifier":
        raise NotDescribed("GradientBoostingClassifier that starts from another model (init)")
    start = model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32))[0]
    n_outputs = len(start)
    trees = [
        _arrays(one.tree_, model.learning_rate * one.tree_.value[:, 0, :1], place if n_outputs > 1 else None)
        for stage in model.estimators_
        for place, one in enumerate(stage)
    ]
    return ensemble(trees, start, model.n_features_in_, SINGLE, positive_at_zero=True)


def _arrays(one: Any, values: np.ndarray, output: Optional[int] = None) -> tuple:
    missing = getattr(one, "missing_go_to_left", None)
    return (
        output,
        np.ascontiguousarray(one.children_left, dtype=np.int64),
        np.ascontiguousarray(one.children_right, dtype=np.int64),
        np.ascontiguousarray(one.feature, dtype=np.int64),
        np.ascontiguousarray(one.threshold, dtype=np.float64),
        np.ascontiguousarray(values, dtype=np.float64),
        None if missing is None else np.ascontiguousarray(missing, dtype=np.int64),
        None,
    )


def ensemble(
    trees: list[tuple],
    start: np.ndarray,
    n_features: int,
    steps: Any = (),
    *,
    combine: str = "sum",
    positive_at_zero: bool = False,
) -> Pipeline:
    """A sum or a mean of trees over features that all take the same steps."""
    predictor = {
        "family": "trees",
        "n_outputs": len(start),
        "start": [float(value) for value in start],
        "combine": combine,
        "single": False,
        "positive_at_zero": positive_at_zero,
        "trees": [],
    }
    # The trees are passed as arrays: writing a large forest as text would take longer than fitting it.
    return plain(predictor, n_features, steps).with_trees(trees)
