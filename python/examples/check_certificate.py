"""Check certificates of linear models and networks without mindrel, as docs/formats.md describes it.

Run it with Python alone: python check_certificate.py PLAN CERTIFICATE...

It checks that a certificate belongs to the plan, that it accounts for every question, and that the decision is proved
or complete. It does not replay the session, so it cannot tell whether fewer questions would have done.
"""

from __future__ import annotations

import hashlib
import json
import math
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

    def __init__(self, questions, possible, rules=()):
        self.questions, self.possible, self.rules = questions, possible, rules

    @classmethod
    def whole(cls, questions, answers, rules=()):
        def possible(question):
            if question["name"] in answers:
                return [encode(question, answers[question["name"]])]
            if is_onehot(question):
                return [encode(question, level) for level in question["levels"]]
            return [[-0.5] * 2, [0.5] * 2, MISSING] if may_be_missing(question) else [[-1.0], [1.0]]

        return cls(questions, [possible(question) for question in questions], rules)

    def narrowed(self):
        """The part without what single rules exclude; None if nobody is left in it."""
        part = Part(self.questions, list(self.possible), self.rules)
        while True:
            before = list(part.possible)
            for rule in self.rules:
                if not rule.narrow(part.possible):
                    return None
            if part.possible == before:
                return part

    def with_possible(self, place, possible):
        return Part(self.questions, [*self.possible[:place], possible, *self.possible[place + 1 :]], self.rules)

    def cases(self, places):
        """The part itself, or if a rule about some questions may be met or broken in it, parts where one of its sets is
        met and where it is not."""
        for rule in self.rules:
            if any(claim.place in places for claim in rule.when + rule.then) and rule.is_live(self.possible):
                for claim in rule.when + rule.then:
                    here = self.possible[claim.place]
                    if claim.among(here) and not claim.holds(here):
                        cases = [claim.among(here), *claim.outside(here)]
                        return [self.with_possible(claim.place, case) for case in cases]
        return [self]

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
                first, second = halves
                halves = [first, second + [MISSING]] if not cut["missing_first"] else [first + [MISSING], second]
        return [self.with_possible(place, half) for half in halves]

    def terms(self, constant, weights):
        """The least value of each question's part of a linear function; exactly, if its weights are fractions."""
        start, number = 0, type(constant)
        for possible in self.possible:
            row = weights[start : start + len(possible[0])]
            yield min(sum(w * number(x) for w, x in zip(row, point)) for point in possible)
            start += len(row)

    def least(self, constant, weights):
        """The least value of a linear function, each question by itself."""
        return sum(self.terms(constant, weights), constant)

    def least_of(self, places, constant, weights):
        """The least sum of some questions' terms over possible people, by cases; None if there is nobody."""
        part = self.narrowed()
        cases = part.cases(places) if part else []
        if len(cases) == 1:
            terms = list(part.terms(constant, weights))
            return sum((terms[place] for place in places), type(constant)(0))
        sums = [case.least_of(places, constant, weights) for case in cases]
        return min((total for total in sums if total is not None), default=None)

    def groups(self):
        """The open questions that rules join, by place, and all others each by itself."""
        groups = [{place} for place in range(len(self.questions))]
        for rule in self.rules:
            open_places = {claim.place for claim in rule.when + rule.then if not is_point(self.possible[claim.place])}
            met = [group for group in groups if group & open_places]
            groups = [group for group in groups if not group & open_places] + ([set().union(*met)] if met else [])
        return groups

    def point(self):
        """The only person in it; None if there are several."""
        single = all(map(is_point, self.possible))
        return [column for possible in self.possible for column in possible[0]] if single else None


def is_point(possible):
    return all(point == possible[0] for point in possible)


def number_halves(question, numbers, low, high):
    """The ends of both halves of an interval."""
    start, end, n_columns = numbers[0][0], numbers[-1][0], len(numbers[0])
    require(start <= low < end and start < high <= end, "a cut lies outside its part")
    meets = high == low if steps(question) is None else low == on_grid(question, low)
    is_next = high == beside(question, low, 1)
    require(meets and is_next if steps(question) else meets or is_next, "a cut leaves answers out")
    return [[start] * n_columns, [low] * n_columns], [[high] * n_columns, [end] * n_columns]


def steps(question):
    """How many steps there are between whole answers; None if any number is allowed."""
    kind, missing = question["kind"], question.get("missing")
    if kind == "number" or (kind == "integer" and missing not in (None, "answer") and missing % 1):
        return None
    counts = {"boolean": 1, "category": len(question.get("levels", [])) - 1}
    return counts[kind] if kind in counts else int(question["upper"] - question["lower"])


def on_grid(question, value, moved=0):
    """The encoded whole answer nearest to a value, moved by some steps."""
    size, n_steps = 0.5 if may_be_missing(question) else 1.0, steps(question)
    place = round((value / size + 1) / 2 * n_steps) + moved
    return size * (-1 + 2 * (place / n_steps))


def beside(question, value, direction):
    """The next answer below or above an encoded one."""
    if steps(question):
        return on_grid(question, value, direction)
    return math.nextafter(value, direction * math.inf)


# Rules between questions.


def in_two(question, possible):
    """The ends of the numbers that are possible, or None, and the other points: levels, missing."""
    is_other = [is_onehot(question) or (may_be_missing(question) and point == MISSING) for point in possible]
    numbers = [point[0] for point, other in zip(possible, is_other) if not other]
    return (numbers[0], numbers[-1]) if numbers else None, [point for point, other in zip(possible, is_other) if other]


class Claim:
    """That the answer to a question lies in a set: between two encoded numbers, or at one of some other points."""

    def __init__(self, questions, name, stated):
        self.place = [question["name"] for question in questions].index(name)
        self.question = questions[self.place]
        self.numbers, self.others = self.set_of(stated)

    def set_of(self, stated):
        question = self.question
        if isinstance(stated, dict):
            return self.range_of(stated), [MISSING] if stated.get("missing") else []
        if question["kind"] == "boolean":
            words = ("yes", "y", "true", "t", "1", "1.0")
            stated = [stated] if isinstance(stated, bool) else [level.lower() in words for level in stated]
        points = [encode(question, answer) for answer in stated]
        return (None, points) if is_onehot(question) else ((min(points)[0], max(points)[0]), [])

    def range_of(self, bounds):
        """A range of numbers; a bound that does not belong to it is moved by one step, or one double."""
        if not bounds.keys() & {"from", "to", "above", "below"}:
            return None
        question, is_whole = self.question, steps(self.question) is not None
        size, lower = 0.5 if may_be_missing(question) else 1.0, question["lower"]

        def column(value):
            return size * (-1 + 2 * ((value - lower) / (question["upper"] - lower)))

        lows, highs = [-math.inf], [math.inf]
        if "from" in bounds:
            lows.append(column(math.ceil(bounds["from"]) if is_whole else bounds["from"]))
        if "above" in bounds:
            above = bounds["above"]
            lows.append(column(math.floor(above) + 1) if is_whole else math.nextafter(column(above), math.inf))
        if "to" in bounds:
            highs.append(column(math.floor(bounds["to"]) if is_whole else bounds["to"]))
        if "below" in bounds:
            below = bounds["below"]
            highs.append(column(math.ceil(below) - 1) if is_whole else math.nextafter(column(below), -math.inf))
        return max(lows), min(highs)

    def points(self, numbers, others):
        n_columns = 2 if may_be_missing(self.question) else 1
        return [[end] * n_columns for end in numbers or ()] + others

    def among(self, possible):
        """What is possible and in the set; empty if nothing is."""
        numbers, others = in_two(self.question, possible)
        if numbers and self.numbers:
            numbers = max(numbers[0], self.numbers[0]), min(numbers[1], self.numbers[1])
            numbers = numbers if numbers[0] <= numbers[1] else None
        else:
            numbers = None
        return self.points(numbers, [point for point in others if point in self.others])

    def holds(self, possible):
        among = self.among(possible)
        return in_two(self.question, among) == in_two(self.question, possible)

    def outside(self, possible):
        """What is possible and not in the set: what lies below it and above; what else there is, with the first."""
        numbers, others = in_two(self.question, possible)
        others = [point for point in others if point not in self.others]
        ranges = [numbers] if numbers else []
        if numbers and self.numbers and self.numbers[0] <= numbers[1] and numbers[0] <= self.numbers[1]:
            below, above = beside(self.question, self.numbers[0], -1), beside(self.question, self.numbers[1], 1)
            ranges = [(numbers[0], below)] * (numbers[0] < self.numbers[0])
            ranges += [(above, numbers[1])] * (self.numbers[1] < numbers[1])
        first = self.points(ranges[0] if ranges else None, others)
        return [first] * bool(first) + [self.points(ends, []) for ends in ranges[1:]]


class Rule:
    """Whoever meets every condition of `when` meets every consequence of `then`."""

    def __init__(self, questions, stated):
        self.when, self.then = (
            [Claim(questions, name, stated[side][name]) for name in sorted(stated[side])] for side in ("when", "then")
        )

    def is_live(self, possible):
        """Whether it may say something: no condition fails, and not all consequences hold."""
        return all(claim.among(possible[claim.place]) for claim in self.when) and not all(
            claim.holds(possible[claim.place]) for claim in self.then
        )

    def narrow(self, possible):
        """Narrows what is possible in place; False if nobody is left."""
        if not self.is_live(possible):
            return True
        undecided = [claim for claim in self.when if not claim.holds(possible[claim.place])]
        fails = any(not claim.among(possible[claim.place]) for claim in self.then)
        if not undecided and fails:
            return False
        if not undecided:
            for claim in self.then:
                possible[claim.place] = claim.among(possible[claim.place])
        elif fails and len(undecided) == 1:
            place, left = undecided[0].place, undecided[0].outside(possible[undecided[0].place])
            if len(left) == 1:
                possible[place] = left[0]
            elif may_be_missing(undecided[0].question):
                # Numbers on both sides are no range, but that they are not missing is something.
                (low, _), others = in_two(undecided[0].question, left[0])
                (_, high), _ = in_two(undecided[0].question, left[1])
                possible[place] = undecided[0].points((low, high), others)
        return True


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
    """The smallest margin, in rational numbers: the least it can be by single rules, and by all cases of rules."""
    weights = rows([Fraction(w) for w in model["weights"]], model["n_columns"])
    constants = [Fraction(b) for b in model["intercepts"]]
    margins = []
    for rival in set(range(n_classes)) - {label}:
        constant, row = margin(weights, constants, label, rival)
        joined = [part.least_of(group, constant, row) for group in part.groups()]
        require(None not in joined, "the rules leave nobody")
        least = sum(joined, constant)
        wins_ties = label == 1 if len(constants) == 1 else label < rival
        require(least > 0 or (least == 0 and wins_ties), "an open answer can change the decision")
        margins.append((part.least(constant, row), least))
    return tuple(float(min(column)) for column in zip(*margins))


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
        if stated.get("narrowed"):
            part = part.narrowed()
            if part is None:
                require("cut" not in stated and not stated.get("beaten"), "a part without anybody says something")
                continue
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
    implied = {stated["question"]: stated["answer"] for stated in certificate.get("implied", [])}
    for visibility, named in (
        ("public", [stated["question"] for stated in certificate["public"]]),
        ("sensitive", asked + [*implied] + certificate["declined"] + certificate["never_asked"]),
    ):
        expected = [question["name"] for question in questions if question["visibility"] == visibility]
        require(sorted(named) == sorted(expected), f"not every {visibility} question is named once")
    part = possible_people(questions, answers, plan["schema"].get("implications", []), certificate)
    for question, possible in zip(questions, part.possible):
        name = question["name"]
        if name in implied:
            require(is_point(possible) and possible[0] == encode(question, implied[name]), f"{name} does not follow")
        elif name in certificate["never_asked"]:
            require(not is_point(possible), f"{name} follows, and is said to be open")
    require(certificate.get("narrowed", []) == narrowed_by_rules(part), "the rules leave something else")
    classes = plan["schema"]["target"]["classes"]
    require(certificate["label"] in classes, "the plan does not have the class")
    label = classes.index(certificate["label"])
    complete = certificate["guarantee"] == "complete"
    require(complete or certificate["guarantee"] == "proved", "only proofs are checked here")
    require(not complete or part.point(), "not every question is answered")
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
        # Where too many questions are joined, only single rules count, so the margin may be the lesser one.
        low, high = worst if isinstance(worst, tuple) else (worst, worst)
        rounding = 1e-9 * max(1, abs(low or 0), abs(high or 0))
        agrees = stated == low or (None not in (stated, low) and low - rounding <= stated <= high + rounding)
        require(agrees, "the smallest margin is another one")


def narrowed_by_rules(part):
    """What is left of the sensitive questions that are not known, where it is not everything."""
    narrowed = []
    everything = Part.whole(part.questions, {})
    for question, possible, whole in zip(part.questions, part.possible, everything.possible):
        if question["visibility"] == "public" or is_point(possible) or possible == whole:
            continue
        stated = {"question": question["name"]}
        if is_onehot(question):
            levels = [level for level in question["levels"] if encode(question, level) in possible]
            stated["levels"] = levels
        elif may_be_missing(question):
            numbers = [column[0] for column in possible if column != MISSING]
            stated["numbers"] = [min(numbers), max(numbers)] if numbers else None
            stated["missing"] = MISSING in possible
        else:
            stated["low"], stated["high"] = possible[0][0], possible[-1][0]
        narrowed.append(stated)
    return narrowed


def possible_people(questions, answers, implications, certificate):
    """Everybody who gives these answers and breaks no rule. Of people who break one, rules say nothing."""
    whole = Part.whole(questions, answers, [Rule(questions, stated) for stated in implications])
    part = whole.narrowed()
    stated = certificate.get("implications", [])
    require(stated == (implications if part else []), "the certificate rests on other rules")
    return part or Part.whole(questions, answers)


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
