"""The time of a logistic regression, ours and scikit-learn's, on the same tables in one run.

Needs, in an environment of its own (Python 3.11 or later):

    pip install scikit-learn==1.9.1 numpy==2.4.6 pandas==3.1.1

Run from anywhere:

    python scripts/bench/logistic.py [folder with adult.csv and bank.csv]

The folder is the argument, else MINDREL_DATA, else ../shared/data beside the repository. Tables: adult and bank with one-hot
columns, and a generated one of 100,000 rows, 2,500 one-hot columns (25 categories of 100 levels) and three classes. C = 1.
scikit-learn reads a sparse matrix and stops at its default tolerance, and once more at the gradient that ours stops at.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression

REPOSITORY = Path(__file__).resolve().parents[2]


def data_folder():
    if len(sys.argv) > 1:
        return Path(sys.argv[1])
    return Path(os.environ.get("MINDREL_DATA", REPOSITORY.parent / "shared/data"))


def generate(path, n_rows, n_categories, n_levels):
    """Categories with rare levels; three classes by a noisy sum of the levels' effects, one of them rare."""
    random = np.random.default_rng(1)
    levels = (15 * random.standard_normal((n_rows, n_categories)) ** 2).astype(int) % n_levels
    levels[:n_levels] = np.arange(n_levels)[:, None]
    effects = random.standard_normal((n_categories, n_levels))
    scores = sum(effects[j, levels[:, j]] for j in range(n_categories)) + 2 * random.standard_normal(n_rows)
    classes = np.where(scores > 8, "c", np.where(scores > 0, "b", "a"))
    table = pd.DataFrame({f"q{j}": [f"l{level}" for level in levels[:, j]] for j in range(n_categories)})
    table["label"] = classes
    table.to_csv(path, index=False)


def encode(path):
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    labels = table.pop(table.columns[-1])
    columns = []
    for name in table.columns:
        try:
            numbers = table[name].astype(float).to_numpy()
            scaled = -1 + 2 * (numbers - numbers.min()) / (numbers.max() - numbers.min())
            columns.append(sparse.csr_matrix(scaled[:, None]))
        except ValueError:
            codes, _ = pd.factorize(table[name], sort=True)
            ones = (np.ones(len(codes)), (np.arange(len(codes)), codes))
            columns.append(sparse.csr_matrix(ones))
    return sparse.hstack(columns, format="csr"), pd.factorize(labels, sort=True)[0]


def objective(model, rows, labels):
    scores = model.decision_function(rows)
    if scores.ndim == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    losses = np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(labels)), labels]
    return 0.5 * np.sum(model.coef_**2) + losses.sum()


def ours(path):
    command = ["cargo", "run", "--release", "--quiet", "-p", "mindrel-train", "--example", "logistic_speed", "--", path]
    print(subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout, end="")


def theirs(path):
    rows, labels = encode(path)
    for tolerance in [1e-4, 1e-10]:
        model = LogisticRegression(tol=tolerance, max_iter=5000)
        start = time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(rows, labels)
        seconds = time.perf_counter() - start
        value = objective(model, rows, labels)
        note = ", with a warning" if caught else ""
        print(f"scikit-learn lbfgs, tol {tolerance:g}: {model.n_iter_[0]} iterations, objective {value:.9f}, {seconds:.3f} s{note}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        generated = Path(folder) / "generated.csv"
        generate(generated, 100_000, 25, 100)
        for path in [data_folder() / "adult.csv", data_folder() / "bank.csv", generated]:
            print(f"\n{path.stem}")
            ours(str(path))
            theirs(str(path))


if __name__ == "__main__":
    main()
