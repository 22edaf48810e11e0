//! How much a model goes by each sensitive question [TF23, App. D, "Importance"].

use std::ops::Range;

use crate::belief::Belief;
use crate::math::spread::Spread;
use crate::model::{Composition, Condition, Model, Network, Node, PartModel, Tree, TreeEnsemble};
use crate::region::Asked;

/// How much is gone by each sensitive question.
#[derive(Debug)]
pub(crate) struct Importance {
    /// By the model: ‖θ_q‖₂, a network's mean gradient, or how far splits move the outputs of trees.
    pub of_model: Vec<f64>,
    /// By a logistic regression on the same rows.
    pub of_logistic: Vec<f64>,
}

/// People drawn from the belief over whom a network's gradients are averaged. The order of a few questions is wanted,
/// no figure.
const POINTS: usize = 256;

/// The size of a question's weights in a linear model.
///
/// ```text
/// ‖θ_q‖₂ = √( Σ_scores Σ_{j ∈ q} w_j² )
/// ```
pub(crate) fn weight_importance(weights: &[Vec<f64>], places: &[Range<usize>]) -> Vec<f64> {
    let size = |columns: &Range<usize>| {
        let squares = weights.iter().flat_map(|row| &row[columns.clone()]).map(|weight| weight * weight);
        squares.sum::<f64>().sqrt()
    };
    places.iter().map(size).collect()
}

/// How steeply a network's scores answer to a question, over people as the belief has them.
///
/// ```text
/// E_x √( Σ_scores Σ_{j ∈ q} (∂score/∂x_j)² ),   x_j ~ N(μ_j, Σ_jj), each within [−1, 1]
/// ```
pub(crate) fn gradient_importance(network: &Network, belief: &Belief, asked: &[Asked]) -> Vec<f64> {
    let n_columns = network.n_columns();
    let spread = Spread::new(n_columns);
    let marginals: Vec<(f64, f64)> = (0..n_columns).map(|column| belief.marginal(column)).collect();
    let mut importance = vec![0.0; asked.len()];
    let mut gradient = vec![0.0; n_columns];
    for index in 0..POINTS {
        // Columns are drawn on their own: how they hang together hardly moves a mean of sizes.
        let point = spread.point(index).iter().zip(&marginals);
        let person: Vec<f64> =
            point.map(|(drawn, (mean, deviation))| (mean + deviation * drawn).clamp(-1.0, 1.0)).collect();
        let mut squares = vec![0.0; asked.len()];
        for score in 0..network.n_scores() {
            let mut combination = vec![0.0; network.n_scores()];
            combination[score] = 1.0;
            network.gradient(&person, &combination, &mut gradient);
            for (square, question) in squares.iter_mut().zip(asked) {
                *square += gradient[question.columns.clone()].iter().map(|slope| slope * slope).sum::<f64>();
            }
        }
        importance.iter_mut().zip(&squares).for_each(|(sum, square)| *sum += square.sqrt() / POINTS as f64);
    }
    importance
}

/// How far the splits on a question move the outputs of an ensemble, were every split a fair coin.
///
/// ```text
/// Σ_{splits s on q} 2^(−depth of s) ‖v(left of s) − v(right of s)‖₂,   v(leaf) its values,   v(split) = (v(left) + v(right)) / 2
/// ```
///
/// A split on columns of several questions counts for each in equal shares.
pub(crate) fn tree_importance(ensemble: &TreeEnsemble, asked: &[Asked]) -> Vec<f64> {
    let parts = ensemble.to_parts();
    let mut by_column = vec![0.0; parts.n_columns];
    for tree in &parts.trees {
        add_moves(tree, parts.n_outputs, &mut by_column);
    }
    asked.iter().map(|question| by_column[question.columns.clone()].iter().sum()).collect()
}

/// How much the models of a composition go by each question: each model's own importance as shares of its total,
/// added up.
pub(crate) fn composition_importance(composition: &Composition, belief: &Belief, asked: &[Asked]) -> Vec<f64> {
    let mut importance = vec![0.0; asked.len()];
    for part in composition.models() {
        let of_part = part_importance(part, belief, asked);
        let total: f64 = of_part.iter().sum();
        if total > 0.0 {
            importance.iter_mut().zip(&of_part).for_each(|(sum, own)| *sum += own / total);
        }
    }
    importance
}

fn part_importance(part: &PartModel, belief: &Belief, asked: &[Asked]) -> Vec<f64> {
    let norm = |rows: &[&[f64]], question: &Asked| {
        let squares = rows.iter().flat_map(|row| &row[question.columns.clone()]).map(|weight| weight * weight);
        squares.sum::<f64>().sqrt()
    };
    match part {
        PartModel::Linear(model) => {
            let rows: Vec<&[f64]> = (0..model.n_scores()).map(|score| model.weights(score)).collect();
            asked.iter().map(|question| norm(&rows, question)).collect()
        }
        PartModel::Quadratic(model) => {
            let rows: Vec<&[f64]> =
                (0..model.n_scores()).flat_map(|score| [model.weights(score), model.squares(score)]).collect();
            asked.iter().map(|question| norm(&rows, question)).collect()
        }
        PartModel::Network(network) => gradient_importance(network, belief, asked),
        PartModel::Trees(trees) => tree_importance(trees, asked),
    }
}

/// Adds how far each split of a tree moves the outputs to the columns it looks at.
fn add_moves(tree: &Tree, n_outputs: usize, by_column: &mut [f64]) {
    let width = if tree.class.is_some() { 1 } else { n_outputs };
    let n_nodes = tree.nodes.len();
    let mut reach = vec![0.0; n_nodes];
    reach[0] = 1.0;
    let mut means = vec![0.0; n_nodes * width];
    for (node, content) in tree.nodes.iter().enumerate() {
        match content {
            // Children come after their parent.
            Node::Split { left, right, .. } => {
                [left, right].iter().for_each(|&&child| reach[child] = reach[node] / 2.0)
            }
            Node::Leaf { value } => {
                means[node * width..(node + 1) * width].copy_from_slice(&tree.values[*value..value + width]);
            }
        }
    }
    for (node, content) in tree.nodes.iter().enumerate().rev() {
        let Node::Split { condition, left, right } = content else { continue };
        let mut square = 0.0;
        for output in 0..width {
            let (left, right) = (means[left * width + output], means[right * width + output]);
            square += (left - right) * (left - right);
            means[node * width + output] = f64::midpoint(left, right);
        }
        let columns = match condition {
            Condition::AtMost { column, .. } | Condition::Missing { column } => std::slice::from_ref(column),
            Condition::AnyOf { columns } => columns,
        };
        let share = reach[node] * square.sqrt() / columns.len().max(1) as f64;
        columns.iter().for_each(|&column| by_column[column] += share);
    }
}
