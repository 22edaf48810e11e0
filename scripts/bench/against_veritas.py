"""The certified test of tree ensembles, ours and Veritas's, on the same forests and questions in one run.

Needs the environment of `make python-package` (python/requirements-test.txt). From the root of the repository:

    target/python/bin/python scripts/bench/against_veritas.py [folder with adult.csv and bank.csv]
        [--models forest extra-trees xgboost lightgbm] [--trees 100 500] [--open 5 8 16] [--people 50] [--seconds 1]

The folder is the argument, else MINDREL_DATA, else ../shared/data beside the repository.

Each test takes a held-out person, draws which questions are open, and asks whether the label is the same for every
answer to them. Answers are the whole numbers in the range of the table; categories are numbered in the order of their
names. If everything is open, all people are alike and only one is tested. Models have the default settings of their
libraries, but one thread each.

Ours is `Minimizer.core_test`, limited by time only. Veritas starts from the label at the lowest answers, and searches
for the largest output if that is the negative one, else for the smallest. As in its own search for adversarial
examples (`VeritasRobustnessSearch`), the ensemble is first pruned to the box, states that cannot change the label are
ignored, and the first that changes it ends the search. That search sets `focal_eps` to 0.2, and the default is 0.8.
We use 0.05: on bank with 100 trees and 8 open questions it found counterexamples up to ten times as fast as 0.2 did,
and about as fast as 0.1 and 0. Proofs do not depend on it. Both have one thread and the same time, which includes all
preparation for one person; both look at the clock between steps, so they may exceed it.

Both have the same trees. Veritas compares `x < v` in doubles. scikit-learn and LightGBM compare `x <= t` and XGBoost
`x < t`; rounding x to single precision does not change our whole numbers. For whole x, `x <= t` is `x < floor(t) + 1`
and `x < t` is `x < ceil(t)`. With these bounds, every box of Veritas has whole ends and so contains a whole point:
its search over intervals is exact on whole numbers. Its own converters are not used: the one for LightGBM sends 3 to
the right of a split at 3, where LightGBM sends it to the left, and there is none for extremely randomised trees.

A counterexample is a pair of possible people who agree with the person in what is known, and to whom the original
model itself must give different labels; this is checked outside the timing. The script fails if a pair of ours is
none, if either proves what the other refutes, or if they prove different labels. Veritas adds outputs up in another
order than the libraries do. Where rounding may decide a sign, its counterexamples are left to the original model, and
a proof of Veritas that misses one of ours for this reason is counted as a tie.
"""

import argparse
import itertools
import json
import math
import os
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import veritas
from lightgbm import LGBMClassifier
from mindrel import Minimizer
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from xgboost import XGBClassifier

REPOSITORY = Path(__file__).resolve().parents[2]
MODELS = {
    "forest": lambda n: RandomForestClassifier(n, random_state=0),
    "extra-trees": lambda n: ExtraTreesClassifier(n, random_state=0),
    "xgboost": lambda n: XGBClassifier(n_estimators=n, n_jobs=1, random_state=0),
    "lightgbm": lambda n: LGBMClassifier(n_estimators=n, n_jobs=1, random_state=0, verbose=-1),
}
# How far apart two sums of one person's leaves may be: of doubles, or of single-precision numbers in XGBoost.
ROUNDING = {"forest": 1e-9, "extra-trees": 1e-9, "xgboost": 1e-4, "lightgbm": 1e-9}
# Steps of Veritas between two looks at the clock.
STEPS = 10
UNLIMITED = 2**62
PROVED, REFUTED, GAVE_UP, TIE = "proved", "refuted", "gave up", "tie"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    folder = os.environ.get("MINDREL_DATA", REPOSITORY.parent / "shared/data")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(folder))
    parser.add_argument("--tables", nargs="+", default=["bank", "adult"])
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--trees", nargs="+", type=int, default=[100, 500])
    parser.add_argument("--open", nargs="+", type=int, default=[5, 8, 16], help="open questions, at most all there are")
    parser.add_argument("--people", type=int, default=50, help="tests per setting")
    parser.add_argument("--seconds", type=float, default=1.0, help="limit of each test")
    parser.add_argument("--focal-eps", type=float, default=0.05, help="how greedily Veritas searches, 1 for not at all")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def table(path):
    """Answers as whole numbers, and classes as 0 and 1."""
    cells = pd.read_csv(path, keep_default_na=False)
    y = pd.factorize(cells.pop("label"), sort=True)[0]
    numbered = cells.apply(lambda column: column if column.dtype.kind in "iu" else pd.factorize(column, sort=True)[0])
    return numbered.to_numpy(float), y


# Trees for Veritas


def forest_trees(model):
    """Each leaf says how often it is the positive class."""
    for tree in (one.tree_ for one in model.estimators_):
        votes = tree.value[:, 0, :2]
        bounds = np.floor(tree.threshold) + 1
        yield tree.children_left, tree.children_right, tree.feature, bounds, votes[:, 1] / votes.sum(axis=1)


def xgboost_trees(model):
    booster = json.loads(model.get_booster().save_raw("json"))["learner"]
    for tree in booster["gradient_booster"]["model"]["trees"]:
        numbers = np.array(tree["split_conditions"], np.float32).astype(float)
        children = np.array(tree["left_children"]), np.array(tree["right_children"])
        yield *children, tree["split_indices"], np.ceil(numbers), numbers


def lightgbm_trees(model):
    for tree in model.booster_.dump_model()["tree_info"]:
        nodes = []
        lightgbm_node(tree["tree_structure"], nodes)
        yield map(np.array, zip(*nodes))


def lightgbm_node(node, nodes):
    """Appends a node and all below it, and returns its place."""
    place = len(nodes)
    if "split_feature" not in node:
        nodes.append((-1, -1, 0, 0.0, node["leaf_value"]))
        return place
    assert node["decision_type"] == "<="
    nodes.append(None)
    children = lightgbm_node(node["left_child"], nodes), lightgbm_node(node["right_child"], nodes)
    nodes[place] = *children, node["split_feature"], math.floor(node["threshold"]) + 1.0, 0.0
    return place


def base_score(model):
    """The sum starts from here; the label is positive if it ends above zero."""
    if isinstance(model, XGBClassifier):
        text = json.loads(model.get_booster().save_config())["learner"]["learner_model_param"]["base_score"]
        mean = float(text.strip("[]"))
        return math.log(mean / (1 - mean))
    return 0.0 if isinstance(model, LGBMClassifier) else -len(model.estimators_) / 2


def add_tree(ensemble, left, right, features, bounds, values):
    tree = ensemble.add_tree()
    parts = (left, right, features, bounds, values)
    left, right, features, bounds, values = (np.asarray(part).tolist() for part in parts)
    pending = [(0, tree.root())]
    while pending:
        node, own = pending.pop()
        if left[node] == -1:
            tree.set_leaf_value(own, 0, values[node])
        else:
            tree.split(own, features[node], bounds[node])
            pending += [(right[node], tree.right(own)), (left[node], tree.left(own))]


def for_veritas(model):
    trees = xgboost_trees if isinstance(model, XGBClassifier) else forest_trees
    trees = lightgbm_trees if isinstance(model, LGBMClassifier) else trees
    ensemble = veritas.AddTree(1, veritas.AddTreeType.CLF_SOFTMAX)
    for tree in trees(model):
        add_tree(ensemble, *tree)
    ensemble.set_base_score(0, base_score(model))
    return ensemble


# Tests


class Contest:
    """A model in both forms, and the domain of its questions."""

    def __init__(self, name, model, X, options):
        self.model, self.rounding = model, ROUNDING[name]
        self.seconds, self.focal_eps = options.seconds, options.focal_eps
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # The imported model would differ from the original.
            self.minimizer = Minimizer(model, certify="require").fit(X)
        self.ensemble = for_veritas(model)
        self.names = list(self.minimizer.feature_names_in_)
        self.lower, self.upper = X.min(axis=0), X.max(axis=0)
        for question, lower, upper in zip(self.minimizer.questions_, self.lower, self.upper):
            domain = (0.0, 1.0) if question["kind"] == "boolean" else (question["lower"], question["upper"])
            assert question["kind"] in ("boolean", "integer") and domain == (lower, upper)

    def check_outputs(self, rows):
        """Veritas has the model that was trained, but for rounding."""
        outputs = self.ensemble.eval(rows)[:, 0]
        is_plain = np.abs(outputs) > self.rounding
        assert ((outputs > 0) == self.model.predict(rows))[is_plain].all() and is_plain.mean() > 0.9

    def is_counterexample(self, pair, person, is_open):
        """Whether two possible people who agree with a person in what is known get different labels."""
        pair = np.array(pair)
        is_possible = (self.lower <= pair) & (pair <= self.upper) & (pair == np.floor(pair))
        one, other = self.model.predict(pair)
        return one != other and is_possible.all() and ((pair == person) | is_open).all()

    def is_tie(self, pair):
        return (np.abs(self.ensemble.eval(np.array(pair))[:, 0]) <= self.rounding).any()

    def ours(self, person, is_open):
        """The outcome, the time, and the label or the pair of people."""
        start = time.perf_counter()
        known = {name: value for name, value, open in zip(self.names, person.tolist(), is_open) if not open}
        verdict = self.minimizer.core_test(known, budget=UNLIMITED, seconds=self.seconds)
        seconds = time.perf_counter() - start
        if verdict.outcome == "open":
            return REFUTED, seconds, [[float(one[name]) for name in self.names] for one in verdict.witness]
        return (PROVED, seconds, verdict.label) if verdict.outcome == "core" else (GAVE_UP, seconds, None)

    def theirs(self, person, is_open):
        """The same by Veritas."""
        start = time.perf_counter()
        lowest, highest = np.where(is_open, self.lower, person), np.where(is_open, self.upper, person)
        label = int(self.ensemble.eval(lowest[None])[0, 0] > self.rounding)
        box = [veritas.Interval(*ends) for ends in zip(lowest.tolist(), (highest + 1).tolist())]
        search = self.config(label).get_search(self.ensemble.prune(box), box)
        paused, seen = 0.0, 0
        while True:
            spent = time.perf_counter() - start - paused
            reason = search.step_for(self.seconds - spent, STEPS) if spent < self.seconds else None
            seconds = time.perf_counter() - start - paused
            while seen < search.num_solutions():
                pair = [lowest.tolist(), self.point(search.get_solution(seen), lowest)]
                if self.is_counterexample(pair, person, is_open):
                    return REFUTED, seconds, pair
                assert self.is_tie(pair), "only rounding can make a solution of Veritas wrong"
                seen += 1
            if reason == veritas.StopReason.NO_MORE_OPEN:
                return PROVED, seconds, label
            if reason in (None, veritas.StopReason.OUT_OF_TIME, veritas.StopReason.OUT_OF_MEMORY):
                return GAVE_UP, seconds, None
            paused += time.perf_counter() - start - paused - seconds

    def config(self, label):
        """A search for any output on the other side of zero; nothing else is worth a look."""
        kind = veritas.HeuristicType.MIN_OUTPUT if label else veritas.HeuristicType.MAX_OUTPUT
        config = veritas.Config(kind)
        config.ignore_state_when_worse_than = self.rounding
        config.focal_eps = self.focal_eps
        config.stop_when_optimal = False
        config.stop_when_num_new_solutions_exceeds = 1
        return config

    @staticmethod
    def point(solution, lowest):
        point = lowest.tolist()
        for column, interval in solution.box().items():
            point[column] = max(point[column], interval.lo)
        return point

    def contradiction(self, person, is_open, ours, theirs):
        """What is wrong, a tie, or nothing."""
        (our_outcome, _, our_reason), (their_outcome, _, their_reason) = ours, theirs
        if our_outcome == REFUTED and not self.is_counterexample(our_reason, person, is_open):
            return "our counterexample is none"
        if our_outcome == PROVED and their_outcome == REFUTED:
            return "we proved what Veritas refuted"
        if our_outcome == REFUTED and their_outcome == PROVED:
            return TIE if self.is_tie(our_reason) else "Veritas proved what we refuted"
        if our_outcome == their_outcome == PROVED and our_reason != their_reason:
            return "two labels were proved"
        return None


def setting(contest, people, n_open, random):
    """Both results of each test, in turns the first."""
    results = []
    for turn, person in enumerate(people if n_open < people.shape[1] else people[:1]):
        is_open = np.zeros(len(person), bool)
        is_open[random.choice(len(person), n_open, replace=False)] = True
        if turn % 2 == 0:
            ours = contest.ours(person, is_open)
            theirs = contest.theirs(person, is_open)
        else:
            theirs = contest.theirs(person, is_open)
            ours = contest.ours(person, is_open)
        results.append((ours, theirs, contest.contradiction(person, is_open, ours, theirs)))
    return results


def summary(results):
    outcomes = [outcome for outcome, _, _ in results]
    counts = " / ".join(str(outcomes.count(outcome)) for outcome in (PROVED, REFUTED, GAVE_UP))
    milliseconds = 1000 * np.array([seconds for _, seconds, _ in results])
    return f"{counts} | {np.median(milliseconds):.2f}, {np.percentile(milliseconds, 95):.1f}"


def compare(title, contest, people, options):
    """Prints a row for each number of open questions, and returns how many results contradict each other."""
    n_wrong = 0
    for n_open in sorted({min(n_open, people.shape[1]) for n_open in options.open}):
        results = setting(contest, people, n_open, np.random.default_rng([options.seed, n_open]))
        ours, theirs, problems = zip(*results)
        row = f"| {title} | {n_open} | {summary(ours)} | {summary(theirs)} | {problems.count(TIE)} |"
        print(row, flush=True)
        for place, problem in enumerate(problems):
            if problem not in (None, TIE):
                print(f"{title}, {n_open} open, person {place}: {problem}", file=sys.stderr)
                n_wrong += 1
    return n_wrong


def main():
    options = arguments()
    said = f"{options.people} people, {options.seconds:g} s a test, Veritas {version('dtai-veritas')}"
    print(f"{said}, focal_eps {options.focal_eps:g}, load {os.getloadavg()[0]:.1f}\n")
    columns = ["proved / refuted / gave up", "ms: median, 95th percentile"]
    each = [f"{who}: {column}" for who in ("ours", "Veritas") for column in columns]
    print("| " + " | ".join(["table, model, trees (leaves)", "open", *each, "ties"]) + " |")
    print("| --- " * 7 + "|", flush=True)
    n_wrong = 0
    for name in options.tables:
        X, y = table(options.folder / f"{name}.csv")
        order = np.random.default_rng(options.seed).permutation(len(X))
        held_out, training = np.split(order, [len(X) // 5])
        for kind, n_trees in itertools.product(options.models, options.trees):
            model = MODELS[kind](n_trees).fit(X[training], y[training])
            try:
                contest = Contest(kind, model, X, options)
            except ValueError as refusal:
                print(f"| {name}, {kind}, {n_trees} | | we refuse it: {refusal} | | | | |", flush=True)
                continue
            contest.check_outputs(X[held_out[:1000]])
            title = f"{name}, {kind}, {n_trees} ({contest.ensemble.num_leafs():,})"
            n_wrong += compare(title, contest, X[held_out[: options.people]], options)
    if n_wrong:
        sys.exit(f"{n_wrong} contradictions")


if __name__ == "__main__":
    main()
