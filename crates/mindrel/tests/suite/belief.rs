//! The Gaussian belief against the direct formula of the conditional normal distribution [TF23, Prop. 3], and the
//! probabilities sessions draw from it against the same formula and against sampling [TF23, Props 4-5, App. C].

use crate::common::*;
use mindrel::belief::{BeliefError, GaussianBelief};
use mindrel::math::normal::cdf;
use mindrel::model::{LinearModel, Model};
use mindrel::schema::{Question, Target};
use mindrel::selector::Selector;
use mindrel::session::{Stage, Walk};
use mindrel::{Label, Plan, Rules, Schema};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Columns are of size one and conditioning divides by no eigenvalue below [`WELL_CONDITIONED`], so that two ways of
/// working out the same moments agree far better than this.
const MOMENT_TOLERANCE: f64 = 1e-9;

/// Samples whose correlations have a smaller eigenvalue, other than the zeros of one-hot blocks, are left out: rounding
/// of 1e-16 divided by it is what separates two ways of conditioning.
const WELL_CONDITIONED: f64 = 1e-5;

/// Φ(m/σ) is compared where σ² is more than this share of the variance the score would have with independent columns.
/// Below it, rounding of the moments is divided by a σ that is next to nothing. The score's own first variance is no
/// measure: with equal weights on all levels of a category it is nothing but rounding itself.
const VARIANCE_LEFT: f64 = 1e-6;

/// Rounding of the moments, 1e-12 or so, over a σ of 1e-3 of its first size.
const PROBABILITY_TOLERANCE: f64 = 1e-8;

/// A sampled share is off by more than this many of its standard errors with probability 2e-9.
const SIGMAS: f64 = 6.0;

fn largest_difference<'a>(left: impl IntoIterator<Item = &'a f64>, right: impl IntoIterator<Item = &'a f64>) -> f64 {
    left.into_iter().zip(right).map(|(left, right)| (left - right).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn revealing_one_column_after_the_other_is_the_direct_formula_in_any_order(recipe in recipe(2..=2, 1..=6)) {
        let mut case = recipe.build();
        prop_assume!(smallest_eigenvalue(gaussian_of(&case.plan)) > WELL_CONDITIONED);
        let person = case.believed_person();
        let size = person.len();
        let order = shuffled(size, case.random());
        let mut belief = gaussian_of(&case.plan).clone();
        for (count, &column) in order.iter().enumerate() {
            belief.reveal(column, person[column]);
            let (mean, covariance) = direct_condition(gaussian_of(&case.plan), &order[..=count], &person);
            let off = largest_difference(belief.mean(), &mean);
            prop_assert!(off <= MOMENT_TOLERANCE, "mean off by {off:e} after {} columns", count + 1);
            let off = largest_difference(belief.covariance().entries(), &covariance);
            prop_assert!(off <= MOMENT_TOLERANCE, "covariance off by {off:e} after {} columns", count + 1);
        }
    }

    #[test]
    fn with_everything_revealed_the_mean_is_the_person_and_nothing_varies(recipe in recipe(2..=2, 1..=6)) {
        let mut case = recipe.build();
        let person = case.person();
        let mut belief = gaussian_of(&case.plan).clone();
        for column in shuffled(person.len(), case.random()) {
            belief.reveal(column, person[column]);
        }
        prop_assert_eq!(belief.mean(), &person[..]);
        prop_assert!(belief.covariance().entries().iter().all(|entry| *entry == 0.0));
    }

    #[test]
    fn the_covariance_depends_on_which_columns_are_known_and_on_no_value(recipe in recipe(2..=2, 2..=6)) {
        let mut case = recipe.build();
        let (one, other) = (case.person(), case.person());
        let mut beliefs = [gaussian_of(&case.plan).clone(), gaussian_of(&case.plan).clone()];
        for column in shuffled(one.len(), case.random()) {
            beliefs[0].reveal(column, one[column]);
            beliefs[1].reveal(column, other[column]);
            prop_assert_eq!(beliefs[0].covariance(), beliefs[1].covariance());
        }
    }

    /// Variances never grow as more is known, and never fall below zero.
    #[test]
    fn variances_only_fall(recipe in recipe(2..=2, 2..=6)) {
        let mut case = recipe.build();
        let person = case.person();
        let mut belief = gaussian_of(&case.plan).clone();
        let variances = |belief: &GaussianBelief| -> Vec<f64> {
            (0..belief.n_columns()).map(|place| belief.covariance().at(place, place)).collect()
        };
        let mut before = variances(&belief);
        for column in shuffled(person.len(), case.random()) {
            belief.reveal(column, person[column]);
            let after = variances(&belief);
            prop_assert!(after.iter().zip(&before).all(|(after, before)| (0.0..=*before).contains(after)));
            before = after;
        }
    }

    /// The paths that sessions share, seen through [`Walk::outlook`], against Φ(m/σ) by the direct formula.
    #[test]
    fn the_outlook_of_two_classes_is_phi_of_the_direct_moments(
        recipe in recipe(2..=2, 1..=6),
        selector in selector(),
        delta in prop::sample::select(vec![0.0, 1e-9]),
    ) {
        let mut case = recipe.build();
        prop_assume!(smallest_eigenvalue(gaussian_of(&case.plan)) > WELL_CONDITIONED);
        let plan = case.with(rules(delta, selector));
        let independent_variance = independent_variance(&plan);
        for _ in 0..2 {
            let person = case.believed_person();
            let mut walk = begun(&plan, &person, recipe.seed);
            loop {
                let (mean, variance) = score_moments(gaussian_of(&case.plan), &walk, &person);
                if variance > VARIANCE_LEFT * independent_variance {
                    let positive = cdf(mean / variance.sqrt());
                    let (label, probability) = walk.outlook();
                    let expected = if label == Label::POSITIVE { positive } else { 1.0 - positive };
                    prop_assert!((probability - expected).abs() <= PROBABILITY_TOLERANCE,
                        "{probability} instead of {expected}");
                    prop_assert!(probability >= 0.5 - PROBABILITY_TOLERANCE);
                }
                if asking(&walk).is_none() {
                    break;
                }
                walk.reveal(&person);
            }
        }
    }

    /// Whoever came before, in whatever order they were asked: the same person sees the same, to the last bit.
    #[test]
    fn the_shared_paths_do_not_remember_who_walked_them(recipe in recipe(2..=3, 2..=5), selector in selector()) {
        let mut case = recipe.build();
        let person = case.person();
        let outlooks = |plan: &Plan| {
            let mut walk = begun(plan, &person, 3);
            let mut seen = vec![(walk.stage(), walk.outlook())];
            while asking(&walk).is_some() {
                walk.reveal(&person);
                seen.push((walk.stage(), walk.outlook()));
            }
            seen
        };
        let fresh = recipe.build();
        let alone = outlooks(&fresh.with(rules(0.0, selector)));
        for seed in 0..6 {
            let others = case.with(rules(0.0, Selector::Random));
            let other = case.person();
            Walk::new(&others).decide(&other, seed);
        }
        prop_assert_eq!(outlooks(&case.with(rules(0.0, selector))), alone);
    }

    #[test]
    fn a_covariance_that_is_not_symmetric_is_refused(recipe in recipe(2..=2, 2..=5), place in any::<prop::sample::Index>()) {
        let case = recipe.build();
        let belief = gaussian_of(&case.plan);
        let size = belief.n_columns();
        let (row, column) = (place.index(size), (place.index(size) + 1) % size);
        let mut covariance = belief.covariance().entries().to_vec();
        covariance[row * size + column] += 0.01;
        let refused = GaussianBelief::new(belief.mean().to_vec(), covariance);
        let not_symmetric = matches!(refused, Err(BeliefError::NotSymmetric { .. }));
        prop_assert!(not_symmetric, "{refused:?}");
    }

    /// A covariance less a little more than its smallest eigenvalue has a negative one.
    #[test]
    fn an_indefinite_covariance_is_refused(recipe in recipe(2..=2, 2..=5), excess in 0.001f64..1.0) {
        let case = recipe.build();
        let belief = gaussian_of(&case.plan);
        let size = belief.n_columns();
        let matrix = DMatrix::from_row_slice(size, size, belief.covariance().entries());
        let smallest = matrix.clone().symmetric_eigen().eigenvalues.min();
        let indefinite = matrix - DMatrix::identity(size, size) * (smallest + excess);
        let refused = GaussianBelief::new(belief.mean().to_vec(), indefinite.as_slice().to_vec());
        let seen = matches!(refused, Err(BeliefError::Indefinite { .. } | BeliefError::NotSymmetric { .. }));
        prop_assert!(seen, "{refused:?}");
    }

    /// Moments of fewer people than columns are singular in many directions, and still those of a distribution.
    #[test]
    fn singular_covariances_are_accepted(recipe in recipe(2..=2, 1..=6), people in 1usize..6) {
        let case = Recipe { sample: people, ..recipe }.build();
        prop_assert_eq!(case.plan.belief().n_columns(), case.plan.schema().n_columns());
    }

    #[test]
    fn a_belief_reads_back_as_it_was_written(recipe in recipe(2..=2, 1..=6)) {
        let belief = gaussian_of(&recipe.build().plan).clone();
        let written = serde_json::to_string(&belief).unwrap();
        // serde_json is built here without `float_roundtrip`, which may cost the last bit.
        let read: GaussianBelief = serde_json::from_str(&written).unwrap();
        prop_assert!(largest_difference(read.mean(), belief.mean()) <= f64::EPSILON);
        prop_assert!(largest_difference(read.covariance().entries(), belief.covariance().entries()) <= f64::EPSILON);
    }
}

/// The variance of a binary model's score if its sensitive columns were independent: the size of what is added up.
fn independent_variance(plan: &Plan) -> f64 {
    let variance =
        |column: usize| linear(plan).weights(0)[column].powi(2) * gaussian_of(plan).covariance().at(column, column);
    plan.sensitive().iter().flat_map(|&id| plan.schema().columns(id)).map(variance).sum()
}

/// Mean and variance of a binary model's score, given what a walk has revealed of a person [TF23, Eqs (5)-(6)].
fn score_moments(belief: &GaussianBelief, walk: &Walk, person: &[f64]) -> (f64, f64) {
    let model = linear(walk.plan());
    let (known, open) = columns_by_knowledge(walk.plan().schema(), &known_questions(walk));
    let (mut mean, covariance) = direct_condition(belief, &known, person);
    for column in known {
        mean[column] = person[column];
    }
    let weights = DVector::from_column_slice(model.weights(0));
    let expected = model.intercept(0) + weights.dot(&mean);
    // What rounding leaves of a known column's variance must not be multiplied by its weight.
    let open_weights =
        DVector::from_fn(weights.len(), |column, _| if open.contains(&column) { weights[column] } else { 0.0 });
    (expected, (open_weights.transpose() * covariance * &open_weights)[(0, 0)])
}

#[test]
fn numbers_that_are_not_finite_and_sizes_that_do_not_fit_are_refused() {
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mean = GaussianBelief::new(vec![wrong, 0.0], vec![1.0, 0.0, 0.0, 1.0]);
        assert_eq!(mean, Err(BeliefError::NotFinite));
        let covariance = GaussianBelief::new(vec![0.0, 0.0], vec![1.0, wrong, wrong, 1.0]);
        assert_eq!(covariance, Err(BeliefError::NotFinite));
    }
    let short = GaussianBelief::new(vec![0.0, 0.0], vec![1.0, 0.0, 1.0]);
    assert_eq!(short, Err(BeliefError::Size { columns: 2, found: 3 }));
}

#[test]
fn negative_variances_and_impossible_correlations_are_refused() {
    let cases = [
        (vec![-1.0, 0.0, 0.0, 1.0], 0),
        (vec![1.0, 2.0, 2.0, 1.0], 1),
        // A column that does not vary cannot vary together with another.
        (vec![0.0, 0.5, 0.5, 1.0], 0),
        (vec![1.0, 0.5, 0.5, 0.0], 1),
    ];
    for (covariance, _) in cases {
        let refused = GaussianBelief::new(vec![0.0, 0.0], covariance.clone());
        assert!(matches!(refused, Err(BeliefError::Indefinite { .. })), "{covariance:?}: {refused:?}");
    }
}

/// Three people who all say 0.1 have a mean just beside it. What that leaves of a variance was once divided by, and
/// somebody who says something else moved all other means to anywhere.
#[test]
fn a_column_that_varies_by_the_rounding_of_its_mean_moves_nothing() {
    let off = 0.1 * f64::EPSILON;
    let mut belief = GaussianBelief::new(vec![0.1, 0.0], vec![off * off, 0.5 * off, 0.5 * off, 1.0]).unwrap();
    belief.reveal(0, -1.0);
    assert_eq!(belief.mean(), [-1.0, 0.0]);
    assert_eq!(belief.covariance().at(1, 1), 1.0);
}

/// Draws of all columns given what is known, and how often each label comes out.
fn sampled_shares(walk: &Walk, person: &[f64], draws: usize, random: &mut Pcg64Mcg) -> Vec<f64> {
    let plan = walk.plan();
    let (known, _) = columns_by_knowledge(plan.schema(), &known_questions(walk));
    let (mean, covariance) = direct_condition(gaussian_of(plan), &known, person);
    let root = square_root(&covariance);
    let mut counts = vec![0usize; plan.schema().target().classes.len()];
    let mut point = vec![0.0; person.len()];
    let mut noise = DVector::zeros(person.len());
    for _ in 0..draws {
        noise.iter_mut().for_each(|place| *place = normal(random));
        let moved = &root * &noise;
        for (column, value) in point.iter_mut().enumerate() {
            *value = mean[column] + moved[column];
        }
        for &column in &known {
            point[column] = person[column];
        }
        counts[plan.model().label(&point).index()] += 1;
    }
    counts.iter().map(|count| *count as f64 / draws as f64).collect()
}

/// 3, 4 and 5 classes, 12 plans each, two stages of each walk, 20 000 draws. Seeded, so luck was had once; a fresh seed
/// fails by luck with probability below 72 · 2e-9 < 2e-7.
#[test]
fn the_outlook_of_several_classes_is_the_share_of_sampled_people() {
    const DRAWS: usize = 20_000;
    let mut random = Pcg64Mcg::seed_from_u64(42);
    for n_classes in [3, 4, 5] {
        for seed in 0..12 {
            let recipe = Recipe {
                questions: vec![
                    (Shape::Number, true),
                    (Shape::Number, false),
                    (Shape::OneHot(3), false),
                    (Shape::Number, false),
                    (Shape::Boolean, false),
                ],
                ..numbers(n_classes, 0, seed)
            };
            let mut case = recipe.build();
            let person = case.believed_person();
            let mut walk = begun(&case.with(rules(0.0, Selector::Importance)), &person, 0);
            for _ in 0..2 {
                let (label, probability) = walk.outlook();
                let shares = sampled_shares(&walk, &person, DRAWS, &mut random);
                let error = (probability * (1.0 - probability) / DRAWS as f64).sqrt();
                // One draw more or less is the least that can be seen.
                let allowed = SIGMAS * error + 2.0 / DRAWS as f64;
                let share = shares[label.index()];
                assert!(
                    (share - probability).abs() <= allowed,
                    "{n_classes} classes, seed {seed}: {probability} against {share} ± {error}"
                );
                walk.reveal(&person);
            }
        }
    }
}

/// The score is 0 for sure: a column that never varied stands at its mean, but could lie elsewhere in its domain, so
/// that nothing is proved. A binary score of zero is label 1, and the outlook must say so.
#[test]
fn an_outlook_without_variance_follows_the_models_rule_for_ties() {
    use mindrel::model::LinearModel;
    use mindrel::schema::{Question, Schema};
    let schema = Schema::new(target(2), vec![Question::number("x", -1.0, 1.0)]).unwrap();
    let model = LinearModel::new(1, vec![1.0], vec![0.0]).unwrap();
    let belief = GaussianBelief::new(vec![0.0], vec![0.0]).unwrap();
    let plan = Plan::new(schema, model, belief, Rules::default()).unwrap();
    let walk = begun(&plan, &[0.5], 0);
    assert!(matches!(walk.stage(), Stage::Asking { .. }));
    assert_eq!(walk.outlook(), (Label::POSITIVE, 1.0));
}

/// A revealed column with a huge weight once left its rounding behind in the variance of the score, so that the
/// probability came out as 0.51 instead of 0.77.
#[test]
fn a_heavy_column_leaves_no_rounding_behind_once_it_is_revealed() {
    for heavy in [1.0, 1e4, 1e7, 1e9, 1e12] {
        let questions = vec![Question::number("heavy", -1.0, 1.0), Question::number("light", -1.0, 1.0)];
        let classes = vec!["no".to_owned(), "yes".to_owned()];
        let target = Target::new("label", "", classes);
        let schema = Schema::new(target, questions).expect("the questions are sound");
        let model = LinearModel::new(2, vec![heavy, 1.0], vec![0.3]).expect("the weights are finite");
        let belief = GaussianBelief::new(vec![0.0; 2], vec![0.3, 0.1, 0.1, 0.2]).expect("it is a covariance");
        let rules = Rules { delta: 0.01, selector: Selector::Importance, ..Rules::default() };
        let plan = Plan::new(schema, model, belief, rules).expect("the parts fit");
        let mut walk = Walk::new(&plan);
        walk.begin(&[0.0; 2], 0);
        walk.reveal(&[0.0; 2]);
        // light | heavy = 0 is N(0, 0.2 − 0.1²/0.3).
        let expected = cdf(0.3 / (0.2f64 - 0.1 * 0.1 / 0.3).sqrt());
        assert!((walk.outlook().1 - expected).abs() < PROBABILITY_TOLERANCE, "{heavy}: {}", walk.outlook().1);
    }
}

/// Its `Debug` printed the mean, which of a revealed column is the answer.
#[test]
fn a_belief_that_has_heard_an_answer_does_not_show_it() {
    let mut belief = GaussianBelief::new(vec![0.0; 2], vec![1.0, 0.5, 0.5, 1.0]).expect("sound");
    belief.reveal(0, 0.123_456);
    assert!(!format!("{belief:?}").contains("123456"));
}
