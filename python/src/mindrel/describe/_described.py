"""Finds the description of a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Optional

from .._errors import NotDescribed
from .._mindrel import Pipeline
from . import composition, curves, foreign, histogram, linear, modules, preprocessing, thresholds, trees
from .bends import STEPS, Bend, staircase
from .features import Feature, Inputs, Mixture, Reach, base_features

PREDICTORS: dict[str, Callable[[Any], Pipeline]] = {
    "AdaBoostClassifier": trees.boosted_votes,
    "BaggingClassifier": trees.bag,
    "DecisionTreeClassifier": trees.tree,
    "ExtraTreeClassifier": trees.tree,
    "RandomForestClassifier": trees.forest,
    "ExtraTreesClassifier": trees.forest,
    "GradientBoostingClassifier": trees.gradient_boosting,
    "HistGradientBoostingClassifier": histogram.hist_gradient_boosting,
    "MLPClassifier": linear.network,
    "SVC": linear.linear_support_vectors,
}


@dataclass(frozen=True)
class Described:
    """A model whose structure is known."""

    pipeline: Pipeline
    inputs: list[dict[str, Any]]
    """The raw columns, with the levels the model knows."""
    fills: dict[int, Any]
    """The replacement for a missing value, by the index of the column."""
    classes: Optional[list[Any]]
    """The classes in the model's order, if it names them."""


def unwrapped(model: Any) -> Any:
    """The best model of a parameter search, what is frozen, or the model itself."""
    while True:
        if type(model).__module__.startswith("sklearn.model_selection") and hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif type(model).__module__.startswith("sklearn.frozen"):
            model = model.estimator
        else:
            return model


def describe(model: Any, names: list[str], reaches: Optional[dict[int, Reach]] = None) -> Described:
    """Describes a fitted model on columns of these names, which hold numbers between these bounds.

    Raises :class:`~mindrel.NotDescribed`, saying why, for a model that can only be run.
    """
    inputs = Inputs(list(names), reaches or {})
    pipeline = over(model, inputs.features(), inputs)
    classes = classes_of(model)
    return Described(pipeline, json.loads(pipeline.inputs()), inputs.fills, None if classes is None else list(classes))


def classes_of(model: Any) -> Any:
    """The classes of a model, or of the last step of a pipeline."""
    classes = getattr(model, "classes_", None)
    if classes is None and _is_pipeline(model):
        return classes_of(unwrapped(model.steps[-1][1]))
    return classes


def over(model: Any, features: list[Any], inputs: Inputs) -> Pipeline:
    """The pipeline of a model over features of the inputs: the model may stand behind transformers of its own."""
    model = unwrapped(model)
    if _is_pipeline(model):
        for _, step in model.steps[:-1]:
            features = preprocessing.apply(step, features, inputs)
        return over(model.steps[-1][1], features, inputs)
    if isinstance(model, thresholds.Costed):
        return composition.compose(model, features, inputs)
    if thresholds.is_cut(model):
        pipeline = over(thresholds.inner(model), features, inputs)
        if pipeline.is_composed():
            return composition.compose(model, features, inputs)
        return thresholds.cut(model, pipeline)
    if isinstance(model, modules.Network) and model.preprocessor is not None:
        features = preprocessing.apply(model.preprocessor, features, inputs)
    is_bent = linear.is_linear(model) and curves.are_bent(features, inputs)
    if is_bent or composition.is_composed(model) and not trees.is_merged(model):
        return composition.compose(model, features, inputs)
    return predictor_behind(model, features, inputs)


def predictor_behind(model: Any, features: list[Any], inputs: Inputs) -> Pipeline:
    """The pipeline of a model that is one predictor."""
    pipeline, features = _predictor(model, features, inputs)
    return behind(pipeline, features, inputs)


def _is_pipeline(model: Any) -> bool:
    return type(model).__name__ == "Pipeline" and type(model).__module__.partition(".")[0] == "sklearn"


def _predictor(model: Any, features: list[Any], inputs: Inputs) -> tuple[Pipeline, list[Any]]:
    library, name = type(model).__module__.partition(".")[0], type(model).__name__
    if library == "sklearn" and name in PREDICTORS:
        if name == "HistGradientBoostingClassifier":
            features = histogram.own_preprocessing(model, features, inputs)
        return PREDICTORS[name](model), features
    if linear.is_linear(model):
        return linear.linear(model), features
    if library in foreign.READERS:
        return foreign.read(model), features
    if isinstance(model, modules.Network):
        return modules.sequence(model.module), features
    if library == "skorch" and hasattr(model, "module_"):
        return modules.sequence(model.module_), features
    raise NotDescribed(f"the structure of {name} is not known here")


def behind(pipeline: Pipeline, features: list[Any], inputs: Inputs) -> Pipeline:
    """The predictor behind the features. Its own levels apply to raw columns that it receives unchanged."""
    own = json.loads(pipeline.inputs())
    if len(own) != len(features):
        raise ValueError(
            f"the model takes {len(own)} columns, and X has {len(features)}; give the columns it was fitted on"
        )
    if any(isinstance(feature, Mixture) for feature in features):
        pipeline, features = _unmixed(pipeline, features)
        own = json.loads(pipeline.inputs())
    later = {feature["input"]: feature["steps"] for feature in json.loads(pipeline.features())}
    straight = []
    for place, (feature, known) in enumerate(zip(features, own)):
        if known.get("levels") is not None:
            if feature.steps:
                raise NotDescribed("a model with categories of its own behind other transformers")
            inputs.know_levels(feature.input, known["levels"]["known"], known["levels"]["others"])
        straight.append(_straight(pipeline, place, feature, later.get(place, [])))
    return pipeline.behind(json.dumps(inputs.to_json()), json.dumps([feature.to_json() for feature in straight]))


def _unmixed(pipeline: Pipeline, features: list[Any]) -> tuple[Pipeline, list[Feature]]:
    """The predictor over the features that others are sums of, if its first layer can take in the sums."""
    found, weights, constants = base_features(features)
    merged = pipeline.over_sums(weights.tolist(), constants.tolist())
    if merged is None:
        name = next(feature.name for feature in features if isinstance(feature, Mixture))
        raise NotDescribed(f"{name} mixes columns in front of trees; a linear model or a network could take them in")
    return merged, found


def _straight(pipeline: Pipeline, place: int, feature: Feature, later: list[Any]) -> Feature:
    """The feature with a staircase in place of functions that are not linear."""
    bends = feature.bends
    if not bends:
        return feature
    splits = pipeline.thresholds(place)
    if splits is None:
        raise NotDescribed(
            f"{bends[0].name} is not linear, in front of a network; trees and linear models could be certified, or a "
            "scaler"
        )
    start = next((at for at, step in enumerate(feature.steps) if isinstance(step, Bend) or step["step"] != "impute"), 0)
    steps = feature.steps[start:]
    if any(isinstance(step, dict) and step["step"] not in STEPS for step in steps):
        raise NotDescribed(f"{bends[0].name} of categories")
    for bend in bends:
        if not bend.monotone:
            raise NotDescribed(f"{bend.name} rises and falls, in front of trees; a linear model could be certified")
    return Feature(feature.input, (*feature.steps[:start], staircase(steps, later, splits)))
