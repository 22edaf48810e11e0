"""How many questions rules between questions save, on adult and bank, all sensitive, with one-hot categories.

Needs the environment of `make python-env` (python/requirements-test.txt). From the root of the repository:

    target/python/bin/python scripts/bench/rules.py [folder with adult.csv and bank.csv] [--people 500]

The folder is the argument, else MINDREL_DATA, else ../shared/data beside the repository. The rules are those that
`mindrel schema --rules accept` finds in the training rows. The same rows train the models with and without them: a
logistic regression under two beliefs, a network of two layers of 10, and scikit-learn's gradient boosting with 100
trees of depth 3, imported as ONNX. Decisions are those of held-out people at delta = 0, and for boosting, whose schema is that of all
rows, of any people. People who break a rule, which was seen in training rows alone, are outside and are decided all
the same.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

import pandas
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, StringTensorType
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

REPOSITORY = Path(__file__).resolve().parents[2]
HOLDOUT = ["--holdout", "0.3", "--seed", "1"]


def mindrel(*arguments):
    command = ["cargo", "run", "--release", "--quiet", "--", *map(str, arguments)]
    result = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)}\n{result.stderr}")


def boosting(table, path):
    """scikit-learn's gradient boosting behind a one-hot encoding, as ONNX."""
    rows = pandas.read_csv(table, keep_default_na=False)
    labels = rows.pop("label")
    texts = [name for name in rows.columns if not pandas.api.types.is_numeric_dtype(rows[name])]
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), remainder="passthrough")
    model = make_pipeline(encode, GradientBoostingClassifier(random_state=0)).fit(rows, labels)
    kind = lambda name: StringTensorType([None, 1]) if name in texts else FloatTensorType([None, 1])
    onnx = to_onnx(model, initial_types=[(name, kind(name)) for name in rows.columns], options={"zipmap": False})
    path.write_bytes(onnx.SerializeToString())


def plans(table, rules, model, folder):
    """The plans with some rules, by family."""
    schema = folder / f"{rules}.toml"
    mindrel("schema", table, "--label", "label", *HOLDOUT, "--rules", rules, "-o", schema)
    common = [table, "--schema", schema, *HOLDOUT, "--force"]
    for belief in ["copula", "gaussian"]:
        mindrel("fit", *common, "--belief", belief, "-o", folder / f"linear-{belief}.plan")
        yield f"logistic, {belief}", folder / f"linear-{belief}.plan"
    mindrel("fit", *common, "--model", "mlp", "--hidden", "10,10", "-o", folder / "network.plan")
    yield "network", folder / "network.plan"
    mindrel("schema", table, "--label", "label", "--rules", rules, "--force", "-o", schema)
    mindrel("import", model, "--table", table, "--schema", schema, "--force", "-o", folder / "boosting.plan")
    yield "boosting", folder / "boosting.plan"


def audit(plan, table, people, folder):
    held_out = ["--held-out"] if plan.stem != "boosting" else []
    arguments = ["--delta", "0", "--limit", str(people), "--json", folder / "audit.json", "--force"]
    mindrel("audit", plan, table, *held_out, "--selector", "decisive", *arguments)
    runs = json.loads((folder / "audit.json").read_text())["runs"]
    return {run["selector"]: run for run in runs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("MINDREL_DATA", REPOSITORY / "../shared/data"))
    parser.add_argument("--people", type=int, default=500)
    options = parser.parse_args()
    print("table  family               rule       without     with  implied  outside  flips inside")
    for name in ["adult", "bank"]:
        table = Path(options.data, f"{name}.csv").resolve()
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            boosting(table, folder / "boosting.onnx")
            found = {}
            for rules in ["none", "accept"]:
                for family, plan in plans(table, rules, folder / "boosting.onnx", folder):
                    found[rules, family] = audit(plan, table, options.people, folder)
            for family in ["logistic, copula", "logistic, gaussian", "network", "boosting"]:
                for rule in ["decisive", "optimal"]:
                    without, ruled = found["none", family][rule], found["accept", family][rule]
                    saved = ruled["mean_asked"] / without["mean_asked"] - 1
                    print(
                        f"{name:6} {family:20} {rule:9} {without['mean_asked']:8.2f} {ruled['mean_asked']:8.2f}"
                        f" ({100 * saved:+.0f} %) {ruled.get('mean_implied', 0):5.2f} {ruled['outside_domain']:8.3f}"
                        f" {ruled['flips_inside_domain']:8.4f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
