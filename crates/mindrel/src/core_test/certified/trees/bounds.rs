//! Bounds of margins: what each tree gives at worst, added up.

use super::residual::{Residual, ResidualNode};
use super::tables::{BoundMethod, TreeTables};
use crate::Label;
use crate::model::{Combine, TreeEnsemble};

/// One label against one rival, in an ensemble.
#[derive(Clone, Copy)]
pub(super) struct Contest<'a> {
    pub tables: &'a TreeTables,
    pub label: Label,
    pub rival: Label,
}

impl Contest<'_> {
    /// What the margin is at least over all leaves that are left, and whether that means the label wins.
    pub fn bound(&self, residual: &Residual) -> (f64, bool) {
        let margin = match self.tables.way {
            BoundMethod::Single => {
                let output = self.extreme(residual, 0, self.label == Label::POSITIVE);
                let score = output - self.tables.ensemble.threshold();
                if self.label == Label::POSITIVE { score } else { -score }
            }
            BoundMethod::Separate => {
                self.extreme(residual, self.label.index(), true) - self.extreme(residual, self.rival.index(), false)
            }
            BoundMethod::Joint => return self.joint_bound(residual),
        };
        (margin, margin > 0.0 || (margin == 0.0 && self.wins_ties()))
    }

    fn wins_ties(&self) -> bool {
        self.tables.ensemble.wins_ties(self.label, self.rival)
    }

    /// The least, or the most, that an output of which each tree gives one number can come to, as it is computed.
    fn extreme(&self, residual: &Residual, output: usize, least: bool) -> f64 {
        let arithmetic = self.tables.ensemble.arithmetic();
        let trees =
            self.tables.ensemble.trees().iter().enumerate().filter(|(_, tree)| tree.class.is_none_or(|c| c == output));
        let sum = trees.fold(self.tables.ensemble.start()[output], |sum, (place, _)| {
            let values = residual.tree(place).iter().filter(|node| node.is_leaf()).map(|node| node.value);
            let extreme =
                if least { values.fold(f64::INFINITY, f64::min) } else { values.fold(f64::NEG_INFINITY, f64::max) };
            arithmetic.add(sum, extreme)
        });
        self.tables.ensemble.finish(sum)
    }

    fn joint_bound(&self, residual: &Residual) -> (f64, bool) {
        let start = self.tables.ensemble.start();
        let mut sum = start[self.label.index()] - start[self.rival.index()];
        for tree in 0..residual.n_trees() {
            let share = self.share(tree);
            let gains = residual.tree(tree).iter().filter(|node| node.is_leaf()).map(|leaf| share.of(leaf));
            sum += gains.fold(f64::INFINITY, f64::min);
        }
        (sum, self.wins_by(sum))
    }

    /// A margin in whole units, and whether the label wins by it.
    pub fn margin_of(&self, units: i64) -> (f64, bool) {
        let margin = units as f64 / self.tables.units;
        let stated = match self.tables.way {
            BoundMethod::Joint => margin,
            BoundMethod::Single | BoundMethod::Separate => margin / self.n_shares(),
        };
        (stated, self.wins_by(margin))
    }

    /// What the margin starts from, in units and rounded down.
    pub fn start_units(&self) -> i64 {
        let ensemble = &self.tables.ensemble;
        let (plus, minus) = match self.tables.way {
            BoundMethod::Single => {
                let output = (ensemble.start()[0], ensemble.start()[0]);
                let threshold = product_range(ensemble.threshold(), self.n_shares());
                if self.label == Label::POSITIVE { (output.0, threshold.1) } else { (threshold.0, output.1) }
            }
            BoundMethod::Separate | BoundMethod::Joint => {
                (ensemble.start()[self.label.index()], ensemble.start()[self.rival.index()])
            }
        };
        self.tables.units_between(plus, minus)
    }

    /// What a leaf of a tree gives the margin, in units and rounded down.
    pub fn leaf_units(&self, tree: usize, leaf: &ResidualNode) -> i64 {
        let values = &self.tables.ensemble.values()[leaf.right as usize..];
        let (label, rival) = (self.label.index(), self.rival.index());
        let (plus, minus) = match (self.tables.way, self.tables.ensemble.trees()[tree].class) {
            (BoundMethod::Single, _) if self.label == Label::POSITIVE => (values[0], 0.0),
            (BoundMethod::Single, _) => (0.0, values[0]),
            (_, Some(class)) if class == label => (values[0], 0.0),
            (_, Some(class)) if class == rival => (0.0, values[0]),
            (_, Some(_)) => (0.0, 0.0),
            (_, None) => (values[label], values[rival]),
        };
        self.tables.units_between(plus, minus)
    }

    /// What sums are divided by.
    fn n_shares(&self) -> f64 {
        match self.tables.ensemble.combine() {
            Combine::Sum => 1.0,
            Combine::Mean => self.tables.ensemble.n_trees() as f64,
        }
    }

    /// Whether a bound of the margin, worked out without the model's rounding, means the label wins.
    pub fn wins_by(&self, margin: f64) -> bool {
        margin > self.tables.slack || (self.tables.is_exact && margin >= 0.0 && self.wins_ties())
    }

    /// Whether a tree can move the margin.
    pub fn is_moved_by(&self, tree: usize) -> bool {
        !matches!(self.share(tree), LeafShare::Times(0.0))
    }

    /// What the leaves of a tree give the margin.
    pub fn share(&self, tree: usize) -> LeafShare<'_> {
        let (label, rival) = (self.label.index(), self.rival.index());
        let towards = if self.label == Label::POSITIVE { 1.0 } else { -1.0 };
        match (self.tables.way, self.tables.ensemble.trees()[tree].class) {
            (BoundMethod::Single, _) => LeafShare::Times(towards),
            (_, Some(class)) if class == label => LeafShare::Times(1.0),
            (_, Some(class)) if class == rival => LeafShare::Times(-1.0),
            (_, Some(_)) => LeafShare::Times(0.0),
            (_, None) if self.tables.ensemble.n_outputs() == 2 => LeafShare::Times(towards),
            (_, None) => LeafShare::Difference { values: self.tables.ensemble.values(), label, rival },
        }
    }
}

/// How a leaf enters a margin.
#[derive(Clone, Copy)]
pub(super) enum LeafShare<'a> {
    /// By its one number, times 1, −1 or 0.
    Times(f64),
    /// By the values of two classes.
    Difference { values: &'a [f64], label: usize, rival: usize },
}

impl LeafShare<'_> {
    /// What a leaf gives the margin.
    #[inline]
    pub fn of(self, leaf: &ResidualNode) -> f64 {
        match self {
            LeafShare::Times(factor) => factor * leaf.value,
            LeafShare::Difference { values, label, rival } => {
                let values = &values[leaf.right as usize..];
                values[label] - values[rival]
            }
        }
    }
}

/// A product, rounded down and up; the same twice where it is exact.
fn product_range(one: f64, other: f64) -> (f64, f64) {
    let product = one * other;
    if one.mul_add(other, -product) == 0.0 { (product, product) } else { (product.next_down(), product.next_up()) }
}

/// The one number that bounds are made of, of a leaf given by its tree and the place of its first value; meaningless if
/// there is none.
pub(super) fn leaf_value(ensemble: &TreeEnsemble, tree: usize, first: usize) -> f64 {
    let values = &ensemble.values()[first..];
    match ensemble.trees()[tree].class {
        None if ensemble.n_outputs() == 2 => values[1] - values[0],
        _ => values[0],
    }
}
