"""Deciding about 100,000 people from Python, compared with the Rust audit of the same plan and people, in one run.

A linear model of 20 numbers, 10 of them sensitive, at delta 0 and 0.05. The audit measures the time it spends deciding,
summed over the cores, without reading; `decide` is timed as a whole, from the table to the arrays. If the path of the
command `mindrel` is given, its audit of a CSV file of the same people is timed too, as a user would wait for it.

    python python/benches/decide.py [target/release/mindrel]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from mindrel import Minimizer
from sklearn.linear_model import LogisticRegression

N_PEOPLE, N_COLUMNS, N_SENSITIVE, REPETITIONS = 100_000, 20, 10, 5


def best(work) -> float:
    """The shortest of some runs, in seconds."""
    seconds = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def people() -> tuple[numpy.ndarray, numpy.ndarray]:
    random = numpy.random.default_rng(0)
    mixing = random.normal(size=(N_COLUMNS, N_COLUMNS)) * 0.3 + numpy.eye(N_COLUMNS)
    X = random.normal(size=(N_PEOPLE, N_COLUMNS)) @ mixing
    classes = X @ random.normal(size=N_COLUMNS) + random.normal(size=N_PEOPLE) > 0
    return X, classes.astype(int)


def by_command(program: str, minimizer: Minimizer, X: numpy.ndarray, y: numpy.ndarray) -> float:
    with tempfile.TemporaryDirectory() as folder:
        plan, table = Path(folder) / "bench.plan", Path(folder) / "bench.csv"
        minimizer.save(plan)
        header = ",".join([*map(str, minimizer.feature_names_in_), "label"])
        numpy.savetxt(table, numpy.column_stack([X, y]), delimiter=",", header=header, comments="", fmt="%.17g")
        command = [program, "audit", str(plan), str(table), "--baseline", "none", "--delta", str(minimizer.delta)]
        return best(lambda: subprocess.run(command, check=True, capture_output=True))


def main() -> None:
    X, y = people()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    model = LogisticRegression().fit(X[:10_000], y[:10_000])
    minimizer = Minimizer(model, public=list(range(N_COLUMNS - N_SENSITIVE))).fit(X)
    print(
        f"{N_PEOPLE} people, {N_COLUMNS} columns, {N_SENSITIVE} sensitive, linear, {cores} cores, best of {REPETITIONS}"
    )
    print("delta  decide (s)  audit deciding (s)  audit from Python (s)  ratio to deciding  ratio to the whole audit")
    for delta in (0.0, 0.05):
        minimizer.set_params(delta=delta)
        audits = [minimizer.audit(X, baselines=[]) for _ in range(REPETITIONS)]
        deciding = min(audit.runs[0]["seconds"] for audit in audits) / cores
        whole = best(lambda: minimizer.audit(X, baselines=[]))
        decide = best(lambda: minimizer.decide(X))
        ratios = f"{decide / deciding:17.2f}  {decide / whole:24.2f}"
        print(f"{delta:<5}  {decide:10.4f}  {deciding:18.4f}  {whole:21.4f}  {ratios}")
        if len(sys.argv) > 1:
            command = by_command(sys.argv[1], minimizer, X, y)
            print(
                f"       `mindrel audit` of the same people from a CSV: {command:.4f} s; ratio {decide / command:.2f}"
            )


if __name__ == "__main__":
    main()
