"""Ensembles of different models are certified, and decide as their own predict says."""

from __future__ import annotations

import numpy
import pytest
from mindrel import Minimizer, NotDescribed
from mindrel.describe import describe
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from attacks import counterexamples
from compositions import NAMES, model
from data import load
from zoo import fit

# Rows that models are fitted on, people who are decided about, and certificates that are checked.
ROWS, PEOPLE, CERTIFICATES = 600, 30, 3


def table(name):
    """Loan has numbers and texts and two classes, fetal numbers and three."""
    columns, classes = load(name)
    # Every third person: the classes come in blocks.
    columns, classes = columns.iloc[::3][:ROWS], classes.iloc[::3][:ROWS]
    columns = columns.reset_index(drop=True).iloc[:, :9]
    return columns.loc[:, columns.nunique() > 1], classes.reset_index(drop=True)


@pytest.mark.parametrize("data_set", ["loan", "fetal"])
@pytest.mark.parametrize("name", NAMES)
def test_an_ensemble_is_certified_and_decides_as_it_predicts(name, data_set):
    columns, classes = table(data_set)
    fitted = fit(model(name, columns), columns, classes)
    minimizer = Minimizer(fitted, public=list(columns.columns[-2:]), certify="require").fit(columns)
    assert minimizer.certifiable_
    everything = Minimizer(fitted, public=list(columns.columns), certify="require").fit(columns)
    same = everything.predict(columns) == fitted.predict(columns)
    assert same[is_clear(name, fitted, columns)].all()
    people = columns.iloc[:PEOPLE]
    decisions = minimizer.decide(people)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels == fitted.predict(people)).all()
    assert counterexamples(minimizer, fitted, columns, n_people=5, n_points=300) == 0
    for row in range(CERTIFICATES):
        assert minimizer.verify(decided(minimizer, people.iloc[row]))["label"] == decisions.labels[row]


def is_clear(name, fitted, columns):
    """Whether no last bit of a sum decides, as where the mean of calibrated probabilities is one half."""
    if not name.startswith("calibrated"):
        return numpy.ones(len(columns), dtype=bool)
    ordered = numpy.sort(fitted.predict_proba(columns), axis=1)
    return ordered[:, -1] - ordered[:, -2] > 1e-12


def decided(minimizer, person):
    """The decision of a session with somebody."""
    session = minimizer.session(person.drop(minimizer.sensitive_))
    for question in session:
        session.answer(person[question.name])
    return session.decision


@pytest.mark.parametrize(
    "ensemble, why",
    [
        (VotingClassifier([("a", KNeighborsClassifier()), ("b", GaussianNB())]), "KNeighborsClassifier is not known"),
        (StackingClassifier([("a", GaussianNB())], KNeighborsClassifier(), cv=2), "choose a linear one, a tree"),
        (
            StackingClassifier([("a", GaussianNB())], DecisionTreeClassifier(), passthrough=True, cv=2),
            "set passthrough=False",
        ),
        (CalibratedClassifierCV(GaussianNB(), method="temperature", cv=2), "choose sigmoid or isotonic"),
        (BaggingClassifier(KNeighborsClassifier()), "KNeighborsClassifier is not known"),
    ],
)
def test_what_cannot_be_certified_says_why(ensemble, why):
    columns, classes = load("wine")
    with pytest.raises(NotDescribed, match=why):
        describe(fit(ensemble, columns, classes), list(columns.columns))
