"""scikit-learn's linear classifiers and networks."""

from __future__ import annotations

import json
from typing import Any, Optional

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline


LOGISTIC = {"link": "logistic", "slope": 1.0}


def is_linear(model: Any) -> bool:
    """Whether a model's scores are its coefficients times the features: scikit-learn's own linear classifiers."""
    made_here = type(model).__module__.partition(".")[0] == "sklearn"
    return made_here and any(parent.__name__ == "LinearClassifierMixin" for parent in type(model).__mro__)


def linear(model: Any) -> Pipeline:
    """Scores ``coef_ · x + intercept_``, one for two classes."""
    weights = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    intercepts = np.broadcast_to(np.asarray(model.intercept_, dtype=np.float64).ravel(), len(weights))
    n_classes = len(model.classes_)
    if len(weights) != (1 if n_classes == 2 else n_classes):
        raise NotDescribed(f"{type(model).__name__} has {len(weights)} rows of coefficients for {n_classes} classes")
    predictor = {"family": "linear", "weights": weights.tolist(), "intercepts": intercepts.tolist()}
    return plain(predictor, weights.shape[1], probability=LOGISTIC if _is_logistic(model) else None)


def _is_logistic(model: Any) -> bool:
    """Whether the probability of the second class is the logistic function of the score."""
    name = type(model).__name__
    return name in ("LogisticRegression", "LogisticRegressionCV", "LinearDiscriminantAnalysis") or (
        name == "SGDClassifier" and model.loss == "log_loss"
    )


def linear_support_vectors(model: Any) -> Pipeline:
    """A support vector machine with a linear kernel and two classes."""
    if model.kernel != "linear" or len(model.classes_) != 2:
        raise NotDescribed("SVC that is not linear, or of more than two classes")
    return linear(model)


def network(model: Any) -> Pipeline:
    """A multi-layer perceptron up to its last layer: the function behind it keeps the order of its outputs."""
    if model.activation not in ("relu", "identity"):
        raise NotDescribed(f"MLPClassifier with activation={model.activation!r}")
    if model.out_activation_ == "logistic" and len(model.classes_) > 2:
        raise NotDescribed("MLPClassifier of several labels at once")
    layers = [
        {
            "weights": np.asarray(weights, dtype=np.float64).T.tolist(),
            "biases": np.asarray(biases, dtype=np.float64).tolist(),
        }
        for weights, biases in zip(model.coefs_, model.intercepts_)
    ]
    n_features = model.coefs_[0].shape[0]
    if model.activation == "relu" and len(layers) > 1:
        return plain({"family": "network", "layers": layers}, n_features, probability=LOGISTIC)
    weights, intercepts = _product(model)
    predictor = {"family": "linear", "weights": weights.tolist(), "intercepts": intercepts.tolist()}
    return plain(predictor, n_features, probability=LOGISTIC)


def _product(model: Any) -> tuple[np.ndarray, np.ndarray]:
    """Merges layers that have no activation between them into one."""
    weights, intercepts = np.eye(model.coefs_[0].shape[0]), np.zeros(model.coefs_[0].shape[0])
    for layer, biases in zip(model.coefs_, model.intercepts_):
        weights, intercepts = weights @ layer, intercepts @ layer + biases
    return weights.T, intercepts


def plain(
    predictor: dict[str, Any], n_features: int, steps: Any = (), probability: Optional[dict[str, Any]] = None
) -> Pipeline:
    """A predictor on its own: its inputs are its features, after some steps they all take.

    ``probability`` says how that of the second of two classes follows from the score, if it does.
    """
    inputs: list[dict[str, Any]] = [{} for _ in range(n_features)]
    features = [{"input": place, "steps": list(steps)} for place in range(n_features)]
    described = {"inputs": inputs, "features": features, "predictor": predictor, "probability": probability}
    return Pipeline.from_json(json.dumps(described))
