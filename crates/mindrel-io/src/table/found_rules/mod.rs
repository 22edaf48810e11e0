//! Rules between questions that hold in every row of a table.
//!
//! Every question's answers are divided into [cells](question): its levels; for numbers, round numbers, numbers that many
//! people share, and what lies between them. One pass over the table counts how many rows have each pair of cells of
//! two questions. A rule is then a rectangle of pairs that no row has:
//!
//! ```text
//! no row in A × D   ⇔   (x_p ∈ A ⇒ x_q ∉ D)   ⇔   (x_q ∈ D ⇒ x_p ∉ A)
//! ```
//!
//! A [pair](pair) of questions is described by few large rectangles, in the direction that takes fewer words.
//! What follows from other rules is [left out](redundant).

mod cell_set;
mod cuts;
mod divided_question;
mod joint;
mod pair;
mod redundant;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use mindrel::Schema;
use mindrel::schema::{AnswerSet, Implication, Visibility};

use super::Table;
use crate::Result;
use divided_question::DividedQuestion;
use joint::JointCounts;
use pair::{PairRule, PairSearch, n_determined};

/// So many rows, at least, must meet a rule's condition, and so many must lack its consequence.
pub const SUPPORT: u64 = 20;

/// Rules between more questions are not looked for: the time grows with their square.
const MOST_QUESTIONS: usize = 300;

/// Nor between questions with more cells than this in all: the memory grows with their square, one byte for each pair.
const MOST_CELLS: usize = 20_000;

/// A rule that tells less than this many bits about a row, on average, is not worth reading: a bit about one row in 50.
const FEWEST_BITS: f64 = 0.02;

/// Only this many of the most useful rules are compared with each other, in time that grows with their square.
const MOST_COMPARED: usize = 2000;

/// Rules between questions that hold in every row of a table, the most useful first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FoundRules {
    /// The rules.
    pub rules: Vec<FoundRule>,
    /// How many further rules were found.
    pub n_more: usize,
    /// How many questions were not looked at, because there are too many.
    pub n_unseen: usize,
}

/// A rule that holds in every row.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRule {
    /// The rule.
    pub implication: Implication,
    /// How many rows meet its condition.
    pub n_meeting: u64,
    /// For each consequence, how many other rows lack it.
    pub n_lacking: BTreeMap<String, u64>,
}

/// Looks for rules with one condition that hold in all rows that are `kept`, by their line, and proposes up to `most`.
///
/// A rule is proposed where [`SUPPORT`] rows meet the condition and as many lack the consequence, it tells something
/// worth reading, no other rules imply it, and it would hardly hold by chance:
///
/// ```text
/// rows(A) · ln( rows / rows(B) )  ≥  ln(number of A like it) + ln(number of B like it) + ln(pairs of questions) + 3
/// ```
///
/// The left side bounds −ln P(no row in A lacks B) for questions that have nothing to do with each other; the right
/// side allows for all rules that could have been found, so at most one table in twenty of such questions has any.
/// They are ranked by how much they tell about rows, both ways: with N rows, D those that lack B,
///
/// ```text
/// ( rows(A) · log₂(N / rows(B)) + rows(D) · log₂(N / (N − rows(A))) ) / N
/// ```
///
/// Rules between two public questions are left out, since both are known; so are those from interval to interval
/// between numbers of many values, which trace the outline of the data. Reads the table twice; takes
/// O(rows · questions²) time and at most 200 MB. Rows that do not fit the schema are passed over.
///
/// # Errors
/// When the table cannot be read, or lacks a question's column.
pub fn find_rules(table: &Table, schema: &Schema, most: usize, kept: impl Fn(u64) -> bool) -> Result<FoundRules> {
    let mut divided = cuts::divided(table, schema, MOST_QUESTIONS, &kept)?;
    let n_taken = n_within(&divided, MOST_CELLS);
    divided.truncate(n_taken);
    let counts = JointCounts::of(table, schema, &mut divided, kept)?;
    let (mut found, n_useless) = rules_of_pairs(schema, &divided, &counts);
    found.sort_by(|left, right| right.bits.total_cmp(&left.bits));
    let n_uncompared = found.len().saturating_sub(MOST_COMPARED);
    found.truncate(MOST_COMPARED);
    let mut rules = by_premise(schema, &divided, redundant::without_redundant(&divided, found));
    let n_more = n_useless + n_uncompared + rules.len().saturating_sub(most);
    rules.truncate(most);
    Ok(FoundRules { rules, n_more, n_unseen: schema.questions().len() - n_taken })
}

/// How many of the first questions have this many cells together.
fn n_within(divided: &[DividedQuestion], most_cells: usize) -> usize {
    let mut n_cells = 0;
    let fits = |question: &&DividedQuestion| {
        n_cells += question.n_cells();
        n_cells <= most_cells
    };
    divided.iter().take_while(fits).count()
}

/// The rules of all pairs of questions that are worth reading, and how many are not.
fn rules_of_pairs(schema: &Schema, divided: &[DividedQuestion], counts: &JointCounts) -> (Vec<PairRule>, usize) {
    let is_public = |question: usize| schema.questions()[question].visibility == Visibility::Public;
    let n_rows = divided.first().map_or(0, DividedQuestion::n_people);
    let n_pairs = divided.len() * divided.len().saturating_sub(1);
    let (mut rules, mut n_useless) = (Vec::new(), 0);
    for left in 0..divided.len() {
        for right in left + 1..divided.len() {
            if !(is_public(left) && is_public(right)) {
                let search = PairSearch { divided, counts, n_rows, n_pairs, left, right };
                let found = search.rules();
                let n_found = found.len();
                let useful = useful(divided, found);
                n_useless += n_found - useful.len();
                rules.extend(useful);
            }
        }
    }
    (rules, n_useless)
}

/// The rules between two questions that tell enough. Where one question determines the other for most people, all
/// rules that do so are kept, however rare their conditions.
fn useful(divided: &[DividedQuestion], rules: Vec<PairRule>) -> Vec<PairRule> {
    let is_function = |premise: usize| 2 * n_determined(divided, &rules, premise) >= divided[premise].n_people();
    let is_useful =
        |rule: &&PairRule| rule.bits >= FEWEST_BITS || (rule.leaves_one_answer(divided) && is_function(rule.premise));
    rules.iter().filter(is_useful).cloned().collect()
}

/// Rules with the same condition as one rule; those about one question together, the most useful first.
fn by_premise(schema: &Schema, divided: &[DividedQuestion], rules: Vec<PairRule>) -> Vec<FoundRule> {
    let mut merged: Vec<(f64, Vec<PairRule>)> = Vec::new();
    for rule in rules {
        let alike =
            |(_, group): &&mut (f64, Vec<PairRule>)| group[0].premise == rule.premise && group[0].when == rule.when;
        match merged.iter_mut().find(alike) {
            Some((bits, group)) => {
                *bits += rule.bits;
                group.push(rule);
            }
            None => merged.push((rule.bits, vec![rule])),
        }
    }
    let mut of_question = vec![0.0; divided.len()];
    merged.iter().for_each(|(bits, group)| of_question[group[0].premise] += bits);
    let rank = |(bits, group): &(f64, Vec<PairRule>)| (of_question[group[0].premise], *bits);
    merged.sort_by(|left, right| {
        let (left, right) = (rank(left), rank(right));
        right.0.total_cmp(&left.0).then(right.1.total_cmp(&left.1))
    });
    merged.into_iter().map(|(_, group)| in_words(schema, divided, &group)).collect()
}

fn in_words(schema: &Schema, divided: &[DividedQuestion], group: &[PairRule]) -> FoundRule {
    let name = |question: usize| schema.questions()[question].name.clone();
    let set = |question: usize, cells| -> (String, AnswerSet) { (name(question), divided[question].answers(cells)) };
    FoundRule {
        implication: Implication {
            when: BTreeMap::from([set(group[0].premise, &group[0].when)]),
            then: group.iter().map(|rule| set(rule.consequence, &rule.then)).collect(),
        },
        n_meeting: group[0].n_meeting,
        n_lacking: group.iter().map(|rule| (name(rule.consequence), rule.n_lacking)).collect(),
    }
}
