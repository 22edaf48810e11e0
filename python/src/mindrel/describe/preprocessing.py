"""scikit-learn's scalers, imputers and selections, and how they are put together."""

from __future__ import annotations

from typing import Any, Callable

from .._errors import NotDescribed
from .._frame import python_value
from .encoders import one_hot_encoder, ordinal_encoder, target_encoder
from .features import Feature, Inputs
from .mixing import components, discriminants, fast_ica, normalizer, polynomials
from .univariate import bins, function_transformer, power_transformer, quantile_transformer, spline_transformer

Transformed = Callable[[Any, list[Any], Inputs], list[Any]]


def apply(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """The features that a fitted transformer makes of others."""
    if transformer is None or isinstance(transformer, str) and transformer == "passthrough":
        return features
    name = type(transformer).__name__
    if type(transformer).__module__.partition(".")[0] == "sklearn":
        if name in TRANSFORMERS:
            return TRANSFORMERS[name](transformer, features, inputs)
        if hasattr(transformer, "get_support"):
            return [feature for feature, kept in zip(features, transformer.get_support()) if kept]
    raise NotDescribed(f"what {name} does to columns is not known here")


def _standard_scaler(scaler: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    means = scaler.mean_ if scaler.with_mean else None
    return _shift_and_divide(features, means, scaler.scale_)


def _robust_scaler(scaler: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    centres = scaler.center_ if scaler.with_centering else None
    return _shift_and_divide(features, centres, scaler.scale_ if scaler.with_scaling else None)


def _max_abs_scaler(scaler: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    if getattr(scaler, "clip", False):
        raise NotDescribed("MaxAbsScaler with clip=True")
    return _shift_and_divide(features, None, scaler.scale_)


def _shift_and_divide(features: list[Any], shifts: Any, scales: Any) -> list[Any]:
    made = []
    for place, feature in enumerate(features):
        if shifts is not None:
            feature = feature.then({"step": "add", "value": -float(shifts[place])})
        if scales is not None:
            feature = feature.then({"step": "divide", "value": float(scales[place])})
        made.append(feature)
    return made


def _min_max_scaler(scaler: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    made = []
    for feature, scale, shift in zip(features, scaler.scale_, scaler.min_):
        feature = feature.then({"step": "multiply", "value": float(scale)}, {"step": "add", "value": float(shift)})
        if scaler.clip:
            lower, upper = map(float, scaler.feature_range)
            feature = feature.then({"step": "clip", "lower": lower, "upper": upper})
        made.append(feature)
    return made


def _simple_imputer(imputer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    missing = imputer.missing_values
    if not (missing is None or missing != missing):
        raise NotDescribed("SimpleImputer whose missing_values are not NaN")
    made = []
    for feature, value in zip(features, imputer.statistics_):
        value = python_value(value)
        if value is None or value != value:
            if not imputer.keep_empty_features:
                continue
            value = 0.0
        if not isinstance(feature, Feature) or feature.steps:
            raise NotDescribed("SimpleImputer behind another transformer")
        inputs.fills.setdefault(feature.input, value)
        if inputs.fills[feature.input] != value:
            raise NotDescribed(f"column `{inputs.names[feature.input]}` is imputed twice with different values")
        # A text replaces a missing one when the table is read, before it is encoded, so no step is needed.
        made.append(feature if isinstance(value, str) else feature.then({"step": "impute", "value": float(value)}))
    if imputer.add_indicator:
        for place in imputer.indicator_.features_:
            if isinstance(inputs.fills.get(features[place].input), str):
                raise NotDescribed("SimpleImputer with add_indicator=True on texts")
            # What is missing is told from what replaces it: it is an answer of its own.
            inputs.fills[features[place].input] = float("nan")
            made.append(features[place].then({"step": "missing"}))
    return made


def _column_transformer(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    made = []
    places = transformer._transformer_to_input_indices
    for name, inner, _ in transformer.transformers_:
        if isinstance(inner, str) and inner == "drop" or len(places[name]) == 0:
            continue
        made += apply(inner, [features[place] for place in places[name]], inputs)
    return made


def _feature_union(union: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    if union.transformer_weights:
        raise NotDescribed("FeatureUnion with weights")
    parts = [apply(inner, features, inputs) for _, inner in union.transformer_list if inner != "drop"]
    return [feature for part in parts for feature in part]


def _pipeline(pipeline: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    for _, step in pipeline.steps:
        features = apply(step, features, inputs)
    return features


TRANSFORMERS: dict[str, Transformed] = {
    "ColumnTransformer": _column_transformer,
    "FeatureUnion": _feature_union,
    "FastICA": fast_ica,
    "FunctionTransformer": function_transformer,
    "GaussianRandomProjection": components,
    "IncrementalPCA": components,
    "KBinsDiscretizer": bins,
    "LinearDiscriminantAnalysis": discriminants,
    "MaxAbsScaler": _max_abs_scaler,
    "MinMaxScaler": _min_max_scaler,
    "Normalizer": normalizer,
    "OneHotEncoder": one_hot_encoder,
    "OrdinalEncoder": ordinal_encoder,
    "PCA": components,
    "Pipeline": _pipeline,
    "PolynomialFeatures": polynomials,
    "PowerTransformer": power_transformer,
    "QuantileTransformer": quantile_transformer,
    "RobustScaler": _robust_scaler,
    "SimpleImputer": _simple_imputer,
    "SparseRandomProjection": components,
    "SplineTransformer": spline_transformer,
    "StandardScaler": _standard_scaler,
    "TargetEncoder": target_encoder,
    "TruncatedSVD": components,
}
