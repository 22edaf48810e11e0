"""scikit-learn's encoders of categories."""

from __future__ import annotations

from typing import Any

from .._errors import NotDescribed
from .features import Feature, Inputs, category


def one_hot_encoder(encoder: Any, features: list[Feature], inputs: Inputs) -> list[Feature]:
    """An indicator for each level that was not dropped."""
    if any(found is not None and len(found) for found in getattr(encoder, "infrequent_categories_", None) or []):
        raise NotDescribed("OneHotEncoder that puts infrequent levels together")
    dropped = encoder.drop_idx_ if encoder.drop_idx_ is not None else [None] * len(features)
    made = []
    for feature, levels, left_out in zip(features, encoder.categories_, dropped):
        known = [category(level) for level in levels]
        _know(inputs, feature, known, others=encoder.handle_unknown != "error")
        kept = [level for place, level in enumerate(known) if place != left_out]
        made += [feature.then({"step": "indicator", "of": level}) for level in kept]
    return made


def ordinal_encoder(encoder: Any, features: list[Feature], inputs: Inputs) -> list[Feature]:
    """The place of a level."""
    if any(found is not None and len(found) for found in getattr(encoder, "infrequent_categories_", None) or []):
        raise NotDescribed("OrdinalEncoder that puts infrequent levels together")
    made = []
    for feature, levels in zip(features, encoder.categories_):
        known = [category(level) for level in levels]
        if "" in known and encoder.encoded_missing_value != len(known) - 1:
            raise NotDescribed("OrdinalEncoder with a code of its own for missing values")
        _know(inputs, feature, known, others=encoder.handle_unknown != "error")
        made.append(feature.then(code_step(encoder)))
    return made


def code_step(encoder: Any) -> dict[str, Any]:
    """The step an ordinal encoder is."""
    unknown = encoder.unknown_value if encoder.handle_unknown == "use_encoded_value" else None
    if unknown is None or unknown != unknown:
        return {"step": "code"}
    return {"step": "code", "unknown": float(unknown)}


def _know(inputs: Inputs, feature: Feature, known: list[Any], others: bool) -> None:
    if any(step["step"] != "impute" for step in feature.steps):
        raise NotDescribed("an encoder of categories behind another transformer")
    inputs.know_levels(feature.input, known, others)
