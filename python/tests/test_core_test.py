"""The certified test on its own."""

from __future__ import annotations

import pandas
import pytest
from mindrel import Minimizer

from zoo import fitted

PUBLIC = ["Time", "Amount", "Price"]
N_PEOPLE = 10
KINDS = ["LogisticRegression", "MLPClassifier", "RandomForestClassifier", "LGBMClassifier"]


@pytest.fixture(scope="module", params=KINDS)
def minimizer(request, loan):
    return Minimizer(fitted(request.param, "loan"), public=PUBLIC).fit(loan[0])


def test_what_a_session_revealed_to_prove_its_decision_is_core(minimizer, loan):
    columns = loan[0].iloc[:N_PEOPLE]
    decisions = minimizer.decide(columns)
    assert (decisions.guarantees == "proved").any()
    for place, (_, row) in enumerate(columns.iterrows()):
        asked = [name for name, asked in zip(decisions.questions, decisions.asked[place]) if asked]
        verdict = minimizer.core_test(row[PUBLIC + asked])
        assert (verdict.outcome, verdict.label, verdict.witness) == ("core", decisions.labels[place], None)


def test_a_witness_agrees_in_what_is_known_and_has_both_classes(minimizer, loan):
    columns, n_open = loan[0].iloc[:N_PEOPLE], 0
    for _, row in columns.iterrows():
        known = row[[*PUBLIC, "Job"]].to_dict()
        verdict = minimizer.core_test(known)
        assert verdict.outcome in ("core", "open")
        if verdict.outcome == "open":
            n_open += 1
            pair = pandas.DataFrame(verdict.witness)[list(columns)]
            assert all((pair[name] == answer).all() for name, answer in known.items())
            assert len(set(minimizer.model.predict(pair))) == 2
            assert str(verdict) == "Verdict(outcome='open', label=None)"
    assert n_open > 0


def test_nothing_is_proved_without_work_or_time(loan):
    columns, _ = loan
    minimizer = Minimizer(fitted("RandomForestClassifier", "loan"), public=PUBLIC).fit(columns)
    person = columns.iloc[0]
    session = minimizer.session(person[PUBLIC])
    for question in session:
        session.answer(person[question.name])
    known = person[PUBLIC + session.asked]
    assert session.decision.guarantee == "proved" and minimizer.core_test(known, seconds=60.0).outcome == "core"
    assert minimizer.core_test(known, budget=0).outcome == "out of budget"
    assert minimizer.core_test(known, seconds=0).outcome == "out of budget"
    for seconds in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="^seconds must be"):
            minimizer.core_test(known, seconds=seconds)


def test_all_public_answers_must_be_known_and_inside_their_range(minimizer, loan):
    known = loan[0].iloc[0][PUBLIC].to_dict()
    with pytest.raises(ValueError, match="`Price`"):
        minimizer.core_test({name: known[name] for name in PUBLIC[:2]})
    with pytest.raises(ValueError, match="`Age` is outside its range") as refused:
        minimizer.core_test({**known, "Age": 54321})
    assert "54321" not in str(refused.value)
