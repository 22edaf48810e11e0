//! Random tree ensembles, and their cells.

use mindrel::model::{Arithmetic, Classifier, Combine, Condition, Node, Tree, TreeEnsemble, TreeEnsembleParts};

use super::*;

/// How a random ensemble is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trees {
    pub n_trees: usize,
    pub depth: usize,
    pub leaves: Leaves,
    pub combine: Combine,
    pub arithmetic: Arithmetic,
    /// With two classes: whether each has a sum of its own.
    pub two_outputs: bool,
    pub positive_at_zero: bool,
}

/// What leaves hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Leaves {
    /// One vote, as forests of classes do: ties are common.
    Votes,
    /// Shares that add up to one.
    Shares,
    /// A normal number for one of the outputs, in turn, as boosting does.
    Boosted,
    /// Quarters for one of the outputs, in turn.
    Quarters,
}

pub fn trees() -> impl Strategy<Value = Trees> {
    let leaves = prop::sample::select(vec![Leaves::Votes, Leaves::Shares, Leaves::Boosted, Leaves::Quarters]);
    let combine = prop::sample::select(vec![Combine::Sum, Combine::Mean]);
    let arithmetic = prop::sample::select(vec![Arithmetic::Single, Arithmetic::Double]);
    (1usize..=8, 0usize..=4, leaves, combine, arithmetic, any::<bool>(), any::<bool>()).prop_map(
        |(n_trees, depth, leaves, combine, arithmetic, two_outputs, positive_at_zero)| Trees {
            n_trees,
            depth,
            leaves,
            combine,
            arithmetic,
            two_outputs,
            positive_at_zero,
        },
    )
}

/// Any plan of trees.
pub fn tree_recipe(
    classes: std::ops::RangeInclusive<usize>,
    questions: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Recipe> {
    (recipe(classes, questions), trees()).prop_map(|(recipe, trees)| Recipe { trees: Some(trees), ..recipe })
}

impl Trees {
    /// A random ensemble over the columns of a schema.
    pub fn build(&self, schema: &Schema, n_classes: usize, random: &mut Pcg64Mcg) -> TreeEnsemble {
        let n_outputs = if n_classes == 2 && !self.two_outputs { 1 } else { n_classes };
        let tree = |place: usize, random: &mut Pcg64Mcg| {
            let class = matches!(self.leaves, Leaves::Boosted | Leaves::Quarters).then_some(place % n_outputs);
            let mut tree = Tree { class, nodes: Vec::new(), values: Vec::new() };
            self.grow(&mut tree, schema, n_outputs, self.depth, random);
            tree
        };
        let trees: Vec<Tree> = (0..self.n_trees).map(|place| tree(place, random)).collect();
        // Half of the votes, so that one output is met by ties too.
        let half = if self.combine == Combine::Mean { 0.5 } else { self.n_trees as f64 / 2.0 };
        let votes = matches!(self.leaves, Leaves::Votes | Leaves::Shares);
        let parts = TreeEnsembleParts {
            n_columns: schema.n_columns(),
            n_outputs,
            start: (0..n_outputs).map(|_| if votes { 0.0 } else { below(random, 3) as f64 / 4.0 }).collect(),
            trees,
            combine: self.combine,
            arithmetic: self.arithmetic,
            threshold: if votes { half } else { 0.25 },
            positive_at_zero: self.positive_at_zero,
        };
        TreeEnsemble::new(parts).expect("a sound ensemble")
    }

    fn grow(&self, tree: &mut Tree, schema: &Schema, n_outputs: usize, depth: usize, random: &mut Pcg64Mcg) {
        let place = tree.nodes.len();
        tree.nodes.push(Node::Leaf { value: tree.values.len() });
        if depth == 0 || below(random, 6) == 0 {
            let width = if tree.class.is_some() { 1 } else { n_outputs };
            tree.values.extend(self.leaf(width, random));
            return;
        }
        let condition = condition(schema, random);
        let left = tree.nodes.len();
        self.grow(tree, schema, n_outputs, depth - 1, random);
        let right = tree.nodes.len();
        self.grow(tree, schema, n_outputs, depth - 1, random);
        tree.nodes[place] = Node::Split { condition, left, right };
    }

    fn leaf(&self, width: usize, random: &mut Pcg64Mcg) -> Vec<f64> {
        match self.leaves {
            Leaves::Votes if width == 1 => vec![below(random, 2) as f64],
            Leaves::Votes => {
                let class = below(random, width);
                (0..width).map(|output| f64::from(u8::from(output == class))).collect()
            }
            Leaves::Shares => {
                let shares: Vec<f64> = (0..width.max(2)).map(|_| 1.0 + below(random, 6) as f64).collect();
                let total: f64 = shares.iter().sum();
                shares.iter().take(width).map(|share| share / total).collect()
            }
            Leaves::Boosted => (0..width).map(|_| normal(random)).collect(),
            Leaves::Quarters => (0..width).map(|_| (below(random, 9) as f64 - 4.0) / 4.0).collect(),
        }
    }
}

/// A condition on any columns. Thresholds fall on points of grids, between them, several between the same two, and
/// outside the domain.
fn condition(schema: &Schema, random: &mut Pcg64Mcg) -> Condition {
    let n_columns = schema.n_columns();
    let may_be_missing = |id: &QuestionId| matches!(schema.question(*id).domain(), Domain::OrMissing { .. });
    let may_be_missing: Vec<QuestionId> = schema.ids().filter(may_be_missing).collect();
    match below(random, 5) {
        _ if !may_be_missing.is_empty() && below(random, 6) == 0 => {
            let id = may_be_missing[below(random, may_be_missing.len())];
            Condition::Missing { column: schema.columns(id).start }
        }
        0 => Condition::AnyOf { columns: (0..n_columns).filter(|_| below(random, 3) == 0).collect() },
        1 => Condition::AtMost { column: below(random, n_columns), threshold: 2.4 * unit(random) - 1.2 },
        _ => {
            let threshold = [-1.0, -0.75, -0.5, 0.0, 0.125, 0.25, 0.5, 0.5, 0.75, 1.0][below(random, 10)];
            Condition::AtMost { column: below(random, n_columns), threshold }
        }
    }
}

/// Values of each question such that people with all combinations of them meet every cell of an ensemble.
fn values_in_cells(ensemble: &TreeEnsemble, schema: &Schema, id: QuestionId) -> Vec<Vec<f64>> {
    if let Some(values) = all_values(schema.question(id).domain()) {
        return values;
    }
    let columns = schema.columns(id);
    let largest = if columns.len() == 2 { 0.5 } else { 1.0 };
    let mut values = vec![-largest, largest, 0.5, 0.5f64.next_down()];
    for node in ensemble.to_parts().trees.iter().flat_map(|tree| &tree.nodes) {
        if let Node::Split { condition: Condition::AtMost { column: other, threshold }, .. } = node
            && columns.contains(other)
        {
            values.extend([*threshold, threshold.next_up()]);
        }
    }
    values.retain(|value| (-largest..=largest).contains(value));
    values.sort_by(f64::total_cmp);
    values.dedup();
    let missing = (columns.len() == 2).then(|| MISSING.to_vec());
    values.into_iter().map(|value| vec![value; columns.len()]).chain(missing).collect()
}

fn trees_of(plan: &Plan) -> &TreeEnsemble {
    match plan.model() {
        Classifier::Trees(trees) => trees,
        _ => panic!("a plan of trees"),
    }
}

/// How many people [`label_in_every_cell`] would look at.
pub fn n_cells(plan: &Plan, known: &[bool]) -> usize {
    let (schema, ensemble) = (plan.schema(), trees_of(plan));
    let open = schema.ids().filter(|id| !known[id.index()]);
    open.map(|id| values_in_cells(ensemble, schema, id).len()).product()
}

/// The label of everybody who agrees with a person in everything known, if it is everywhere the same.
pub fn label_in_every_cell(plan: &Plan, person: &[f64], known: &[bool]) -> Option<Label> {
    let (schema, ensemble) = (plan.schema(), trees_of(plan));
    let open: Vec<QuestionId> = schema.ids().filter(|id| !known[id.index()]).collect();
    let values: Vec<Vec<Vec<f64>>> = open.iter().map(|&id| values_in_cells(ensemble, schema, id)).collect();
    let mut point = person.to_vec();
    let mut common = None;
    for number in 0..values.iter().map(Vec::len).product::<usize>() {
        let mut rest = number;
        for (&id, values) in open.iter().zip(&values) {
            point[schema.columns(id)].copy_from_slice(&values[rest % values.len()]);
            rest /= values.len();
        }
        let label = ensemble.label(&point);
        if *common.get_or_insert(label) != label {
            return None;
        }
    }
    common
}
