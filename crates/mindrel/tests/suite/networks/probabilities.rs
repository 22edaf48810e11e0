//! Probabilities by Taylor and by draws, against each other, closed forms and many more draws.

use super::*;

/// What 1024 evenly spread draws are off by in a probability, at most: the largest seen here is 0.014.
const QMC_ERROR: f64 = 0.02;

/// Scales of the belief: at the last, its standard deviations are about 0.0001, and no unit of these networks switches
/// so close to the mean.
const SCALES: [f64; 6] = [1.0, 0.25, 0.0625, 0.015_625, 0.003_906_25, 0.000_976_562_5];

/// The closer the belief is drawn together, the straighter the network looks from within it [TF23, Thm 1]. The scores
/// are drawn together with it, so that the label does not become certain as well.
#[test]
fn taylor_and_draws_agree_more_the_smaller_the_variances() {
    const NETWORKS: u64 = 40;
    for n_classes in [2, 3] {
        let mut means = [0.0; SCALES.len()];
        for seed in 0..NETWORKS {
            let inside = Inside::new(n_classes, &[6, 5], 3, seed);
            for (place, scale) in SCALES.into_iter().enumerate() {
                let plan = inside.plan(scale);
                let (label, taylor) = outlook(&plan, Estimate::Taylor);
                let (other, drawn) = outlook(&plan, Estimate::Qmc);
                let difference = if label == other { (taylor - drawn).abs() } else { 1.0 };
                means[place] += difference / NETWORKS as f64;
                let last = place + 1 == SCALES.len();
                assert!(!last || difference <= QMC_ERROR, "seed {seed}: {taylor} and {drawn}");
            }
        }
        // What draws are off by anyway is left; single steps may go up by a part of it.
        assert!(means.windows(2).all(|pair| pair[1] <= pair[0] + QMC_ERROR / 10.0), "{n_classes} classes: {means:?}");
        assert!(means[SCALES.len() - 1] < means[0] / 5.0, "{n_classes} classes: {means:?}");
    }
}

/// Two ways of working out the same closed form differ by rounding, which beliefs with correlations up to 1 − 1e-5
/// multiply.
const CLOSED_FORM: f64 = 1e-9;

proptest! {
    #![proptest_config(cases(150))]

    /// A network without hidden layers is a linear model, and Taylor's expansion of it is exact [TF23, Props 4-5, App.
    /// C].
    #[test]
    fn taylor_without_hidden_layers_is_the_linear_closed_form(recipe in recipe(2..=4, 1..=6), steps in 0usize..4) {
        let (linear, network) = linear_twins(&recipe);
        prop_assume!(smallest_eigenvalue(gaussian_of(&linear)) > 1e-5);
        let person = recipe.build().person();
        let rules = Rules { estimate: Estimate::Taylor, ..rules(0.0, Selector::Importance) };
        let mut walks = [&linear, &network].map(|plan| begun(&plan.with_rules(rules).unwrap(), &person, 0));
        for _ in 0..steps {
            walks.iter_mut().for_each(|walk| walk.reveal(&person));
        }
        prop_assert_eq!(walks[0].revealed_places(), walks[1].revealed_places());
        let [(label, closed), (other, taylor)] = walks.map(|walk| walk.outlook());
        prop_assert!((closed - taylor).abs() <= CLOSED_FORM, "{closed} and {taylor}");
        prop_assert!(label == other || closed < 0.5 + CLOSED_FORM);
    }

    /// The certified test of such a network says what the exact test says.
    #[test]
    fn without_hidden_layers_a_network_asks_as_a_linear_model_does(
        recipe in recipe(2..=4, 1..=6),
        selector in prop::sample::select(vec![Selector::Importance, Selector::Random]),
    ) {
        let (linear, network) = linear_twins(&recipe);
        let person = recipe.build().person();
        let asked = |plan: &Plan| questions_asked(&plan.with_rules(rules(0.0, selector)).unwrap(), &person, 3);
        prop_assert_eq!(asked(&linear), asked(&network));
    }
}

/// Evenly spread draws through a linear network against the closed form, where the belief lies inside the domain.
#[test]
fn draws_without_hidden_layers_agree_with_the_closed_form() {
    for seed in 0..40 {
        for n_classes in [2, 3, 4] {
            let plan = Inside::new(n_classes, &[], 1 + seed as usize % 5, seed).plan(1.0);
            let ((label, exact), (other, drawn)) = (outlook(&plan, Estimate::Taylor), outlook(&plan, Estimate::Qmc));
            assert!((exact - drawn).abs() <= QMC_ERROR, "seed {seed}, {n_classes} classes: {exact} and {drawn}");
            assert!(label == other || exact < 0.5 + QMC_ERROR);
        }
    }
}

/// Draws behind a share whose standard error is then at most 0.0011; five of them, passed with probability 6e-7, are
/// below 0.006.
const RANDOM_DRAWS: usize = 200_000;
const RANDOM_ERROR: f64 = 0.006;

/// What the 1024 evenly spread draws are off by where questions of all kinds are open, up to twenty columns of them.
const MIXED_QMC_ERROR: f64 = 0.03;

/// The probability of the outlook against so many random draws from the conditional belief by the direct formula,
/// brought into the domain by other code, through networks of no to three hidden layers.
#[test]
fn draws_agree_with_many_more_random_ones() {
    let hidden: [&[usize]; 4] = [&[], &[5], &[8, 4], &[4, 6, 3]];
    for seed in 0..16 {
        let mut case = mixed(2 + seed as usize % 3, hidden[seed as usize % 4], 3 + seed as usize % 5, seed).build();
        let (plan, person) = (case.with(rules(0.25, Selector::Importance)), case.person());
        let mut walk = begun(&plan, &person, 0);
        for _ in 0..seed % 3 {
            walk.reveal(&person);
        }
        let (label, probability) = walk.outlook();
        let believed = Believed::new(&plan, &person, &known_questions(&walk));
        let share = believed.label_shares(RANDOM_DRAWS, case.random())[label.index()];
        let off = (probability - share).abs();
        assert!(off <= MIXED_QMC_ERROR + RANDOM_ERROR, "seed {seed}: {probability} is not {share}");
    }
}

/// Samples of the sampled test here. A label that at least one person in a hundred contradicts passes with probability
/// 0.99²⁰⁰⁰ = 2e-9.
const SAMPLES: usize = 2000;
const CONTRADICTED: f64 = 0.01;

/// What the sampled test settles holds for nearly everybody the belief knows of [TF23, §6.2]; it is not called a proof.
#[test]
fn a_sampled_label_is_that_of_nearly_every_draw() {
    let mut sampled = 0;
    for seed in 0..60 {
        let mut case = mixed(2 + seed as usize % 2, &[6, 5], 4, seed).build();
        let person = case.person();
        let rules = Rules { test: Test::Sampled, samples: SAMPLES, ..rules(0.0, Selector::Decisive) };
        let plan = case.with(rules);
        let mut walk = Walk::new(&plan);
        let (label, guarantee) = walk.decide(&person, seed);
        if guarantee == Guarantee::Complete {
            continue;
        }
        assert_eq!(guarantee, Guarantee::Sampled);
        sampled += 1;
        let believed = Believed::new(&plan, &person, &known_questions(&walk));
        let share = believed.label_shares(10 * SAMPLES, case.random())[label.index()];
        // Three standard errors of a share of 20 000 that is truly 0.99.
        assert!(share >= 1.0 - CONTRADICTED - 0.002, "seed {seed}: {share}");
    }
    assert!(sampled >= 20, "only {sampled} labels rest on samples");
}
