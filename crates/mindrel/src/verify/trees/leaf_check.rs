//! What is checked in each part of a proof about a tree ensemble.
//!
//! Bounds are worked out from the trees as they are written, leaf by leaf. Where each tree gives one number, extremes
//! are added up as the model adds, in its order: an addition rounded to nearest is monotone. Where leaves have a number
//! for each class, differences are added up in intervals, and must exceed what rounding can do to two computed sums:
//!
//! ```text
//! |computed output − exact output| ≤ (T + 1) u M,   u = ε / 2,   M = max |start| + Σ_t max |values of t|
//! ```

use super::Trees;
use super::joined_trees::JoinedTree;
use super::leaves_in_part::LeavesInPart;
use super::prices::{MOST_SWEEPS, PricedTrees};
use super::reached_leaves::ReachedLeaves;
use super::units::Units;
use crate::Label;
use crate::model::{Arithmetic, Combine, Model, Tree, TreeEnsembleParts};
use crate::proof::{Beaten, Proof};
use crate::verify::Refutation;
use crate::verify::interval::Interval;
use crate::verify::part::{Between, DomainPart, OpenQuestions};
use crate::verify::proof_walk::{PartChecker, Pending, walk};

/// What bounds are worked out from.
struct TreeChecker<'a> {
    trees: &'a Trees<'a>,
    parts: &'a TreeEnsembleParts,
    open: &'a OpenQuestions<'a>,
    rounding: f64,
    is_exact: bool,
    joined: Vec<JoinedTree<'a>>,
}

/// The least margin in a part, and whether the label wins with it.
struct Least {
    margin: f64,
    wins: bool,
}

impl Trees<'_> {
    /// The smallest margin that a proof states, if it states one and holds.
    pub fn smallest_margin_of(&self, proof: &Proof) -> Result<Option<f64>, Refutation> {
        let parts = self.ensemble.to_parts();
        let open = OpenQuestions::new(self.statement, Between::Next);
        let (rounding, is_exact) = (rounding(&parts), is_exact(&parts));
        let whole = open.whole();
        let reach = ReachedLeaves::new(self.statement, &open, &whole);
        let n_values = |tree: &Tree| if tree.class.is_some() { 1 } else { parts.n_outputs };
        let joined = parts.trees.iter().map(|tree| JoinedTree::new(tree, &reach, n_values(tree))).collect();
        let checker = TreeChecker { trees: self, parts: &parts, open: &open, rounding, is_exact, joined };
        walk(&checker, self.statement, &open, proof)
    }
}

impl PartChecker for TreeChecker<'_> {
    fn strike(&self, here: &Pending, beaten: &[Beaten], part: usize) -> Result<Vec<Label>, Refutation> {
        let statement = self.trees.statement;
        let reach = ReachedLeaves::new(statement, self.open, &here.part);
        let leaves: Vec<Vec<usize>> = self.parts.trees.iter().map(|tree| reach.leaves(tree)).collect();
        let mut rivals = here.rivals.clone();
        for stated in beaten {
            let is_meant = |rival: &Label| statement.class(*rival) == stated.class;
            let place = rivals.iter().position(is_meant).filter(|_| stated.on.is_empty());
            let rival = rivals.swap_remove(place.ok_or(Refutation::BadBound { part })?);
            let least = match stated.sweeps {
                0 => self.least(&leaves, rival),
                1..=MOST_SWEEPS => self.least_with_prices(&here.part, rival, stated.sweeps),
                _ => return Err(Refutation::BadBound { part }),
            };
            if !least.wins {
                return Err(Refutation::NotBeaten { part, rival: statement.class(rival) });
            }
            if stated.margin > least.margin {
                return Err(Refutation::MarginTooLarge { part, rival: statement.class(rival) });
            }
        }
        Ok(rivals)
    }

    /// A part that is not cut has no rivals left, or one leaf in every tree: everybody in it then has one label.
    fn check_end(&self, here: &Pending, part: usize) -> Result<(), Refutation> {
        let Some(&rival) = here.rivals.first() else { return Ok(()) };
        let statement = self.trees.statement;
        let reach = ReachedLeaves::new(statement, self.open, &here.part);
        let mut person = statement.person.to_vec();
        let point = here.part.some_point();
        self.open.columns.iter().zip(&point).for_each(|(&column, &value)| person[column] = value);
        let holds = self.joined.iter().all(|tree| tree.has_one_leaf(&reach))
            && self.trees.ensemble.label(&person) == statement.label;
        holds.then_some(()).ok_or_else(|| Refutation::NotBeaten { part, rival: statement.class(rival) })
    }
}

impl TreeChecker<'_> {
    fn wins_ties(&self, rival: Label) -> bool {
        let label = self.trees.statement.label;
        match self.parts.n_outputs {
            1 | 2 => (label == Label::POSITIVE) == self.parts.positive_at_zero,
            _ => label.index() < rival.index(),
        }
    }

    fn least_with_prices(&self, part: &DomainPart, rival: Label, n_sweeps: u32) -> Least {
        let statement = self.trees.statement;
        let reach = ReachedLeaves::new(statement, self.open, part);
        let units = Units::new(self.parts, statement.label, rival);
        let leaves = LeavesInPart::new(&self.joined, self.open, part, &reach, |tree| units.is_moved_by(tree));
        let mut priced = PricedTrees::new(&leaves, |tree, value| units.of_leaf(tree, value));
        priced.sweep(n_sweeps);
        let undivided = units.margin(units.of_start().saturating_add(priced.least_sum()));
        let wins = undivided > self.rounding || (self.is_exact && undivided >= 0.0 && self.wins_ties(rival));
        let gives_one_number = self.parts.n_outputs == 1 || self.parts.trees.iter().all(|tree| tree.class.is_some());
        let margin = if gives_one_number { undivided / units.n_shares() } else { undivided };
        Least { margin, wins }
    }

    fn least(&self, leaves: &[Vec<usize>], rival: Label) -> Least {
        let label = self.trees.statement.label;
        let wins_ties = self.wins_ties(rival);
        let margin = match self.parts.n_outputs {
            1 if label == Label::POSITIVE => self.computed(leaves, 0, f64::min) - self.parts.threshold,
            1 => self.parts.threshold - self.computed(leaves, 0, f64::max),
            _ if self.parts.trees.iter().all(|tree| tree.class.is_some()) => {
                self.computed(leaves, label.index(), f64::min) - self.computed(leaves, rival.index(), f64::max)
            }
            _ => return self.least_difference(leaves, rival, wins_ties),
        };
        Least { margin, wins: margin > 0.0 || (margin == 0.0 && wins_ties) }
    }

    /// An extreme of an output as the model computes it.
    fn computed(&self, leaves: &[Vec<usize>], output: usize, extreme: fn(f64, f64) -> f64) -> f64 {
        let round = |value: f64| match self.parts.arithmetic {
            Arithmetic::Single => f64::from(value as f32),
            Arithmetic::Double => value,
        };
        let mut sum = self.parts.start[output];
        for (tree, leaves) in self.parts.trees.iter().zip(leaves) {
            if tree.class.is_none_or(|class| class == output) {
                let values = leaves.iter().map(|&leaf| tree.values[leaf]);
                // The sum of two numbers of single precision, rounded to double and then to single, is rounded right.
                sum = round(sum + values.reduce(extreme).expect("some leaf is reached"));
            }
        }
        match (self.parts.combine, self.parts.arithmetic) {
            (Combine::Sum, _) => sum,
            (Combine::Mean, Arithmetic::Single) => f64::from(sum as f32 / self.parts.trees.len() as f32),
            (Combine::Mean, Arithmetic::Double) => sum / self.parts.trees.len() as f64,
        }
    }

    /// The least difference of two outputs, before they are divided.
    fn least_difference(&self, leaves: &[Vec<usize>], rival: Label, wins_ties: bool) -> Least {
        let (own, other) = (self.trees.statement.label.index(), rival.index());
        let mut plain = self.parts.start[own] - self.parts.start[other];
        let mut safe = Interval::point(self.parts.start[own]) + -Interval::point(self.parts.start[other]);
        for (tree, leaves) in self.parts.trees.iter().zip(leaves) {
            let values = |leaf: usize| match tree.class {
                Some(class) => (
                    if class == own { tree.values[leaf] } else { 0.0 },
                    if class == other { tree.values[leaf] } else { 0.0 },
                ),
                None => (tree.values[leaf + own], tree.values[leaf + other]),
            };
            let difference = |&leaf: &usize| values(leaf).0 - values(leaf).1;
            let least = leaves.iter().min_by(|one, two| difference(one).total_cmp(&difference(two)));
            let (plus, minus) = values(*least.expect("some leaf is reached"));
            plain += plus - minus;
            safe = safe + (Interval::point(plus) + -Interval::point(minus));
        }
        if self.is_exact {
            return Least { margin: plain, wins: plain > self.rounding || (plain >= 0.0 && wins_ties) };
        }
        // What is stated was added up with rounding, too.
        Least { margin: safe.low + self.rounding, wins: safe.low > self.rounding }
    }
}

/// What rounding can do to the difference of two outputs, in units of the sums.
fn rounding(parts: &TreeEnsembleParts) -> f64 {
    let (epsilon, smallest) = match parts.arithmetic {
        Arithmetic::Single => (f64::from(f32::EPSILON), f64::from(f32::MIN_POSITIVE)),
        Arithmetic::Double => (f64::EPSILON, f64::MIN_POSITIVE),
    };
    let n_trees = parts.trees.len() as f64;
    let additions = if is_exact(parts) { 0.0 } else { 2.0 * (n_trees + 2.0) * epsilon * largest_sum(parts) };
    let division = match parts.combine {
        Combine::Sum => 0.0,
        Combine::Mean => 2.0 * (epsilon * largest_sum(parts) + smallest * n_trees),
    };
    additions + division
}

pub(in crate::verify) fn largest_sum(parts: &TreeEnsembleParts) -> f64 {
    let largest = |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    largest(&parts.start) + parts.trees.iter().map(|tree| largest(&tree.values)).sum::<f64>()
}

/// Whether all values are whole multiples of one power of two, of which sums hold so few that none is ever rounded.
fn is_exact(parts: &TreeEnsembleParts) -> bool {
    let bits = match parts.arithmetic {
        Arithmetic::Single => 24,
        Arithmetic::Double => 53,
    };
    let unit = 2.0 * largest_sum(parts) / 2f64.powi(bits);
    let mut power = 1.0;
    while power < unit {
        power *= 2.0;
    }
    while power / 2.0 >= unit && power / 2.0 > 0.0 {
        power /= 2.0;
    }
    let values = parts.trees.iter().flat_map(|tree| &tree.values);
    values.chain(&parts.start).all(|value| (value / power).fract() == 0.0)
}
