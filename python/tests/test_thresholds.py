"""Where a model of two classes is cut: its probabilities and scores, and what errors cost."""

from __future__ import annotations

import warnings

import numpy
import pytest
from lightgbm import LGBMClassifier
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_wine
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

from attacks import counterexamples
from estimators import numbers
from zoo import fit

MODELS = {
    "linear": make_pipeline(StandardScaler(), LogisticRegression()),
    "network": make_pipeline(StandardScaler(), MLPClassifier((5,), max_iter=60, random_state=0)),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    # Shares of ten votes lie on a threshold of 0.3.
    "forest": RandomForestClassifier(10, max_depth=None, max_features=1, random_state=0),
    "boosting": GradientBoostingClassifier(n_estimators=10, random_state=0),
    "exponential boosting": GradientBoostingClassifier(n_estimators=10, loss="exponential", random_state=0),
    "histograms": HistGradientBoostingClassifier(max_iter=10, random_state=0),
    "LightGBM": LGBMClassifier(n_estimators=10, verbose=-1),
}
WITH_SCORES = ["linear", "boosting", "histograms"]


def certified(model, columns, **options) -> Minimizer:
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        warnings.simplefilter("error", MismatchWarning)
        return Minimizer(model, public=["Price"], **options).fit(columns)


def assert_decides_as(minimizer, model, columns) -> None:
    everything = certified(minimizer.model, columns, threshold=minimizer.threshold, error_costs=minimizer.error_costs)
    everything.set_params(public=list(columns.columns)).fit(columns)
    assert (everything.predict(columns) == model.predict(columns)).all()
    some = columns.iloc[:80]
    decisions = minimizer.decide(some)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels == model.predict(some)).all()
    assert counterexamples(minimizer, model, columns, n_people=5) == 0


@pytest.mark.parametrize("positive", [None, "bad"])
@pytest.mark.parametrize("threshold", [0.3, "auto"])
@pytest.mark.parametrize("kind", MODELS)
def test_scikit_learns_fixed_thresholds_on_probabilities_are_met(kind, threshold, positive):
    columns, classes = numbers()
    cut = FixedThresholdClassifier(
        clone(MODELS[kind]), threshold=threshold, pos_label=positive, response_method="predict_proba"
    )
    assert_decides_as(certified(fit(cut, columns, classes), columns), cut, columns)


@pytest.mark.parametrize("positive", ["good", "bad"])
@pytest.mark.parametrize("threshold", [-0.7, 0.0])
@pytest.mark.parametrize("kind", WITH_SCORES)
def test_scikit_learns_fixed_thresholds_on_scores_are_met(kind, threshold, positive):
    columns, classes = numbers()
    cut = FixedThresholdClassifier(
        clone(MODELS[kind]), threshold=threshold, pos_label=positive, response_method="decision_function"
    )
    assert_decides_as(certified(fit(cut, columns, classes), columns), cut, columns)


@pytest.mark.parametrize("kind", MODELS)
def test_tuned_thresholds_are_met(kind):
    columns, classes = numbers()
    cut = TunedThresholdClassifierCV(clone(MODELS[kind]), scoring="balanced_accuracy", cv=2, random_state=0)
    assert_decides_as(certified(fit(cut, columns, classes), columns), cut, columns)


@pytest.mark.parametrize("kind", [*MODELS, "XGBoost"])
def test_a_threshold_of_ones_own_is_that_of_the_second_classs_probability(kind):
    columns, classes = numbers()
    if kind == "XGBoost":
        classes = (classes == "good").astype(int)
    model = fit(XGBClassifier(n_estimators=10) if kind == "XGBoost" else clone(MODELS[kind]), columns, classes)

    class Expected:
        def predict(self, rows):
            return model.classes_[(model.predict_proba(rows)[:, 1] >= 0.7).astype(int)]

    minimizer = certified(model, columns, threshold=0.7)
    assert_decides_as(minimizer, Expected(), columns)
    assert (minimizer.predict(columns) != model.predict(columns)).any()


def test_votes_on_the_threshold_itself_are_for_the_class():
    """Three votes of ten are at least 0.3 in scikit-learn, and less than it where sums are rounded otherwise."""
    columns, classes = numbers()
    model = fit(clone(MODELS["forest"]), columns, classes)
    probabilities = model.predict_proba(columns)[:, 1]
    there = numpy.unique(probabilities)
    for threshold in there[(there > 0) & (there < 1)][::3]:
        minimizer = certified(model, columns, threshold=float(threshold))
        everything = minimizer.set_params(public=list(columns.columns)).fit(columns)
        expected = model.classes_[(probabilities >= threshold).astype(int)]
        assert (everything.predict(columns) == expected).all()


def test_costs_of_errors_decide_for_what_costs_least_on_average():
    columns, classes = numbers()
    costs = numpy.array([[0.0, 5.0], [1.0, -0.5]])
    model = fit(clone(MODELS["boosting"]), columns, classes)

    class Expected:
        def predict(self, rows):
            return model.classes_[(model.predict_proba(rows) @ costs).argmin(axis=1)]

    assert_decides_as(certified(model, columns, error_costs=costs.tolist()), Expected(), columns)


COMPOSED = {
    "calibration": lambda: CalibratedClassifierCV(clone(MODELS["linear"]), cv=2),
    "voting": lambda: VotingClassifier([("a", clone(MODELS["linear"])), ("b", clone(MODELS["tree"]))], voting="soft"),
    "naive Bayes": lambda: GaussianNB(),
    "bent columns": lambda: make_pipeline(
        KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf"), LogisticRegression()
    ),
}


@pytest.mark.parametrize("positive", ["good", "bad"])
@pytest.mark.parametrize("make", COMPOSED.values(), ids=COMPOSED)
def test_models_that_are_made_of_others_are_cut_too(make, positive):
    columns, classes = numbers()
    cut = FixedThresholdClassifier(make(), threshold=0.35, pos_label=positive, response_method="predict_proba")
    assert_decides_as(certified(fit(cut, columns, classes), columns), cut, columns)


def test_the_scores_of_models_that_are_made_of_others_are_cut_too():
    columns, classes = numbers()
    cut = FixedThresholdClassifier(
        COMPOSED["bent columns"](), threshold=0.4, pos_label="bad", response_method="decision_function"
    )
    assert_decides_as(certified(fit(cut, columns, classes), columns), cut, columns)


@pytest.mark.parametrize("kind", ["linear", "network", "forest", "histograms", "naive Bayes"])
def test_costs_of_errors_about_three_classes_are_met(kind):
    X, y = load_wine(return_X_y=True, as_frame=True)
    X = X.iloc[:, :5]
    costs = numpy.array([[0.0, 1.0, 6.0], [2.0, -0.5, 1.0], [1.0, 9.0, 0.0]])
    model = fit(clone(MODELS[kind]) if kind in MODELS else GaussianNB(), X, y)
    expected = model.classes_[(model.predict_proba(X) @ costs).argmin(axis=1)]
    everything = certified_with(model, X, costs, public=list(X))
    assert (everything.predict(X) == expected).all() and (expected != model.predict(X)).any()
    some = certified_with(model, X, costs, public=["alcohol"])
    decisions = some.decide(X)
    assert set(decisions.guarantees) <= {"proved", "complete"} and (decisions.labels == expected).all()


def certified_with(model, X, costs, public):
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        return Minimizer(model, error_costs=costs.tolist(), public=public).fit(X)


def test_a_black_box_goes_by_costs_of_three_classes_also_when_it_is_loaded(tmp_path):
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = KNeighborsClassifier(10).fit(X, y)
    costs = [[0, 1, 9], [2, 0, 1], [1, 9, 0]]
    expected = model.classes_[(model.predict_proba(X) @ numpy.array(costs)).argmin(axis=1)]
    minimizer = Minimizer(model, error_costs=costs, certify="ignore", public=list(X)).fit(X)
    assert (minimizer.predict(X) == expected).all() and (expected != model.predict(X)).any()
    minimizer.save(tmp_path / "costs.plan")
    assert (Minimizer.load(tmp_path / "costs.plan", model=model).predict(X) == expected).all()


def test_a_threshold_is_kept_in_files_and_certificates(tmp_path):
    columns, classes = numbers()
    model = fit(clone(MODELS["forest"]), columns, classes)
    minimizer = certified(model, columns, threshold=0.8)
    minimizer.save(tmp_path / "cut.plan")
    loaded = Minimizer.load(tmp_path / "cut.plan")
    assert (loaded.predict(columns[:100]) == minimizer.predict(columns[:100])).all()
    assert loaded.plan_.fingerprint != certified(model, columns).plan_.fingerprint
    person = columns.iloc[0]
    session = loaded.session(person[["Price"]])
    while session.question is not None:
        session.answer(person[session.question.name])
    assert loaded.verify(session.decision)["label"] == session.decision.label


def test_a_black_box_is_cut_too_also_when_it_is_loaded(tmp_path):
    columns, classes = numbers()
    model = KNeighborsClassifier(10).fit(columns, classes)
    expected = model.classes_[(model.predict_proba(columns)[:, 1] >= 0.9).astype(int)]
    minimizer = Minimizer(model, threshold=0.9, certify="ignore", public=list(columns.columns)).fit(columns)
    assert (minimizer.predict(columns) == expected).all()
    minimizer.save(tmp_path / "cut.plan")
    assert (Minimizer.load(tmp_path / "cut.plan", model=model).predict(columns) == expected).all()


def test_thresholds_that_make_no_sense_are_refused():
    columns, classes = numbers()
    model = fit(clone(MODELS["tree"]), columns, classes)
    for options, words in [
        ({"threshold": 1.5}, "not between 0 and 1"),
        ({"threshold": 0.5, "error_costs": [[0, 1], [1, 0]]}, "not both"),
        ({"error_costs": [[0, 1, 2]]}, "a row and a column for each class"),
        ({"error_costs": [[1, 0], [0, 1]]}, "must cost more"),
    ]:
        with pytest.raises(ValueError, match=words):
            Minimizer(model, **options).fit(columns)
    with pytest.raises(ValueError, match="gives no probabilities"):
        Minimizer(RidgeClassifier().fit(columns, classes), threshold=0.3).fit(columns)
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ValueError, match="3 classes, and the model has 2"):
        Minimizer(model, error_costs=[[0, 1, 1], [1, 0, 1], [1, 1, 0]]).fit(columns)
    with pytest.raises(ValueError, match="two classes"):
        Minimizer(DecisionTreeClassifier().fit(X, y), threshold=0.3).fit(X)
