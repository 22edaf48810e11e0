"""Models that are read from what their libraries write: XGBoost, LightGBM and CatBoost."""

from __future__ import annotations

import os
import tempfile
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
    pipeline, why = Pipeline.read_model(content, True)
    if pipeline is None:
        raise NotDescribed(why)
    return pipeline


def _catboost(model: Any) -> Pipeline:
    if type(model).__name__ in ("CatBoostRegressor", "CatBoostRanker"):
        raise NotDescribed(f"{type(model).__name__} is not a classifier")
    # Trees that are not symmetric are in no binary file, and hashed levels in no JSON without the rows.
    policy = model.get_all_params().get("grow_policy", "SymmetricTree")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        model.save_model(path, format="cbm" if policy == "SymmetricTree" else "json")
        with open(path, "rb") as file:
            return _read(file.read())


READERS: dict[str, Callable[[Any], Pipeline]] = {"catboost": _catboost, "xgboost": _xgboost, "lightgbm": _lightgbm}
