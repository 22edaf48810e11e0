"""Finds the description of a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Optional

from .._errors import NotDescribed
from .._mindrel import Pipeline
from . import composition, foreign, histogram, linear, preprocessing, trees
from .features import Feature, Inputs

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


def describe(model: Any, names: list[str]) -> Described:
    """Describes a fitted model on columns of these names.

    Raises :class:`~mindrel.NotDescribed`, saying why, for a model that can only be run.
    """
    model = unwrapped(model)
    inputs = Inputs(list(names))
    features = inputs.features()
    classes = getattr(model, "classes_", None)
    while type(model).__name__ == "Pipeline" and type(model).__module__.partition(".")[0] == "sklearn":
        for _, step in model.steps[:-1]:
            features = preprocessing.apply(step, features, inputs)
        model = unwrapped(model.steps[-1][1])
    if composition.is_composed(model) and not trees.is_merged(model):
        pipeline = composition.compose(model, features, inputs)
    else:
        pipeline = predictor_behind(model, features, inputs)
    if classes is None:
        classes = getattr(model, "classes_", None)
    return Described(pipeline, json.loads(pipeline.inputs()), inputs.fills, None if classes is None else list(classes))


def predictor_behind(model: Any, features: list[Feature], inputs: Inputs) -> Pipeline:
    """The pipeline of a model that is one predictor."""
    pipeline, features = _predictor(model, features, inputs)
    return behind(pipeline, features, inputs)


def _predictor(model: Any, features: list[Feature], inputs: Inputs) -> tuple[Pipeline, list[Feature]]:
    library, name = type(model).__module__.partition(".")[0], type(model).__name__
    if library == "sklearn" and name in PREDICTORS:
        if name == "HistGradientBoostingClassifier":
            features = histogram.own_preprocessing(model, features, inputs)
        return PREDICTORS[name](model), features
    if linear.is_linear(model):
        return linear.linear(model), features
    if library in foreign.READERS:
        return foreign.read(model), features
    raise NotDescribed(f"the structure of {name} is not known here")


def behind(pipeline: Pipeline, features: list[Feature], inputs: Inputs) -> Pipeline:
    """The predictor behind the features. Its own levels apply to raw columns that it receives unchanged."""
    own = json.loads(pipeline.inputs())
    if len(own) != len(features):
        raise ValueError(
            f"the model takes {len(own)} columns, and X has {len(features)}; give the columns it was fitted on"
        )
    for feature, known in zip(features, own):
        if known.get("levels") is not None:
            if feature.steps:
                raise NotDescribed("a model with categories of its own behind other transformers")
            inputs.know_levels(feature.input, known["levels"]["known"], known["levels"]["others"])
    return pipeline.behind(json.dumps(inputs.to_json()), json.dumps([feature.to_json() for feature in features]))
