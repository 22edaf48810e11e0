//! What must hold of parts before they are a composition.

use super::error::CompositionError;
use super::parts::{ComposedValue, CompositionParts, PartModel};
use crate::math::LARGEST;
use crate::model::{Condition, Model, Node, Tree, TreeEnsemble};

/// Values and operands there may be together.
const MOST_ITEMS: usize = 1_000_000;

/// Checks everything but the models, which are checked already.
pub(super) fn check(parts: &CompositionParts) -> Result<(), CompositionError> {
    if parts.models.is_empty() || parts.n_columns == 0 || parts.outputs.len() < 2 {
        return Err(CompositionError::Empty);
    }
    let n_items: usize = parts.values.iter().map(|value| 1 + value.operands().len()).sum();
    if n_items > MOST_ITEMS {
        return Err(CompositionError::TooMany { most: MOST_ITEMS });
    }
    for (model, part) in parts.models.iter().enumerate() {
        let found = part.model().n_columns();
        if found != parts.n_columns {
            return Err(CompositionError::Columns { model, expected: parts.n_columns, found });
        }
    }
    let (mut sizes, mut floors) = (Vec::with_capacity(parts.values.len()), Vec::with_capacity(parts.values.len()));
    for (place, value) in parts.values.iter().enumerate() {
        check_operands(parts, place, value)?;
        if !has_usable_numbers(value) {
            return Err(CompositionError::Numbers { value: place });
        }
        let size = size_of(parts, value, &sizes);
        if size.is_nan() || size > LARGEST {
            return Err(CompositionError::TooLarge { value: place });
        }
        if let ComposedValue::Share { of, .. } = value
            && of.iter().any(|&operand| floors[operand] < 0.0)
        {
            return Err(CompositionError::Negative { value: place });
        }
        floors.push(floor_of(parts, value, &floors, &sizes));
        sizes.push(size);
    }
    let mut order = parts.tie_order.clone();
    order.sort_unstable();
    let names_each_once = order.iter().copied().eq(0..parts.outputs.len());
    let are_there = parts.outputs.iter().all(|&output| output < parts.values.len());
    if names_each_once && are_there { Ok(()) } else { Err(CompositionError::Outputs) }
}

fn check_operands(parts: &CompositionParts, place: usize, value: &ComposedValue) -> Result<(), CompositionError> {
    let are_before = value.operands().iter().all(|&operand| operand < place);
    let fits = match value {
        ComposedValue::Score { model, score } => {
            parts.models.get(*model).is_some_and(|part| *score < part.model().n_scores())
        }
        ComposedValue::Softmax { of, class }
        | ComposedValue::Share { of, class }
        | ComposedValue::Largest { of, class } => *class < of.len(),
        ComposedValue::Trees { of, ensemble, score } => {
            ensemble.n_columns() == of.len() && *score < ensemble.n_scores()
        }
        _ => true,
    };
    if are_before && fits { Ok(()) } else { Err(CompositionError::Operand { value: place }) }
}

fn has_usable_numbers(value: &ComposedValue) -> bool {
    match value {
        ComposedValue::Sum { start, terms, divisor } => {
            start.is_finite()
                && terms.iter().all(|(_, weight)| weight.is_finite())
                && divisor.is_finite()
                && *divisor > 0.0
        }
        ComposedValue::Table { at, heights, .. } => {
            let are_finite = at.iter().chain(heights).all(|number| number.is_finite());
            let ascend = at.windows(2).all(|pair| pair[0] < pair[1]);
            let never_fall = heights.windows(2).all(|pair| pair[0] <= pair[1]);
            !at.is_empty() && at.len() == heights.len() && are_finite && ascend && never_fall
        }
        ComposedValue::AtLeast { bound, .. } => bound.is_finite(),
        ComposedValue::Trees { ensemble, .. } => compares_single_values(ensemble),
        _ => true,
    }
}

/// Whether every split compares one column with a threshold.
fn compares_single_values(ensemble: &TreeEnsemble) -> bool {
    let parts = ensemble.to_parts();
    let mut nodes = parts.trees.iter().flat_map(|tree| &tree.nodes);
    nodes.all(|node| !matches!(node, Node::Split { condition: Condition::AnyOf { .. }, .. }))
}

/// No value is larger in size while every column stays within [−1, 1].
fn size_of(parts: &CompositionParts, value: &ComposedValue, sizes: &[f64]) -> f64 {
    match value {
        ComposedValue::Score { model, score } => part_size(&parts.models[*model], *score),
        ComposedValue::Sum { start, terms, divisor } => {
            let terms = terms.iter().map(|(place, weight)| weight.abs() * sizes[*place]);
            (start.abs() + terms.sum::<f64>()).max(0.0) / divisor
        }
        ComposedValue::Table { heights, .. } => heights.iter().fold(0.0, |most: f64, height| most.max(height.abs())),
        ComposedValue::Single { of } => sizes[*of] * 1.001,
        ComposedValue::Trees { ensemble, .. } => ensemble.magnitude() + ensemble.threshold().abs(),
        _ => 1.0,
    }
}

/// No value is smaller, as computed, whatever the columns; or a negative number if that is not known.
fn floor_of(parts: &CompositionParts, value: &ComposedValue, floors: &[f64], sizes: &[f64]) -> f64 {
    match value {
        ComposedValue::Score { model, score } => match &parts.models[*model] {
            PartModel::Trees(trees) => floor_of_trees(trees, *score),
            _ => f64::NEG_INFINITY,
        },
        ComposedValue::Sum { start, terms, divisor } => {
            let term = |(place, weight): &(usize, f64)| {
                // What is weighed negatively is bounded by its size where that does not rest on the columns.
                let most = if floors[*place].is_finite() { sizes[*place] } else { f64::INFINITY };
                if *weight < 0.0 { weight * most } else { weight * floors[*place] }
            };
            let floor =
                terms.iter().filter(|(_, weight)| *weight != 0.0).map(term).fold(*start, |sum, term| sum + term);
            if floor.is_nan() { f64::NEG_INFINITY } else { floor / divisor }
        }
        ComposedValue::Table { heights, .. } => heights[0],
        ComposedValue::Single { of } => floors[*of],
        ComposedValue::Confidence { .. } => -1.0,
        ComposedValue::Trees { ensemble, score, .. } => floor_of_trees(ensemble, *score),
        ComposedValue::Sigmoid { .. }
        | ComposedValue::Softmax { .. }
        | ComposedValue::Share { .. }
        | ComposedValue::AtLeast { .. }
        | ComposedValue::Largest { .. } => 0.0,
    }
}

/// The least leaf of every tree, added up as the trees add.
fn floor_of_trees(ensemble: &TreeEnsemble, score: usize) -> f64 {
    if ensemble.n_outputs() == 2 {
        return -2.0 * ensemble.magnitude();
    }
    let parts = ensemble.to_parts();
    let least = |tree: &Tree| {
        let offset = match tree.class {
            Some(class) if class != score => return None,
            Some(_) => 0,
            None => score,
        };
        let value = |node: &Node| match node {
            Node::Leaf { value } => tree.values[value + offset],
            Node::Split { .. } => f64::INFINITY,
        };
        Some(tree.nodes.iter().map(value).fold(f64::INFINITY, f64::min))
    };
    let sum = parts
        .trees
        .iter()
        .filter_map(least)
        .fold(parts.start[score], |sum, least| ensemble.arithmetic().add(sum, least));
    let floor = ensemble.finish(sum) - if parts.n_outputs == 1 { parts.threshold } else { 0.0 };
    ensemble.marked(floor)
}

fn part_size(part: &PartModel, score: usize) -> f64 {
    let size = |row: &[f64]| row.iter().map(|weight| weight.abs()).sum::<f64>();
    match part {
        PartModel::Linear(model) => model.intercept(score).abs() + size(model.weights(score)),
        PartModel::Quadratic(model) => {
            model.intercept(score).abs() + size(model.weights(score)) + size(model.squares(score))
        }
        PartModel::Network(network) => network.reach().last().map_or(0.0, |reach| reach.magnitude),
        PartModel::Trees(trees) => trees.magnitude() + trees.threshold().abs(),
    }
}
