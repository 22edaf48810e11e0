//! What follows from rules between questions, worked out from the schema's own words.

use super::part::{LARGEST_BESIDE_MISSING, Possible};
use crate::certificate::StatedPart;
use crate::schema::{
    Answer, AnswerSet, Domain, Implication, Kind, NumberSet, Question, QuestionId, Schema, parse_boolean,
};

/// What every question of a schema can be.
pub(super) type AllPossible = Vec<Possible>;

/// Some answers to a question, in its columns.
pub(super) struct Claim {
    pub question: usize,
    set: Possible,
    domain: Domain,
}

/// A rule over the columns.
pub(super) struct CheckedRule {
    pub when: Vec<Claim>,
    pub then: Vec<Claim>,
}

/// The rules of a schema.
pub(super) fn rules(schema: &Schema) -> Vec<CheckedRule> {
    let claim = |(name, set): (&String, &AnswerSet)| {
        let id = schema.find(name).expect("a schema's rules name its questions");
        let question = schema.question(id);
        Claim { question: id.index(), set: encoded(question, set), domain: question.domain() }
    };
    let rule = |rule: &Implication| CheckedRule {
        when: rule.when.iter().map(claim).collect(),
        then: rule.then.iter().map(claim).collect(),
    };
    schema.implications().iter().map(rule).collect()
}

/// Anything at all.
pub(super) fn anything(domain: Domain) -> Possible {
    match domain {
        Domain::Interval | Domain::Grid { .. } => Possible::Between(-1.0, 1.0),
        Domain::OrMissing { .. } => Possible::OrMissing(Some((-LARGEST_BESIDE_MISSING, LARGEST_BESIDE_MISSING)), true),
        Domain::OneOf { levels } => Possible::Levels(vec![true; levels]),
    }
}

/// One answer.
pub(super) fn exactly(domain: Domain, columns: &[f64]) -> Possible {
    match domain {
        Domain::Interval | Domain::Grid { .. } => Possible::Between(columns[0], columns[0]),
        Domain::OrMissing { .. } if columns[0] - columns[1] >= 1.0 => Possible::OrMissing(None, true),
        Domain::OrMissing { .. } => Possible::OrMissing(Some((columns[0], columns[0])), false),
        Domain::OneOf { .. } => Possible::Levels(columns.iter().map(|value| *value == 1.0).collect()),
    }
}

/// The columns of the one answer that is left, if there is one.
pub(super) fn only(possible: &Possible) -> Option<Vec<f64>> {
    match possible {
        Possible::Between(low, high) if low == high => Some(vec![*low]),
        Possible::OrMissing(Some((low, high)), false) if low == high => Some(vec![*low; 2]),
        Possible::OrMissing(None, true) => Some(super::part::MISSING.to_vec()),
        Possible::Levels(levels) if levels.iter().filter(|level| **level).count() == 1 => {
            Some(levels.iter().map(|&level| f64::from(u8::from(level))).collect())
        }
        _ => None,
    }
}

/// Narrows what is possible to what single rules imply, until nothing changes. Returns `None` if nobody is left.
pub(super) fn narrowed(rules: &[CheckedRule], mut possible: AllPossible) -> Option<AllPossible> {
    loop {
        let mut has_changed = false;
        for rule in rules {
            has_changed |= apply(rule, &mut possible)?;
        }
        if !has_changed {
            return Some(possible);
        }
    }
}

fn apply(rule: &CheckedRule, possible: &mut AllPossible) -> Option<bool> {
    let never = |claim: &Claim, possible: &AllPossible| claim.among(&possible[claim.question]).is_none();
    if rule.when.iter().any(|claim| never(claim, possible)) {
        return Some(false);
    }
    let open: Vec<&Claim> = rule.when.iter().filter(|claim| !claim.holds(&possible[claim.question])).collect();
    let fails = rule.then.iter().any(|claim| never(claim, possible));
    let mut has_changed = false;
    match open[..] {
        [] if fails => return None,
        [] => {
            for claim in &rule.then {
                let left = claim.among(&possible[claim.question])?;
                has_changed |= replace(&mut possible[claim.question], left);
            }
        }
        [only] if fails => {
            if let Some(left) = one_range(only.outside(&possible[only.question])) {
                has_changed = replace(&mut possible[only.question], left);
            }
        }
        _ => {}
    }
    Some(has_changed)
}

/// What is left as one range, if that leaves out anything: numbers on both sides of a set are no range, but that they
/// are not missing is something.
fn one_range(left: [Option<Possible>; 2]) -> Option<Possible> {
    match left {
        [Some(Possible::OrMissing(Some((low, _)), missing)), Some(Possible::OrMissing(Some((_, high)), _))] => {
            Some(Possible::OrMissing(Some((low, high)), missing))
        }
        [Some(left), None] | [None, Some(left)] => Some(left),
        _ => None,
    }
}

fn replace(old: &mut Possible, new: Possible) -> bool {
    let has_changed = *old != new;
    *old = new;
    has_changed
}

impl Claim {
    /// Whether it holds of everything that is possible.
    pub fn holds(&self, possible: &Possible) -> bool {
        self.among(possible).as_ref() == Some(possible)
    }

    /// What is possible and in the set.
    pub fn among(&self, possible: &Possible) -> Option<Possible> {
        match (possible, &self.set) {
            (Possible::Between(low, high), Possible::Between(from, to)) => {
                meet((*low, *high), (*from, *to)).map(|(low, high)| Possible::Between(low, high))
            }
            (Possible::OrMissing(numbers, missing), Possible::OrMissing(set, with_missing)) => {
                let left = numbers.zip(*set).and_then(|(numbers, set)| meet(numbers, set));
                let is_missing = *missing && *with_missing;
                (left.is_some() || is_missing).then_some(Possible::OrMissing(left, is_missing))
            }
            (Possible::Levels(levels), Possible::Levels(set)) => {
                let left: Vec<bool> = levels.iter().zip(set).map(|(level, set)| *level && *set).collect();
                left.contains(&true).then_some(Possible::Levels(left))
            }
            _ => None,
        }
    }

    /// What is possible and not in the set: of numbers, what lies below it and what lies above. Missing is with the
    /// first of these that there is.
    pub fn outside(&self, possible: &Possible) -> [Option<Possible>; 2] {
        match (possible, &self.set) {
            (Possible::Between(low, high), Possible::Between(from, to)) => self
                .beside((*low, *high), (*from, *to))
                .map(|left| left.map(|(low, high)| Possible::Between(low, high))),
            (Possible::OrMissing(numbers, missing), Possible::OrMissing(set, with_missing)) => {
                let is_missing = *missing && !with_missing;
                let [below, above] = match (numbers, set) {
                    (Some(numbers), Some(set)) => self.beside(*numbers, *set),
                    (numbers, _) => [*numbers, None],
                };
                let (first, second) = if below.is_some() { (below, above) } else { (above, None) };
                let first = (first.is_some() || is_missing).then_some(Possible::OrMissing(first, is_missing));
                [first, second.map(|numbers| Possible::OrMissing(Some(numbers), false))]
            }
            (Possible::Levels(levels), Possible::Levels(set)) => {
                let left: Vec<bool> = levels.iter().zip(set).map(|(level, set)| *level && !set).collect();
                [left.contains(&true).then_some(Possible::Levels(left)), None]
            }
            _ => [Some(possible.clone()), None],
        }
    }

    fn beside(&self, (low, high): (f64, f64), (from, to): (f64, f64)) -> [Option<(f64, f64)>; 2] {
        if to < low || high < from {
            return [Some((low, high)), None];
        }
        let below = (low < from).then(|| (low, self.neighbour(from, -1.0)));
        let above = (to < high).then(|| (self.neighbour(to, 1.0), high));
        [below, above]
    }

    /// The next number of the domain below or above one of its numbers.
    fn neighbour(&self, value: f64, direction: f64) -> f64 {
        let (points, scale) = match self.domain {
            Domain::Grid { points } => (Some(points), 1.0),
            Domain::OrMissing { points } => (points, LARGEST_BESIDE_MISSING),
            Domain::Interval | Domain::OneOf { .. } => (None, 1.0),
        };
        match points.filter(|&points| points > 1) {
            Some(points) => {
                let last = (points - 1) as f64;
                let index = ((value / scale + 1.0) / 2.0 * last).round() + direction;
                scale * (-1.0 + 2.0 * (index / last))
            }
            None if direction < 0.0 => value.next_down(),
            None => value.next_up(),
        }
    }
}

fn meet(one: (f64, f64), other: (f64, f64)) -> Option<(f64, f64)> {
    let both = (one.0.max(other.0), one.1.min(other.1));
    (both.0 <= both.1).then_some(both)
}

/// A set of answers in the columns of its question.
fn encoded(question: &Question, set: &AnswerSet) -> Possible {
    let column = |answer: Answer| {
        let mut columns = vec![0.0; question.n_columns()];
        question.encode(&answer, &mut columns).expect("the bounds of a rule are answers");
        columns[0]
    };
    let from_to = |columns: Vec<f64>| {
        let low = columns.iter().copied().fold(f64::INFINITY, f64::min);
        Possible::Between(low, columns.into_iter().fold(f64::NEG_INFINITY, f64::max))
    };
    match (&question.kind, set) {
        (_, AnswerSet::Boolean(value)) => from_to(vec![column(Answer::Boolean(*value))]),
        (Kind::Boolean, AnswerSet::Levels(levels)) => from_to(
            levels.iter().filter_map(|level| parse_boolean(level)).map(|it| column(Answer::Boolean(it))).collect(),
        ),
        (Kind::Category { levels, .. }, AnswerSet::Levels(chosen)) => {
            let is_chosen = |level: &usize| chosen.contains(&levels[*level]);
            match question.domain() {
                Domain::OneOf { levels } => Possible::Levels((0..levels).map(|level| is_chosen(&level)).collect()),
                _ => from_to((0..levels.len()).filter(is_chosen).map(|level| column(Answer::Level(level))).collect()),
            }
        }
        (_, AnswerSet::Numbers(numbers)) => encoded_numbers(question, numbers),
        (_, AnswerSet::Levels(_)) => unreachable!("a schema's rules fit its questions"),
    }
}

fn encoded_numbers(question: &Question, set: &NumberSet) -> Possible {
    let (Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) = question.kind else {
        unreachable!("a schema's rules fit its questions")
    };
    let half = if let Domain::OrMissing { .. } = question.domain() { LARGEST_BESIDE_MISSING } else { 1.0 };
    let column = |value: f64| half * (-1.0 + 2.0 * ((value - lower) / (upper - lower)));
    let on_grid = matches!(question.domain(), Domain::Grid { .. } | Domain::OrMissing { points: Some(_) });
    let (from, above, to, below) = (set.from, set.above, set.to, set.below);
    let low = if on_grid {
        let from = from.map(f64::ceil).into_iter().chain(above.map(|above| above.floor() + 1.0));
        from.map(column).fold(f64::NEG_INFINITY, f64::max)
    } else {
        from.map(column).into_iter().chain(above.map(|above| column(above).next_up())).fold(f64::NEG_INFINITY, f64::max)
    };
    let high = if on_grid {
        let to = to.map(f64::floor).into_iter().chain(below.map(|below| below.ceil() - 1.0));
        to.map(column).fold(f64::INFINITY, f64::min)
    } else {
        to.map(column).into_iter().chain(below.map(|below| column(below).next_down())).fold(f64::INFINITY, f64::min)
    };
    match question.domain() {
        Domain::OrMissing { .. } => Possible::OrMissing(set.has_numbers().then_some((low, high)), set.missing),
        _ => Possible::Between(low, high),
    }
}

/// What a question can be, as a certificate states it.
pub(super) fn stated(asked: &Question, possible: &Possible) -> StatedPart {
    let question = asked.name.clone();
    match possible {
        Possible::Between(low, high) => StatedPart::Numbers { question, low: *low, high: *high },
        Possible::OrMissing(numbers, missing) => {
            StatedPart::OrMissing { question, numbers: *numbers, missing: *missing }
        }
        Possible::Levels(marked) => {
            let levels = asked.levels().unwrap_or_default().into_iter().zip(marked);
            StatedPart::Levels { question, levels: levels.filter(|(_, marked)| **marked).map(|it| it.0).collect() }
        }
    }
}

/// The open questions that rules join, in groups that no rule joins.
pub(super) fn groups(rules: &[CheckedRule], open: &[QuestionId]) -> Vec<Vec<QuestionId>> {
    let mut groups: Vec<Vec<QuestionId>> = open.iter().map(|&id| vec![id]).collect();
    for rule in rules {
        let claims = || rule.when.iter().chain(&rule.then).map(|claim| claim.question);
        let is_met = |group: &Vec<QuestionId>| group.iter().any(|id| claims().any(|question| question == id.index()));
        let (met, mut others): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_met);
        others.extend((!met.is_empty()).then(|| met.concat()));
        groups = others;
    }
    groups
}

/// A claim of a rule that is neither met nor broken by everything that is possible, of those about some questions, and
/// that is itself undecided.
pub(super) fn undecided<'a>(
    rules: &'a [CheckedRule],
    possible: &AllPossible,
    among: &[QuestionId],
) -> Option<&'a Claim> {
    let is_undecided = |claim: &&Claim| {
        let here = &possible[claim.question];
        claim.among(here).is_some() && !claim.holds(here)
    };
    let speaks_of_it = |rule: &&CheckedRule| {
        rule.when.iter().chain(&rule.then).any(|claim| among.iter().any(|id| id.index() == claim.question))
    };
    let is_live = |rule: &&CheckedRule| {
        rule.when.iter().all(|claim| claim.among(&possible[claim.question]).is_some())
            && !rule.then.iter().all(|claim| claim.holds(&possible[claim.question]))
    };
    let rules = rules.iter().filter(speaks_of_it).filter(is_live);
    rules.flat_map(|rule| rule.when.iter().chain(&rule.then)).find(is_undecided)
}
