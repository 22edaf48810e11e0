"""Audits and calibration: what the command line's commands of those names show."""

from __future__ import annotations

import json
import subprocess

import numpy
import pytest
from mindrel import Minimizer

from data import ROOT
from zoo import fitted

PUBLIC = ["Time", "Amount", "Price"]


@pytest.fixture(scope="module")
def minimizer(loan):
    return Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(loan[0])


@pytest.fixture(scope="module")
def audit(minimizer, loan):
    return minimizer.audit(loan[0], loan[1], deltas=[0, 0.1], by=["Home", "Age"], giveaway=True)


def test_a_row_for_each_run(audit):
    frame = audit.to_frame()
    assert list(frame.selector) == ["decisive", "decisive", "all"] and list(frame.delta) == [0, 0.1, 0]
    assert frame.flips[0] == 0 and 0 < frame.flips[1] < 0.1 and frame.leakage[2] == 1


def test_flips_of_each_class_add_up_to_all(audit, minimizer, loan):
    flips = audit.flips_by_class()
    loose = flips[flips.delta == 0.1].set_index("class").flips
    share = (minimizer.model.predict(loan[0]) == "good").mean()
    assert loose["good"] * share + loose["bad"] * (1 - share) == pytest.approx(audit.to_frame().flips[1])


def test_groups_are_compared(audit, minimizer, loan):
    groups = audit.groups()
    assert set(groups.by) == {"Home", "Age", "Home and Age"}
    decided = minimizer.decide(loan[0]).n_asked
    homes = groups[(groups.by == "Home") & (groups.delta == 0) & (groups.selector == "decisive")].set_index("group")
    for home, people in loan[0].groupby("Home").groups.items():
        assert homes.people[home] == len(people)
        assert homes.mean_asked[home] == pytest.approx(decided[people].mean())
        assert homes.mean_asked_from[home] <= homes.mean_asked[home] <= homes.mean_asked_to[home]
    ages = groups[(groups.by == "Age") & (groups.delta == 0) & (groups.selector == "decisive")]
    assert len(ages) == 4 and ages.group.iloc[0].startswith("up to "), "numbers are cut at their quartiles"
    assert any("Home" in sentence or "asked" in sentence for sentence in audit.differences())


def test_groups_may_come_from_elsewhere(minimizer, loan):
    columns, _ = loan
    given = numpy.where(columns.Age < 40, "young", "old")
    own = minimizer.audit(columns, by=given).groups()
    assert set(own.group) == {"young", "old"} and own.people.sum() == 2 * len(columns)
    with pytest.raises(ValueError, match="no column `Hom` to group by"):
        minimizer.audit(columns, by="Hom")
    with pytest.raises(ValueError, match="by has 5 entries"):
        minimizer.audit(columns, by=given[:5])
    with pytest.raises(ValueError, match="more than 50 groups"):
        minimizer.audit(columns, by=numpy.array([f"group {place}" for place in range(60)] * 50))
    with pytest.raises(ValueError, match="give `by`"):
        minimizer.audit(columns).groups()


def test_what_unasked_answers_give_away_is_told_by_question(audit, minimizer, loan):
    told = audit.giveaway()
    assert set(told[told.delta == 0].question) <= set(minimizer.sensitive_) and told.people.max() > 0
    with pytest.raises(ValueError, match="giveaway=True"):
        minimizer.audit(loan[0]).giveaway()


def test_a_calibrated_minimizer_promises_something_and_keeps_it(loan):
    columns, classes = loan
    halves = columns[:1500], columns[1500:].reset_index(drop=True)
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(columns[:1500])
    with pytest.raises(ValueError, match="not calibrated"):
        minimizer.session(halves[1].iloc[0][PUBLIC], calibrated=True)
    minimizer.calibrate(halves[1], flips=0.05)
    assert minimizer.calibration_["flips"] == 0.05 and minimizer.calibration_["groups"][0]["delta"] > 0
    audit = minimizer.audit(columns, calibrated=True)
    promises = audit.promises()
    assert list(promises.promised_by) == ["calibration"] and promises.flips[0] <= promises.promised[0] == 0.05
    session = minimizer.session(columns.iloc[2][PUBLIC], calibrated=True)
    assert session.promise["flips"] == 0.05
    for question in session:
        session.answer(columns.iloc[2][question.name])
    assert minimizer.verify(session.decision)["guarantee"] in ("proved", "probable", "complete")
    with pytest.raises(ValueError, match="deadline would make the promise depend"):
        minimizer.set_params(deadline=1.0).calibrate(halves[1], flips=0.05)


def test_a_calibration_survives_a_file(loan, tmp_path):
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(loan[0])
    minimizer.calibrate(loan[0], flips=0.05).save(tmp_path / "calibrated.plan")
    again = Minimizer.load(tmp_path / "calibrated.plan")
    assert again.calibration_ == minimizer.calibration_


def test_the_report_is_a_page_and_its_charts_come_alone(audit, tmp_path):
    page = audit.report(tmp_path / "audit.html", plan="Loans")
    assert (tmp_path / "audit.html").read_text(encoding="utf-8") == page
    assert "<h1>Loans</h1>" in page and "How to reproduce" not in page, "no command made it"
    assert {"asked", "questions", "burden", "giveaway"} <= set(audit.plots())
    plot = audit.plot("asked")
    assert plot.svg.startswith("<svg") and "data:image/svg+xml" in plot._repr_html_()
    with pytest.raises(ValueError, match="no chart `aksed`; choose from .*asked"):
        audit.plot("aksed")
    with pytest.raises(ValueError, match="no run 9"):
        audit.report(about=9)


def test_notebooks_show_minimizers_sessions_decisions_and_audits_without_answers(minimizer, audit, loan):
    row = loan[0].iloc[2].copy()
    shown = [minimizer._repr_html_(), audit._repr_html_(), minimizer.decide(loan[0])._repr_html_()]
    assert "asked if needed" in shown[0] and "sensitive questions" in shown[2]
    session = minimizer.session(row[PUBLIC])
    for question in session:
        shown.append(session._repr_html_())
        session.answer(row[question.name])
    shown += [session._repr_html_(), session.decision._repr_html_(), session.decision.plot()._repr_html_()]
    assert "Decided: " in shown[-2] and "Proved: nothing" in shown[-2]
    assert minimizer.plot(depth=2).svg.count("<svg") == 1
    accepting = {name: {"outside": "accept"} for name in minimizer.sensitive_ if name not in ("Home", "Marital", "Job", "Records")}
    other = Minimizer(minimizer.model, public=PUBLIC, questions=accepting).fit(loan[0])
    secret = other.session(row[PUBLIC])
    for question in secret:
        assert "9876543" not in secret._repr_html_()
        secret.answer(9876543 if question.bounds else question.levels[0] if question.levels else True)
    assert "9876543" not in secret._repr_html_() + secret.decision._repr_html_() + secret.decision.plot().svg
    assert "not fitted" in Minimizer(minimizer.model)._repr_html_()


def test_audits_say_what_the_command_says(minimizer, loan, tmp_path):
    """The same plan on the same rows, as `mindrel audit --json` shows them."""
    program = ROOT / "target/debug/mindrel"
    if not program.exists():
        pytest.skip("the command line is not built; cargo build")
    columns, classes = loan
    minimizer.save(tmp_path / "loan.plan")
    columns.assign(label=classes).to_csv(tmp_path / "loan.csv", index=False)
    command = [program, "audit", "loan.plan", "loan.csv", "--delta", "0,0.1", "--baseline", "all", "--by", "Home"]
    done = subprocess.run([*command, "--json", "-"], cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = json.loads(done.stdout)
    found = minimizer.audit(columns, classes, deltas=[0, 0.1], by="Home").outcome
    for run, other in zip(found["runs"], expected["runs"]):
        run.pop("seconds"), other.pop("seconds")
        assert run == other
    assert found["burden"] == expected["burden"]
