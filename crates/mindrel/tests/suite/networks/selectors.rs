//! What is asked next.

use super::*;

/// Strata of a candidate's value, and draws of everything else within each: standard errors of the expected entropy are
/// some 0.003.
const STRATA: usize = 48;
const DRAWS_EACH: usize = 500;

/// What the selector's own estimate of an expected entropy is off by, with 8 nodes and 128 draws at each, in nats.
const ENTROPY_ERROR: f64 = 0.05;

/// The expected entropy of the label once a question is known, by nested sampling [TF23, Eq. (3)].
fn expected_entropy(walk: &Walk, person: &[f64], question: QuestionId, random: &mut Pcg64Mcg) -> f64 {
    let (plan, known) = (walk.plan(), known_questions(walk));
    let column = plan.schema().columns(question).start;
    let (mean, deviation) = Believed::new(plan, person, &known).moments(column);
    let mut then = known.clone();
    then[question.index()] = true;
    let entropy_at = |stratum: usize| {
        let mut person = person.to_vec();
        person[column] = mean + deviation * quantile((stratum as f64 + 0.5) / STRATA as f64);
        let believed = Believed::new(plan, &person, &then).bringing_in_all_but(&known);
        entropy(&believed.label_shares(DRAWS_EACH, random))
    };
    (0..STRATA).map(entropy_at).sum::<f64>() / STRATA as f64
}

/// The question a selector asks first, its expected entropy, and the least and the second least of all.
fn entropies(plan: &Plan, asked: QuestionId, seed: u64) -> (f64, f64, f64) {
    let person = vec![0.0; plan.schema().n_columns()];
    let walk = begun(plan, &person, 0);
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let all: Vec<f64> = plan.schema().ids().map(|id| expected_entropy(&walk, &person, id, &mut random)).collect();
    let mut sorted = all.clone();
    sorted.sort_by(f64::total_cmp);
    (all[asked.index()], sorted[0], sorted[1])
}

/// By draws through networks with hidden layers, and by Taylor's expansion where it is exact.
#[test]
fn f_score_asks_for_nearly_the_least_expected_entropy() {
    let mut clear = 0;
    for seed in 0..36 {
        let (hidden, estimate): (&[usize], Estimate) =
            [(&[6, 5][..], Estimate::Qmc), (&[][..], Estimate::Taylor), (&[7][..], Estimate::Qmc)][seed as usize % 3];
        let plan = Inside::new(2 + seed as usize % 2, hidden, 3, seed).plan(1.0);
        let plan = plan.with_rules(Rules { estimate, ..rules(0.0, Selector::FScore) }).unwrap();
        let Some(asked) = asking(&begun(&plan, &[0.0; 3], 0)) else { continue };
        let (of_asked, least, second) = entropies(&plan, asked, seed);
        assert!(of_asked <= least + ENTROPY_ERROR, "seed {seed}: {of_asked} is not {least}");
        clear += usize::from(second > least + ENTROPY_ERROR);
    }
    assert!(clear >= 10, "only {clear} choices were clear");
}

/// The published estimate with many draws asks for the same, wherever one question is clearly best [TF23, Eq. (4)].
#[test]
fn f_score_by_many_draws_agrees_where_the_difference_is_large() {
    let mut clear = 0;
    for seed in 0..30 {
        let plan = Inside::new(2 + seed as usize % 2, &[6, 5], 3, 100 + seed).plan(1.0);
        let plan = plan.with_rules(Rules { draws: 500, ..rules(0.0, Selector::FScoreMc) }).unwrap();
        let Some(asked) = asking(&begun(&plan, &[0.0; 3], seed)) else { continue };
        let (of_asked, least, second) = entropies(&plan, asked, seed);
        if second > least + ENTROPY_ERROR {
            assert_eq!(of_asked, least, "seed {seed}: {of_asked} is not {least}");
            clear += 1;
        }
    }
    assert!(clear >= 10, "only {clear} choices were clear");
}

/// All questions in the order a selector would ask them: each is declined in turn.
fn whole_order(plan: &Plan, selector: Selector) -> Vec<QuestionId> {
    let plan = plan.with_rules(rules(0.0, selector)).unwrap();
    let mut walk = begun(&plan, &vec![0.0; plan.schema().n_columns()], 0);
    let mut order = Vec::new();
    while let Some(asked) = asking(&walk) {
        order.push(asked);
        walk.decline();
    }
    order
}

proptest! {
    #![proptest_config(cases(100))]

    /// The gradient of a linear network is its weights. The order is that of all questions, unless a label is settled
    /// without them.
    #[test]
    fn importance_without_hidden_layers_is_the_size_of_the_weights(recipe in recipe(2..=4, 2..=6)) {
        let (twin, network) = linear_twins(&recipe);
        let (order, model) = (whole_order(&network, Selector::Importance), linear(&twin));
        let size = |id: &QuestionId| {
            let rows = (0..model.n_scores()).flat_map(|score| &model.weights(score)[twin.schema().columns(*id)]);
            rows.map(|weight| weight * weight).sum::<f64>().sqrt()
        };
        prop_assert!(order.windows(2).all(|pair| size(&pair[0]) >= size(&pair[1])));
    }

    /// Whatever the network, and per cost.
    #[test]
    fn importance_logistic_follows_the_weights_of_the_plan(recipe in network_recipe(2..=3, 2..=6)) {
        let plan = Recipe { weights: Weights::Normal, ..recipe }.build().plan;
        let order = whole_order(&plan, Selector::ImportanceLogistic);
        let weights = plan.to_parts().logistic_weights.expect("random networks come with them");
        prop_assert!(order.windows(2).all(|pair| weights[pair[0].index()] >= weights[pair[1].index()]));
    }
}

#[test]
fn rules_a_model_cannot_follow_are_refused() {
    let network = mixed(2, &[3], 3, 0).build().plan;
    let bare = Plan::try_from(PlanParts { logistic_weights: None, ..network.to_parts() }).unwrap();
    let logistic = Rules { selector: Selector::ImportanceLogistic, ..Rules::default() };
    assert!(network.with_rules(logistic).is_ok());
    assert_eq!(bare.with_rules(logistic).err(), Some(PlanError::NoLogisticWeights));
    let made_so = PlanParts { rules: logistic, ..bare.to_parts() };
    assert_eq!(Plan::try_from(made_so).err(), Some(PlanError::NoLogisticWeights));
    for weights in [vec![1.0; 2], vec![1.0; 4], vec![1.0, f64::NAN, 1.0], vec![1.0, f64::INFINITY, 1.0]] {
        let parts = PlanParts { logistic_weights: Some(weights), ..network.to_parts() };
        assert_eq!(Plan::try_from(parts).err(), Some(PlanError::LogisticWeights { questions: 3 }));
    }
    let linear = numbers(2, 3, 0).build().plan;
    let sampled = Rules { test: Test::Sampled, ..Rules::default() };
    assert!(network.with_rules(sampled).is_ok());
    assert_eq!(linear.with_rules(sampled).err(), Some(PlanError::SampledLinear));
    for (samples, budget) in [(0, 1), (100_000_001, 1), (1, 0)] {
        assert!(matches!(network.with_rules(Rules { samples, budget, ..Rules::default() }), Err(PlanError::Rules(_))));
    }
}
