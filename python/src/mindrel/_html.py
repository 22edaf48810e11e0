"""How objects look in a notebook. Like their ``repr``, this shows no answer."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable, Optional

if TYPE_CHECKING:
    from ._audit import Audit
    from ._decisions import Decisions
    from ._minimizer import Minimizer
    from ._session import Decision, Implied, Session, Undecided

STYLE = """<style>
.mindrel-box{border:1px solid rgba(128,128,128,.4);border-radius:8px;padding:.7em 1em;margin:.4em 0;max-width:56em;
font:14px/1.5 "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
.mindrel-box h4{margin:0 0 .3em;font-size:1.05em}.mindrel-box p{margin:.3em 0}
.mindrel-box table{border-collapse:collapse;margin:.4em 0;font-size:inherit}
.mindrel-box th,.mindrel-box td{text-align:left;padding:.15em .9em .15em 0;border-bottom:1px solid rgba(128,128,128,.25);
vertical-align:top}
.mindrel-box td.mindrel-number,.mindrel-box th.mindrel-number{text-align:right}
.mindrel-box .mindrel-soft{opacity:.7}
</style>"""

GUARANTEES = {
    "proved": "proved: nothing that was not asked can change it",
    "complete": "complete: everything was asked",
    "probable": "probable under the belief: what was not asked could change it",
    "sampled": "no counterexample found: that is no proof, and other answers may change it",
    "none": "no guarantee: an answer lies outside its range, or breaks a rule",
}


def minimizer_html(minimizer: Minimizer) -> str:
    """A minimizer: its questions once it is fitted, otherwise its parameters."""
    if not hasattr(minimizer, "_fitted"):
        return _box("Minimizer, not fitted", f"<p><code>{_text(repr(minimizer))}</code></p>")
    fitted = minimizer._fitted
    rules = f"delta {minimizer._rules()['delta']:g}, selector {minimizer.selector}"
    proved = "its decisions can be proved" if minimizer.certifiable_ else "nothing about it can be proved"
    facts = f"<p>{_text(_capital(fitted.plan.model))}; {proved}. {_text(_capital(rules))}.</p>"
    rows = [
        (question["name"], "known beforehand" if question["visibility"] == "public" else "asked if needed",
         _answers(question), question["prompt"] if question["prompt"] != question["name"] else "")
        for question in fitted.questions
    ]
    classes = ", ".join(map(str, minimizer.classes_.tolist()))
    table = _table(["question", "", "answers", "prompt"], rows)
    return _box(f"Minimizer that decides between {classes}", facts + table)


def session_html(session: Session) -> str:
    """A session: what is asked now, or the decision."""
    decision = session.decision
    if decision is not None:
        return decision_html(decision)
    question = session.question
    assert question is not None, "a session without a decision asks"
    answers = ", ".join(question.labels) if question.labels else ""
    if question.bounds is not None:
        answers = f"from {_number(question.bounds[0])} to {_number(question.bounds[1])}"
    if question.kind == "boolean":
        answers = "yes or no"
    text = f"<p><b>{_text(question.prompt)}</b> <span class='mindrel-soft'>{_text(answers)}</span></p>"
    if question.help:
        text += f"<p>{_text(question.help)}</p>"
    return _box("Asking", text + _list("Answered so far", session.asked) + _implied(session.implied))


def decision_html(decision: Decision | Undecided) -> str:
    """A decision, and what it took."""
    if decision.guarantee is None:
        head, text = "Undecided", "<p>No questions are left, and nothing is settled; a human should look at it.</p>"
    else:
        head = f"Decided: {decision.label}"
        text = f"<p>{_text(_capital(GUARANTEES[decision.guarantee]))}.</p>"
    text += _list("Asked", decision.asked) + _implied(decision.implied)
    return _box(head, text + _list("Declined", decision.declined) + _list("Never asked", decision.never_asked))


def decisions_html(decisions: Decisions) -> str:
    """Decisions about many people, counted."""
    n_people = len(decisions)
    mean = decisions.n_asked.mean() if n_people else 0.0
    text = f"<p>{mean:.2f} of {len(decisions.questions)} sensitive questions asked on average.</p>"
    if decisions.n_implied.any():
        text += f"<p>{decisions.n_implied.mean():.2f} followed from other answers.</p>"
    counts: dict[tuple[str, str], int] = {}
    for label, guarantee in zip(decisions.labels.tolist(), decisions.guarantees.tolist()):
        counts[str(label), guarantee] = counts.get((str(label), guarantee), 0) + 1
    words = {"sampled": "no counterexample found"}
    rows = [(label, words.get(guarantee, guarantee), f"{count:,}") for (label, guarantee), count in sorted(counts.items())]
    text += _table(["class", "guarantee", "people"], rows, {2})
    if decisions.outside.any():
        text += f"<p>{int(decisions.outside.sum()):,} people have an answer outside its range or against a rule.</p>"
    if decisions.skipped:
        text += f"<p>{len(decisions.skipped):,} rows were skipped.</p>"
    return _box(f"Decisions about {n_people:,} people", text)


def audit_html(audit: Audit) -> str:
    """What an audit found, and how many questions people were asked."""
    headline, warnings = audit.findings
    text = f"<p><b>{_text(headline)}</b></p>" + "".join(f"<p>{_text(warning)}</p>" for warning in warnings)
    rows = [
        (
            run["selector"], "" if run["selector"] in ("all", "optimal") else f"{run['delta']:g}", _share(run["leakage"]),
            f"{run['mean_asked']:.2f}", _share(run["flips"]), _share(run["accuracy"]), _share(run["guarantees"]["proved"]),
        )
        for run in audit.runs
    ]
    head = ["selector", "delta", "share asked", "asked", "flips", "accuracy", "proved"]
    text += _table(head, rows, {1, 2, 3, 4, 5, 6})
    plots = audit.plots()
    if "asked" in plots:
        text += plots["asked"]._repr_html_()
    return _box(f"Audit of {audit.outcome['people']:,} people", text)


def _answers(question: dict[str, Any]) -> str:
    kind = question["kind"]
    if kind in ("number", "integer"):
        whole = "whole numbers" if kind == "integer" else "numbers"
        return f"{whole} from {_number(question['lower'])} to {_number(question['upper'])}"
    if kind == "boolean":
        return "yes or no"
    levels = [level or "(missing)" for level in question["levels"]]
    shown = ", ".join(levels[:6])
    return shown if len(levels) <= 6 else f"{shown} and {len(levels) - 6} more"


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


def _share(value: Optional[float]) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _implied(implied: Iterable[Implied]) -> str:
    told = [str(one) for one in implied]
    return _list("Known without asking", told)


def _list(name: str, questions: Iterable[str]) -> str:
    questions = list(questions)
    return f"<p>{name}: {_text(', '.join(questions))}</p>" if questions else ""


def _table(head: list[str], rows: Iterable[tuple], numbers: frozenset[int] | set[int] = frozenset()) -> str:
    def cells(tag: str, values: Iterable[Any]) -> str:
        kinds = (" class='mindrel-number'" if place in numbers else "" for place in range(len(head)))
        return "".join(f"<{tag}{kind}>{_text(str(value))}</{tag}>" for kind, value in zip(kinds, values))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


def _box(head: str, content: str) -> str:
    return f"{STYLE}<div class='mindrel-box'><h4>{_text(head)}</h4>{content}</div>"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _text(text: str) -> str:
    return html.escape(text)
