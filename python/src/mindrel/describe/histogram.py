"""scikit-learn's histogram-based gradient boosting."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline
from .encoders import map_step
from .features import Feature, Inputs, category, number
from .linear import LOGISTIC
from .trees import ensemble


def hist_gradient_boosting(model: Any) -> Pipeline:
    """Boosted trees in double precision, with categories of their own."""
    start = np.asarray(model._baseline_prediction, dtype=np.float64).ravel()
    n_outputs = len(start)
    trees = [
        _arrays(one, place if n_outputs > 1 else None)
        for stage in model._predictors
        for place, one in enumerate(stage)
    ]
    return ensemble(trees, start, model.n_features_in_, probability=LOGISTIC)


def own_preprocessing(model: Any, features: list[Feature], inputs: Inputs) -> list[Feature]:
    """What the model itself does first: categories become codes and come first."""
    if model._preprocessor is None:
        return features
    encoders, n_features = model._preprocessor.named_transformers_, len(features)
    is_category = np.asarray(model.is_categorical_, dtype=bool)
    if len(is_category) != n_features:
        raise NotDescribed("HistGradientBoostingClassifier with another number of columns than it was fitted on")
    encoder = encoders["encoder"]
    coded = []
    for feature, levels in zip(
        [feature for place, feature in enumerate(features) if is_category[place]], encoder.categories_
    ):
        known = [category(level) for level in levels if level is not None and level == level]
        if not feature.steps:
            # A level that it never saw goes where a missing one does.
            inputs.know_levels(feature.input, known, others=True)
            codes = [float(code) for code in range(len(known))]
            coded.append(feature.then(map_step(known, codes, None, refuses=False)))
        elif len(feature.steps) == 1 and isinstance(feature.steps[0], dict) and feature.steps[0]["step"] == "map":
            # The codes of an encoder in front are levels here.
            step = feature.steps[0]
            code = {level: float(place) for place, level in enumerate(known)}
            values = [code.get(value) for value in step["values"]]
            coded.append(Feature(feature.input, ({**step, "values": values, "others": code.get(step["others"])},)))
        else:
            raise NotDescribed("categories of HistGradientBoostingClassifier behind another transformer")
    return coded + [feature for place, feature in enumerate(features) if not is_category[place]]


def _arrays(one: Any, output: Optional[int]) -> tuple:
    nodes = one.nodes
    leaf = nodes["is_leaf"].astype(bool)
    ordered = np.flatnonzero(nodes["is_categorical"].astype(bool) & ~leaf)
    sets = {int(node): _members(one.raw_left_cat_bitsets[nodes["bitset_idx"][node]]) for node in ordered}
    return (
        output,
        np.where(leaf, -1, nodes["left"].astype(np.int64)),
        np.where(leaf, -1, nodes["right"].astype(np.int64)),
        nodes["feature_idx"].astype(np.int64),
        np.array([number(value) if value == value else 0.0 for value in nodes["num_threshold"]], dtype=np.float64),
        np.ascontiguousarray(nodes["value"].astype(np.float64)[:, None]),
        nodes["missing_go_to_left"].astype(np.int64),
        sets or None,
    )


def _members(bits: np.ndarray) -> list[int]:
    """The codes whose bits are set."""
    return [code for code in range(256) if int(bits[code // 32]) >> (code % 32) & 1]
