"""Models of two classes that decide at a threshold of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline


class Cut:
    """A fitted model whose second class is decided for from a probability on.

    It behaves as scikit-learn's ``FixedThresholdClassifier`` does with a fitted model.
    """

    def __init__(self, model: Any, threshold: float) -> None:
        self.estimator_, self.threshold = model, threshold
        self.pos_label, self.response_method = None, "predict_proba"
        for name in ("feature_names_in_", "n_features_in_", "classes_"):
            if hasattr(model, name):
                setattr(self, name, getattr(model, name))

    def predict(self, X: Any) -> np.ndarray:
        """The classes, cut at the threshold."""
        probabilities = self.predict_proba(X)
        if probabilities.shape[1] != 2:
            raise ValueError("a threshold is for two classes, and the model has more")
        return np.asarray(self.classes_)[(probabilities[:, 1] >= self.threshold).astype(int)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The model's own probabilities."""
        if not hasattr(self.estimator_, "predict_proba"):
            raise ValueError("the model gives no probabilities, so no threshold on them can be set")
        return np.asarray(self.estimator_.predict_proba(X))


def threshold_of_costs(costs: Any) -> float:
    """The probability of the second class from which deciding for it costs less on average.

    ``costs[i][j]`` is the cost of deciding for class j where class i is true::

        p (c_11 - c_10) + (1 - p) (c_01 - c_00) <= 0    where    p >= (c_01 - c_00) / (c_01 - c_00 + c_10 - c_11)
    """
    costs = np.asarray(costs, dtype=np.float64)
    if costs.shape != (2, 2) or not np.isfinite(costs).all():
        raise ValueError("error_costs is a matrix of two rows and two columns: [true class][class decided for]")
    false_second, false_first = costs[0, 1] - costs[0, 0], costs[1, 0] - costs[1, 1]
    if not (false_second > 0 and false_first > 0):
        raise ValueError("error_costs: an error must cost more than deciding for the true class")
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


def cut(model: Any, pipeline: Pipeline) -> Pipeline:
    """The pipeline of the model inside, cut where the one around it cuts."""
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
    try:
        return pipeline.cut(of_probability, float(threshold), of_second)
    except ValueError as reason:
        raise NotDescribed(str(reason)) from None
