"""scikit-learn's ensembles of different models, and naive Bayes: functions of the scores of several predictors."""

from __future__ import annotations

import json
from typing import Any, Callable, Union

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline
from . import curves, linear, preprocessing, thresholds, trees
from .composer import Composer, Scores, Taken, needed
from .features import Feature, Inputs, Mixture

def is_composed(model: Any) -> bool:
    return type(model).__module__.partition(".")[0] == "sklearn" and type(model).__name__ in COMPOSED


def compose(model: Any, features: list[Feature], inputs: Inputs) -> Pipeline:
    """The pipeline of a model that is made of others."""
    composer = Composer(inputs)
    outputs, tie_order = outputs_of(composer, model, features)
    parts, values, outputs = needed(composer, outputs)
    if not parts:
        raise NotDescribed(f"{type(model).__name__} does not depend on its columns")
    composition = {"values": values, "outputs": outputs, "tie_order": tie_order}
    return Pipeline.composed(json.dumps(inputs.to_json()), parts, json.dumps(composition))


def outputs_of(composer: Composer, model: Any, taken: Taken) -> tuple[list[int], list[int]]:
    """A value for each class, of which the largest wins, and the order in which classes win ties."""
    if isinstance(model, thresholds.Costed):
        probabilities = composer.probabilities(scores_of(composer, model.estimator_, taken))
        if len(probabilities) != len(model.costs):
            raise ValueError(f"error_costs is for {len(model.costs)} classes, and the model has {len(probabilities)}")
        outputs = [composer.sum(list(zip(probabilities, -costs))) for costs in model.costs.T]
        return outputs, list(range(len(outputs)))
    scores = scores_of(composer, thresholds.inner(model) if thresholds.is_cut(model) else model, taken)
    if not thresholds.is_cut(model):
        return composer.outputs(scores)
    threshold = thresholds.threshold_of(model)
    bound = composer.sum([], start=threshold.value)
    if threshold.of_probability:
        responses = composer.probabilities(scores)
    else:
        decision = (scores.places if scores.decisions is None else scores.decisions)[-1]
        responses = [composer.sum([(decision, -1.0)]), decision]
    if len(responses) != 2:
        raise NotDescribed("a threshold is for two classes, and the model has more")
    return ([bound, responses[1]], [1, 0]) if threshold.of_second else ([responses[0], bound], [0, 1])


def scores_of(composer: Composer, model: Any, taken: Taken) -> Scores:
    """What a fitted model says of each class."""
    from ._described import predictor_behind, unwrapped

    model = unwrapped(model)
    while type(model).__name__ == "Pipeline" and type(model).__module__.partition(".")[0] == "sklearn":
        for _, step in model.steps[:-1]:
            taken = _through(composer, step, taken)
        model = unwrapped(model.steps[-1][1])
    if trees.are_votes(model):
        return _votes_of_trees(composer, model, taken)
    if is_composed(model):
        return COMPOSED[type(model).__name__](composer, model, taken)
    columns = [feature for feature in taken if isinstance(feature, (Feature, Mixture))]
    if len(columns) < len(taken):
        return _over_values(composer, model, taken)
    if linear.is_linear(model) and curves.are_bent(columns, composer.inputs):
        return Scores(curves.linear_scores(composer, model, columns), *link_of(model))
    try:
        pipeline = predictor_behind(model, columns, composer.inputs)
    except NotDescribed as why:
        raise NotDescribed(
            f"{why}, and it is part of the model; leave it out, or put a linear model, trees or a network in its place"
        ) from why
    places = composer.part(pipeline, 1 if pipeline.n_scores() == 2 else pipeline.n_scores())
    return Scores(places, *link_of(model))


def _through(composer: Composer, step: Any, taken: Taken) -> Taken:
    """What a transformer makes of columns, or of values."""
    if step is None or isinstance(step, str) and step == "passthrough":
        return taken
    if all(isinstance(feature, (Feature, Mixture)) for feature in taken):
        return preprocessing.apply(step, list(taken), composer.inputs)
    if type(step).__name__ != "StandardScaler" or any(isinstance(feature, (Feature, Mixture)) for feature in taken):
        raise NotDescribed(f"a final_estimator behind {type(step).__name__}; give it alone, or behind a StandardScaler")
    means = step.mean_ if step.with_mean else np.zeros(len(taken))
    scales = step.scale_ if step.with_std else np.ones(len(taken))
    scaled = zip(taken, means, scales)
    return [composer.sum([(place, 1.0)], start=-mean, divisor=scale) for place, mean, scale in scaled]


def link_of(model: Any) -> tuple[str, bool, bool]:
    """How a model's probabilities follow from its scores, whether a score of zero is positive, and whether they are
    rounded to single precision."""
    library, name = type(model).__module__.partition(".")[0], type(model).__name__
    if library == "xgboost":
        if getattr(model, "objective", None) not in ("binary:logistic", "multi:softprob", "multi:softmax"):
            raise NotDescribed("an XGBoost model with its own objective as part of another")
        return "logits", True, True
    if library == "lightgbm":
        if getattr(model, "objective_", None) not in ("binary", "multiclass"):
            raise NotDescribed("a LightGBM model with its own objective as part of another")
        return "logits", True, False
    if name in ("GradientBoostingClassifier", "HistGradientBoostingClassifier"):
        exponential = getattr(model, "loss", None) == "exponential"
        return "margins" if exponential else "logits", True, False
    if name == "MLPClassifier" or (hasattr(model, "predict_proba") and not name.startswith("SGD") and name != "SVC"):
        one_vs_rest = getattr(model, "solver", None) == "liblinear" or getattr(model, "multi_class", None) == "ovr"
        return "one-vs-rest" if one_vs_rest and len(model.classes_) > 2 else "logits", False, False
    if name == "SGDClassifier" and model.loss == "log_loss":
        return "one-vs-rest", False, False
    return "margins", False, False


def response_of(composer: Composer, model: Any, scores: Scores) -> list[int]:
    """What calibration and one-against-others go by: the scores if the model has a ``decision_function``, or else its
    probabilities; of two classes that of the second."""
    if hasattr(model, "decision_function"):
        return scores.places if scores.decisions is None else scores.decisions
    places = composer.probabilities(scores)
    return places[1:] if len(places) == 2 else places


def _votes_of_trees(composer: Composer, model: Any, taken: Taken) -> Scores:
    """Trees that vote: their mean shares."""
    if len(model.classes_) < 2:
        raise NotDescribed("a tree of one class")
    if any(isinstance(feature, (Feature, Mixture)) for feature in taken):
        columns = _only_columns(taken)
        from ._described import behind

        pipeline = behind(trees.shares(model), columns, composer.inputs)
        places = composer.part(pipeline, 1 if len(model.classes_) == 2 else len(model.classes_))
    else:
        places = _trees_over_values(composer, trees.shares_over_values(model), taken, True)
    return Scores(composer.complement(places[0]) if len(places) == 1 else places, "shares")


def _only_columns(taken: Taken) -> list[Feature]:
    if not all(isinstance(feature, (Feature, Mixture)) for feature in taken):
        raise NotDescribed(
            "StackingClassifier whose final trees also see the original columns; set passthrough=False, or choose a "
            "linear final_estimator"
        )
    return list(taken)


def _trees_over_values(composer: Composer, ensemble: dict[str, Any], taken: Taken, single: bool) -> list[int]:
    of = [composer.add("single", of=place) if single else place for place in taken]
    n_scores = 1 if ensemble["n_outputs"] <= 2 else ensemble["n_outputs"]
    return [composer.add("trees", of=of, ensemble=ensemble, score=score) for score in range(n_scores)]


def _over_values(composer: Composer, model: Any, taken: Taken) -> Scores:
    """A final estimator, over what other models say and perhaps the columns too."""
    name = type(model).__name__
    if linear.is_linear(model):
        return Scores(_linear_over_values(composer, model, taken), *link_of(model))
    if name == "GradientBoostingClassifier":
        _only_values(taken)
        ensemble = trees.boosting_over_values(model)
        return Scores(_trees_over_values(composer, ensemble, taken, True), *link_of(model))
    raise NotDescribed(
        f"StackingClassifier with {name} as its final_estimator; choose a linear one, a tree or a forest"
    )


def _only_values(taken: Taken) -> None:
    if any(isinstance(feature, (Feature, Mixture)) for feature in taken):
        _only_columns([0])


def _linear_over_values(composer: Composer, model: Any, taken: Taken) -> list[int]:
    from ._described import behind

    weights = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    intercepts = np.broadcast_to(np.asarray(model.intercept_, dtype=np.float64).ravel(), len(weights))
    is_column = np.array([isinstance(feature, (Feature, Mixture)) for feature in taken])
    columns = [feature for feature in taken if isinstance(feature, (Feature, Mixture))]
    of_columns: list[int] = []
    if columns:
        rows = weights[:, is_column]
        predictor = {"family": "linear", "weights": rows.tolist(), "intercepts": [0.0] * len(rows)}
        of_columns = composer.part(behind(linear.plain(predictor, len(columns)), columns, composer.inputs), len(rows))
    places = []
    for row, (own, intercept) in enumerate(zip(weights, intercepts)):
        terms = [(place, weight) for place, weight in zip(taken, own) if not isinstance(place, Feature)]
        terms += [(of_columns[row], 1.0)] if columns else []
        places.append(composer.sum(terms, start=intercept))
    return places


def _naive_bayes(composer: Composer, model: Any, taken: Taken) -> Scores:
    from ._described import behind

    if not all(isinstance(feature, (Feature, Mixture)) for feature in taken):
        raise NotDescribed("GaussianNB as a final estimator; choose a linear one, a tree or a forest")
    variances = np.asarray(model.var_, dtype=np.float64)
    with np.errstate(divide="ignore"):
        intercepts = np.log(model.class_prior_) - 0.5 * np.log(2.0 * np.pi * variances).sum(axis=1)
    if not np.isfinite(intercepts).all() or len(intercepts) < 2:
        raise NotDescribed("GaussianNB with a class that has no rows, or no variance")
    predictor = {
        "family": "gaussians",
        "means": np.asarray(model.theta_, dtype=np.float64).tolist(),
        "variances": variances.tolist(),
        "intercepts": intercepts.tolist(),
    }
    pipeline = behind(linear.plain(predictor, variances.shape[1]), list(taken), composer.inputs)
    return Scores(composer.part(pipeline, 1 if len(intercepts) == 2 else len(intercepts)), "logits")


def _calibrated(composer: Composer, model: Any, taken: Taken) -> Scores:
    rows = [_calibrated_once(composer, one, taken) for one in model.calibrated_classifiers_]
    return Scores(composer.mean(rows, [1.0] * len(rows)), "shares")


def _calibrated_once(composer: Composer, one: Any, taken: Taken) -> list[int]:
    if one.method not in ("sigmoid", "isotonic", "temperature"):
        choices = "sigmoid, isotonic or temperature"
        raise NotDescribed(f"CalibratedClassifierCV with method={one.method!r}; choose {choices}")
    # Calibration by temperature numbers the classes.
    numbered = one.method == "temperature" and list(one.estimator.classes_) == list(range(len(one.classes)))
    if list(one.estimator.classes_) != list(one.classes) and not numbered:
        raise NotDescribed("CalibratedClassifierCV with a fold that lacks a class; choose fewer folds")
    responses = response_of(composer, one.estimator, scores_of(composer, one.estimator, taken))
    if one.method == "temperature":
        return _at_temperature(composer, one, responses)
    found = [_calibrator(composer, one.method, fitted, place) for fitted, place in zip(one.calibrators, responses)]
    if len(found) == 1:
        return composer.complement(found[0])
    return [composer.add("share", of=found, **{"class": place}) for place in range(len(found))]


def _at_temperature(composer: Composer, one: Any, responses: list[int]) -> list[int]:
    """Softmax of multiples of the scores; of two classes, these are −score and score."""
    if not hasattr(one.estimator, "decision_function"):
        raise NotDescribed(
            "CalibratedClassifierCV with method='temperature' of probabilities; choose sigmoid or isotonic"
        )
    beta = float(one.calibrators[0].beta_)
    if len(responses) == 1:
        return composer.complement(composer.add("sigmoid", of=composer.sum([(responses[0], 2.0 * beta)])))
    scaled = [composer.sum([(place, beta)]) for place in responses]
    return [composer.add("softmax", of=scaled, **{"class": place}) for place in range(len(scaled))]


def _calibrator(composer: Composer, method: str, fitted: Any, place: int) -> int:
    if method == "sigmoid":
        return composer.add("sigmoid", of=composer.sum([(place, -float(fitted.a_))], start=-float(fitted.b_)))
    at = np.asarray(fitted.X_thresholds_, dtype=np.float64)
    heights = np.asarray(fitted.y_thresholds_, dtype=np.float64)
    return composer.add("table", of=place, at=at.tolist(), heights=np.maximum.accumulate(heights).tolist())


def _voting(composer: Composer, model: Any, taken: Taken) -> Scores:
    n_classes = len(model.classes_)
    weights = model._weights_not_none or [1.0] * len(model.estimators_)
    scores = [scores_of(composer, one, taken) for one in model.estimators_]
    if model.voting == "soft":
        rows = [composer.probabilities(one) for one in scores]
        return Scores(_of_all_classes(composer.mean(rows, weights), n_classes), "shares")
    votes = [_of_all_classes(composer.votes(one), n_classes) for one in scores]
    return Scores([composer.sum(list(zip(places, weights))) for places in zip(*votes)], "shares")


def _of_all_classes(places: list[int], n_classes: int) -> list[int]:
    if len(places) != n_classes:
        raise NotDescribed("a part of it was fitted without one of the classes")
    return places


def _stacking(composer: Composer, model: Any, taken: Taken) -> Scores:
    if model.stack_method_ is None:
        raise NotDescribed("StackingClassifier without stack_method_")
    said: list[Union[Feature, int]] = []
    for one, method in zip(model.estimators_, model.stack_method_):
        scores = scores_of(composer, one, taken)
        if method == "predict_proba":
            places = composer.probabilities(scores)
            said += places[1:] if len(places) == 2 else places
        elif method == "decision_function":
            said += response_of(composer, one, scores)
        else:
            codes = [float(code) for code in one.classes_]
            said.append(composer.sum(list(zip(composer.votes(scores), codes))))
    return scores_of(composer, model.final_estimator_, [*said, *taken] if model.passthrough else said)


def _bagging(composer: Composer, model: Any, taken: Taken) -> Scores:
    rows = []
    for one, chosen in zip(model.estimators_, model.estimators_features_):
        scores = scores_of(composer, one, [taken[place] for place in chosen])
        has_shares = hasattr(one, "predict_proba")
        said = composer.probabilities(scores) if has_shares else composer.votes(scores)
        nothing = composer.sum([])
        by_code = dict(zip((int(code) for code in one.classes_), said))
        rows.append([by_code.get(code, nothing) for code in range(len(model.classes_))])
    return Scores(composer.mean(rows, [1.0] * len(rows)), "shares")


def _boosted_votes(composer: Composer, model: Any, taken: Taken) -> Scores:
    """A vote counts for its class, and in equal shares against the others."""
    n_classes, votes = len(model.classes_), []
    against = 1.0 / (n_classes - 1)
    weights = [float(weight) for _, weight in zip(model.estimators_, model.estimator_weights_)]
    for one in model.estimators_:
        votes.append(_of_all_classes(composer.votes(scores_of(composer, one, taken)), n_classes))
    total, start = float(np.sum(model.estimator_weights_)), -against * sum(weights)
    if n_classes == 2:
        terms = [(own[1], 4.0 * weight) for own, weight in zip(votes, weights)]
        return Scores([composer.sum(terms, start=2.0 * start, divisor=total)], "logits")
    rows = [[(own[one], weight * (1.0 + against)) for own, weight in zip(votes, weights)] for one in range(n_classes)]
    decisions = [composer.sum(terms, start=start, divisor=total) for terms in rows]
    scaled = [composer.sum([(place, 1.0)], divisor=n_classes - 1) for place in decisions]
    return Scores(scaled, "logits", decisions=decisions)


def _one_vs_rest(composer: Composer, model: Any, taken: Taken) -> Scores:
    if model.multilabel_ or any(type(one).__name__ == "_ConstantPredictor" for one in model.estimators_):
        raise NotDescribed("OneVsRestClassifier of several labels, or with a class that is always or never there")
    said = [scores_of(composer, one, taken) for one in model.estimators_]
    responses = [response_of(composer, one, scores)[0] for one, scores in zip(model.estimators_, said)]
    probabilities = None
    if all(hasattr(one, "predict_proba") for one in model.estimators_):
        found = [composer.probabilities(scores)[1] for scores in said]
        shares = [composer.add("share", of=found, **{"class": one}) for one in range(len(found))]
        probabilities = composer.complement(found[0]) if len(found) == 1 else shares
    if len(responses) > 1:
        return Scores(responses, "margins", probabilities=probabilities)
    if hasattr(model.estimators_[0], "decision_function"):
        return Scores(responses, "margins", probabilities=probabilities)
    half = composer.sum([(responses[0], 1.0)], start=-0.5)
    return Scores([half], "margins", probabilities=probabilities, decisions=responses)


def _one_vs_one(composer: Composer, model: Any, taken: Taken) -> Scores:
    n_classes, pair = len(model.classes_), 0
    if model.pairwise_indices_ is not None:
        raise NotDescribed("OneVsOneClassifier with a kernel worked out beforehand")
    votes: list[list[tuple[int, float]]] = [[] for _ in range(n_classes)]
    confidences: list[list[tuple[int, float]]] = [[] for _ in range(n_classes)]
    for first in range(n_classes):
        for second in range(first + 1, n_classes):
            one = model.estimators_[pair]
            scores = scores_of(composer, one, taken)
            no, yes = composer.votes(scores)
            response = response_of(composer, one, scores)[0]
            votes[first].append((no, 1.0))
            votes[second].append((yes, 1.0))
            confidences[first].append((response, -1.0))
            confidences[second].append((response, 1.0))
            pair += 1
    decisions = []
    for own, sure in zip(votes, confidences):
        confidence = composer.add("confidence", of=composer.sum(sure))
        decisions.append(composer.sum([*own, (confidence, 1.0)]))
    if n_classes > 2:
        return Scores(decisions, "margins")
    by_probability = not hasattr(model.estimators_[0], "decision_function")
    above = composer.sum([(decisions[1], 1.0)], start=-0.5 if by_probability else 0.0)
    return Scores([above], "margins", decisions=[decisions[1]])


COMPOSED: dict[str, Callable[[Composer, Any, Taken], Scores]] = {
    "AdaBoostClassifier": _boosted_votes,
    "BaggingClassifier": _bagging,
    "CalibratedClassifierCV": _calibrated,
    "GaussianNB": _naive_bayes,
    "OneVsOneClassifier": _one_vs_one,
    "OneVsRestClassifier": _one_vs_rest,
    "StackingClassifier": _stacking,
    "VotingClassifier": _voting,
}
