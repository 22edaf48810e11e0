"""Rules between questions: what follows from other answers is known and never asked."""

from __future__ import annotations

import copy
import json
import pickle

import numpy
import pandas
import pytest
from mindrel import Minimizer, Undecided
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder

from test_certificates import checker

RULES = [
    {"when": {"outcome": ["unknown"]}, "then": {"days": {"from": -1, "to": -1}, "previous": {"from": 0, "to": 0}}},
    {"when": {"outcome": ["failure", "success"]}, "then": {"days": {"from": 0}, "previous": {"above": 0}}},
    {"when": {"called": ["no"]}, "then": {"outcome": ["unknown"]}},
]


def table(n_rows):
    random = numpy.random.default_rng(3)
    outcome = random.choice(["unknown", "failure", "success"], n_rows, p=[0.5, 0.3, 0.2])
    never = outcome == "unknown"
    columns = pandas.DataFrame({
        "called": numpy.where(never & (random.random(n_rows) < 0.5), "no", "yes"),
        "outcome": outcome,
        "days": numpy.where(never, -1, random.integers(0, 90, n_rows)),
        "previous": numpy.where(never, 0, random.integers(1, 9, n_rows)),
        "balance": random.uniform(0, 1000, n_rows).round(1),
        "loan": random.choice(["no", "yes"], n_rows),
    })
    score = (outcome == "success") * 2 + columns.days / 60 + columns.balance / 400 - (columns.loan == "yes")
    return columns, numpy.where(score + random.normal(0, 0.3, n_rows) > 1.6, "saves", "does not")


@pytest.fixture(scope="module", params=["linear", "network"])
def ruled(request, tmp_path_factory):
    """A minimizer with rules, its plan file and the people."""
    columns, classes = table(600)
    front = make_column_transformer(
        (OneHotEncoder(), ["called", "outcome", "loan"]), (MinMaxScaler(), ["days", "previous", "balance"])
    )
    network = MLPClassifier((6,), random_state=0, max_iter=600)
    model = make_pipeline(front, LogisticRegression() if request.param == "linear" else network)
    path = tmp_path_factory.mktemp(request.param) / "ruled.plan"
    minimizer = Minimizer(model.fit(columns, classes), public=["called"], rules=RULES).fit(columns)
    minimizer.save(path)
    return minimizer, json.loads(path.read_text()), columns


def test_rules_that_fit_no_question_or_that_nobody_can_meet_are_refused():
    columns, classes = table(200)
    columns = columns[["outcome", "loan", "balance"]]
    front = make_column_transformer((OneHotEncoder(), ["outcome", "loan"]), (MinMaxScaler(), ["balance"]))
    model = make_pipeline(front, LogisticRegression()).fit(columns, classes)
    unknown_level = [{"when": {"outcome": ["gone"]}, "then": {"balance": {"to": 0}}}]
    with pytest.raises(ValueError, match="rule 1: `outcome` has no level"):
        Minimizer(model, rules=unknown_level).fit(columns)
    never = {"outcome": ["unknown"]}
    impossible = [{"when": {"loan": [answer]}, "then": never} for answer in ("yes", "no")]
    with pytest.raises(ValueError, match='makes the level "failure" of `outcome` impossible'):
        Minimizer(model, rules=impossible).fit(columns)


def say(session, answers):
    for question in session:
        session.answer(answers[question.name])
    return session


def until(session, name, row):
    """A session that has come to a question."""
    for question in session:
        if question.name == name:
            return session
        session.answer(row[question.name])
    return None


def whoever_is_asked_for(ruled, name, outcome):
    """A session that asks for something of somebody with an outcome, and this person."""
    minimizer, _, columns = ruled
    for _, row in columns[(columns.outcome == outcome) & (columns.called == "yes")].iterrows():
        session = until(minimizer.session({"called": "yes"}), name, row)
        if session is not None and not session.implied:
            return session, row
    raise AssertionError(f"nobody is asked for {name}")


def test_what_follows_is_known_and_never_asked(ruled):
    session, row = whoever_is_asked_for(ruled, "outcome", "unknown")
    session.answer("unknown")
    known = {one.name: (one.answer, one.follows_from) for one in session.implied}
    expected = {"days": (-1.0, ["outcome"]), "previous": (0.0, ["outcome"])}
    assert known == {name: expected[name] for name in expected if name not in session.asked} and known
    shown = repr(session) + session._repr_html_() + repr(session.implied)
    assert "follows from outcome" in shown and all(name in repr(session) for name in known)
    assert "-1" not in shown.replace("mindrel-", "")
    decision = say(session, row).decision
    assert not set(known) & set(decision.asked) and not set(known) & set(decision.never_asked)
    assert [one.name for one in decision.implied] == [one.name for one in session.implied]
    assert "Known without asking: " in decision._repr_html_() and "implied=[" in repr(decision)
    assert {one["question"] for one in decision.certificate["implied"]} == set(known)


def test_public_answers_can_imply_others(ruled):
    minimizer, _, _ = ruled
    known = {one.name: one.follows_from for one in minimizer.session({"called": "no"}).implied}
    assert known == {"outcome": ["called"], "days": ["outcome"], "previous": ["outcome"]}


def test_declining_the_premise_keeps_what_follows_open(ruled):
    session, _ = whoever_is_asked_for(ruled, "outcome", "unknown")
    session.decline()
    assert session.implied == []
    session.undo().answer("unknown")
    assert session.implied
    session.undo()
    assert session.implied == []


def test_an_answer_against_a_rule_is_refused_and_asked_again(ruled):
    minimizer, _, columns = ruled
    for _, row in columns[columns.outcome == "success"].iterrows():
        session = until(minimizer.session({"called": "yes"}), "days", row)
        if session is not None and "outcome" in session.asked:
            break
    else:
        pytest.skip("nobody with an outcome is asked for the days")
    with pytest.raises(ValueError, match="`days` cannot be together with what is known of: outcome") as refused:
        session.answer(-1)
    assert "success" not in str(refused.value) and "-1" not in str(refused.value)
    assert session.question.name == "days"
    assert say(session, row).decision is not None


def test_a_pickled_session_goes_on_where_it_was(ruled):
    session, row = whoever_is_asked_for(ruled, "outcome", "unknown")
    session.answer("unknown")
    other = pickle.loads(pickle.dumps(session))
    assert other.implied == session.implied and other.question == session.question
    assert say(other, row).decision.certificate == say(session, row).decision.certificate


def test_decisions_count_what_was_implied_as_sessions_do(ruled):
    minimizer, _, columns = ruled
    some = columns.iloc[:60]
    decisions = minimizer.decide(some)
    for place, (_, row) in enumerate(some.iterrows()):
        session = say(minimizer.session({"called": row.called}), row)
        assert decisions.n_implied[place] == len(session.implied)
        assert decisions.labels[place] == session.decision.label
    assert decisions.n_implied.any() and not decisions.outside.any()
    assert "implied" in repr(decisions) and "followed from other answers" in decisions._repr_html_()
    assert decisions.to_frame().n_implied.tolist() == decisions.n_implied.tolist()
    assert (decisions.labels == minimizer.predict(some)).all()


def test_whoever_breaks_a_rule_is_outside(ruled):
    minimizer, _, columns = ruled
    some = columns.iloc[:40].copy()
    place = int(numpy.flatnonzero(some.outcome == "unknown")[0])
    some.loc[some.index[place], "days"] = 30
    decisions = minimizer.decide(some)
    assert decisions.outside.nonzero()[0].tolist() == [place]
    assert decisions.guarantees[place] in ("none", "complete")
    assert set(decisions.guarantees[:place]) <= {"proved", "complete"}


def test_certificates_hold_by_the_documented_format_alone_and_forged_ones_do_not(ruled):
    minimizer, plan_file, columns = ruled
    n_implied, n_narrowed = 0, 0
    for _, row in columns.iloc[:60].iterrows():
        decision = say(minimizer.session({"called": row.called}), row).decision
        assert not isinstance(decision, Undecided)
        certificate = decision.certificate
        checker.check(plan_file, certificate)
        n_narrowed += any(part.get("narrowed") for part in certificate.get("proof", []))
        for forge in (other_answer, said_to_be_open, other_rules):
            forged = copy.deepcopy(certificate)
            if forge(forged):
                n_implied += 1
                with pytest.raises(checker.Invalid):
                    checker.check(plan_file, forged)
                with pytest.raises(ValueError):
                    minimizer.verify(forged)
    assert n_implied > 0
    assert n_narrowed > 0 or "linear" in plan_file["plan"]["model"]["family"]


def other_answer(certificate):
    for stated in certificate.get("implied", []):
        if stated["question"] == "days":
            stated["answer"] = 5.0
            return True
    return False


def said_to_be_open(certificate):
    implied = certificate.pop("implied", [])
    certificate["never_asked"] += [stated["question"] for stated in implied]
    return bool(implied)


def other_rules(certificate):
    rules = certificate.get("implications", [])
    return bool(rules) and rules.pop() is not None


def test_a_proof_by_cases_of_rules_is_exact_in_the_checker():
    """One rule, two numbers: alone each lies worst where both cannot."""
    questions = [
        {"name": name, "kind": "number", "lower": 0, "upper": 10, "missing": None} for name in ("one", "other")
    ]
    rule = checker.Rule(questions, {"when": {"one": {"below": 5}}, "then": {"other": {"from": 5}}})
    part = checker.Part.whole(questions, {}, [rule])
    fraction = checker.Fraction
    joined = [part.least_of(group, fraction(0), [fraction(1), fraction(1)]) for group in part.groups()]
    assert part.least(fraction(0), [fraction(1), fraction(1)]) == -2 and joined == [-1]
