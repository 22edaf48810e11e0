"""Times our networks beside scikit-learn's on a wide one-hot table.

    python scripts/bench/network.py

The table is the generated one of logistic.py: 100,000 rows, 2,500 one-hot columns and three classes, 30 % of the
rows held out. Both train two hidden layers of 10 units by Adam and stop early on a tenth of the training rows. Ours is
a whole `mindrel fit`, which also reads the table and fits a belief; scikit-learn's is training alone, on a sparse
matrix.
"""

import json
import resource
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path

from logistic import REPOSITORY, encode, generate
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier


def timed(work, whose):
    """Seconds by the clock and of the processors."""
    before, start = resource.getrusage(whose), time.perf_counter()
    work()
    after, seconds = resource.getrusage(whose), time.perf_counter() - start
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(path, folder):
    build = ["cargo", "build", "--release", "--quiet", "-p", "mindrel-cli"]
    subprocess.run(build, cwd=REPOSITORY, check=True)
    run = ["cargo", "run", "--release", "--quiet", "-p", "mindrel-cli", "--", "fit", str(path)]
    options = ["--label", "label", "--public", "q0", "--model", "mlp", "--holdout", "0.3"]
    command = [*run, *options, "--json", str(folder / "fit.json"), "-o", str(folder / "network.plan")]
    fit = partial(subprocess.run, command, cwd=REPOSITORY, check=True, capture_output=True)
    seconds, processor = timed(fit, resource.RUSAGE_CHILDREN)
    accuracy = json.loads((folder / "fit.json").read_text())["held_out"]["accuracy"]
    print(f"mindrel fit --model mlp: {seconds:.0f} s, {processor:.0f} s of processor time, accuracy {accuracy:.3f}")


def theirs(path):
    rows, labels = encode(path)
    rows, held_out, labels, true = train_test_split(rows, labels, test_size=0.3, random_state=0)
    model = MLPClassifier(hidden_layer_sizes=(10, 10), early_stopping=True, random_state=0)
    seconds, processor = timed(partial(model.fit, rows, labels), resource.RUSAGE_SELF)
    accuracy = model.score(held_out, true)
    print(f"scikit-learn: {seconds:.0f} s, {processor:.0f} s of processor time, accuracy {accuracy:.3f}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        generate(folder / "generated.csv", 100_000, 25, 100)
        ours(folder / "generated.csv", folder)
        theirs(folder / "generated.csv")


if __name__ == "__main__":
    main()
