"""Every kind of model comes in exactly."""

from __future__ import annotations

import warnings

import numpy
import pytest
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning

from data import categories, sensitive_of
from zoo import KINDS, SCALERS, fitted, fitted_bare, own_scores

# What the issue allows. Trees are met to the last bit; linear sums are added up in another order.
TOLERANCE = 1e-6
# Columns that nobody scaled make scores in the billions, of which a double holds eleven digits and some.
ROUNDING = 1e-11
# Probabilities of a network this near to 0 or 1 do not tell its last layer to within the tolerance.
SATURATED = 15.0


def minimizer_of(model, columns, sensitive=None, **options) -> Minimizer:
    """A fitted minimizer; whatever warns of a model that did not come in exactly is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", MismatchWarning)
        warnings.simplefilter("error", BlackBoxWarning)
        return Minimizer(model, sensitive=sensitive, **options).fit(columns)


def assert_same_scores(found, expected, kind) -> None:
    if kind == "MLPClassifier":
        if expected.ndim == 2:
            # Logarithms of probabilities leave out what all classes have in common.
            found, expected = found - found[:, :1], expected - expected[:, :1]
        told = numpy.abs(expected) < SATURATED
        assert told.mean() > 0.3
        found, expected = found[told], expected[told]
    numpy.testing.assert_allclose(found, expected, rtol=ROUNDING, atol=TOLERANCE)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_the_models_own_on_every_row(kind, people):
    name, columns, _ = people
    model = fitted(kind, name)
    minimizer = minimizer_of(model, columns, sensitive_of(name, columns))
    assert minimizer.certifiable_
    assert_same_scores(minimizer.scores(columns), own_scores(model, columns), kind)


@pytest.mark.parametrize("kind", KINDS)
def test_certified_decisions_are_the_models_own_on_every_row(kind, people):
    name, columns, classes = people
    model = fitted(kind, name)
    minimizer = minimizer_of(model, columns, sensitive_of(name, columns))
    decisions = minimizer.decide(columns)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels != model.predict(columns)).sum() == 0
    assert decisions.n_asked.max() <= len(minimizer.sensitive_)
    audit = minimizer.audit(columns, classes if kind != "XGBClassifier" else None).to_frame()
    assert (audit.flips == 0).all() and audit.selector.tolist() == ["decisive", "all"]
    assert audit.leakage[0] == pytest.approx(decisions.leakage)


@pytest.mark.parametrize("kind", KINDS)
def test_models_come_in_without_anything_in_front(kind, people):
    name, columns, _ = people
    columns = columns.drop(columns=categories(columns))
    model = fitted_bare(kind, name)
    minimizer = minimizer_of(model, columns)
    assert_same_scores(minimizer.scores(columns), own_scores(model, columns), kind)


@pytest.mark.parametrize("scaler", SCALERS)
@pytest.mark.parametrize("kind", ["LogisticRegression", "RandomForestClassifier", "XGBClassifier", "LGBMClassifier"])
def test_scalers_and_encoders_become_part_of_the_encoding(kind, scaler, loan):
    columns, _ = loan
    model = fitted(kind, "loan", scaler, "ordinal")
    minimizer = minimizer_of(model, columns, sensitive_of("loan", columns))
    assert list(minimizer.feature_names_in_) == list(columns.columns)
    assert_same_scores(minimizer.scores(columns), own_scores(model, columns), kind)


def test_an_audit_counts_what_decide_does(loan):
    columns, classes = loan
    model = fitted("LogisticRegression", "loan")
    minimizer = minimizer_of(model, columns, sensitive_of("loan", columns))
    audit = minimizer.audit(columns, classes, deltas=[0, 0.05], baselines=["all", "optimal"]).to_frame()
    assert audit.delta.tolist() == [0.0, 0.05, 0.0, 0.0]
    assert audit.accuracy_all[0] == pytest.approx((model.predict(columns) == classes).mean())
    assert audit.leakage[3] <= audit.leakage[0] <= audit.leakage[2] == 1.0
    loose = minimizer.set_params(delta=0.05).decide(columns)
    assert audit.leakage[1] == pytest.approx(loose.leakage)
    assert audit.flips[1] == pytest.approx((loose.labels != model.predict(columns)).mean())
    assert audit.probable[1] == pytest.approx((loose.guarantees == "probable").mean())
