"""scikit-learn's transformers whose features are weighted sums of columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import NotDescribed
from .features import Inputs, mixtures


def components(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """Principal components, singular vectors, or random projections."""
    weights = transformer.components_
    weights = np.asarray(weights.toarray() if hasattr(weights, "toarray") else weights, dtype=np.float64)
    mean = getattr(transformer, "mean_", None)
    if getattr(transformer, "whiten", False):
        scale = np.sqrt(transformer.explained_variance_)
        weights = weights / np.maximum(scale, np.finfo(scale.dtype).eps)[:, None]
    constants = np.zeros(len(weights)) if mean is None else -(weights @ mean)
    return mixtures(type(transformer).__name__, weights, constants, features)


def fast_ica(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """Independent components."""
    weights = np.asarray(transformer.components_, dtype=np.float64)
    mean = transformer.mean_ if transformer.whiten else np.zeros(weights.shape[1])
    return mixtures("FastICA", weights, -(weights @ mean), features)


def discriminants(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """Linear discriminants."""
    if transformer.solver not in ("svd", "eigen"):
        raise NotDescribed(f"LinearDiscriminantAnalysis with solver={transformer.solver!r} in front of a model")
    weights = np.asarray(transformer.scalings_, dtype=np.float64).T[: transformer._max_components]
    centre = transformer.xbar_ if transformer.solver == "svd" else np.zeros(weights.shape[1])
    return mixtures("LinearDiscriminantAnalysis", weights, -(weights @ centre), features)


def normalizer(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """What divides a person's numbers by their length is linear in none of them."""
    raise NotDescribed(
        "Normalizer divides all of a person's numbers by their common size; a scaler of each column could be certified"
    )


def polynomials(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """Products of columns, unless there are none."""
    if not (np.asarray(transformer.powers_).sum(axis=1) <= 1).all():
        raise NotDescribed("PolynomialFeatures multiplies columns; trees find products by themselves")
    return mixtures("PolynomialFeatures", transformer.powers_, 1.0 - transformer.powers_.sum(axis=1), features)
