"""Models that are read from what their libraries write: XGBoost and LightGBM."""

from __future__ import annotations

from typing import Any, Callable

from .._errors import NotDescribed
from .._mindrel import Pipeline


def read(model: Any) -> Pipeline:
    """The pipeline of a model of XGBoost or LightGBM."""
    return READERS[type(model).__module__.partition(".")[0]](model)


def _xgboost(model: Any) -> Pipeline:
    if type(model).__name__ in ("XGBRegressor", "XGBRanker", "XGBRFRegressor"):
        raise NotDescribed(f"{type(model).__name__} is not a classifier")
    booster = model
    if hasattr(model, "get_booster"):
        booster = model.get_booster()
        # Predictions of the estimator stop at the best round; those of a booster do not.
        best = getattr(model, "best_iteration", None)
        if best is not None:
            booster = booster[: best + 1]
    return _read(bytes(booster.save_raw("ubj")))


def _lightgbm(model: Any) -> Pipeline:
    if type(model).__name__ in ("LGBMRegressor", "LGBMRanker"):
        raise NotDescribed(f"{type(model).__name__} is not a classifier")
    booster = getattr(model, "booster_", model)
    return _read(booster.model_to_string().encode())


def _read(content: bytes) -> Pipeline:
    pipeline, why = Pipeline.read_model(content)
    if pipeline is None:
        raise NotDescribed(why)
    return pipeline


READERS: dict[str, Callable[[Any], Pipeline]] = {"xgboost": _xgboost, "lightgbm": _lightgbm}
