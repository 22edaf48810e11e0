"""Tables on disk, and the two programs that imported models are looked at with."""

import csv
import io
import os
import pathlib
import subprocess

import numpy
import pandas

ROOT = pathlib.Path(__file__).parents[3]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
MINDREL = TARGET / "debug" / "mindrel"
SCORES = TARGET / "debug" / "examples" / "scores"
DATA = pathlib.Path(os.environ.get("MINDREL_DATA", ROOT.parent / "shared" / "data"))


class Table:
    """A table on disk, and its columns as a model is trained on them."""

    def __init__(self, path, frame, label, sensitive):
        self.path, self.frame, self.label, self.sensitive = path, frame, label, sensitive
        frame.to_csv(path, index=False)

    @property
    def X(self):
        return self.frame.drop(columns=self.label)

    @property
    def y(self):
        return self.frame[self.label]


def run(*arguments):
    """Runs a program that must succeed; its output."""
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Imported:
    """A model as mindrel has it."""

    def __init__(self, model_file, table, folder, *options):
        self.plan, self.table, self.folder = folder / "model.plan", table, folder
        self.said = run(
            MINDREL, "import", model_file, "--table", table.path, "--label", table.label,
            "--sensitive", ",".join(table.sensitive), "--force", "-o", self.plan, *options,
        )  # fmt: skip

    def scores(self):
        """For everybody, the class by name and the scores."""
        rows = list(csv.reader(io.StringIO(run(SCORES, self.plan, self.table.path))))
        return [row[1] for row in rows], numpy.array([[float(score) for score in row[2:]] for row in rows])

    def certified(self, n_people):
        """For the first so many people, the class decided at delta 0 and what it rests on."""
        some = self.folder / "some.csv"
        self.table.frame.head(n_people).to_csv(some, index=False)
        rows = self.folder / "people.csv"
        run(MINDREL, "audit", self.plan, some, "--delta", "0", "--force", "--people-csv", rows)
        people = pandas.read_csv(rows, dtype=str, keep_default_na=False)
        people = people[people["rule"] == "decisive"]
        assert len(people) == n_people
        return people["decision"].tolist(), people["guarantee"].tolist()
