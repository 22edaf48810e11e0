"""scikit-learn's encoders of categories."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._errors import NotDescribed
from .features import Feature, Inputs, category, number_or_missing


def one_hot_encoder(encoder: Any, features: list[Feature], inputs: Inputs) -> list[Feature]:
    """An indicator for each level, or group of infrequent levels, that was not dropped."""
    dropped = encoder._drop_idx_after_grouping
    dropped = dropped if dropped is not None else [None] * len(features)
    refuses = encoder.handle_unknown == "error"
    made = []
    for feature, levels, left_out, grouped in zip(features, encoder.categories_, dropped, _groups(encoder)):
        known = [category(level) for level in levels]
        feature = _known(inputs, feature, known, others=not refuses)
        if grouped is None:
            kept = [level for place, level in enumerate(known) if place != left_out]
            made += [feature.then({"step": "indicator", "of": level}) for level in kept]
            continue
        # The infrequent levels are the last group; unknown ones may be put there too.
        last = int(grouped.max())
        joins = encoder.handle_unknown in ("infrequent_if_exist", "warn")
        for group in (group for group in range(last + 1) if group != left_out):
            values = (grouped == group).astype(float).tolist()
            others = float(joins and group == last)
            made.append(feature.then(map_step(known, values, others, refuses)))
    return made


def ordinal_encoder(encoder: Any, features: list[Feature], inputs: Inputs) -> list[Feature]:
    """The place of a level, or of its group."""
    made = []
    refuses = encoder.handle_unknown == "error"
    others = None if refuses else number_or_missing(encoder.unknown_value)
    for place, (feature, levels, grouped) in enumerate(zip(features, encoder.categories_, _groups(encoder))):
        known = [category(level) for level in levels]
        feature = _known(inputs, feature, known, others=not refuses)
        codes = range(len(known)) if grouped is None else grouped
        values: list[Optional[float]] = [float(code) for code in codes]
        if place in encoder._missing_indices:
            values[encoder._missing_indices[place]] = number_or_missing(encoder.encoded_missing_value)
        made.append(feature.then(map_step(known, values, others, refuses)))
    return made


def target_encoder(encoder: Any, features: list[Feature], inputs: Inputs) -> list[Feature]:
    """The mean of the target for a level; with three classes or more, that of each class."""
    n_each = len(encoder.classes_) if encoder.target_type_ == "multiclass" else 1
    means = np.atleast_1d(encoder.target_mean_)
    made = []
    for place, (feature, levels) in enumerate(zip(features, encoder.categories_)):
        known = [category(level) for level in levels]
        feature = _known(inputs, feature, known, others=True)
        for output in range(n_each):
            values = [number_or_missing(value) for value in encoder.encodings_[place * n_each + output]]
            made.append(feature.then(map_step(known, values, float(means[output]), refuses=False)))
    return made


def map_step(known: list[Any], values: list[Optional[float]], others: Optional[float], refuses: bool) -> dict[str, Any]:
    """A number for each level."""
    return {"step": "map", "of": known, "values": values, "others": others, "refuses": refuses}


def _groups(encoder: Any) -> list[Any]:
    """For each feature, the group of each level; ``None`` where every level is one."""
    groups = getattr(encoder, "_default_to_infrequent_mappings", None) or []
    return list(groups) + [None] * (len(encoder.categories_) - len(groups))


def _known(inputs: Inputs, feature: Feature, known: list[Any], others: bool) -> Feature:
    """The raw column whose levels an encoder knows. What an imputer puts in is put in when a table is read."""
    if not isinstance(feature, Feature) or any(
        not isinstance(step, dict) or step["step"] != "impute" for step in feature.steps
    ):
        raise NotDescribed("an encoder of categories behind another transformer")
    inputs.know_levels(feature.input, known, others, ordered=False)
    if "" in known:
        # Missing cells reached the encoder: an imputer of NaN leaves None alone.
        inputs.fills.pop(feature.input, None)
    return Feature(feature.input)
