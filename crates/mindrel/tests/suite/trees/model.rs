//! What an ensemble says of a person, what is no ensemble, and what is written of one.

use mindrel::Label;
use mindrel::model::{
    Arithmetic, Classifier, Combine, Condition, Model, ModelError, Node, Tree, TreeEnsemble, TreeEnsembleParts,
    TreeError, label_of_scores,
};

fn split(column: usize, threshold: f64, left: usize, right: usize) -> Node {
    Node::Split { condition: Condition::AtMost { column, threshold }, left, right }
}

/// One split of column 0 at zero, with these leaves.
fn stump(left: f64, right: f64) -> Tree {
    let nodes = vec![split(0, 0.0, 1, 2), Node::Leaf { value: 0 }, Node::Leaf { value: 1 }];
    Tree { class: Some(0), nodes, values: vec![left, right] }
}

fn parts(trees: Vec<Tree>) -> TreeEnsembleParts {
    TreeEnsembleParts {
        n_columns: 2,
        n_outputs: 1,
        start: vec![0.0],
        trees,
        combine: Combine::Sum,
        arithmetic: Arithmetic::Double,
        threshold: 0.0,
        positive_at_zero: true,
    }
}

fn score(parts: TreeEnsembleParts, person: &[f64]) -> f64 {
    let mut scores = [f64::NAN];
    TreeEnsemble::new(parts).unwrap().scores(person, &mut scores);
    scores[0]
}

fn refusal(parts: TreeEnsembleParts) -> ModelError {
    TreeEnsemble::new(parts).unwrap_err()
}

#[test]
fn a_person_at_the_threshold_goes_left() {
    let parts = parts(vec![stump(1.0, 2.0)]);
    assert_eq!(score(parts.clone(), &[0.0, 0.0]), 1.0);
    assert_eq!(score(parts, &[f64::from_bits(1), 0.0]), 2.0);
}

#[test]
fn any_of_the_listed_columns_sends_a_person_left() {
    let condition = Condition::AnyOf { columns: vec![0, 1] };
    let nodes = vec![Node::Split { condition, left: 1, right: 2 }, Node::Leaf { value: 0 }, Node::Leaf { value: 1 }];
    let parts = parts(vec![Tree { class: None, nodes, values: vec![1.0, 2.0] }]);
    assert_eq!(score(parts.clone(), &[0.0, 1.0]), 1.0);
    assert_eq!(score(parts.clone(), &[0.5, 0.0]), 1.0);
    assert_eq!(score(parts, &[0.0, 0.0]), 2.0);
}

#[test]
fn sums_are_rounded_tree_after_tree_as_the_arithmetic_says() {
    let trees: Vec<Tree> = [0.1, 0.2, 0.3].into_iter().map(|value| stump(value, value)).collect();
    let double = parts(trees.clone());
    assert_eq!(score(double, &[0.0, 0.0]), 0.1 + 0.2 + 0.3);
    let single = TreeEnsembleParts { arithmetic: Arithmetic::Single, ..parts(trees.clone()) };
    assert_eq!(score(single.clone(), &[0.0, 0.0]), f64::from(0.1f32 + 0.2f32 + 0.3f32));
    let mean = TreeEnsembleParts { combine: Combine::Mean, start: vec![1.0], threshold: 0.25, ..single };
    assert_eq!(score(mean, &[0.0, 0.0]), f64::from((1.0f32 + 0.1 + 0.2 + 0.3) / 3.0) - 0.25);
}

#[test]
fn a_score_of_exactly_zero_is_the_label_that_was_agreed_on() {
    let label = |positive_at_zero| {
        let parts = TreeEnsembleParts { positive_at_zero, threshold: 0.5, ..parts(vec![stump(0.5, 1.0)]) };
        TreeEnsemble::new(parts).unwrap().label(&[0.0, 0.0])
    };
    assert_eq!((label(true), label(false)), (Label::POSITIVE, Label::NEGATIVE));
}

#[test]
fn equal_votes_are_label_0_and_of_equal_classes_the_first_wins() {
    let vote = |values: Vec<f64>| Tree { class: None, nodes: vec![Node::Leaf { value: 0 }], values };
    let two = TreeEnsembleParts {
        n_outputs: 2,
        start: vec![0.0; 2],
        positive_at_zero: false,
        ..parts(vec![vote(vec![1.0, 0.0]), vote(vec![0.0, 1.0])])
    };
    assert_eq!(TreeEnsemble::new(two).unwrap().label(&[0.0; 2]), Label::NEGATIVE);
    let three = TreeEnsembleParts {
        n_outputs: 3,
        start: vec![0.0; 3],
        ..parts(vec![vote(vec![0.0, 1.0, 0.0]), vote(vec![0.0, 0.0, 1.0])])
    };
    let three = TreeEnsemble::new(three).unwrap();
    assert_eq!((three.n_scores(), three.label(&[0.0; 2])), (3, Label::new(1)));
}

#[test]
fn a_very_deep_tree_is_walked_without_a_stack() {
    let depth = 200_000;
    let mut nodes: Vec<Node> = (0..depth).map(|place| split(0, -2.0, 2 * place + 1, 2 * place + 2)).collect();
    // Split k sits at node 2k, its leaf at 2k + 1.
    nodes = nodes.into_iter().flat_map(|node| [node, Node::Leaf { value: 0 }]).collect();
    nodes.push(Node::Leaf { value: 1 });
    let parts = parts(vec![Tree { class: Some(0), nodes, values: vec![1.0, 2.0] }]);
    assert_eq!(score(parts, &[0.0, 0.0]), 2.0);
}

#[test]
fn what_is_no_tree_is_refused_with_its_place() {
    let with =
        |nodes: Vec<Node>, values: Vec<f64>| parts(vec![stump(0.0, 1.0), Tree { class: Some(0), nodes, values }]);
    let leaf = |value| Node::Leaf { value };
    assert_eq!(refusal(parts(Vec::new())), TreeError::Empty.into());
    assert_eq!(refusal(with(Vec::new(), Vec::new())), TreeError::NoNodes { tree: 1 }.into());
    let child = with(vec![split(0, 0.0, 0, 1), leaf(0)], vec![0.0]);
    assert_eq!(refusal(child), TreeError::Child { tree: 1, node: 0, found: 0, n_nodes: 2 }.into());
    let shared = with(vec![split(0, 0.0, 1, 1), leaf(0)], vec![0.0]);
    assert_eq!(refusal(shared), TreeError::Parents { tree: 1, node: 1, found: 2 }.into());
    let orphan = with(vec![leaf(0), leaf(0)], vec![0.0]);
    assert_eq!(refusal(orphan), TreeError::Parents { tree: 1, node: 1, found: 0 }.into());
    let column = with(vec![split(2, 0.0, 1, 2), leaf(0), leaf(0)], vec![0.0]);
    assert_eq!(refusal(column), TreeError::Column { tree: 1, node: 0, found: 2, n_columns: 2 }.into());
    let value = with(vec![leaf(usize::MAX)], vec![0.0]);
    assert_eq!(refusal(value), TreeError::Value { tree: 1, node: 0, n_values: 1 }.into());
    assert_eq!(refusal(with(vec![leaf(0)], vec![f64::NAN])), TreeError::NotFinite.into());
    let nan = with(vec![split(0, f64::NAN, 1, 2), leaf(0), leaf(0)], vec![0.0]);
    assert_eq!(refusal(nan), TreeError::NotFinite.into());
    assert_eq!(refusal(with(vec![leaf(0)], vec![1e300])), ModelError::TooLarge);
    let output = parts(vec![Tree { class: Some(1), ..stump(0.0, 1.0) }]);
    assert_eq!(refusal(output), TreeError::Output { tree: 0, found: 1, n_outputs: 1 }.into());
    let start = TreeEnsembleParts { start: Vec::new(), ..parts(vec![stump(0.0, 1.0)]) };
    assert_eq!(refusal(start), TreeError::StartCount { expected: 1, found: 0 }.into());
}

#[test]
fn what_is_written_of_an_ensemble_makes_the_same_again() {
    let condition = Condition::AnyOf { columns: vec![1, 0] };
    let nodes = vec![
        split(1, -0.25, 3, 1),
        Node::Split { condition, left: 2, right: 4 },
        Node::Leaf { value: 2 },
        Node::Leaf { value: 0 },
        Node::Leaf { value: 1 },
    ];
    let tree = Tree { class: None, nodes, values: vec![0.1, 0.7, -3.0] };
    let parts = parts(vec![stump(1.0, 2.0), tree]);
    let ensemble = TreeEnsemble::new(parts.clone()).unwrap();
    assert_eq!(ensemble.to_parts(), parts);
    let text = serde_json::to_string(&Classifier::from(ensemble.clone())).unwrap();
    let again: Classifier = serde_json::from_str(&text).unwrap();
    assert_eq!(again, Classifier::Trees(ensemble));
    let mut scores = [0.0];
    again.scores(&[1.0, 1.0], &mut scores);
    assert_eq!((scores[0], label_of_scores(&scores)), (2.0 - 3.0, Label::NEGATIVE));
}
