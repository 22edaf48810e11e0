"""The main class of the package."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _mindrel
from ._audit import Audit
from ._auditing import audit, calibrate
from ._decisions import GUARANTEES, Decisions
from ._errors import EverythingAskedWarning, NotFittedError
from ._fitting import fit_model, fitted_from_plan
from ._frame import frame_of, python_value
from ._html import minimizer_html
from ._options import check_options
from ._notes import notes_of
from ._parameters import Parameters
from ._plot import Plot
from ._rows import checked_rows
from ._schema import Lent, lend, places_of
from ._session import Decision, Session
from ._tables import whole_table
from ._verdict import Verdict
from ._work import Progress, checked_seconds, work_of, working


class Minimizer(Parameters):
    """Decides with a trained classifier while asking for as little as possible.

    Parameters
    ----------
    model
        A fitted classifier: scikit-learn's linear models, MLPs, trees, forests and boosting, also in a ``Pipeline``
        with scalers, encoders and a ``ColumnTransformer``; XGBoost's and LightGBM's; the path of an ONNX file or of a
        plan; or anything with ``predict``, or a function from a table to labels, probabilities or scores. Models of
        other kinds can only be run (a black box), and nothing about their decisions can be certified.
    public, sensitive
        The columns that are known beforehand, or those that are asked for only if needed. Give one of the two; the
        other consists of the remaining columns. If neither is given, all are sensitive.
    delta
        The accepted probability, under the belief, that an unasked answer would change the decision. 0 requires a
        proof; of a black box, where nothing can be proved, it only requires that no counterexample was found. The
        default is 0, and 0.05 for a black box.
    belief
        The probability model of open answers: ``"gaussian"``, ``"copula"``, ``"bayes-nn"``, or a dict with ``kind`` and
        options (``per_set``, ``private_moments=[epsilon, delta]``).
    selector
        How to choose the next question: ``"decisive"``, ``"f-score"``, ``"f-score-mc"``, ``"importance"`` or
        ``"random"``.
    test
        At ``delta=0``: ``"certified"`` for proofs, or ``"sampled"`` to stop once no counterexample is found, which
        proves nothing. The default is certified, and sampled for a black box.
    costs
        The cost of asking, by column; 1 by default.
    questions
        Overrides for the inferred question of a column: a dict with ``kind``, ``lower``, ``upper``, ``missing``,
        ``levels``, ``labels`` (a dict from level to the words people see), ``prompt``, ``help``, ``cost``, ``outside``.
    rules
        What some answers imply about others, as in a schema file: a list of ``{"when": {…}, "then": {…}}`` with levels as
        lists, yes or no as ``True`` or ``False``, and numbers as ``{"from": …, "to": …}``. What follows is never asked.
    threshold
        The probability of the second class from which it is decided for; by default the model's own threshold.
    error_costs
        In place of a threshold, what deciding costs: a matrix ``[true class][class decided for]``. The class that costs
        least on average is decided for.
    label
        The name of what is decided.
    classes
        The classes in the order of the model's outputs, if the model does not name them.
    output
        What a function returns: ``"labels"``, ``"probabilities"`` or ``"scores"``.
    certify
        What to do with a model that can only be run: ``"warn"``, ``"require"`` (refuse it) or ``"ignore"``.
    mismatch
        What to do if what was read of the model disagrees with its own ``predict`` on the rows given to ``fit``, ties
        aside: ``"error"``, or ``"warn"`` to only run the model; nothing about it is proved then.
    samples, budget, draws, estimate, seed
        The draws of the sampled test, 100,000 by default and 5,000 for a black box, around which a search goes
        first; the work that one step may take, in elementary operations; the draws of
        ``f-score-mc``; how the probability of a network's decision is computed, ``"qmc"`` or ``"taylor"``; the seed.
    deadline
        How many seconds one step may take, its test and the choice of the next question. What is not proved in time
        counts as not proved, so more may be asked, and what is asked depends on how busy the machine is.
    n_jobs
        How many threads decide; all cores by default. -1 means all cores, -2 all but one.
    progress
        Whether long work shows how far it is, on standard error: by default in a terminal or a notebook. Or a function,
        called now and then with what is done and what there is to do.

    Attributes
    ----------
    classes_ : the classes.
    feature_names_in_ : the columns, one question each.
    sensitive_ : the sensitive ones.
    certifiable_ : whether decisions can be certified.
    calibration_ : what :meth:`calibrate` found, if it was called.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> X = np.random.default_rng(1).normal(size=(1000, 4))
    >>> model = LogisticRegression().fit(X, X[:, 0] + X[:, 1] > 0)
    >>> minimizer = Minimizer(model, public=["x0"]).fit(X)
    >>> decisions = minimizer.decide(X)
    >>> bool((decisions.labels == model.predict(X)).all())
    True
    >>> decisions.leakage < 1
    True
    """

    def __init__(
        self,
        model: Any,
        *,
        public: Optional[Sequence[Union[str, int]]] = None,
        sensitive: Optional[Sequence[Union[str, int]]] = None,
        delta: Optional[float] = None,
        belief: Union[str, dict[str, Any]] = "gaussian",
        selector: str = "decisive",
        test: Optional[str] = None,
        costs: Optional[dict[str, float]] = None,
        questions: Optional[dict[str, dict[str, Any]]] = None,
        rules: Optional[Sequence[dict[str, Any]]] = None,
        threshold: Optional[float] = None,
        error_costs: Optional[Sequence[Sequence[float]]] = None,
        label: str = "label",
        classes: Optional[Sequence[Any]] = None,
        output: str = "auto",
        certify: str = "warn",
        mismatch: str = "error",
        samples: Optional[int] = None,
        budget: int = 100_000_000,
        draws: int = 100,
        estimate: str = "qmc",
        seed: int = 0,
        deadline: Optional[float] = None,
        n_jobs: Optional[int] = None,
        progress: Progress = None,
    ) -> None:
        self.model = model
        self.public = public
        self.sensitive = sensitive
        self.delta = delta
        self.belief = belief
        self.selector = selector
        self.test = test
        self.costs = costs
        self.questions = questions
        self.rules = rules
        self.threshold = threshold
        self.error_costs = error_costs
        self.label = label
        self.classes = classes
        self.output = output
        self.certify = certify
        self.mismatch = mismatch
        self.samples = samples
        self.budget = budget
        self.draws = draws
        self.estimate = estimate
        self.seed = seed
        self.deadline = deadline
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any = None, y: Any = None) -> Minimizer:
        """Infers the questions and fits the belief. The model is not changed.

        Parameters
        ----------
        X
            Rows like those the model was trained on, as a numpy array, a pandas DataFrame, a polars DataFrame or
            anything that supports Arrow. Ranges of numbers and levels of categories become the domains that proofs
            cover.
        y
            The classes of a black box that does not name them; otherwise ignored.
        """
        check_options(self)
        with work_of(self, "fitting") as work:
            self._fitted = fit_model(self, X, y, work)
        return self._adopt()

    def _adopt(self) -> Minimizer:
        fitted = self._fitted
        self.plan_ = fitted.plan
        self.classes_ = fitted.classes
        self.questions_ = fitted.questions
        self.feature_names_in_ = np.array([question["name"] for question in fitted.questions], dtype=object)
        self.n_features_in_ = len(fitted.questions)
        self.sensitive_ = [question["name"] for question in fitted.questions if question["visibility"] == "sensitive"]
        self.certifiable_ = fitted.certifiable
        calibration = fitted.plan.calibration
        self.calibration_ = None if calibration is None else json.loads(calibration)
        return self

    def session(self, public: Any = None, *, calibrated: bool = False) -> Session:
        """Starts a session with a person.

        Parameters
        ----------
        public
            The public answers by column (a dict or a Series).
        calibrated
            Whether to go by the rules that :meth:`calibrate` found, whose promise then holds.
        """
        plan = self._plan()
        return Session(self._fitted.under(plan), _by_name({} if public is None else public), self.deadline, calibrated)

    def core_test(self, known: Any, *, budget: Optional[int] = None, seconds: Optional[float] = None) -> Verdict:
        """Tests whether some answers settle the decision for certain, whatever ``delta`` and ``test`` are.

        Parameters
        ----------
        known
            The known answers by column (a dict or a Series), all public ones among them. The other questions are open.
        budget
            The work that the test may take; the minimizer's if left out. Linear models need none.
        seconds
            The time that it may take in addition. The verdict then depends on the machine.
        """
        operations = self.budget if budget is None else budget
        with working(1, checked_seconds("seconds", seconds), False, "testing") as work:
            outcome, place, witness = self._plan().core_test(_by_name(known), operations, work)
        return Verdict(outcome, None if place is None else self.classes_.tolist()[place], witness)

    def decide(self, X: Any, *, errors: str = "raise") -> Decisions:
        """Decides about every row as a session would, on all cores. Other Python threads run meanwhile.

        Parameters
        ----------
        errors
            What to do about rows that lack an answer or have one that is none: ``"raise"`` an error before anybody is
            decided about, which names the first of them, or ``"skip"`` them.
        """
        plan, columns = self._plan(), self._columns(X)
        with work_of(self, "deciding") as work:
            checked = checked_rows(plan, columns, work, errors)
            labels, guarantees, out_of_budget, outside, n_implied, order = plan.decide(checked.columns, work)
        return Decisions(
            labels=self.classes_[labels],
            guarantees=GUARANTEES[guarantees],
            n_asked=np.count_nonzero(order, axis=1),
            n_implied=n_implied,
            order=order,
            out_of_budget=out_of_budget,
            outside=outside,
            questions=list(self.sensitive_),
            rows=np.arange(len(labels)) if checked.rows is None else checked.rows,
            skipped=checked.skipped,
        )

    def predict(self, X: Any) -> np.ndarray:
        """The classes decided for, asking for as little as possible."""
        return self.decide(X).labels

    def score(self, X: Any, y: Any) -> float:
        """The share of decisions that are right, asking for as little as possible."""
        places = places_of(y, self.classes_)
        labels = self.predict(X)
        if len(labels) != len(places):
            raise ValueError(f"y has {len(places)} entries, and X has {len(labels)} rows")
        return float((labels == self.classes_[places]).mean())

    @property
    def predict_proba(self) -> Callable[[Any], np.ndarray]:
        """The model's own probabilities of the classes, where it has them. They take all answers, so it warns."""
        probabilities = getattr(self.model, "predict_proba", None)
        if probabilities is None:
            raise AttributeError(f"{type(self.model).__name__} has no predict_proba, so {type(self).__name__} has none")

        def told(X: Any) -> np.ndarray:
            self._plan()
            text = "predict_proba reads every answer of every person; decide asks for as little as possible"
            warnings.warn(text, EverythingAskedWarning, stacklevel=2)
            return np.asarray(probabilities(X))

        return told

    def scores(self, X: Any) -> np.ndarray:
        """The model's scores of every row with everything revealed: one for two classes, otherwise one per class.

        A single score of 0 or more means the second class. With several, the largest determines the class, or the first
        of equal ones.
        """
        plan, columns = self._plan(), self._columns(X)
        with work_of(self, "scoring") as work:
            scores = plan.scores(checked_rows(plan, columns, work, "raise").columns, work)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def audit(
        self,
        X: Any,
        y: Any = None,
        *,
        deltas: Optional[Sequence[float]] = None,
        selectors: Optional[Sequence[str]] = None,
        baselines: Sequence[str] = ("all",),
        calibrated: bool = False,
        by: Any = None,
        giveaway: bool = False,
        smallest_group: int = 5,
        errors: str = "raise",
    ) -> Audit:
        """What everyone in a table would be asked, for each selector and delta, and each baseline.

        Parameters
        ----------
        y
            The true classes, for accuracies.
        deltas, selectors
            What to compare; those of the minimizer if left out.
        baselines
            ``"all"``: everything is revealed. ``"optimal"``: the smallest sets that settle the decision, which can
            only be found with all answers. They need proofs, so a black box has none.
        calibrated
            Whether the first run goes by the rules that :meth:`calibrate` found. Without ``deltas`` it is then the only
            one beside the baselines.
        by
            Compare groups of people: the name of a column of X, or of two, which the model need not use; or one or two
            arrays or Series with an entry for each row.
        giveaway
            Whether to measure how well unasked answers can be inferred from the others; takes about twice as long.
        smallest_group
            Groups and classes with fewer people are merged, or left out.
        errors
            ``"raise"`` or ``"skip"`` rows that lack an answer or have one that is none, as in :meth:`decide`.
        """
        if deltas is None:
            deltas = [] if calibrated else [self._rules()["delta"]]
        settings = {
            "deltas": [float(delta) for delta in deltas],
            "selectors": list(selectors if selectors is not None else [self.selector]),
            "baselines": list(baselines),
            "calibrated": calibrated,
            "giveaway": giveaway,
            "smallest_group": smallest_group,
        }
        return audit(self, X, y, by, settings, errors)

    def calibrate(
        self, X: Any, *, flips: float, confidence: float = 0.95, by: Optional[str] = None, errors: str = "raise"
    ) -> Minimizer:
        """Finds how early sessions may stop so that few decisions differ from those with all answers.

        The promise then holds for ``session(..., calibrated=True)`` and ``audit(..., calibrated=True)``, whatever the
        belief: with this confidence, at most that share of decisions differs. ``calibration_`` says what was found.

        Parameters
        ----------
        X
            People whom the minimizer was not fitted on, drawn as those who will be asked.
        flips, confidence
            The share of decisions that may differ, and how sure that is to be.
        by
            A public question, with levels or yes and no, whose groups each get the promise.
        errors
            ``"raise"`` or ``"skip"`` rows that lack an answer or have one that is none, as in :meth:`decide`.
        """
        calibrate(self, X, flips, confidence, by, errors)
        return self._adopt()

    def plot(self, public: Any = None, depth: int = 3) -> Plot:
        """The first questions as a tree, down to some depth, for a person with these public answers.

        Public answers that are not given take their expected values.
        """
        with work_of(self, "drawing") as work:
            return Plot(*_mindrel.question_tree(self._plan(), _by_name({} if public is None else public), depth, work))

    def verify(self, certificate: Any) -> dict[str, Any]:
        """Checks a certificate by independent arithmetic: a :class:`Decision`, its certificate, or the path of a file.

        Raises ``ValueError`` with the reason if the certificate is not valid.
        """
        plan = self._plan()
        if isinstance(certificate, Decision):
            certificate = certificate.certificate
        if isinstance(certificate, (str, os.PathLike)):
            text = _mindrel.Plan.read_certificate(os.fspath(certificate))
        else:
            text = json.dumps(certificate)
        with working(1, None, False, "verifying") as work:
            place, guarantee = plan.verify(text, work)
        return {"label": self.classes_.tolist()[place], "guarantee": guarantee}

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a plan file, which the command line reads too, whole or not at all.

        The types of the classes and the replacements of missing cells are kept in it, for :meth:`load`.
        """
        self._plan().write(os.fspath(path), notes_of(self._fitted.classes, self._fitted.fills))

    @classmethod
    def load(
        cls, path: Union[str, os.PathLike[str]], *, model: Any = None, classes: Optional[Sequence[Any]] = None
    ) -> Minimizer:
        """Reads a plan file, also one that the command line wrote.

        Parameters
        ----------
        model
            The function that the plan was made from, if any; files contain no functions.
        classes
            The classes in the plan's order, if they are not those that :meth:`save` kept or the plan names.
        """
        fitted = fitted_from_plan(os.fspath(path), model, classes)
        rules = json.loads(fitted.plan.rules)
        schema = json.loads(fitted.plan.schema)
        minimizer = cls(
            os.fspath(path) if model is None else model,
            public=[question["name"] for question in fitted.questions if question["visibility"] == "public"],
            label=schema["target"]["name"],
            classes=classes,
            **rules,
        )
        minimizer._fitted = fitted
        return minimizer._adopt()

    def _rules(self, certifiable: Optional[bool] = None) -> dict[str, Any]:
        """The rules by the parameters; those that are not given are the usual ones, of black boxes or other models."""
        if certifiable is None:
            certifiable = not hasattr(self, "_fitted") or self._fitted.certifiable
        rules = json.loads(_mindrel.Plan.default_rules(certifiable))
        given = {name: getattr(self, name) for name in rules}
        return {name: rules[name] if value is None else value for name, value in given.items()}

    def _plan(self) -> _mindrel.Plan:
        """The fitted plan under the rules of the current parameters."""
        if not hasattr(self, "_fitted"):
            raise NotFittedError(
                "this Minimizer is not fitted yet; call `fit` with rows like those the model was trained on"
            )
        check_options(self)
        rules = self._rules()
        if rules != json.loads(self.plan_.rules):
            self.plan_ = self.plan_.with_rules(json.dumps(rules))
        return self.plan_

    def _columns(self, X: Any) -> list[Lent]:
        return lend(frame_of(whole_table(X), [str(name) for name in self.feature_names_in_]), self._fitted.fills)

    def _repr_html_(self) -> str:
        return minimizer_html(self)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state.pop("plan_", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_fitted" in state:
            self._adopt()

    def __sklearn_clone__(self) -> Minimizer:
        """An unfitted copy with the same fitted model, which is a parameter."""
        return type(self)(**self.get_params(deep=False))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_fitted")


def _by_name(answers: Any) -> dict[str, Any]:
    """Answers as Python values by column, from a dict or a Series."""
    given = dict(answers.to_dict() if hasattr(answers, "to_dict") else answers)
    return {str(name): python_value(value) for name, value in given.items()}
