"""One person, asked one question at a time."""

from __future__ import annotations

import json

import numpy
import pytest
from mindrel import Decision, Minimizer, Undecided

from zoo import fitted

PUBLIC = ["Time", "Amount", "Price"]


@pytest.fixture(scope="module", params=["LogisticRegression", "MLPClassifier", "RandomForestClassifier"])
def minimizer(request, loan):
    return Minimizer(fitted(request.param, "loan"), public=PUBLIC).fit(loan[0])


def answered(session, row):
    for question in session:
        session.answer(row[question.name])
    return session


def test_sessions_end_as_decide_does(minimizer, loan):
    columns = loan[0].iloc[:25]
    decisions = minimizer.decide(columns)
    for place, (_, row) in enumerate(columns.iterrows()):
        decision = answered(minimizer.session(row[PUBLIC]), row).decision
        assert (decision.label, decision.guarantee) == (decisions.labels[place], decisions.guarantees[place])
        order = [name for _, name in sorted(zip(decisions.order[place], decisions.questions)) if name in decision.asked]
        assert decision.asked == order
        assert sorted(decision.asked + decision.never_asked) == sorted(minimizer.sensitive_)


def test_a_question_says_what_can_be_answered(loan):
    columns, _ = loan
    said = {"Records": {"prompt": "Any payment problems?", "help": "In the last ten years."}, "Age": {"upper": 99}}
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC, questions=said).fit(columns)
    seen = {}
    for _, row in columns.iloc[:50].iterrows():
        session = minimizer.session(row[PUBLIC])
        assert session.decision is None and not session.settled
        for question in session:
            seen[question.name] = question
            session.answer(row[question.name])
    assert seen["Records"].prompt == "Any payment problems?" and seen["Records"].help == "In the last ten years."
    assert seen["Records"].levels == ["no", "yes"]
    assert seen["Age"].kind == "integer" and seen["Age"].bounds == (columns.Age.min(), 99)
    assert seen["Home"].kind == "category" and seen["Home"].levels == sorted(columns.Home.unique())
    assert all(question.why for question in seen.values())


def test_declining_everything_leaves_it_undecided(minimizer, loan):
    session = minimizer.session(loan[0].iloc[2][PUBLIC])
    asked = [session.decline() and question.name for question in session]
    decision = session.decision
    assert isinstance(decision, Undecided) and not session.settled
    assert decision.declined == asked and decision.asked == [] and decision.guarantee is None
    assert 0.0 < decision.probability <= 1.0 and decision.label in minimizer.classes_


def test_a_certificate_holds_for_its_plan_alone(minimizer, loan, tmp_path):
    columns, _ = loan
    decision = answered(minimizer.session(columns.iloc[0][PUBLIC]), columns.iloc[0]).decision
    assert isinstance(decision, Decision)
    assert minimizer.verify(decision) == {"label": decision.label, "guarantee": decision.guarantee}
    decision.write_certificate(tmp_path / "mine.json")
    assert minimizer.verify(tmp_path / "mine.json")["label"] == decision.label
    forged = dict(decision.certificate, label=next(label for label in minimizer.classes_ if label != decision.label))
    with pytest.raises(ValueError):
        minimizer.verify(forged)
    other = Minimizer(minimizer.model, public=PUBLIC[:2]).fit(columns)
    with pytest.raises(ValueError, match="another plan"):
        other.verify(decision)


def test_answers_are_shown_nowhere(loan):
    columns, _ = loan
    numbers = [name for name in columns.select_dtypes("number") if name not in PUBLIC]
    minimizer = Minimizer(
        fitted("LogisticRegression", "loan"), public=PUBLIC, questions={name: {"outside": "accept"} for name in numbers}
    )
    session = minimizer.fit(columns).session({"Time": 60, "Amount": 4321, "Price": 7654})
    for question in session:
        with pytest.raises((ValueError, TypeError)) as refused:
            session.answer("a secret 98765")
        assert "98765" not in str(refused.value) and question.name in str(refused.value)
        with pytest.raises(TypeError) as refused:
            session.answer(["secret"])
        assert "secret" not in str(refused.value)
        session.answer(question.levels[0] if question.levels else 98765 if question.name != "Records" else True)
    shown = repr(session) + repr(session.decision) + repr(minimizer.decide(columns)) + repr(
        minimizer.session({"Time": 60, "Amount": 4321, "Price": 7654}).question
    )
    assert "98765" not in shown and "4321" not in shown
    assert "98765" in json.dumps(session.decision.certificate), "the certificate is the person's own"


def test_a_number_outside_its_bounds_is_refused_with_its_range_and_asked_again(minimizer, loan):
    columns, _ = loan
    session = minimizer.session(columns.iloc[2][PUBLIC])
    for question in session:
        if question.bounds is not None:
            for outside in (-1e9, question.bounds[1] + 1):
                with pytest.raises(
                    ValueError, match=f"`{question.name}` is outside its range; give a number from"
                ) as refused:
                    session.answer(outside)
                assert str(int(outside)) not in str(refused.value)
            assert session.question == question
        session.answer(columns.iloc[2][question.name])
    with pytest.raises(ValueError, match="`Amount` is outside its range"):
        minimizer.session({"Time": 60, "Amount": -1e9, "Price": 846})


def test_levels_have_labels_for_people(loan):
    columns, _ = loan
    words = {"rent": "a rented flat"}
    minimizer = Minimizer(
        fitted("LogisticRegression", "loan"), public=PUBLIC, questions={"Home": {"labels": words}}
    ).fit(columns)
    session = minimizer.session(columns.iloc[2][PUBLIC])
    seen = {question.name: question for question in session if session.answer(columns.iloc[2][question.name])}
    home = seen["Home"]
    assert home.labels == [words.get(level, level) for level in home.levels]
    assert all(question.labels is None for question in seen.values() if question.bounds is not None)
    with pytest.raises(ValueError, match="label"):
        Minimizer(
            fitted("LogisticRegression", "loan"), questions={"Home": {"labels": {"castle": "a castle"}}}
        ).fit(columns)


def test_an_ended_session_takes_no_more(loan):
    columns, _ = loan
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(columns)
    session = answered(minimizer.session(columns.iloc[0][PUBLIC]), columns.iloc[0])
    with pytest.raises(RuntimeError, match="ended"):
        session.answer(1)
    with pytest.raises(RuntimeError, match="ended"):
        session.decline()


def test_iterating_without_answering_is_noticed(loan):
    columns, _ = loan
    session = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(columns).session(
        columns.iloc[2][PUBLIC]
    )
    with pytest.raises(RuntimeError, match="neither answered nor declined"):
        list(session)


def test_numbers_of_numpy_are_answers(loan):
    columns, _ = loan
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(columns)
    session = minimizer.session({"Time": numpy.int64(60), "Amount": numpy.float32(800), "Price": numpy.float64(846)})
    assert session.answer(numpy.int32(5)) is session


def test_public_answers_must_be_public_and_complete(loan):
    columns, _ = loan
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(columns)
    with pytest.raises(ValueError, match="Price"):
        minimizer.session({"Time": 60, "Amount": 800})
    with pytest.raises(ValueError, match="`Age` is sensitive"):
        minimizer.session({"Time": 60, "Amount": 800, "Price": 846, "Age": 30})
    with pytest.raises(ValueError, match="no question `Tim`"):
        minimizer.session({"Tim": 60})
