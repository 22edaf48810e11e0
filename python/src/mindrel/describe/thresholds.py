"""Models that decide at a threshold of their own, or by what errors cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline


class Around:
    """A fitted model that is decided by otherwise than it does itself."""

    def __init__(self, model: Any) -> None:
        self.estimator_ = model
        for name in ("feature_names_in_", "n_features_in_", "classes_"):
            if hasattr(model, name):
                setattr(self, name, getattr(model, name))

    def predict_proba(self, X: Any) -> np.ndarray:
        """The model's own probabilities."""
        if not hasattr(self.estimator_, "predict_proba"):
            raise ValueError("the model gives no probabilities, so neither a threshold nor costs of errors can be set")
        return np.asarray(self.estimator_.predict_proba(X))


class Costed(Around):
    """A fitted model that is decided by what errors cost on average: ``costs[true class][class decided for]``."""

    def __init__(self, model: Any, costs: Any) -> None:
        super().__init__(model)
        self.costs = np.asarray(costs, dtype=np.float64)

    def predict(self, X: Any) -> np.ndarray:
        """The classes with the least expected cost, the first of equals."""
        probabilities = self.predict_proba(X)
        if probabilities.shape[1] != len(self.costs):
            n_classes = probabilities.shape[1]
            raise ValueError(f"error_costs is for {len(self.costs)} classes, and the model has {n_classes}")
        return np.asarray(self.classes_)[(probabilities @ self.costs).argmin(axis=1)]


class Cut(Around):
    """A fitted model whose second class is decided for from a probability on.

    It behaves as scikit-learn's ``FixedThresholdClassifier`` does with a fitted model.
    """

    def __init__(self, model: Any, threshold: float) -> None:
        super().__init__(model)
        self.threshold = threshold
        self.pos_label, self.response_method = None, "predict_proba"

    def predict(self, X: Any) -> np.ndarray:
        """The classes, cut at the threshold."""
        probabilities = self.predict_proba(X)
        if probabilities.shape[1] != 2:
            raise ValueError("a threshold is for two classes, and the model has more")
        return np.asarray(self.classes_)[(probabilities[:, 1] >= self.threshold).astype(int)]


def checked_costs(costs: Any) -> np.ndarray:
    """The costs of errors, as a matrix: ``costs[i][j]`` is that of deciding for class j where class i is true."""
    try:
        matrix = np.asarray(costs, dtype=np.float64)
    except ValueError:
        matrix = np.empty(0)
    if matrix.ndim != 2 or len(matrix) < 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all():
        raise ValueError("error_costs has a row and a column for each class: [true class][class decided for]")
    if not (matrix > matrix.diagonal()[:, None])[~np.eye(len(matrix), dtype=bool)].all():
        raise ValueError("error_costs: an error must cost more than deciding for the true class")
    return matrix


def threshold_of_costs(costs: np.ndarray) -> float:
    """The probability of the second class from which deciding for it costs less on average::

        p (c_11 - c_10) + (1 - p) (c_01 - c_00) <= 0    where    p >= (c_01 - c_00) / (c_01 - c_00 + c_10 - c_11)
    """
    false_second, false_first = costs[0, 1] - costs[0, 0], costs[1, 0] - costs[1, 1]
    return float(false_second / (false_second + false_first))


def is_cut(model: Any) -> bool:
    """Whether a model is another one, cut elsewhere."""
    return isinstance(model, Cut) or (
        type(model).__name__ in ("FixedThresholdClassifier", "TunedThresholdClassifierCV")
        and type(model).__module__.startswith("sklearn.")
    )


def inner(model: Any) -> Any:
    """The model that is cut."""
    return getattr(model, "estimator_", None) or model.estimator


@dataclass(frozen=True)
class Threshold:
    """A class is decided for if its probability, or its score, is at least a value."""

    of_probability: bool
    value: float
    of_second: bool


def threshold_of(model: Any) -> Threshold:
    """Where a model cuts the one inside."""
    estimator = inner(model)
    of_probability = isinstance(model, Cut) or (
        model.response_method != "decision_function" and hasattr(estimator, "predict_proba")
    )
    threshold = getattr(model, "best_threshold_", None)
    if threshold is None:
        threshold = model.threshold
    if threshold == "auto":
        threshold = 0.5 if of_probability else 0.0
    positive = getattr(model, "pos_label", None)
    if hasattr(model, "_curve_scorer"):
        positive = model._curve_scorer._get_pos_label()
    of_second = positive is None or bool(estimator.classes_[1] == positive)
    return Threshold(of_probability, float(threshold), of_second)


def cut(model: Any, pipeline: Pipeline) -> Pipeline:
    """The pipeline of the model inside, cut where the one around it cuts."""
    threshold = threshold_of(model)
    try:
        return pipeline.cut(threshold.of_probability, threshold.value, threshold.of_second)
    except ValueError as reason:
        raise NotDescribed(str(reason)) from None
