"""Certificates of the real binary, checked by a program that knows docs/formats.md and nothing else of mindrel."""

from __future__ import annotations

import copy
import csv
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from data import LOAN, ROOT

MINDREL = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "mindrel"
EXAMPLE = ROOT / "python/examples/check_certificate.py"
PUBLIC = "Time,Amount,Price"
PEOPLE = 12

_spec = importlib.util.spec_from_file_location("check_certificate", EXAMPLE)
checker = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(checker)


def run(*arguments):
    return subprocess.run([MINDREL, "--quiet", *arguments], capture_output=True, text=True, check=False)


def answer(question, cell):
    """A cell of the table as `ask` reads it."""
    if cell in ("", "NA") and (question.get("missing") is not None or question["kind"] == "category"):
        return "not known"
    if question["kind"] == "boolean":
        return cell == "yes"
    return cell if question["kind"] == "category" else float(cell)


KINDS = ["logistic-onehot", "logistic-ordinal", "mlp-onehot", "mlp-ordinal"]
KINDS += ["logistic-onehot-missing", "mlp-onehot-missing"]


@pytest.fixture(scope="module", params=KINDS)
def cases(request, tmp_path_factory):
    """A plan with two classes and one with more: its file, and certificates of people in it."""
    model, encoding, *missing = request.param.split("-")
    folder = tmp_path_factory.mktemp(request.param)
    found = []
    for label in ("label", "Home"):
        plan = folder / f"{label}.plan"
        how = ["--label", label, "--public", PUBLIC, "--model", model, "--encoding", encoding]
        how += ["--missing-numbers", "answer"] if missing else []
        assert run("fit", LOAN, *how, "-o", plan).returncode == 0
        plan_file = json.loads(plan.read_text())
        found.append((plan, plan_file, list(certificates(folder, plan, plan_file))))
    return found


def certificates(folder, plan, plan_file):
    questions = plan_file["plan"]["schema"]["questions"]
    with open(LOAN, encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    for number, row in enumerate(rows[:: len(rows) // PEOPLE]):
        answers, certificate = folder / "answers.json", folder / f"{plan.stem}-{number}.json"
        answers.write_text(json.dumps({q["name"]: answer(q, row[q["name"]]) for q in questions}))
        if run("ask", plan, "--answers", answers, "--certificate", certificate).returncode == 0:
            yield certificate


def test_certificates_hold_by_the_documented_format_alone(cases):
    guarantees = []
    for plan, plan_file, paths in cases:
        assert len(paths) >= PEOPLE // 2
        for path in paths:
            certificate = json.loads(path.read_text())
            checker.check(plan_file, certificate)
            guarantees.append(certificate["guarantee"])
    assert guarantees.count("proved") >= PEOPLE // 2
    plan, _, paths = cases[0]
    done = subprocess.run([sys.executable, EXAMPLE, plan, *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.count("proved") > 0


@pytest.mark.parametrize("cases", [kind for kind in KINDS if kind.endswith("missing")], indirect=True)
def test_certificates_of_people_with_a_missing_number_hold(cases):
    """Answers that are missing, revealed and asked for, and numbers that might have been."""
    revealed = 0
    for _, plan_file, paths in cases:
        assert any(question.get("missing") == "answer" for question in plan_file["plan"]["schema"]["questions"])
        for path in paths:
            certificate = json.loads(path.read_text())
            checker.check(plan_file, certificate)
            revealed += any(stated["answer"] == "not known" for stated in certificate["revealed"])
    assert revealed > 0


def other_class(certificate, plan):
    certificate["label"] = next(c for c in plan["schema"]["target"]["classes"] if c != certificate["label"])


def question_forgotten(certificate, _):
    certificate["revealed"].pop()


def question_never_asked(certificate, _):
    certificate["never_asked"].append(certificate["revealed"].pop()["question"])


def larger_margin(certificate, _):
    certificate["worst_margin"] *= 1.001
    for part in certificate.get("proof", []):
        for beaten in part.get("beaten", []):
            beaten["margin"] *= 1.001


def other_answer(certificate, _):
    last = certificate["revealed"][-1]
    last["answer"] = not last["answer"] if isinstance(last["answer"], bool) else 1e9


def part_left_out(certificate, _):
    certificate.get("proof", certificate["revealed"]).pop()


@pytest.mark.parametrize(
    "tamper", [other_class, question_forgotten, larger_margin, other_answer, part_left_out, question_never_asked]
)
def test_tampered_certificates_are_refused_as_mindrel_refuses_them(cases, tamper, tmp_path):
    n_refused = 0
    for plan, plan_file, paths in cases:
        for path in paths:
            certificate = json.loads(path.read_text())
            if certificate["guarantee"] != "proved" or not certificate["revealed"]:
                continue
            tamper(certificate, plan_file["plan"])
            forged = tmp_path / "forged.json"
            forged.write_text(json.dumps(certificate))
            assert run("verify", plan, forged).returncode != 0
            try:
                checker.check(plan_file, certificate)
            except (checker.Invalid, ValueError):
                n_refused += 1
            else:
                raise AssertionError(f"{tamper.__name__}: {path.name} is accepted")
    assert n_refused > 0


def test_a_plan_that_was_changed_is_refused(cases):
    _, plan_file, paths = cases[0]
    changed = copy.deepcopy(plan_file)
    changed["plan"]["rules"]["budget"] = 1
    with pytest.raises(checker.Invalid, match="the plan is damaged"):
        checker.check(changed, json.loads(paths[0].read_text()))


@pytest.mark.parametrize(
    "number, text",
    [
        (0.0, "0"), (-0.0, "0"), (100.0, "100"), (1e21, "1e+21"), (1e20, "100000000000000000000"), (-1.5, "-1.5"),
        (1e-6, "0.000001"), (1e-7, "1e-7"), (1.25e-7, "1.25e-7"), (123456.789, "123456.789"), (5e-324, "5e-324"),
        (9007199254740993, "9007199254740992"), (2**64 - 1, "18446744073709552000"), (0.3, "0.3"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_ecmascript_does(number, text):
    assert checker.canonical(number) == text
