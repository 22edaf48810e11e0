"""Reference coefficients of logistic regression, fitted by scikit-learn.

Needs, in an environment of its own (Python 3.11 or later):

    pip install scikit-learn==1.9.1 numpy==2.4.6 pandas==3.1.1

Run from anywhere:

    python scripts/reference/logistic.py [folder with bank.csv and fetal.csv]

The folder is the argument, else MINDREL_DATA, else ../shared/data beside the repository. Writes
crates/mindrel-train/tests/reference/{bank,fetal,bank-onehot}.json.

Both encodings are written out here, independently of the Rust code. Ordinal: a numeric column is scaled to
[-1, 1] over the whole table as -1 + 2 (v - lower) / (upper - lower); level i of the k byte-sorted levels of a
category becomes -1 + 2 i / (k - 1). One-hot: the same, except that a category of more than two levels becomes one
0/1 column for each sorted level. Classes are sorted as strings.

Objective, as scikit-learn documents it for C = 1: 1/2 |w|^2 + C sum_i loss_i, intercepts not penalised.
"""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn
from sklearn.linear_model import LogisticRegression

REPOSITORY = Path(__file__).resolve().parents[2]
TARGET = REPOSITORY / "crates/mindrel-train/tests/reference"
INVERSE_PENALTY = 1.0
# The largest mean derivative that still counts as zero; sums of 45,211 rounded terms leave about 1e-15.
GRADIENT_LIMIT = 1e-12


def data_folder():
    if len(sys.argv) > 1:
        return Path(sys.argv[1])
    return Path(os.environ.get("MINDREL_DATA", REPOSITORY.parent / "shared/data"))


def read(path):
    """Cells as text; a column is numeric when every cell reads as a number."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    return table.drop(columns="label"), table["label"]


def numbers(column):
    try:
        return column.astype(float).to_numpy()
    except ValueError:
        return None


def encode(features, one_hot):
    names, columns = [], []
    for name in features.columns:
        values = numbers(features[name])
        if values is not None:
            lower, upper = values.min(), values.max()
            names.append(name)
            columns.append(-1.0 + 2.0 * (values - lower) / (upper - lower))
            continue
        cells = features[name].to_numpy(dtype=object)
        levels = sorted(set(cells), key=lambda level: level.encode())
        if one_hot and len(levels) > 2:
            for level in levels:
                names.append(f"{name}={level}")
                columns.append((cells == level).astype(float))
        else:
            position = {level: index for index, level in enumerate(levels)}
            index = np.array([position[cell] for cell in cells], dtype=float)
            names.append(name)
            columns.append(-1.0 + 2.0 * index / (len(levels) - 1))
    return names, np.column_stack(columns)


def evaluate(weights, intercepts, rows, labels):
    """The objective and the largest mean derivative, from the definition, with one score for each class."""
    if len(intercepts) == 1:
        scores = np.column_stack([np.zeros(len(rows)), rows @ weights[0] + intercepts[0]])
    else:
        scores = rows @ weights.T + intercepts
    normaliser = np.logaddexp.reduce(scores, axis=1)
    loss = np.sum(normaliser - scores[np.arange(len(rows)), labels])
    residual = np.exp(scores - normaliser[:, None])
    residual[np.arange(len(rows)), labels] -= 1.0
    residual = residual[:, -len(intercepts):]
    derivative = np.column_stack(
        [weights + INVERSE_PENALTY * residual.T @ rows, INVERSE_PENALTY * residual.sum(axis=0)]
    )
    return 0.5 * np.sum(weights**2) + INVERSE_PENALTY * loss, np.abs(derivative).max() / len(rows)


def fit(path, one_hot):
    features, label = read(path)
    names, rows = encode(features, one_hot)
    classes = sorted(set(label), key=lambda name: name.encode())
    labels = np.array([classes.index(name) for name in label])
    model = LogisticRegression(C=INVERSE_PENALTY, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    model.fit(rows, labels)
    # Scores of three or more classes may be shifted together; both sides are compared with their mean taken off.
    intercepts = model.intercept_ - (model.intercept_.mean() if len(classes) > 2 else 0.0)
    objective, gradient = evaluate(model.coef_, intercepts, rows, labels)
    assert gradient < GRADIENT_LIMIT, f"{path.name}: the largest mean derivative is {gradient}"
    return {
        "library": "scikit-learn",
        "version": sklearn.__version__,
        "solver": "newton-cholesky",
        "C": INVERSE_PENALTY,
        "encoding": "one-hot" if one_hot else "ordinal",
        "largest_mean_derivative": gradient,
        "objective": objective,
        "classes": classes,
        "features": names,
        "coefficients": model.coef_.tolist(),
        "intercepts": intercepts.tolist(),
    }


def main():
    folder = data_folder()
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, one_hot in [("bank", False), ("fetal", False), ("bank-onehot", True)]:
        reference = fit(folder / f"{name.split('-')[0]}.csv", one_hot)
        (TARGET / f"{name}.json").write_text(json.dumps(reference, indent=1) + "\n")
        print(f"{name}: objective {reference['objective']:.12g}, {len(reference['features'])} columns")


if __name__ == "__main__":
    main()
