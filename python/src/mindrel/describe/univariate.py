"""scikit-learn's transformers that bend each column by itself."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .._errors import NotDescribed
from .bends import LARGEST, Bend
from .features import Feature, Inputs

SMALLEST = float(np.nextafter(0.0, 1.0))
# numpy's functions of one number that are known here, and the ends of the pieces on which each is monotone.
FUNCTIONS: dict[Any, tuple[float, ...]] = {
    np.abs: (-LARGEST, 0.0, LARGEST),
    np.arcsinh: (-LARGEST, LARGEST),
    np.arctan: (-LARGEST, LARGEST),
    np.cbrt: (-LARGEST, LARGEST),
    np.ceil: (-LARGEST, LARGEST),
    np.exp: (-LARGEST, 709.0),
    np.expm1: (-LARGEST, 709.0),
    np.floor: (-LARGEST, LARGEST),
    np.log: (SMALLEST, LARGEST),
    np.log10: (SMALLEST, LARGEST),
    np.log1p: (float(np.nextafter(-1.0, 0.0)), LARGEST),
    np.log2: (SMALLEST, LARGEST),
    np.negative: (-LARGEST, LARGEST),
    np.rint: (-LARGEST, LARGEST),
    np.sign: (-LARGEST, LARGEST),
    np.sqrt: (0.0, LARGEST),
    np.square: (-1e154, 0.0, 1e154),
    np.tanh: (-LARGEST, LARGEST),
}


def function_transformer(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """One of numpy's functions, applied to every column."""
    function = transformer.func
    if function is None:
        return features
    try:
        ends = FUNCTIONS.get(function)
    except TypeError:
        ends = None
    if ends is None or transformer.kw_args:
        raise NotDescribed(
            f"what the function of FunctionTransformer does is not known here; one of numpy's is, by itself: "
            f"{', '.join(sorted(known.__name__ for known in FUNCTIONS))}"
        )
    return [feature.then(Bend(f"np.{function.__name__}", function, ends)) for feature in features]


def quantile_transformer(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """The place among the quantiles."""

    def of(place: int) -> Callable[[np.ndarray], np.ndarray]:
        return lambda values: transformer._transform_col(values, transformer.quantiles_[:, place], False)

    def bend(place: int) -> Bend:
        return Bend("QuantileTransformer", of(place), kinks=tuple(transformer.quantiles_[:, place].tolist()))

    return [feature.then(bend(place)) for place, feature in enumerate(features)]


def spline_transformer(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """Splines of every column."""
    if transformer.extrapolation == "error":
        raise NotDescribed("SplineTransformer with extrapolation='error'")
    n_each = transformer.n_features_out_ // len(features)
    made = []
    for place, (feature, spline) in enumerate(zip(features, transformer.bsplines_)):
        kinks = tuple(np.unique(spline.t).tolist())
        made += [
            feature.then(Bend("SplineTransformer", _spline(transformer, place, output), kinks=kinks, monotone=False))
            for output in range(place * n_each, (place + 1) * n_each)
        ]
    return made


def _spline(transformer: Any, place: int, output: int) -> Callable[[np.ndarray], np.ndarray]:
    def of(values: np.ndarray) -> np.ndarray:
        rows = np.zeros((len(values), len(transformer.bsplines_)))
        rows[:, place] = np.where(np.isfinite(values), values, 0.0)
        made = transformer.transform(rows)
        found = np.asarray(made.toarray() if hasattr(made, "toarray") else made)[:, output]
        return np.where(np.isfinite(values), found, np.nan)

    return of


def power_transformer(transformer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """A power of the number, by Yeo and Johnson or by Box and Cox, then scaled."""
    if transformer.method == "box-cox":
        from scipy.special import boxcox as power

        ends = (SMALLEST, LARGEST)
    else:
        from scipy.stats import yeojohnson as power

        ends = (-LARGEST, LARGEST)
    made = []
    for place, (feature, exponent) in enumerate(zip(features, transformer.lambdas_)):
        feature = feature.then(Bend("PowerTransformer", _power(power, exponent), ends))
        if transformer.standardize:
            scaler = transformer._scaler
            feature = feature.then(
                {"step": "add", "value": -float(scaler.mean_[place])},
                {"step": "divide", "value": float(scaler.scale_[place])},
            )
        made.append(feature)
    return made


def _power(power: Callable[..., np.ndarray], exponent: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda values: power(values, exponent)


def bins(discretizer: Any, features: list[Any], inputs: Inputs) -> list[Any]:
    """The place of a number's bin, or an indicator for each bin."""
    made = []
    for feature, edges in zip(features, discretizer.bin_edges_):
        inner = np.asarray(edges[1:-1], dtype=np.float64)
        if discretizer.encode == "ordinal":
            made.append(feature.then(Bend("KBinsDiscretizer", _place(inner))))
            continue
        # An indicator rises at one end of its bin and falls at the other.
        rises = [(-LARGEST, LARGEST), *((-LARGEST, float(edge), LARGEST) for edge in inner)]
        made += [
            feature.then(Bend("KBinsDiscretizer", _is_in(inner, bin), ends)) for bin, ends in enumerate(rises)
        ]
    return made


def _place(inner: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    return lambda values: np.searchsorted(inner, values, side="right").astype(np.float64)


def _is_in(inner: np.ndarray, bin: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda values: (np.searchsorted(inner, values, side="right") == bin).astype(np.float64)
