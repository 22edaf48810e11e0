//! Trees over features, moved to the encoded columns.

use mindrel::model::{Arithmetic, Classifier, Condition, Node, Tree, TreeEnsemble, TreeEnsembleParts};
use mindrel::schema::{Domain, Question};

use super::classes::ClassOrder;
use super::matching::Matched;
use super::threshold::{self, ColumnCut};
use super::{LowerError, order_of_classes};
use crate::pipeline::{Feature, RawCondition, RawNode, RawTree, RawTrees};

/// More nodes than the core takes are not made.
const MOST_NODES: usize = 40_000_000;

/// The same trees over the encoded columns of a schema.
pub(super) fn lower(matched: &Matched<'_>, raw: &RawTrees, order: &ClassOrder) -> Result<Classifier, LowerError> {
    if raw.n_outputs > 2 && !order.is_same() {
        return Err(LowerError::ClassOrder { model: class_names(matched)? });
    }
    if raw.start.len() != raw.n_outputs {
        return Err(LowerError::malformed("its base scores are not one for each output"));
    }
    let outputs = ScoreOutputs { n_outputs: raw.n_outputs, flipped: order.is_flipped() };
    let mut room = MOST_NODES;
    let trees = raw.trees.iter().enumerate().map(|(place, tree)| {
        let tree = Lowering { matched, raw: tree, place, outputs }.run(&mut room)?;
        Ok::<Tree, LowerError>(tree)
    });
    let parts = TreeEnsembleParts {
        n_columns: matched.schema.n_columns(),
        n_outputs: raw.n_outputs,
        start: outputs.ordered(&raw.start),
        trees: trees.collect::<Result<_, _>>()?,
        combine: raw.combine,
        arithmetic: if raw.single { Arithmetic::Single } else { Arithmetic::Double },
        threshold: if outputs.flipped { -raw.threshold } else { raw.threshold },
        positive_at_zero: raw.positive_at_zero != outputs.flipped,
    };
    Ok(Classifier::Trees(TreeEnsemble::new(parts)?))
}

fn class_names(matched: &Matched<'_>) -> Result<String, LowerError> {
    let (classes, order) = (&matched.schema.target().classes, order_of_classes(matched.pipeline, matched.schema)?);
    Ok(order.places().iter().map(|&place| classes[place].as_str()).collect::<Vec<&str>>().join(", "))
}

/// How leaf values change if the schema has the two classes in the other order: a score changes its sign, two outputs
/// swap. Both are exact.
#[derive(Debug, Clone, Copy)]
struct ScoreOutputs {
    n_outputs: usize,
    flipped: bool,
}

impl ScoreOutputs {
    fn class(self, class: usize) -> usize {
        if self.flipped && self.n_outputs == 2 { 1usize.wrapping_sub(class) } else { class }
    }

    fn ordered(self, values: &[f64]) -> Vec<f64> {
        match (self.flipped, self.n_outputs) {
            (true, 1) => values.iter().map(|value| -value).collect(),
            (true, _) if values.len() == 2 => vec![values[1], values[0]],
            _ => values.to_vec(),
        }
    }
}

/// What a split becomes.
enum Parting {
    /// One side is never taken; this one (left is `true`) always.
    Always(bool),
    /// A split; with `turned`, the left child is where the right one was.
    Split { condition: Condition, turned: bool },
    /// Several in a row on one column: the sides taken between the thresholds, from below.
    Runs(SideRuns),
}

/// The sides taken between thresholds on a column, from below, and the side of a missing number if that is asked for
/// first.
struct SideRuns {
    column: usize,
    thresholds: Vec<f64>,
    sides: Vec<bool>,
    missing: Option<bool>,
}

/// A child that is still to be made: a node of the raw tree, and who waits for it.
struct Waiting {
    raw: usize,
    parent: Option<(usize, bool)>,
}

struct Lowering<'a> {
    matched: &'a Matched<'a>,
    raw: &'a RawTree,
    place: usize,
    outputs: ScoreOutputs,
}

impl Lowering<'_> {
    fn run(&self, room: &mut usize) -> Result<Tree, LowerError> {
        self.check_is_tree()?;
        let (mut nodes, mut values) = (Vec::new(), Vec::new());
        let mut waiting = vec![Waiting { raw: 0, parent: None }];
        while let Some(Waiting { raw, parent }) = waiting.pop() {
            let (raw, parting) = self.skip_what_never_parts(raw)?;
            attach(&mut nodes, parent);
            let here = nodes.len();
            match (&self.raw.nodes[raw], parting) {
                (RawNode::Leaf(leaf), _) => {
                    nodes.push(Node::Leaf { value: values.len() });
                    values.extend(self.leaf(leaf)?);
                }
                (RawNode::Split { left, right, .. }, Some(Parting::Split { condition, turned })) => {
                    let (left, right) = if turned { (*right, *left) } else { (*left, *right) };
                    nodes.push(Node::Split { condition, left: 0, right: 0 });
                    waiting.push(Waiting { raw: right, parent: Some((here, false)) });
                    waiting.push(Waiting { raw: left, parent: Some((here, true)) });
                }
                (RawNode::Split { left, right, .. }, Some(Parting::Runs(runs))) => {
                    let child = |side: bool| if side { *left } else { *right };
                    let SideRuns { column, thresholds, sides, missing } = runs;
                    if missing.is_some() {
                        let condition = Condition::Missing { column };
                        nodes.push(Node::Split { condition, left: 0, right: here + 1 });
                    }
                    let (start, last) = (nodes.len(), thresholds.len() - 1);
                    for (place, threshold) in thresholds.iter().enumerate() {
                        let condition = Condition::AtMost { column, threshold: *threshold };
                        let next = nodes.len() + 1;
                        nodes.push(Node::Split { condition, left: 0, right: if place < last { next } else { 0 } });
                    }
                    waiting.push(Waiting { raw: child(sides[last + 1]), parent: Some((start + last, false)) });
                    for place in (0..=last).rev() {
                        waiting.push(Waiting { raw: child(sides[place]), parent: Some((start + place, true)) });
                    }
                    waiting.extend(missing.map(|side| Waiting { raw: child(side), parent: Some((here, true)) }));
                }
                (RawNode::Split { .. }, _) => unreachable!("a split that never parts was skipped"),
            }
            *room = room.checked_sub(nodes.len() - here).ok_or(LowerError::TooManyNodes { most: MOST_NODES })?;
        }
        let class = self.raw.class.map(|class| self.outputs.class(class));
        Ok(Tree { class, nodes, values })
    }

    /// Every node but the root has one parent, which comes to the same as: walking down ends.
    fn check_is_tree(&self) -> Result<(), LowerError> {
        let wrong =
            |node: usize| LowerError::malformed(format!("tree {}, node {node} is not part of a tree", self.place));
        let mut seen = vec![false; self.raw.nodes.len()];
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if *seen.get(node).ok_or_else(|| wrong(node))? {
                return Err(wrong(node));
            }
            seen[node] = true;
            if let RawNode::Split { left, right, feature, .. } = &self.raw.nodes[node] {
                if *feature >= self.matched.pipeline.features.len() {
                    return Err(wrong(node));
                }
                open.extend([*right, *left]);
            }
        }
        Ok(())
    }

    fn leaf(&self, leaf: &[f64]) -> Result<Vec<f64>, LowerError> {
        let expected = if self.raw.class.is_some() { 1 } else { self.outputs.n_outputs };
        if leaf.len() != expected {
            return Err(LowerError::malformed(format!("a leaf of tree {} has {} values", self.place, leaf.len())));
        }
        Ok(self.outputs.ordered(leaf))
    }

    /// The first node from here on that is a leaf, or parts somebody from somebody.
    fn skip_what_never_parts(&self, mut node: usize) -> Result<(usize, Option<Parting>), LowerError> {
        loop {
            let RawNode::Split { feature, condition, left, right, missing_left } = &self.raw.nodes[node] else {
                return Ok((node, None));
            };
            let feature = &self.matched.pipeline.features[*feature];
            match self.parting(feature, condition, *missing_left)? {
                Parting::Always(side) => node = if side { *left } else { *right },
                parting => return Ok((node, Some(parting))),
            }
        }
    }

    fn parting(
        &self,
        feature: &Feature,
        condition: &RawCondition,
        missing: Option<bool>,
    ) -> Result<Parting, LowerError> {
        let (id, question) = (self.matched.id(feature), self.matched.question(feature));
        let columns = self.matched.schema.columns(id);
        let Some(values) = self.matched.level_values(feature)? else {
            let cut = threshold::of_number(question, feature, condition)?;
            if let Domain::OrMissing { .. } = question.domain() {
                let value = feature.of_missing();
                let left = if value.is_nan() { missing } else { Some(threshold::holds(condition, value)) };
                let left = left.ok_or_else(|| LowerError::MissingLevel { question: question.name.clone() })?;
                return Ok(number_or_missing(columns.start, cut, left));
            }
            check_missing(question, feature, missing)?;
            return Ok(match cut {
                ColumnCut::Constant(holds) => Parting::Always(holds),
                ColumnCut::Runs { thresholds, sides } => {
                    Parting::Runs(SideRuns { column: columns.start, thresholds, sides, missing: None })
                }
                ColumnCut::At { threshold, holds_below } => Parting::Split {
                    condition: Condition::AtMost { column: columns.start, threshold },
                    turned: !holds_below,
                },
            });
        };
        let side = |value: &f64| match (value.is_nan(), missing) {
            (false, _) => Ok(threshold::holds(condition, *value)),
            (true, Some(left)) => Ok(left),
            (true, None) => Err(LowerError::MissingLevel { question: question.name.clone() }),
        };
        let sides = values.iter().map(side).collect::<Result<Vec<bool>, _>>()?;
        if sides.iter().all(|side| *side == sides[0]) {
            return Ok(Parting::Always(sides[0]));
        }
        if let Domain::OneOf { .. } = question.domain() {
            let columns = columns.zip(&sides).filter_map(|(column, side)| side.then_some(column)).collect();
            return Ok(Parting::Split { condition: Condition::AnyOf { columns }, turned: false });
        }
        Ok(runs(columns.start, &sides))
    }
}

/// The parting of a number that may be missing, by what it is where it is not, and whether missing goes left.
///
/// The first of its two columns has missing above all numbers, the second below.
fn number_or_missing(column: usize, cut: ColumnCut, missing_left: bool) -> Parting {
    match cut {
        ColumnCut::Constant(holds) if holds == missing_left => Parting::Always(holds),
        ColumnCut::Constant(_) => Parting::Split { condition: Condition::Missing { column }, turned: !missing_left },
        ColumnCut::At { threshold, holds_below } => number_or_missing(
            column,
            ColumnCut::Runs { thresholds: vec![threshold], sides: vec![holds_below, !holds_below] },
            missing_left,
        ),
        ColumnCut::Runs { thresholds, sides } => {
            let thresholds: Vec<f64> = thresholds.iter().map(|threshold| threshold / 2.0).collect();
            // A threshold far outside may lie beyond a missing number.
            let lies_below = sides[0] == missing_left && thresholds[0] >= -1.0;
            let lies_above = sides[sides.len() - 1] == missing_left && thresholds[thresholds.len() - 1] < 1.0;
            let (column, missing) = match (lies_above, lies_below) {
                (true, _) => (column, None),
                (false, true) => (column + 1, None),
                (false, false) => (column, Some(missing_left)),
            };
            match thresholds[..] {
                [threshold] if missing.is_none() => {
                    Parting::Split { condition: Condition::AtMost { column, threshold }, turned: !sides[0] }
                }
                _ => Parting::Runs(SideRuns { column, thresholds, sides, missing }),
            }
        }
    }
}

/// The parting of evenly spaced levels in one column.
fn runs(column: usize, sides: &[bool]) -> Parting {
    let between = |place: usize| -1.0 + (2 * place + 1) as f64 / (sides.len() - 1) as f64;
    let changes: Vec<usize> = (0..sides.len() - 1).filter(|&place| sides[place] != sides[place + 1]).collect();
    let thresholds: Vec<f64> = changes.iter().map(|&place| between(place)).collect();
    if let [threshold] = thresholds[..] {
        return Parting::Split { condition: Condition::AtMost { column, threshold }, turned: !sides[0] };
    }
    let taken = changes.iter().copied().chain([sides.len() - 1]).map(|place| sides[place]).collect();
    Parting::Runs(SideRuns { column, thresholds, sides: taken, missing: None })
}

/// Numbers are never missing, unless the schema has a stand-in for them; then the model must have the same.
fn check_missing(question: &Question, feature: &Feature, direction: Option<bool>) -> Result<(), LowerError> {
    use mindrel::schema::Kind;
    let stand_in =
        matches!(question.kind, Kind::Number { missing: Some(_), .. } | Kind::Integer { missing: Some(_), .. });
    if stand_in && direction.is_some() && feature.stand_in().is_none() {
        return Err(LowerError::MissingDirection { question: question.name.clone() });
    }
    Ok(())
}

/// Tells the parent where its child is: the next node.
fn attach(nodes: &mut [Node], parent: Option<(usize, bool)>) {
    let next = nodes.len();
    if let Some((parent, is_left)) = parent
        && let Node::Split { left, right, .. } = &mut nodes[parent]
    {
        *(if is_left { left } else { right }) = next;
    }
}
