//! Rules between questions as a region is narrowed by them.
//!
//! ```text
//! every condition holds on the region                              →  keep every consequence
//! some consequence fails on it, and all conditions but one hold    →  exclude the condition that is left
//! ```
//!
//! repeated until nothing changes: modus ponens and its contrapositive. What single rules imply is found, and the
//! result does not depend on their order. What follows only from cases is left to proofs, which cut the region.

use std::ops::Range;

use super::part::QuestionPart;
use super::{Asked, OpenColumns, Region, RegionCut};
use crate::schema::{Domain, ImplicationProblem, Schema, SchemaError};

/// Rules between questions, over the columns of a region.
#[derive(Debug, Clone, Default)]
pub(crate) struct Implications {
    pub rules: Vec<EncodedRule>,
}

/// One rule. It has no consequences left where some are known to fail.
#[derive(Debug, Clone)]
pub(crate) struct EncodedRule {
    /// Its place in the schema.
    pub number: usize,
    pub when: Vec<RuleCondition>,
    pub then: Vec<RuleCondition>,
    /// Whether a consequence is known to fail, so that the conditions cannot all hold.
    pub fails: bool,
}

/// That the answer to a question lies in a part of its domain.
#[derive(Debug, Clone)]
pub(crate) struct RuleCondition {
    /// The question, by its place among all or among the open ones.
    pub question: usize,
    pub columns: Range<usize>,
    pub domain: Domain,
    pub part: QuestionPart,
}

/// That nobody can be in a region: a rule is broken everywhere in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Contradiction {
    /// The rule, by its place in the schema.
    pub rule: usize,
}

impl RuleCondition {
    fn holds(&self, region: &Region) -> bool {
        self.part.covers(region, &self.columns)
    }

    fn fails(&self, region: &Region) -> bool {
        self.part.misses(region, &self.columns)
    }

    pub fn holds_at(&self, point: &[f64]) -> bool {
        self.part.contains(&point[self.columns.clone()])
    }

    /// How a region in which it neither holds nor fails is cut, so that it is nearer to doing either in both halves.
    pub fn cut(&self, region: &Region) -> RegionCut {
        let question = self.question;
        match (&self.part, self.domain) {
            (QuestionPart::Levels(marked), _) => {
                let possible = |level: &usize| marked[*level] && region.allows(self.columns.start + level);
                RegionCut::Levels { question, first: (0..marked.len()).filter(possible).collect() }
            }
            (part, Domain::OrMissing { .. }) => {
                let possible = region.numbers(&self.columns);
                let ends = possible.numbers.and_then(|range| part.ends_within(self.domain, range));
                if possible.missing {
                    return RegionCut::OrMissing { question, numbers: None, missing_first: false };
                }
                let (low, high) = ends.expect("the condition is undecided");
                RegionCut::Number { question, low, high }
            }
            (part, _) => {
                let range = (region.lower[self.columns.start], region.upper[self.columns.start]);
                let (low, high) = part.ends_within(self.domain, range).expect("the condition is undecided");
                RegionCut::Number { question, low, high }
            }
        }
    }
}

impl EncodedRule {
    /// Whether everyone at a point breaks it.
    pub fn is_broken_at(&self, point: &[f64]) -> bool {
        self.when.iter().all(|condition| condition.holds_at(point))
            && (self.fails || !self.then.iter().all(|consequence| consequence.holds_at(point)))
    }

    /// A condition that neither holds nor fails in a region.
    pub fn undecided(&self, region: &Region) -> Option<&RuleCondition> {
        self.when.iter().find(|condition| !condition.holds(region))
    }

    /// The questions from which it follows what another can be: those of its conditions, and of consequences that fail.
    fn premises<'a>(&'a self, region: &'a Region) -> impl Iterator<Item = usize> + 'a {
        let failing = self.then.iter().filter(|consequence| consequence.fails(region));
        self.when.iter().chain(failing).map(|condition| condition.question)
    }

    /// Narrows a region by this rule; whether that changed it. `narrowed` is told which questions.
    fn narrow(&self, region: &mut Region, narrowed: &mut impl FnMut(usize, usize)) -> Result<bool, Contradiction> {
        let mut undecided = self.when.iter().filter(|condition| !condition.holds(region));
        let (first, second) = (undecided.next(), undecided.next());
        if self.when.iter().any(|condition| condition.fails(region)) {
            return Ok(false);
        }
        let fails = || self.fails || self.then.iter().any(|consequence| consequence.fails(region));
        match (first, second) {
            (None, _) if fails() => Err(Contradiction { rule: self.number }),
            (None, _) => {
                let mut has_changed = false;
                for consequence in &self.then {
                    if consequence.part.keep(region, &consequence.columns) {
                        narrowed(consequence.question, self.number);
                        has_changed = true;
                    }
                }
                Ok(has_changed)
            }
            (Some(only), None) if fails() => {
                let has_changed = only.part.exclude(region, only.domain, &only.columns);
                if has_changed {
                    narrowed(only.question, self.number);
                }
                Ok(has_changed)
            }
            _ => Ok(false),
        }
    }
}

impl Implications {
    /// The rules of a schema, over all columns.
    pub fn new(schema: &Schema) -> Self {
        let condition = |(name, set): (&String, &crate::schema::AnswerSet)| {
            let id = schema.find(name).expect("the rules of a schema were checked");
            let Asked { domain, columns } = Asked::new(schema, id);
            let part = QuestionPart::new(schema.question(id), set);
            RuleCondition { question: id.index(), columns, domain, part }
        };
        let rule = |(number, rule): (usize, &crate::schema::Implication)| EncodedRule {
            number,
            when: rule.when.iter().map(condition).collect(),
            then: rule.then.iter().map(condition).collect(),
            fails: false,
        };
        let asked: Vec<Asked> = schema.ids().map(|id| Asked::new(schema, id)).collect();
        let whole = Region::whole(schema.n_columns(), asked.iter());
        let says_something = |rule: &EncodedRule| !rule.then.iter().all(|consequence| consequence.holds(&whole));
        let rules = schema.implications().iter().enumerate().map(rule);
        Implications { rules: rules.filter(says_something).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Narrows a region to what single rules imply. `narrowed` is told the questions and the rules, as often as they
    /// are narrowed.
    ///
    /// # Errors
    /// When a rule is broken everywhere in the region, which is then left half narrowed.
    pub fn narrow(&self, region: &mut Region, mut narrowed: impl FnMut(usize, usize)) -> Result<(), Contradiction> {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for rule in &self.rules {
                has_changed |= rule.narrow(region, &mut narrowed)?;
            }
        }
        Ok(())
    }

    /// The known questions from which it follows what another, `of`, can be, by some rules: those that the rules speak
    /// of, and behind those that are not known themselves the ones that narrowed them, as `narrowed_by` tells by
    /// question and rule. In the order of the schema.
    pub fn grounds(
        &self,
        region: &Region,
        of: Option<usize>,
        by_rules: Vec<usize>,
        narrowed_by: &[(usize, usize)],
        is_known: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let (mut seen, mut grounds, mut pending) = (Vec::from_iter(of), Vec::new(), by_rules);
        while let Some(number) = pending.pop() {
            let rule = self.rules.iter().find(|rule| rule.number == number).expect("it narrowed something");
            for question in rule.premises(region) {
                if seen.contains(&question) {
                    continue;
                }
                seen.push(question);
                if is_known(question) {
                    grounds.push(question);
                } else {
                    pending.extend(narrowed_by.iter().filter(|(other, _)| *other == question).map(|&(_, rule)| rule));
                }
            }
        }
        grounds.sort_unstable();
        grounds
    }

    /// A rule that everyone at a point breaks.
    pub fn broken_at(&self, point: &[f64]) -> Option<&EncodedRule> {
        self.rules.iter().find(|rule| rule.is_broken_at(point))
    }

    /// Somebody in a region who breaks no rule, by cases where single rules do not tell; `None` if there is nobody.
    pub fn somebody(&self, region: &Region, asked: &[Asked]) -> Option<Vec<f64>> {
        let mut region = region.clone();
        self.narrow(&mut region, |_, _| {}).ok()?;
        let mut person = region.values().to_vec();
        for question in asked.iter().filter(|question| !region.is_known(&question.columns)) {
            let first = region.vertices_of(question).swap_remove(0);
            person[question.columns.clone()].copy_from_slice(&first);
        }
        let Some(rule) = self.broken_at(&person) else { return Some(person) };
        let condition = rule.undecided(&region)?;
        let cut = condition.cut(&region);
        [true, false].into_iter().find_map(|side| {
            let mut half = region.clone();
            half.keep_at(&condition.columns, &cut, side);
            self.somebody(&half, asked)
        })
    }

    /// What is left of the rules in a region, over the columns of its open questions: nothing if nobody can be in it.
    pub fn left_in(&self, region: &Region, open: &OpenColumns) -> Implications {
        let mut narrowed = region.clone();
        if self.narrow(&mut narrowed, |_, _| {}).is_err() {
            return Implications::default();
        }
        let on_open = |condition: &RuleCondition| {
            let column = condition.columns.start;
            let is_it = |question: &super::OpenQuestion| open.columns[question.columns.start] == column;
            let question = open.questions.iter().position(is_it).expect("what is undecided is open");
            RuleCondition { question, columns: open.questions[question].columns.clone(), ..condition.clone() }
        };
        let left = |rule: &EncodedRule| {
            let is_idle = rule.when.iter().any(|condition| condition.fails(region))
                || rule.then.iter().all(|consequence| consequence.holds(region)) && !rule.fails;
            (!is_idle).then(|| {
                let fails = rule.fails || rule.then.iter().any(|consequence| consequence.fails(region));
                let undecided = |conditions: &[RuleCondition]| {
                    conditions.iter().filter(|condition| !condition.holds(region)).map(on_open).collect()
                };
                let then = if fails { Vec::new() } else { undecided(&rule.then) };
                EncodedRule { number: rule.number, when: undecided(&rule.when), then, fails }
            })
        };
        Implications { rules: self.rules.iter().filter_map(left).collect() }
    }
}

/// Checks that somebody can meet all rules of a schema, and that every level is left to somebody.
///
/// # Errors
/// Names the rule, counted from one, and what is wrong with it.
pub fn check_implications(schema: &Schema) -> Result<(), SchemaError> {
    let of_rule = |rule: usize, problem| SchemaError::Implication { number: rule + 1, problem };
    let asked: Vec<Asked> = schema.ids().map(|id| Asked::new(schema, id)).collect();
    let whole = || Region::whole(schema.n_columns(), asked.iter());
    let all = Implications::new(schema);
    let consequence = |rule: usize| {
        let then = schema.implications()[rule].then.keys();
        then.into_iter().next().cloned().expect("a rule has consequences")
    };
    if let Err(Contradiction { rule }) = all.narrow(&mut whole(), |_, _| {}) {
        return Err(of_rule(rule, ImplicationProblem::Contradiction { question: consequence(rule) }));
    }
    for id in schema.ids() {
        let question = schema.question(id);
        let is_mentioned = schema.implications().iter().any(|rule| rule.questions().any(|name| name == question.name));
        for (level, name) in question.levels().filter(|_| is_mentioned).unwrap_or_default().into_iter().enumerate() {
            let mut columns = vec![0.0; question.n_columns()];
            question.encode(&question.level(level), &mut columns).expect("it is one of the levels");
            let mut region = whole();
            region.set_point(schema.columns(id), &columns);
            if let Err(Contradiction { rule }) = all.narrow(&mut region, |_, _| {}) {
                let question = question.name.clone();
                return Err(of_rule(rule, ImplicationProblem::ImpossibleLevel { question, level: name }));
            }
        }
    }
    Ok(())
}
