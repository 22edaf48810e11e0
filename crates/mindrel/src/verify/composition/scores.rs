//! What the scores of each model can be in a part of the domain.

use super::quadratics::Quadratics;
use crate::model::{Arithmetic, Combine, Model, Network, PartModel, Tree, TreeEnsembleParts};
use crate::verify::Statement;
use crate::verify::interval::Interval;
use crate::verify::network::{FoldedLayers, ScoreLine, Ties};
use crate::verify::part::{DomainPart, OpenQuestions};
use crate::verify::trees::{ReachedLeaves, largest_sum};

/// A model with what is known of the person filled in. It has no `Debug`: it holds answers.
pub(super) enum KnownModel {
    /// Scores that are quadratic in the open columns, and what rounding can do to each.
    Smooth(Vec<(Quadratics, f64)>),
    /// The layers, the number of scores, and what rounding can do to a score.
    Network(FoldedLayers, usize, f64),
    Trees(TreeEnsembleParts),
}

/// What the scores of a model can be in a part.
pub(super) struct PartScores {
    pub ranges: Vec<Interval>,
    /// Quadratic functions below and above each score of a network.
    pub below: Vec<Quadratics>,
    pub above: Vec<Quadratics>,
    /// The leaves that each tree can reach.
    pub leaves: Vec<Vec<usize>>,
}

impl KnownModel {
    pub fn new(model: &PartModel, statement: &Statement<'_>, open: &OpenQuestions<'_>) -> Self {
        let largest = statement.largest().max(1.0);
        match model {
            PartModel::Linear(linear) => {
                let zeros = vec![0.0; linear.n_columns()];
                let score = |score: usize| (linear.intercept(score), linear.weights(score), zeros.as_slice());
                smooth(statement, open, largest, (0..linear.n_scores()).map(score))
            }
            PartModel::Quadratic(model) => {
                let score = |score: usize| (model.intercept(score), model.weights(score), model.squares(score));
                smooth(statement, open, largest, (0..model.n_scores()).map(score))
            }
            PartModel::Network(network) => {
                let layers = FoldedLayers::new(network, statement.person, open);
                KnownModel::Network(layers, network.n_scores(), Network::rounding_bound(network, largest))
            }
            PartModel::Trees(trees) => KnownModel::Trees(trees.to_parts()),
        }
    }

    pub fn scores(
        &self,
        statement: &Statement<'_>,
        open: &OpenQuestions<'_>,
        part: &DomainPart,
        ties: &mut Ties,
    ) -> PartScores {
        let mut scores = PartScores { ranges: Vec::new(), below: Vec::new(), above: Vec::new(), leaves: Vec::new() };
        match self {
            KnownModel::Smooth(sums) => scores.ranges.extend(sums.iter().map(|(sum, rounding)| {
                let exact = Interval { low: sum.least(open, part), high: sum.most(open, part) };
                exact.moved_outwards(*rounding)
            })),
            KnownModel::Network(layers, n_scores, rounding) => {
                let sums = layers.sums(open, part, ties);
                let below = |line: ScoreLine| {
                    let squares = vec![Interval::ZERO; line.coefficients.len()];
                    let moved = Interval { low: -rounding, high: 0.0 };
                    Quadratics { constant: line.constant + moved, weights: line.coefficients, squares }
                };
                for score in 0..*n_scores {
                    let least = below(layers.line_below(&sums, ties, score, 1.0));
                    let negated = below(layers.line_below(&sums, ties, score, -1.0));
                    scores.ranges.push(Interval { low: least.least(open, part), high: -negated.least(open, part) });
                    let mut most = Quadratics::zero(negated.weights.len());
                    most.add(-Interval::ONE, &negated);
                    scores.below.push(least);
                    scores.above.push(most);
                }
            }
            KnownModel::Trees(parts) => {
                let reach = ReachedLeaves::new(statement, open, part);
                scores.leaves = parts.trees.iter().map(|tree| reach.leaves(tree)).collect();
                scores.ranges = tree_scores(parts, &scores.leaves);
            }
        }
        scores
    }
}

fn smooth<'m>(
    statement: &Statement<'_>,
    open: &OpenQuestions<'_>,
    largest: f64,
    scores: impl Iterator<Item = (f64, &'m [f64], &'m [f64])>,
) -> KnownModel {
    let fold = |(intercept, weights, squares): (f64, &[f64], &[f64])| {
        let mut sum = Quadratics::zero(open.columns.len());
        sum.constant = Interval::point(intercept);
        for column in (0..weights.len()).filter(|column| !open.columns.contains(column)) {
            let value = Interval::point(statement.person[column]);
            sum.constant = sum.constant + value * weights[column] + value * value * squares[column];
        }
        sum.weights = open.columns.iter().map(|&column| Interval::point(weights[column])).collect();
        sum.squares = open.columns.iter().map(|&column| Interval::point(squares[column])).collect();
        // |computed − exact| ≤ (number of operations) ε Σ |terms|
        let size = |row: &[f64]| row.iter().map(|weight| weight.abs()).sum::<f64>();
        let is_linear = squares.iter().all(|square| *square == 0.0);
        let terms = intercept.abs() + size(weights) * largest + size(squares) * largest * largest;
        let operations = (if is_linear { 1.0 } else { 3.0 }) * (weights.len() as f64 + 4.0);
        (sum, operations * (f64::EPSILON * terms + f64::MIN_POSITIVE))
    };
    KnownModel::Smooth(scores.map(fold).collect())
}

/// What each score of trees can be, as it is computed: an addition rounded to nearest never falls where its operands
/// rise.
pub(super) fn tree_scores(parts: &TreeEnsembleParts, leaves: &[Vec<usize>]) -> Vec<Interval> {
    let output = |output: usize, extreme: fn(f64, f64) -> f64| {
        let round = |value: f64| match parts.arithmetic {
            Arithmetic::Single => f64::from(value as f32),
            Arithmetic::Double => value,
        };
        let mut sum = parts.start[output];
        for (tree, leaves) in parts.trees.iter().zip(leaves) {
            if tree.class.is_none_or(|class| class == output) {
                let values = leaves.iter().map(|&leaf| leaf_value(tree, leaf, output));
                sum = round(sum + values.reduce(extreme).expect("some leaf is reached"));
            }
        }
        match (parts.combine, parts.arithmetic) {
            (Combine::Sum, _) => sum,
            (Combine::Mean, Arithmetic::Single) => f64::from(sum as f32 / parts.trees.len() as f32),
            (Combine::Mean, Arithmetic::Double) => sum / parts.trees.len() as f64,
        }
    };
    // A score of zero that means label 0 is given as the smallest negative number.
    let marked = |score: f64| if score == 0.0 && !parts.positive_at_zero { -f64::from_bits(1) } else { score };
    match parts.n_outputs {
        1 => {
            let end = |extreme| marked(output(0, extreme) - parts.threshold);
            vec![Interval { low: end(f64::min), high: end(f64::max) }]
        }
        2 => vec![Interval {
            low: marked(output(1, f64::min) - output(0, f64::max)),
            high: marked(output(1, f64::max) - output(0, f64::min)),
        }],
        n_outputs => (0..n_outputs)
            .map(|place| Interval { low: output(place, f64::min), high: output(place, f64::max) })
            .collect(),
    }
}

fn leaf_value(tree: &Tree, leaf: usize, output: usize) -> f64 {
    tree.values[leaf + if tree.class.is_some() { 0 } else { output }]
}

/// What a combination of the computed scores of trees is at least: the least leaf of each tree, added up, less what
/// rounding can do.
pub(super) fn least_of_trees(parts: &TreeEnsembleParts, leaves: &[Vec<usize>], factors: &[Interval]) -> f64 {
    let (by_output, constant) = match parts.n_outputs {
        1 => (factors.to_vec(), -(factors[0] * parts.threshold)),
        2 => (vec![-factors[0], factors[0]], Interval::ZERO),
        _ => (factors.to_vec(), Interval::ZERO),
    };
    let mut sum = Interval::ZERO;
    for (factor, start) in by_output.iter().zip(&parts.start) {
        sum = sum + *factor * *start;
    }
    for (tree, leaves) in parts.trees.iter().zip(leaves) {
        let combined = |leaf: &usize| match tree.class {
            Some(class) => by_output[class] * tree.values[*leaf],
            None => by_output
                .iter()
                .zip(&tree.values[*leaf..])
                .fold(Interval::ZERO, |sum, (factor, value)| sum + *factor * *value),
        };
        let least = leaves.iter().map(|leaf| combined(leaf).low).fold(f64::INFINITY, f64::min);
        sum = sum + Interval::point(least);
    }
    let (epsilon, smallest) = match parts.arithmetic {
        Arithmetic::Single => (f64::from(f32::EPSILON), f64::from(f32::MIN_POSITIVE)),
        Arithmetic::Double => (f64::EPSILON, f64::MIN_POSITIVE),
    };
    let n_trees = parts.trees.len() as f64;
    let shares = if parts.combine == Combine::Mean { n_trees } else { 1.0 };
    let size = largest_sum(parts) / shares + parts.threshold.abs();
    let together: f64 = by_output.iter().map(|factor| factor.low.abs().max(factor.high.abs())).sum();
    let rounding = together * (2.0 * (n_trees + 4.0) * epsilon * size + 4.0 * smallest);
    (sum.over(Interval::point(shares)) + constant + -Interval::point(rounding)).low
}
