"""Check certificates of linear models and networks without mindrel, as docs/formats.md describes it.

Run it with Python alone: python check_certificate.py PLAN CERTIFICATE...

It checks that a certificate belongs to the plan, that it accounts for every question, and that the decision is proved
or complete. It does not replay the session, so it cannot tell whether fewer questions would have done.
"""

from __future__ import annotations

import hashlib
import json
import sys
from fractions import Fraction


class Invalid(Exception):
    """What is wrong with a certificate."""


def require(condition, problem):
    if not condition:
        raise Invalid(problem)


# The fingerprint: canonical JSON (RFC 8785).


def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return ecmascript(float(value))
    return json.dumps(value, ensure_ascii=False)


def ecmascript(value):
    """A number as ECMAScript writes it: Python's digits, with another exponent."""
    if value <= 0:
        return "-" + ecmascript(-value) if value else "0"
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = int(exponent or 0) + len(digits) - len(fraction)
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        return digits.ljust(point, "0")[:point] + ("." + digits[point:] if digits[point:] else "")
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    return digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{point - 1:+}"


# What the columns can be.


def is_onehot(question):
    return question["kind"] == "category" and question["encoding"] == "onehot"


# The columns of a missing number, where that is an answer; of others both columns are half of the usual one.
MISSING = [1.0, -1.0]


def may_be_missing(question):
    return question.get("missing") == "answer"


def encode(question, answer):
    """The columns of an answer."""
    if question["kind"] == "boolean":
        return [1.0 if answer else -1.0]
    if question["kind"] == "category":
        levels = question["levels"]
        answer = "" if answer == "not known" and answer not in levels else answer
        require(answer in levels, f"an answer to {question['name']} is no level")
        if is_onehot(question):
            return [float(answer == level) for level in levels]
        return [-1 + 2 * (levels.index(answer) / (len(levels) - 1))]
    if answer == "not known" and may_be_missing(question):
        return MISSING
    answer = question["missing"] if answer == "not known" else answer
    inside = question["lower"] <= answer <= question["upper"]
    require(inside or question.get("outside") == "accept", f"an answer to {question['name']} is out of range")
    column = -1 + 2 * ((answer - question["lower"]) / (question["upper"] - question["lower"]))
    return [column / 2] * 2 if may_be_missing(question) else [column]


class Part:
    """A part of the domain: for each question the ends of an interval, and what else it can be: levels, missing."""

    def __init__(self, questions, possible):
        self.questions, self.possible = questions, possible

    @classmethod
    def whole(cls, questions, answers):
        def possible(question):
            if question["name"] in answers:
                return [encode(question, answers[question["name"]])]
            if is_onehot(question):
                return [encode(question, level) for level in question["levels"]]
            return [[-0.5] * 2, [0.5] * 2, MISSING] if may_be_missing(question) else [[-1.0], [1.0]]

        return cls(questions, [possible(question) for question in questions])

    def halves(self, cut):
        place = [question["name"] for question in self.questions].index(cut["question"])
        question, possible = self.questions[place], self.possible[place]
        if is_onehot(question):
            first = [encode(question, level) for level in cut["first"]]
            second = [point for point in possible if point not in first]
            require(first and second and all(point in possible for point in first), "a cut by levels cuts nothing")
            halves = first, second
        else:
            numbers = [point for point in possible if not may_be_missing(question) or point != MISSING]
            require(numbers and ("missing_first" in cut) == (len(numbers) < len(possible)), "a cut of nothing")
            ends = (cut["low"], cut["high"]) if "low" in cut else cut.get("numbers")
            if ends is None:
                halves = ([], numbers) if cut["missing_first"] else (numbers, [])
            else:
                halves = number_halves(question, numbers, *ends)
            if "missing_first" in cut:
                halves = [half + [MISSING] * (first == cut["missing_first"]) for half, first in zip(halves, (True, False))]
        return [Part(self.questions, [*self.possible[:place], half, *self.possible[place + 1 :]]) for half in halves]

    def least(self, constant, weights):
        """The least value of a linear function; exactly, if its weights are fractions."""
        start, number = 0, type(constant)
        for possible in self.possible:
            row = weights[start : start + len(possible[0])]
            constant += min(sum(w * number(x) for w, x in zip(row, point)) for point in possible)
            start += len(row)
        return constant

    def point(self):
        """The only person in it; None if there are several."""
        single = all(point == possible[0] for possible in self.possible for point in possible)
        return [column for possible in self.possible for column in possible[0]] if single else None


def number_halves(question, numbers, low, high):
    """The ends of both halves of an interval."""
    start, end, n_columns = numbers[0][0], numbers[-1][0], len(numbers[0])
    require(start <= low < end and start < high <= end, "a cut lies outside its part")
    require(low == high or (low, high) in neighbours(question, low), "a cut leaves answers out")
    return [[start] * n_columns, [low] * n_columns], [[high] * n_columns, [end] * n_columns]


def neighbours(question, low):
    """The encoded value next to this one, if answers are whole numbers, with it in a pair."""
    kind, missing = question["kind"], question.get("missing")
    size = 0.5 if missing == "answer" else 1.0
    if kind == "number" or (kind == "integer" and missing not in (None, "answer") and missing % 1):
        return []
    steps = {"boolean": 1, "category": len(question.get("levels", [])) - 1}.get(kind)
    steps = int(question["upper"] - question["lower"]) if steps is None else steps
    place = round((low / size + 1) / 2 * steps)
    return [(size * (-1 + 2 * (place / steps)), size * (-1 + 2 * ((place + 1) / steps)))]


# Scores and margins.


def rows(weights, n_inputs):
    return [weights[start : start + n_inputs] for start in range(0, len(weights), n_inputs)]


def margin(weights, constants, label, rival):
    """score(label) - score(rival) as a constant and weights; of two classes, the first has the score 0."""
    if len(constants) == 1:
        sign = 1 if label == 1 else -1
        return sign * constants[0], [sign * w for w in weights[0]]
    return constants[label] - constants[rival], [w - v for w, v in zip(weights[label], weights[rival])]


def check_linear(model, part, label, n_classes):
    """The smallest margin, in rational numbers."""
    weights = rows([Fraction(w) for w in model["weights"]], model["n_columns"])
    constants = [Fraction(b) for b in model["intercepts"]]
    margins = []
    for rival in set(range(n_classes)) - {label}:
        least = part.least(*margin(weights, constants, label, rival))
        wins_ties = label == 1 if len(constants) == 1 else label < rival
        require(least > 0 or (least == 0 and wins_ties), "an open answer can change the decision")
        margins.append(least)
    return float(min(margins))


class Network:
    def __init__(self, model):
        self.layers = [(rows(layer["weights"], layer["n_inputs"]), layer["biases"]) for layer in model["layers"]]

    def label(self, columns):
        for place, (weights, biases) in enumerate(self.layers):
            values = columns if place == 0 else [max(value, 0.0) for value in values]
            values = [b + sum(w * x for w, x in zip(row, values)) for row, b in zip(weights, biases)]
        return int(values[0] >= 0) if len(values) == 1 else values.index(max(values))

    def rounding(self, largest):
        """What a margin must exceed."""
        size, error = 1.0, 0.0
        for weights, biases in self.layers:
            sums = [sum(map(abs, row)) for row in weights]
            sizes = [total * (size + error) + abs(b) for total, b in zip(sums, biases)]
            operations = 2 * (len(weights[0]) + 4)
            error = max(total * error + operations * 2**-52 * own for total, own in zip(sums, sizes))
            size = max(sizes)
        return 2 * error * max(largest, 1.0)

    def ranges(self, part):
        """Between which bounds each hidden unit's sum lies, layer by layer."""
        ranges, usual = [], set()
        for place, (weights, biases) in enumerate(self.layers[:-1]):
            if place == 0:
                layer = [(part.least(b, row), -part.least(-b, [-w for w in row])) for row, b in zip(weights, biases)]
            else:
                layer = [self.range_of(place, ranges, usual, part, row, b) for row, b in zip(weights, biases)]
            usual |= {(place, unit) for unit, (low, high) in enumerate(layer) if high > -low}
            ranges.append(layer)
        return ranges

    def range_of(self, place, ranges, usual, part, row, bias):
        below = [(max(low, 0.0), max(high, 0.0)) for low, high in ranges[-1]]
        low = bias + sum(min(w * y for y in ends) for w, ends in zip(row, below))
        high = bias + sum(max(w * y for y in ends) for w, ends in zip(row, below))
        if low < 0 < high:
            low = max(low, self.least(place, ranges, usual, part, bias, row))
            high = min(high, -self.least(place, ranges, usual, part, -bias, [-w for w in row]))
        return low, high

    def least(self, place, ranges, on, part, constant, weights):
        """The least value of a linear function of the inputs of a layer, by lines down to the columns."""
        for layer in reversed(range(place)):
            below = [0.0] * len(self.layers[layer][0][0])
            for unit, (weight, row, bias) in enumerate(zip(weights, *self.layers[layer])):
                low, high = ranges[layer][unit]
                slope, offset = 0.0, 0.0
                if low >= 0 or (high > 0 and weight > 0 and (layer, unit) in on):
                    slope = 1.0
                elif high > 0 and weight < 0:
                    slope, offset = high / (high - low), -low * high / (high - low)
                constant += weight * (slope * bias + offset)
                below = [total + weight * slope * w for total, w in zip(below, row)]
            weights = below
        return part.least(constant, weights)


def check_network(network, part, label, classes, proof):
    """The smallest margin that a proof states, once every part of it is found true."""
    rounding = network.rounding(max(abs(x) for possible in part.possible for point in possible for x in point))
    pending, margins = [(part, set(range(len(classes))) - {label})], []
    for stated in proof:
        require(pending, "the proof has too many parts")
        part, rivals = pending.pop()
        ranges = network.ranges(part) if stated.get("beaten") else []
        for beaten in stated.get("beaten", []):
            rival = classes.index(beaten["class"])
            require(rival in rivals, "a rival is beaten twice, or is the class itself")
            last = len(network.layers) - 1
            constant, weights = margin(*network.layers[last], label, rival)
            on = {tuple(unit) for unit in beaten["on"]}
            least = network.least(last, ranges, on, part, constant, weights)
            require(least > rounding, "a rival can win")
            require(beaten["margin"] <= least * (1 + 1e-9), "a margin is smaller than stated")
            rivals = rivals - {rival}
            margins.append(beaten["margin"])
        if "cut" in stated:
            pending += [(half, rivals) for half in reversed(part.halves(stated["cut"]))]
        elif rivals:
            point = part.point()
            require(point and network.label(point) == label, "a part is not proved")
    require(not pending, "the proof ends early")
    return min(margins, default=None)


def check(plan_file, certificate):
    """Raises Invalid unless the certificate holds."""
    plan = plan_file["plan"]
    fingerprint = "sha256:" + hashlib.sha256(canonical(plan).encode()).hexdigest()
    require(plan_file["fingerprint"] == fingerprint, "the plan is damaged")
    require(certificate["plan"] == fingerprint, "the certificate belongs to another plan")
    questions, model = plan["schema"]["questions"], plan["model"]
    answers = {stated["question"]: stated["answer"] for stated in certificate["public"] + certificate["revealed"]}
    asked = [stated["question"] for stated in certificate["revealed"]]
    for visibility, named in (
        ("public", [stated["question"] for stated in certificate["public"]]),
        ("sensitive", asked + certificate["declined"] + certificate["never_asked"]),
    ):
        expected = [question["name"] for question in questions if question["visibility"] == visibility]
        require(sorted(named) == sorted(expected), f"not every {visibility} question is named once")
    part = Part.whole(questions, answers)
    classes = plan["schema"]["target"]["classes"]
    require(certificate["label"] in classes, "the plan does not have the class")
    label = classes.index(certificate["label"])
    complete = certificate["guarantee"] == "complete"
    require(complete or certificate["guarantee"] == "proved", "only proofs are checked here")
    require(not complete or len(answers) == len(questions), "not every question is answered")
    if model["family"] == "linear":
        worst = check_linear(model, part, label, len(classes))
    elif model["family"] == "network" and complete:
        require(Network(model).label(part.point()) == label, "the model decides otherwise")
    elif model["family"] == "network":
        worst = check_network(Network(model), part, label, classes, certificate["proof"])
    else:
        raise Invalid(f"models of the family {model['family']} are not checked here")
    if not complete:
        stated = certificate.get("worst_margin")
        agrees = stated == worst or (None not in (stated, worst) and abs(stated - worst) <= 1e-9 * max(1, abs(worst)))
        require(agrees, "the smallest margin is another one")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    valid = True
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            certificate = json.load(file)
        try:
            check(plan, certificate)
            print(f"{path}: {certificate['label']}, {certificate['guarantee']}")
        except (Invalid, KeyError, ValueError, TypeError) as problem:
            valid = False
            print(f"{path}: not valid: {problem}")
    return 0 if valid else 1


if __name__ == "__main__":
    sys.exit(main())
