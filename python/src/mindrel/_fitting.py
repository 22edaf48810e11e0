"""Makes a plan from a model and rows."""

from __future__ import annotations

import copy
import json
import os
import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from . import _mindrel
from ._black_box import Runner, Template, places_of_scores
from ._errors import BlackBoxWarning, MismatchWarning, NotDescribed
from ._frame import Frame, frame_of, python_value
from ._notes import read_notes
from ._schema import Lent, lend, places_of, public_columns, questions_of
from ._tables import whole_table
from ._work import Work
from .describe import Described, describe
from .describe.features import Reach
from .describe.modules import as_network
from .describe.thresholds import Around, Costed, Cut, checked_costs, cut, threshold_of_costs

if TYPE_CHECKING:
    from ._minimizer import Minimizer

# Scores so close to a tie, relative to their size, may fall to either side when sums are rounded differently.
SAME_SCORE = 1e-6
# On how many rows a described model is compared with the model itself.
COMPARED_ROWS = 10_000


@dataclass
class Fitted:
    """The results of fitting."""

    plan: Any
    classes: np.ndarray
    questions: list[dict[str, Any]]
    fills: dict[str, Any] = field(default_factory=dict)
    certifiable: bool = True
    runner: Optional[Runner] = None

    def under(self, plan: Any) -> Fitted:
        """The same with the plan under other rules."""
        return replace(self, plan=plan)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "plan": self.plan.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.plan = _mindrel.Plan.from_bytes(state["plan"], lambda payload: self.runner)


def fit_model(minimizer: Minimizer, X: Any, y: Any, work: Work) -> Fitted:
    """The plan of a minimizer's model, with a belief fitted to the rows."""
    minimizer = _with_own_model(minimizer, y)
    model = minimizer.model
    if isinstance(model, type):
        raise TypeError(f"{model.__name__} is a class; give a fitted model, such as {model.__name__}().fit(X, y)")
    if isinstance(model, (str, os.PathLike)):
        if _is_plan(os.fspath(model)):
            return fitted_from_plan(os.fspath(model), None, minimizer.classes)
    _check_fitted(model)
    if X is None:
        raise ValueError("X is missing; give rows like those the model was trained on")
    X = whole_table(X)
    frame = _chosen(frame_of(X, _names_of(model, X)), model)
    if frame.n_rows == 0:
        raise ValueError("X has no rows; give rows like those the model was trained on")
    try:
        described = _describe(model, frame, _reaches(minimizer, frame))
    except NotDescribed as reason:
        return _fit_black_box(minimizer, frame, y, reason, work)
    return _fit_described(minimizer, frame, described, X, y, work)


def _with_own_model(minimizer: Minimizer, y: Any) -> Minimizer:
    """The same minimizer, its threshold made part of its model, and a module made an estimator."""
    minimizer = copy.copy(minimizer)
    known = minimizer.classes if minimizer.classes is not None or y is None else np.unique(np.asarray(y))
    minimizer.model = as_network(minimizer.model, known)
    threshold = minimizer.threshold
    if minimizer.error_costs is not None:
        if threshold is not None:
            raise ValueError("give threshold or error_costs, not both")
        costs = checked_costs(minimizer.error_costs)
        if len(costs) > 2:
            minimizer.model = _with_costs(minimizer.model, costs)
            return minimizer
        threshold = threshold_of_costs(costs)
    if threshold is None:
        return minimizer
    if not 0 < threshold < 1:
        raise ValueError(f"threshold={threshold} is not between 0 and 1")
    model = minimizer.model
    if isinstance(model, (str, os.PathLike)) and _is_plan(os.fspath(model)):
        raise ValueError("a plan has its own threshold; make another from the model")
    if not isinstance(model, (str, os.PathLike)) and not hasattr(model, "predict_proba"):
        raise ValueError("the model gives no probabilities (predict_proba), so no threshold on them can be set")
    minimizer.model = Cut(model, float(threshold))
    return minimizer


def _with_costs(model: Any, costs: np.ndarray) -> Costed:
    if isinstance(model, (str, os.PathLike)):
        raise ValueError("error_costs of three and more classes need the model itself, not its file")
    if not hasattr(model, "predict_proba"):
        raise ValueError("the model gives no probabilities (predict_proba), so no costs of errors can be set")
    return Costed(model, costs)


def _check_fitted(model: Any) -> None:
    """Refuses an estimator of scikit-learn's kind that was not fitted."""
    model = model.estimator_ if isinstance(model, Around) else model
    if hasattr(model, "get_params") and hasattr(model, "fit"):
        try:
            from sklearn.utils.validation import check_is_fitted
        except ImportError:
            return
        check_is_fitted(model)


def _reaches(minimizer: Minimizer, frame: Frame) -> dict[int, Reach]:
    """Between which numbers each column of numbers lies, by its cells and what is said of its question."""
    found = {}
    for place, column in enumerate(frame.columns):
        said = (minimizer.questions or {}).get(column.name, {})
        cells = np.empty(0) if column.kind == "category" else column.values[np.isfinite(column.values)]
        if len(cells) == 0:
            continue
        lower, upper = (float(said.get(key, end)) for key, end in (("lower", cells.min()), ("upper", cells.max())))
        is_whole = said.get("kind", "integer") == "integer" and not np.mod(np.append(cells, [lower, upper]), 1.0).any()
        found[place] = Reach(lower, upper if upper > lower else np.floor(lower) + 1.0, is_whole)
    return found


def _describe(model: Any, frame: Frame, reaches: dict[int, Reach]) -> Described:
    names = frame.names
    path = model.estimator_ if isinstance(model, Cut) else model
    if isinstance(path, (str, os.PathLike)):
        from .describe.files import described_file

        described = described_file(os.fspath(path), names)
        return replace(described, pipeline=cut(model, described.pipeline)) if isinstance(model, Cut) else described
    return describe(model, names, reaches)


def _fit_described(
    minimizer: Minimizer, frame: Frame, described: Described, X: Any, y: Any, work: Work
) -> Fitted:
    classes = minimizer.classes if minimizer.classes is not None else described.classes
    if classes is None:
        classes = np.unique(np.asarray(y)) if y is not None else list(range(max(2, described.pipeline.n_scores())))
    fills = {frame.names[place]: value for place, value in described.fills.items()}
    questions = _questions(minimizer, frame, described.inputs, fills)
    names = _class_names(classes)
    # Classes that are given are in the order of the model's outputs, whatever it calls them.
    pipeline = described.pipeline.with_classes(names)
    columns = lend(frame, fills)
    schema = _schema(minimizer, names, questions)
    said = _predicted(minimizer.model, X, frame, classes)
    if said is not None:
        compared = [(name, kind, cells[: len(said)], fill) for name, kind, cells, fill in columns]
        mismatch = _mismatch(said, pipeline.scores(schema, compared, work))
        if mismatch is not None:
            return _fit_mismatched(minimizer, frame, y, mismatch, work)
    rules = json.dumps(minimizer._rules(certifiable=True))
    plan = _mindrel.Plan.fit(schema, pipeline, columns, _belief(minimizer.belief), rules, work)
    return Fitted(plan, np.asarray(classes), questions, fills, certifiable=plan.certifiable)


def _fit_black_box(minimizer: Minimizer, frame: Frame, y: Any, reason: NotDescribed, work: Work) -> Fitted:
    model = minimizer.model
    if minimizer.certify == "require":
        raise ValueError(
            f"nothing can be certified about this model: {reason}; choose another, or certify='warn'"
        ) from reason
    questions = _questions(minimizer, frame, [{} for _ in frame.columns], {})
    rules = minimizer._rules(certifiable=False)
    if minimizer.certify == "warn":
        warnings.warn(_nothing_certified(reason, rules["delta"]), BlackBoxWarning, stacklevel=4)
    rules = json.dumps(rules)
    columns = lend(frame, {})
    if isinstance(model, (str, os.PathLike)):
        return _fit_graph(minimizer, columns, questions, rules, y, work)
    runner = _runner(minimizer, frame, questions, columns, y)
    schema = _schema(minimizer, _class_names(runner.classes), questions)
    belief = _belief(minimizer.belief)
    plan = _mindrel.Plan.fit_callable(schema, runner, runner.payload(), columns, belief, rules, work)
    return Fitted(plan, np.asarray(runner.classes), questions, certifiable=False, runner=runner)


def _nothing_certified(reason: NotDescribed, delta: float) -> str:
    """What to know about a model that can only be run, and what to do."""
    text = f"nothing can be certified: the model is only run, since {reason}. "
    if delta == 0:
        return text + (
            "With delta=0 questions stop once no counterexample is found, which is no proof: other answers may still "
            "change the decision. Choose a delta above 0 and calibrate it on people that nothing was fitted on"
        )
    return text + (
        f"Questions stop once the other answers would change the decision with a probability of at most {delta}, which "
        "is only as true as the belief: calibrate delta on people that nothing was fitted on, or count flips with audit"
    )


def _runner(minimizer: Minimizer, frame: Frame, questions: list[dict], columns: list[Lent], y: Any) -> Runner:
    """Wraps the model, after checking that it gives scores."""
    model = minimizer.model
    _check_table_model(model)
    given = minimizer.classes if minimizer.classes is not None else getattr(model, "classes_", None)
    templates = [Template.of(column, question) for column, question in zip(frame.columns, questions)]
    runner = Runner(model, frame.make, templates, None if given is None else list(given), minimizer.output)
    rows = runner.rows(_mindrel.answer_codes(json.dumps(questions), columns))
    if runner.classes is None:
        runner.classes = runner.find_classes(rows, y)
    runner.follow_predict(rows)
    runner.scores(rows)
    return runner


def _check_table_model(model: Any) -> None:
    """Refuses a torch module, which takes tensors."""
    if any(base.__module__.startswith("torch.") for base in type(model).__mro__):
        raise TypeError(
            f"{type(model).__name__} takes tensors, and a model here takes tables; give a function around it, such as "
            "lambda table: module(torch.tensor(numpy.asarray(table), dtype=torch.float32)).detach().numpy().astype(float), "
            "with output='scores' or 'probabilities', or the path of its ONNX file, about which decisions can be proved"
        )


def _fit_graph(
    minimizer: Minimizer, columns: list[Lent], questions: list[dict], rules: str, y: Any, work: Work
) -> Fitted:
    """A plan for an ONNX graph that can only be run, by the runtime built into this package."""
    classes = minimizer.classes
    if classes is None:
        classes = np.unique(np.asarray(y)) if y is not None else [0, 1]
    with open(minimizer.model, "rb") as file:
        content = file.read()
    schema = _schema(minimizer, _class_names(classes), questions)
    plan = _mindrel.Plan.fit_graph(schema, content, columns, _belief(minimizer.belief), rules, work)
    return Fitted(plan, np.asarray(classes), questions, certifiable=False)


def fitted_from_plan(path: str, model: Any, classes: Optional[Sequence[Any]]) -> Fitted:
    """Reads a plan file; ``model`` is the function it was made from, if any."""
    made: list[Runner] = []

    def make(payload: str) -> Runner:
        made.append(Runner.of_payload(model, payload))
        return made[0]

    plan = _mindrel.Plan.read(path, None if model is None else make)
    runner = made[0] if made else None
    schema = json.loads(plan.schema)
    noted, fills = read_notes(path)
    found = classes if classes is not None else noted
    if found is None:
        found = _plain_classes(schema["target"]["classes"])
    if len(found) != len(schema["target"]["classes"]):
        raise ValueError(f"the plan has {len(schema['target']['classes'])} classes, not {len(found)}")
    return Fitted(plan, np.asarray(found), schema["questions"], fills, certifiable=plan.certifiable, runner=runner)


def _is_plan(path: str) -> bool:
    with open(path, "rb") as file:
        return b'"mindrel-plan"' in file.read(200)


def _names_of(model: Any, X: Any) -> Optional[list[str]]:
    """The names a model has for the columns of an array."""
    names = getattr(model, "feature_names_in_", None)
    width = getattr(X, "shape", (0, 0))[-1]
    return [str(name) for name in names] if names is not None and len(names) == width else None


def _chosen(frame: Frame, model: Any) -> Frame:
    """The columns the model was fitted on, in its order, if both have names."""
    names = getattr(model, "feature_names_in_", None)
    if names is not None and frame.make != "numpy":
        by_name = {column.name: column for column in frame.columns}
        missing = [str(name) for name in names if str(name) not in by_name]
        if missing:
            columns = ", ".join(frame.names)
            raise ValueError(
                f"X has no column `{missing[0]}`, which the model was fitted on; its columns are: {columns}"
            )
        return replace(frame, columns=[by_name[str(name)] for name in names])
    width = getattr(model, "n_features_in_", None)
    if width is not None and width != len(frame.columns):
        raise ValueError(f"X has {len(frame.columns)} columns, and the model was fitted on {width}")
    return frame


def _questions(minimizer: Minimizer, frame: Frame, inputs: list[dict], fills: dict[str, Any]) -> list[dict[str, Any]]:
    given = {str(name): dict(said) for name, said in (minimizer.questions or {}).items()}
    for name, cost in (minimizer.costs or {}).items():
        given.setdefault(str(name), {})["cost"] = cost
    unknown = [name for name in given if name not in frame.names]
    if unknown:
        raise ValueError(f"there is no column `{unknown[0]}`; the columns are: {', '.join(frame.names)}")
    is_public = public_columns(frame.names, minimizer.public, minimizer.sensitive)
    return questions_of(frame, is_public, inputs, fills, given)


def _schema(minimizer: Minimizer, classes: list[str], questions: list[dict[str, Any]]) -> str:
    target = {"name": minimizer.label, "prompt": f"Which {minimizer.label}?", "classes": classes}
    return json.dumps({"target": target, "questions": questions, "implications": list(minimizer.rules or [])})


def _class_names(classes: Any) -> list[str]:
    return [str(python_value(label)) for label in classes]


def _plain_classes(names: list[str]) -> list[Any]:
    """Classes as Python values: integers or booleans if all of them are, otherwise texts."""
    if all(name in ("True", "False") for name in names):
        return [name == "True" for name in names]
    try:
        whole = [int(name) for name in names]
    except ValueError:
        return list(names)
    # "007" is a text.
    return whole if [str(number) for number in whole] == list(names) else list(names)


def _belief(belief: Any) -> str:
    return json.dumps({"kind": belief} if isinstance(belief, str) else belief)


def _predicted(model: Any, X: Any, frame: Frame, classes: Any) -> Optional[np.ndarray]:
    """What the model itself predicts for some of the rows; ``None`` if it cannot predict."""
    if not hasattr(model, "predict") or getattr(model, "classes_", None) is None:
        return None
    rows = X[list(getattr(model, "feature_names_in_", X.columns))] if frame.make == "pandas" else X
    rows = rows[:COMPARED_ROWS] if frame.make != "arrow" else rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            said = np.asarray(model.predict(rows))
            return places_of(said[:, 0] if said.ndim == 2 and said.shape[1] == 1 else said, classes)
        except Exception:  # The model does not accept this type of table, so there is nothing to compare with.
            return None


def _mismatch(said: np.ndarray, scores: np.ndarray) -> Optional[str]:
    """On which rows the described model and the model itself disagree; ``None`` if on none but ties."""
    found = places_of_scores(scores)
    ordered = np.sort(scores, axis=1)
    margins = np.abs(scores[:, 0]) if scores.shape[1] == 1 else ordered[:, -1] - ordered[:, -2]
    is_tie = margins <= SAME_SCORE * np.maximum(1.0, np.abs(scores).max(axis=1))
    rows = np.flatnonzero((found != said) & ~is_tie)
    if len(rows) == 0:
        return None
    named = ", ".join(str(row) for row in rows[:5]) + (", …" if len(rows) > 5 else "")
    return f"what was read of the model disagrees with its own predictions on {len(rows)} of {len(said)} rows ({named})"


def _fit_mismatched(minimizer: Minimizer, frame: Frame, y: Any, mismatch: str, work: Work) -> Fitted:
    """Refuses a model that was misread, or only runs it for those who insist."""
    if minimizer.mismatch == "error":
        raise ValueError(
            f"{mismatch}; often a column with categories, booleans or missing values reaches the model in another form "
            "than it does here: encode such columns before the model, or give mismatch='warn' to only run the model, "
            "of which nothing is proved then"
        )
    warnings.warn(f"{mismatch}; the model is only run, and nothing is proved", MismatchWarning, stacklevel=5)
    return _fit_black_box(minimizer, frame, y, NotDescribed(mismatch), work)
