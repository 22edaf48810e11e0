//! Questions chosen by one set of draws, against conditioning by enumeration.

use mindrel::belief::GaussianBelief;
use mindrel::math::normal::entropy;
use mindrel::model::Condition;

use super::*;

/// A tree that sends a yes to column `column` on, and so counts how many of some columns say yes.
fn counting(columns: &[usize], least: usize) -> TreeEnsemble {
    let tree = |&column: &usize| {
        let condition = Condition::AtMost { column, threshold: 0.0 };
        let nodes =
            vec![Node::Split { condition, left: 1, right: 2 }, Node::Leaf { value: 0 }, Node::Leaf { value: 1 }];
        Tree { class: Some(0), nodes, values: vec![0.0, 1.0] }
    };
    TreeEnsemble::new(TreeEnsembleParts {
        n_columns: 4,
        n_outputs: 1,
        start: vec![0.0],
        trees: columns.iter().map(tree).collect(),
        combine: Combine::Sum,
        arithmetic: Arithmetic::Double,
        threshold: least as f64,
        positive_at_zero: true,
    })
    .unwrap()
}

/// The expected entropy of the label once one of four independent yes-or-no questions is known, by enumeration.
fn entropy_after(model: &TreeEnsemble, yes: &[f64; 4], known: usize) -> f64 {
    let mut joint = [[0.0; 2]; 2];
    for number in 0..16usize {
        let says = |question: usize| number >> question & 1;
        let person: Vec<f64> = (0..4).map(|question| 2.0 * says(question) as f64 - 1.0).collect();
        let share: f64 = (0..4).map(|q| if says(q) == 1 { yes[q] } else { 1.0 - yes[q] }).product();
        joint[says(known)][model.label(&person).index()] += share;
    }
    let given = |side: &[f64; 2]| {
        let total = side[0] + side[1];
        if total > 0.0 { total * entropy(&[side[0] / total, side[1] / total]) } else { 0.0 }
    };
    joint.iter().map(given).sum()
}

/// Four yes-or-no questions, independent under the belief, with other chances of a yes. The draws choose the question
/// that enumeration chooses, wherever it is better than the next by more than draws can be wrong by.
#[test]
fn the_question_chosen_by_draws_is_the_one_that_conditioning_chooses() {
    /// Standard deviations of an entropy by a thousand draws are near 0.02.
    const CLEARLY: f64 = 0.03;
    let mut clear = 0;
    for (columns, least) in [(vec![0, 1, 2, 3], 2), (vec![0, 0, 1, 2], 2), (vec![3, 3, 3, 1], 3), (vec![2, 2, 0, 1], 3)]
    {
        for means in [[0.0, 0.3, -0.4, 0.6], [0.8, 0.0, 0.2, -0.2], [-0.5, 0.5, 0.0, 0.1], [0.1, -0.9, 0.9, 0.0]] {
            let model = counting(&columns, least);
            let belief =
                GaussianBelief::new(means.to_vec(), (0..16).map(|i| f64::from(u8::from(i % 5 == 0)) * 0.5).collect());
            let belief = belief.unwrap();
            // A draw is brought to the nearer of no (−1) and yes (1).
            let yes = means.map(|mean| mindrel::math::normal::cdf(mean / 0.5f64.sqrt()));
            let mut after: Vec<(f64, usize)> = (0..4).map(|q| (entropy_after(&model, &yes, q), q)).collect();
            after.sort_by(|one, other| one.0.total_cmp(&other.0));
            if after[1].0 - after[0].0 < CLEARLY {
                continue;
            }
            clear += 1;
            let questions = (0..4).map(|place| mindrel::schema::Question::boolean(format!("q{place}"))).collect();
            let schema = mindrel::Schema::new(target(2), questions).unwrap();
            for selector in [Selector::FScore, Selector::FScoreMc, Selector::Decisive] {
                let rules = Rules { selector, delta: 0.001, ..Rules::default() };
                let plan = Plan::new(schema.clone(), model.clone(), belief.clone(), rules).unwrap();
                let walk = begun(&plan, &[0.0; 4], 7);
                let asked = asking(&walk).expect("nothing is settled");
                assert_eq!(asked.index(), after[0].1, "{selector} with {columns:?} at {means:?}");
            }
        }
    }
    assert!(clear >= 6, "only {clear} cases tell questions apart");
}
