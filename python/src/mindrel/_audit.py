"""What an audit found."""

from __future__ import annotations

import datetime
import json
import os
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Union

from . import _mindrel
from ._html import audit_html
from ._plot import Plot


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """What an audit found: counts and shares, never anybody's answers.

    :meth:`to_frame` has a row for each run, that is, for each selector and delta, and each baseline. The other tables
    have a row for each run and class, group or question.
    """

    outcome: dict[str, Any]
    """Everything, as ``mindrel audit --json`` writes it."""
    skipped: dict[int, str]
    """The rows that were left out (``errors="skip"``), and what is wrong with them."""
    _audit: _mindrel.Audit = field(repr=False)

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The figures of each run."""
        return self.outcome["runs"]

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each run."""
        import pandas

        return pandas.DataFrame([_row(self.outcome, run) for run in self.runs])

    def flips_by_class(self) -> Any:
        """Of each class, the share of people to whom the model gives it with everything revealed, and the run does not.

        Small classes are left out.
        """
        return self._each(
            lambda run: [{"class": name, "flips": share} for name, share in run["flips_by_class"].items()]
        )

    def asked(self) -> Any:
        """Of each sensitive question, the share of people who were asked it."""
        return self._each(
            lambda run: [{"question": name, "asked": share} for name, share in run["asked"].items()]
        )

    def groups(self) -> Any:
        """What each group was asked, and how often its decisions are flipped and right (``by``)."""
        groupings = self.outcome.get("burden", {}).get("groupings")
        if groupings is None:
            raise ValueError("people were not grouped; give `by` to audit")
        rows = []
        for grouping in groupings:
            for place, run in enumerate(self.runs):
                for members, figures in zip(grouping["groups"], grouping["runs"][place]["groups"]):
                    group = " and ".join(members["levels"]) or f"{members['merged']} small groups"
                    row = {**_name(run), "by": " and ".join(grouping["by"]), "group": group}
                    row["people"] = members["people"]
                    for name in ("mean_asked", "leakage", "flips", "accuracy"):
                        estimate = figures[name] or {}
                        row.update({name: estimate.get("value"), f"{name}_from": estimate.get("lower")})
                        row[f"{name}_to"] = estimate.get("upper")
                    rows.append(row)
        import pandas

        return pandas.DataFrame(rows)

    def differences(self) -> list[str]:
        """What differs between groups, beyond chance, in sentences (``by``)."""
        groupings = self.outcome.get("burden", {}).get("groupings", [])
        found = [
            run[figure]["sentence"]
            for grouping in groupings
            for run in grouping["runs"]
            for figure in ("asked", "flips", "accuracy")
            if run[figure] is not None
        ]
        return list(dict.fromkeys(found))

    def giveaway(self) -> Any:
        """How well the answers that were not asked for can be inferred from the others (``giveaway=True``)."""
        if not any(run.get("giveaway") for run in self.runs):
            raise ValueError("it was not measured what unasked answers give away; give giveaway=True to audit")
        return self._each(lambda run: (run.get("giveaway") or {}).get("questions", []))

    def promises(self) -> Any:
        """At delta above 0, what is promised about flips and what was seen, for each run that promises something."""
        rows = []
        for run in self.runs:
            if run.get("calibrated"):
                found = run["calibrated"]
                rows.append({**_name(run), "promised_by": "calibration", "promised": found["promised"]})
            elif run.get("calibration"):
                rows.append({**_name(run), "promised_by": "belief", "promised": 1 - run["calibration"]["promised"]})
            else:
                continue
            rows[-1]["flips"] = run["flips"]
        import pandas

        return pandas.DataFrame(rows)

    def report(
        self,
        path: Optional[Union[str, os.PathLike[str]]] = None,
        *,
        about: int = 0,
        plan: str = "a plan made in Python",
        table: str = "a table in Python",
    ) -> str:
        """The audit as a page of HTML in plain words, with charts, for whoever answers for the decisions.

        Parameters
        ----------
        path
            The file to write it to, if any.
        about
            Which run the page is about, counted from 0; the others are shown for comparison.
        plan, table
            What the page calls them.
        """
        page = self._audit.page(self._facts(about, plan, table))
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def plots(self, about: int = 0) -> dict[str, Plot]:
        """The charts of the report by the names of its sections; each is shown by notebooks."""
        return {name: Plot(title, svg) for name, title, svg in self._audit.figures(self._facts(about))}

    def plot(self, name: str = "asked", about: int = 0) -> Plot:
        """One chart of the report."""
        plots = self.plots(about)
        if name not in plots:
            raise ValueError(f"there is no chart `{name}`; choose from {', '.join(plots)}")
        return plots[name]

    @property
    def findings(self) -> tuple[str, list[str]]:
        """What to know first: a sentence or two, and warnings."""
        return self._audit.findings(self._facts(0))

    def _facts(self, about: int, plan: str = "a plan made in Python", table: str = "a table in Python") -> str:
        counts: dict[str, int] = {}
        for cause in self.skipped.values():
            counts[cause] = counts.get(cause, 0) + 1
        return json.dumps({
            "when": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
            "command": "",
            "plan": plan,
            "table": table,
            "left_out": [[count, cause] for cause, count in counts.items()],
            "chosen": about,
        })

    def _each(self, rows: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> Any:
        import pandas

        return pandas.DataFrame([{**_name(run), **row} for run in self.runs for row in rows(run)])

    def __repr__(self) -> str:
        left_out = f", {len(self.skipped)} rows skipped" if self.skipped else ""
        return f"Audit({self.outcome['people']} people, {len(self.runs)} runs{left_out})\n{self.findings[0]}"

    def _repr_html_(self) -> str:
        return audit_html(self)


def _name(run: dict[str, Any]) -> dict[str, Any]:
    """What tells a run from the others."""
    return {"selector": run["selector"], "delta": run["delta"]}


def _row(outcome: dict[str, Any], run: dict[str, Any]) -> dict[str, Any]:
    taken = ("selector", "delta", "test", "leakage", "mean_asked", "accuracy", "flips", "flips_inside_domain")
    row = {name: run[name] for name in taken}
    row["accuracy_all"] = outcome["accuracy_all"]
    row.update(run["guarantees"])
    row["outside_domain"] = run["outside_domain"]
    row["out_of_budget"] = run["undecided_budget"]
    row["people"] = outcome["people"]
    row["seconds"] = run["seconds"]
    return row
