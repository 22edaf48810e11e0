//! Tree ensembles as parts of something larger: what their scores can be in a part of the domain, and where to cut it.

use std::sync::Arc;

use super::branch::cut;
use super::output_range;
use super::residual::{Look, Residual, ResidualLayout, ResidualNode};
use super::tables::TreeTables;
use crate::model::{Arithmetic, Combine, Model};
use crate::region::open::OpenColumns;
use crate::region::{Region, RegionCut};

/// An ensemble with everything known of a person filled in. It has no `Debug`: it holds answers.
pub(in crate::core_test::certified) struct FoldedTrees {
    tables: Arc<TreeTables>,
    layout: ResidualLayout,
    root: Residual,
}

/// What is left of its trees in a part of the domain.
#[derive(Default, Clone)]
pub(in crate::core_test::certified) struct TreesInRegion(Residual);

/// A cut that trees propose.
pub(in crate::core_test::certified) struct ProposedCut {
    /// The question that is cut, by its place among the open ones.
    pub question: usize,
    /// How far the split moves the scores.
    pub moves: f64,
    look: Look,
    threshold: f64,
}

/// Nodes further down than this are not looked at for cuts.
const DEEPEST: u32 = 5;

impl FoldedTrees {
    pub fn new(tables: Arc<TreeTables>) -> Self {
        FoldedTrees { tables, layout: ResidualLayout::default(), root: Residual::default() }
    }

    /// Takes on a person.
    pub fn fold(&mut self, open: &OpenColumns, person: &[f64]) {
        self.layout.fold(&self.tables.ensemble, open, person, &mut self.root);
    }

    /// How many nodes are left of it, wherever the person is.
    pub fn n_nodes(&self) -> usize {
        self.root.nodes.len()
    }

    pub fn n_trees(&self) -> usize {
        self.root.n_trees()
    }

    /// Writes what is left in a region, by what is left in a larger one; `None` is the whole domain.
    pub fn prune(
        &mut self,
        open: &OpenColumns,
        region: &Region,
        source: Option<&TreesInRegion>,
        pruned: &mut TreesInRegion,
    ) {
        self.layout.prune(open, region, source.map_or(&self.root, |source| &source.0), &mut pruned.0);
    }

    /// What each score is at least and at most, as it is computed.
    pub fn score_ranges(&self, left: &TreesInRegion) -> Vec<(f64, f64)> {
        score_ranges(&self.tables, &left.0)
    }

    /// What a combination of the computed scores is at least: the least leaf of each tree, added up.
    pub fn least(&self, left: &TreesInRegion, coefficients: &[f64]) -> f64 {
        let ensemble = &self.tables.ensemble;
        let (by_output, constant) = self.by_output(coefficients);
        let starts = ensemble.start().iter().zip(&by_output).map(|(start, factor)| start * factor);
        let mut sum: f64 = starts.sum();
        for tree in 0..left.0.n_trees() {
            let leaves = left.0.tree(tree).iter().filter(|node| node.look == Look::Leaf);
            let values = leaves.map(|leaf| self.combined(tree, leaf, &by_output));
            sum += values.fold(f64::INFINITY, f64::min);
        }
        let (unit, smallest) = match ensemble.arithmetic() {
            Arithmetic::Single => (f64::from(f32::EPSILON), f64::from(f32::MIN_POSITIVE)),
            Arithmetic::Double => (f64::EPSILON, f64::MIN_POSITIVE),
        };
        let shares = match ensemble.combine() {
            Combine::Sum => 1.0,
            Combine::Mean => ensemble.n_trees() as f64,
        };
        // Rounding of the model's sums, of their division, of the score, and of the sum above.
        let size = ensemble.magnitude() / shares + ensemble.threshold().abs();
        let factors: f64 = by_output.iter().map(|factor| factor.abs()).sum();
        let rounding = factors * (8.0 * (ensemble.n_trees() as f64 + 8.0) * unit * size + 8.0 * smallest);
        sum / shares + constant - rounding
    }

    /// Factors of the outputs for those of the scores, and what is added.
    fn by_output(&self, coefficients: &[f64]) -> (Vec<f64>, f64) {
        match self.tables.ensemble.n_outputs() {
            1 => (coefficients.to_vec(), -coefficients[0] * self.tables.ensemble.threshold()),
            2 => (vec![-coefficients[0], coefficients[0]], 0.0),
            _ => (coefficients.to_vec(), 0.0),
        }
    }

    fn combined(&self, tree: usize, leaf: &ResidualNode, by_output: &[f64]) -> f64 {
        let values = &self.tables.ensemble.values()[leaf.right as usize..];
        match self.tables.ensemble.trees()[tree].class {
            Some(class) => by_output[class] * values[0],
            None => by_output.iter().zip(values).map(|(factor, value)| factor * value).sum(),
        }
    }

    /// The scores at a point of the domain, as the model computes them.
    pub fn scores_at(&self, point: &[f64]) -> Vec<f64> {
        let leaves = (0..self.root.n_trees()).map(|tree| self.layout.leaf_at(&self.root, tree, point));
        let mut scores = vec![0.0; self.tables.ensemble.n_scores()];
        self.tables.ensemble.scores_of_leaves(leaves, &mut scores);
        scores
    }

    /// The splits near the roots, by how far their sides lie apart in some combination of the scores.
    pub fn propose(&self, left: &TreesInRegion, sizes: &[f64], propose: &mut impl FnMut(ProposedCut)) {
        let (by_output, _) = self.by_output(sizes);
        let mut ranges: Vec<(f64, f64)> = Vec::new();
        for tree in 0..left.0.n_trees() {
            let (nodes, start) = (left.0.tree(tree), left.0.starts[tree]);
            if nodes.len() == 1 {
                continue;
            }
            ranges.clear();
            ranges.resize(nodes.len(), (0.0, 0.0));
            for (place, node) in nodes.iter().enumerate().rev() {
                ranges[place] = if node.look == Look::Leaf {
                    let value = self.combined(tree, node, &by_output);
                    (value, value)
                } else {
                    let (one, other) = (ranges[place + 1], ranges[(node.right - start) as usize]);
                    (one.0.min(other.0), one.1.max(other.1))
                };
            }
            let mut pending = vec![(0usize, 0u32)];
            while let Some((place, depth)) = pending.pop() {
                let node = &nodes[place];
                if node.look == Look::Leaf || depth > DEEPEST {
                    continue;
                }
                let right = (node.right - start) as usize;
                let (one, other) = (ranges[place + 1], ranges[right]);
                let apart = (one.0 - other.0).abs() + (one.1 - other.1).abs();
                let moves = (apart + 1e-6 * (ranges[place].1 - ranges[place].0)) / f64::from(1 << depth);
                if let Some(question) = self.question_of(&node.look) {
                    propose(ProposedCut { question, moves, look: node.look, threshold: node.value });
                }
                pending.extend([(place + 1, depth + 1), (right, depth + 1)]);
            }
        }
    }

    fn question_of(&self, look: &Look) -> Option<usize> {
        match look {
            Look::Leaf => None,
            Look::Number(column) | Look::Level(column) => Some(self.layout.question_of[*column as usize] as usize),
            Look::Set(set) => {
                self.layout.set(*set).first().map(|&column| self.layout.question_of[column as usize] as usize)
            }
        }
    }

    /// The region cut that a proposal means.
    pub fn cut(&self, open: &OpenColumns, region: &Region, proposed: &ProposedCut) -> RegionCut {
        cut(&self.layout, open, region, proposed.look, proposed.threshold)
    }

    /// Adds the thresholds on each number, by open column.
    pub fn add_thresholds(&self, by_column: &mut [Vec<f64>]) {
        for node in &self.root.nodes {
            if let Look::Number(column) = node.look {
                by_column[column as usize].push(node.value);
            }
        }
    }
}

/// What each score of an ensemble is at least and at most, by the leaves that are left.
pub(super) fn score_ranges(tables: &TreeTables, residual: &Residual) -> Vec<(f64, f64)> {
    let ensemble = &tables.ensemble;
    let output = |output: usize| output_range(ensemble, residual, output);
    match ensemble.n_outputs() {
        1 => {
            let (least, most) = output(0);
            vec![(ensemble.marked(least - ensemble.threshold()), ensemble.marked(most - ensemble.threshold()))]
        }
        2 => {
            let ((no_least, no_most), (yes_least, yes_most)) = (output(0), output(1));
            vec![(ensemble.marked(yes_least - no_most), ensemble.marked(yes_most - no_least))]
        }
        n_outputs => (0..n_outputs).map(output).collect(),
    }
}
