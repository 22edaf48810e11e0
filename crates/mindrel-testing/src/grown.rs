//! Trees grown greedily on people, for benches: forests and boosting as the usual libraries make them, without their
//! niceties.

use mindrel::People;
use mindrel::model::{Arithmetic, Combine, Condition, Node, Tree, TreeEnsemble, TreeEnsembleParts};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

/// How a tree is grown.
struct Growth {
    depth: usize,
    least_rows: usize,
    /// Columns tried at each split.
    tried: usize,
}

/// What every row pulls a leaf towards, and how hard.
struct Pull {
    gradient: Vec<f64>,
    weight: Vec<f64>,
}

/// A forest of `n_trees` on bootstrap samples, four columns tried at each split, leaves with the shares of both
/// classes. With `apart`, the same forest with one tree for each class: the same sums, bounded class by class.
pub fn forest(people: &People, n_trees: usize, depth: usize, apart: bool, random: &mut Pcg64Mcg) -> TreeEnsemble {
    grown_forest(people, n_trees, &Growth { depth, least_rows: 5, tried: 4 }, apart, random)
}

/// A forest as the usual libraries grow it by default: no limit of depth, leaves of a single class, the square root of
/// the columns tried at each split.
pub fn unpruned_forest(people: &People, n_trees: usize, random: &mut Pcg64Mcg) -> TreeEnsemble {
    let tried = people.n_columns().isqrt();
    grown_forest(people, n_trees, &Growth { depth: usize::MAX, least_rows: 1, tried }, false, random)
}

fn grown_forest(people: &People, n_trees: usize, growth: &Growth, apart: bool, random: &mut Pcg64Mcg) -> TreeEnsemble {
    let labels = people.iter().map(|person| person.label.map_or(0.0, |label| label.index() as f64)).collect();
    let pull = Pull { gradient: labels, weight: vec![1.0; people.len()] };
    let mut trees = Vec::new();
    for _ in 0..n_trees {
        let rows = (0..people.len()).map(|_| (random.next_u64() % people.len() as u64) as usize).collect();
        let mut tree = Tree { class: None, nodes: Vec::new(), values: Vec::new() };
        grow(&mut tree, people, &pull, rows, growth.depth, growth, random, &|sum, total| {
            vec![1.0 - sum / total, sum / total]
        });
        if apart {
            trees.extend([0, 1].map(|class| one_class(&tree, class)));
        } else {
            trees.push(tree);
        }
    }
    ensemble(people, trees, 2, Combine::Mean, Arithmetic::Double)
}

/// Boosted trees of a logistic loss: 100 rounds or so of Newton steps, shrunk by 0.3, leaves of single precision.
pub fn boosted(people: &People, n_trees: usize, depth: usize, random: &mut Pcg64Mcg) -> TreeEnsemble {
    let growth = Growth { depth, least_rows: 2, tried: people.iter().next().map_or(0, |person| person.columns.len()) };
    let labels: Vec<f64> = people.iter().map(|p| p.label.map_or(0.0, |label| label.index() as f64)).collect();
    let mut scores = vec![0.0; people.len()];
    let mut trees = Vec::new();
    for _ in 0..n_trees {
        let probability: Vec<f64> = scores.iter().map(|score: &f64| 1.0 / (1.0 + (-score).exp())).collect();
        let gradient = labels.iter().zip(&probability).map(|(label, probability)| label - probability).collect();
        let weight = probability.iter().map(|probability| probability * (1.0 - probability) + 1e-6).collect();
        let mut tree = Tree { class: Some(0), nodes: Vec::new(), values: Vec::new() };
        let rows = (0..people.len()).collect();
        let pull = Pull { gradient, weight };
        grow(&mut tree, people, &pull, rows, depth, &growth, random, &|sum, total| vec![0.3 * sum / (total + 1.0)]);
        for (score, person) in scores.iter_mut().zip(people.iter()) {
            *score += value_of(&tree, person.columns);
        }
        trees.push(tree);
    }
    ensemble(people, trees, 1, Combine::Sum, Arithmetic::Single)
}

fn ensemble(
    people: &People,
    trees: Vec<Tree>,
    n_outputs: usize,
    combine: Combine,
    arithmetic: Arithmetic,
) -> TreeEnsemble {
    let n_columns = people.iter().next().expect("there are people").columns.len();
    let (start, positive_at_zero) = (vec![0.0; n_outputs], n_outputs == 1);
    let parts =
        TreeEnsembleParts { n_columns, n_outputs, start, trees, combine, arithmetic, threshold: 0.0, positive_at_zero };
    TreeEnsemble::new(parts).expect("grown trees are sound")
}

/// The tree of one class.
fn one_class(tree: &Tree, class: usize) -> Tree {
    let value = |node: &Node| match node {
        Node::Leaf { value } => Node::Leaf { value: value / 2 },
        split => split.clone(),
    };
    Tree {
        class: Some(class),
        nodes: tree.nodes.iter().map(value).collect(),
        values: tree.values.iter().skip(class).step_by(2).copied().collect(),
    }
}

fn value_of(tree: &Tree, columns: &[f64]) -> f64 {
    let mut node = 0;
    loop {
        match &tree.nodes[node] {
            Node::Leaf { value } => return tree.values[*value],
            Node::Split { condition: Condition::AtMost { column, threshold }, left, right } => {
                node = if columns[*column] <= *threshold { *left } else { *right };
            }
            Node::Split { .. } => unreachable!("only thresholds are grown"),
        }
    }
}

#[allow(clippy::too_many_arguments, reason = "a recursion with its surroundings")]
fn grow(
    tree: &mut Tree,
    people: &People,
    pull: &Pull,
    rows: Vec<usize>,
    depth: usize,
    growth: &Growth,
    random: &mut Pcg64Mcg,
    leaf: &dyn Fn(f64, f64) -> Vec<f64>,
) {
    let place = tree.nodes.len();
    tree.nodes.push(Node::Leaf { value: tree.values.len() });
    let split = if depth == 0 { None } else { best_split(people, pull, &rows, growth, random) };
    let Some((column, threshold)) = split else {
        let sum = rows.iter().map(|&row| pull.gradient[row]).sum();
        let total = rows.iter().map(|&row| pull.weight[row]).sum();
        tree.values.extend(leaf(sum, total));
        return;
    };
    let (low, high): (Vec<usize>, Vec<usize>) =
        rows.into_iter().partition(|&row| people.person(row).columns[column] <= threshold);
    let left = tree.nodes.len();
    grow(tree, people, pull, low, depth - 1, growth, random, leaf);
    let right = tree.nodes.len();
    grow(tree, people, pull, high, depth - 1, growth, random, leaf);
    tree.nodes[place] = Node::Split { condition: Condition::AtMost { column, threshold }, left, right };
}

/// The column and the threshold, halfway between two rows, that fit the pull best: the largest Σ (Σ gradient)² / Σ
/// weight over both sides.
fn best_split(
    people: &People,
    pull: &Pull,
    rows: &[usize],
    growth: &Growth,
    random: &mut Pcg64Mcg,
) -> Option<(usize, f64)> {
    let n_columns = people.person(0).columns.len();
    let mut columns: Vec<usize> = (0..n_columns).collect();
    for place in 0..growth.tried.min(n_columns) {
        columns.swap(place, place + (random.next_u64() % (n_columns - place) as u64) as usize);
    }
    let total: (f64, f64) =
        rows.iter().fold((0.0, 0.0), |sum, &row| (sum.0 + pull.gradient[row], sum.1 + pull.weight[row]));
    let mut best = total.0 * total.0 / total.1 + 1e-9;
    let mut found = None;
    for &column in &columns[..growth.tried.min(n_columns)] {
        let mut order: Vec<(f64, usize)> = rows.iter().map(|&row| (people.person(row).columns[column], row)).collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut left = (0.0, 0.0);
        for place in 0..order.len().saturating_sub(1) {
            let (value, row) = order[place];
            left = (left.0 + pull.gradient[row], left.1 + pull.weight[row]);
            let next = order[place + 1].0;
            let enough = place + 1 >= growth.least_rows && order.len() - place > growth.least_rows;
            if value == next || !enough {
                continue;
            }
            let right = (total.0 - left.0, total.1 - left.1);
            let fit = left.0 * left.0 / left.1 + right.0 * right.0 / right.1;
            if fit > best {
                (best, found) = (fit, Some((column, f64::midpoint(value, next))));
            }
        }
    }
    found
}
