//! Laws of all beliefs: one Gaussian, mixtures of them, Bayesian networks for all sets or for each, copulas.

use crate::common::*;
use mindrel::belief::{Belief, Inference, MixtureBelief, Predictive, predictive};
use mindrel::core_test::{Estimate, Guarantee};
use mindrel::model::Model;
use mindrel::plan::{Plan, PlanError, PlanParts, Rules};
use mindrel::selector::Selector;
use mindrel::session::Walk;
use mindrel::verify::verify;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

/// How far two ways of conditioning may be apart in numbers of size one, where no correlation is within 1e-5 of being exact.
const ROUNDING: f64 = 1e-6;

/// Whether rounding stays small when this case is conditioned.
fn is_well_conditioned(plan: &Plan) -> bool {
    match plan.belief() {
        Belief::Gaussian(belief) => smallest_eigenvalue(belief) > 1e-5,
        Belief::Mixture(belief) => belief.components().all(|(_, component)| smallest_eigenvalue(component) > 1e-5),
        Belief::BayesNn(_) => true,
        Belief::Copula(belief) => smallest_eigenvalue(belief.correlation()) > 1e-5,
    }
}

/// The places of sensitive questions by the bits of a number, in a random order.
fn some_places(case: &mut Case, set: usize) -> Vec<usize> {
    let n_questions = case.plan.sensitive().len();
    let order = shuffled(n_questions, case.random());
    order.into_iter().filter(|place| set >> place & 1 == 1).collect()
}

fn assert_close(left: &[f64], right: &[f64], tolerance: f64, what: &str) -> Result<(), TestCaseError> {
    for (left, right) in left.iter().zip(right) {
        prop_assert!((left - right).abs() <= tolerance, "{}: {} and {}", what, left, right);
    }
    Ok(())
}

fn compare(left: &Predictive, right: &Predictive) -> Result<(), TestCaseError> {
    assert_close(left.weights(), right.weights(), ROUNDING, "weights")?;
    assert_close(&left.mean(), &right.mean(), ROUNDING, "means")?;
    assert_close(&left.covariance(), &right.covariance(), ROUNDING, "covariances")
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_order_of_the_answers_does_not_matter(recipe in any_recipe(2..=3, 1..=6), set in any::<usize>()) {
        let mut case = recipe.build();
        prop_assume!(is_well_conditioned(&case.plan));
        let person = case.believed_person();
        let one = some_places(&mut case, set);
        let other: Vec<usize> = one.iter().rev().copied().collect();
        compare(&predictive(&case.plan, &person, &one), &predictive(&case.plan, &person, &other))?;
    }

    #[test]
    fn what_is_revealed_is_believed(recipe in any_recipe(2..=3, 1..=6), set in any::<usize>()) {
        let mut case = recipe.build();
        let person = case.person();
        let revealed = some_places(&mut case, set);
        let believed = predictive(&case.plan, &person, &revealed);
        prop_assert!((believed.weights().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let (mean, covariance) = (believed.mean(), believed.covariance());
        let size = believed.n_columns();
        let mut start = 0;
        for (place, &id) in case.plan.sensitive().iter().enumerate() {
            for column in case.plan.schema().columns(id) {
                if revealed.contains(&place) {
                    prop_assert!((mean[start] - person[column]).abs() <= 1e-12);
                    prop_assert!((0..size).all(|other| covariance[start * size + other].abs() <= 1e-9));
                }
                start += 1;
            }
        }
    }

    /// One inference serves one person after the other, and says of each what the whole distribution does.
    #[test]
    fn an_inference_has_the_moments_of_the_whole(recipe in any_recipe(2..=3, 1..=6), set in any::<usize>()) {
        let mut case = recipe.build();
        prop_assume!(is_well_conditioned(&case.plan));
        let mut inference = Inference::new(&case.plan);
        for set in [set, !set] {
            let person = case.believed_person();
            let revealed = some_places(&mut case, set);
            inference.begin(&person);
            revealed.iter().for_each(|&place| inference.reveal(place, &person));
            let believed = predictive(&case.plan, &person, &revealed);
            let size = believed.n_columns();
            let variances: Vec<f64> = believed.covariance().into_iter().step_by(size + 1).collect();
            let places = 0..case.plan.sensitive().len();
            let means: Vec<f64> = places.clone().flat_map(|place| inference.mean(place).to_vec()).collect();
            let own: Vec<f64> = places.clone().flat_map(|place| inference.variance(place).to_vec()).collect();
            assert_close(&means, &believed.mean(), ROUNDING, "means")?;
            assert_close(&own, &variances, ROUNDING, "variances")?;
            for place in places {
                match (inference.n_levels(place), inference.best_guess(place)) {
                    (Some(levels), Some((level, probability))) => {
                        prop_assert!(level < levels && 1.0 / levels as f64 <= probability + ROUNDING && probability <= 1.0);
                    }
                    (levels, guess) => prop_assert!(levels.is_none() && guess.is_none()),
                }
            }
        }
    }

    /// With everything revealed nothing is left to chance, and every draw is the person.
    #[test]
    fn everything_revealed_collapses_every_belief(recipe in any_recipe(2..=3, 1..=6)) {
        let mut case = recipe.build();
        let person = case.person();
        let every: Vec<usize> = (0..case.plan.sensitive().len()).collect();
        let believed = predictive(&case.plan, &person, &every);
        let columns = case.plan.sensitive().iter().flat_map(|&id| case.plan.schema().columns(id));
        let values: Vec<f64> = columns.map(|column| person[column]).collect();
        let mut draw = Vec::new();
        believed.draw(0.5, &vec![1.0; values.len()], &mut draw);
        assert_close(&draw, &values, 1e-4, "a draw")?;
    }

    /// Seeded. A mean of 4,000 draws lies within six standard errors of the stated one, and a variance within six of its own, by the
    /// fourth moment of the whole: with some 3,000 numbers compared, luck fails this less than once in 100,000 runs.
    #[test]
    fn draws_have_the_moments_that_are_stated(recipe in any_recipe(2..=2, 1..=4), set in any::<usize>()) {
        const DRAWS: usize = 4000;
        let mut case = recipe.build();
        let person = case.believed_person();
        let revealed = some_places(&mut case, set);
        let believed = predictive(&case.plan, &person, &revealed);
        let size = believed.n_columns();
        let (mut sum, mut squares, mut draw) = (vec![0.0; size], vec![0.0; size], Vec::new());
        let (mean, covariance) = (believed.mean(), believed.covariance());
        for _ in 0..DRAWS {
            let share = unit(case.random());
            let normals: Vec<f64> = (0..size).map(|_| normal(case.random())).collect();
            believed.draw(share, &normals, &mut draw);
            for column in 0..size {
                sum[column] += draw[column] - mean[column];
                squares[column] += (draw[column] - mean[column]).powi(2);
            }
        }
        for column in 0..size {
            let variance = covariance[column * size + column].max(0.0);
            let error = (variance / DRAWS as f64).sqrt();
            prop_assert!((sum[column] / DRAWS as f64).abs() <= 6.0 * error + 1e-6);
            let error = ((fourth_moment(&believed, column) - variance * variance).max(0.0) / DRAWS as f64).sqrt();
            prop_assert!((squares[column] / DRAWS as f64 - variance).abs() <= 6.0 * error + 1e-6);
        }
    }

    /// A mixture against the book: densities by pseudo-inverse and determinant, components by the direct formula.
    #[test]
    fn a_mixture_is_conditioned_as_the_direct_formula_says(
        recipe in recipe(2..=2, 1..=6),
        n_components in 1usize..=4,
        set in any::<usize>(),
    ) {
        // With fewer people than columns, whether a part of the covariance is singular may hang on its last digit.
        let recipe = Recipe { belief: Beliefs::Mixture(n_components), sample: 60, ..recipe };
        let mut case = recipe.build();
        prop_assume!(is_well_conditioned(&case.plan));
        let person = case.believed_person();
        let revealed = some_places(&mut case, set);
        let believed = predictive(&case.plan, &person, &revealed);
        let Belief::Mixture(mixture) = case.plan.belief() else { unreachable!() };
        let known = known_when_revealed(&case.plan, &revealed);
        let (known, _) = columns_by_knowledge(case.plan.schema(), &known);
        let places: Vec<usize> =
            case.plan.sensitive().iter().flat_map(|&id| case.plan.schema().columns(id)).collect();
        let mut weights: Vec<f64> =
            mixture.components().map(|(weight, component)| weight.ln() + ln_density(component, &known, &person)).collect();
        let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        weights.iter_mut().for_each(|weight| *weight = (*weight - largest).exp());
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        assert_close(believed.weights(), &weights, 1e-5, "weights")?;
        for (place, (_, component)) in mixture.components().enumerate() {
            let (mean, _) = direct_condition(component, &known, &person);
            let mean: Vec<f64> = places.iter().map(|&column| mean[column]).collect();
            assert_close(believed.component_mean(place), &mean, 1e-5, "mean of a component")?;
        }
    }

    /// The probability of a linear model's label under any belief against the share of a great many draws.
    ///
    /// Seeded. Six standard errors of 5,000 draws: fails by luck once in some millions of comparisons.
    #[test]
    fn the_outlook_of_a_linear_model_is_the_share_of_draws(
        recipe in recipe(2..=3, 1..=5),
        belief in beliefs(),
        set in any::<usize>(),
    ) {
        const DRAWS: usize = 5_000;
        let recipe = Recipe { belief, weights: Weights::Normal, ..recipe };
        let mut case = recipe.build();
        prop_assume!(is_well_conditioned(&case.plan));
        let person = case.believed_person();
        let plan = case.with(rules(0.001, Selector::Random));
        let mut walk = begun(&plan, &person, set as u64);
        for _ in 0..set % (plan.sensitive().len() + 1) {
            if asking(&walk).is_some() {
                walk.reveal(&person);
            }
        }
        let (label, probability) = walk.outlook();
        let believed = predictive(&plan, &person, walk.revealed_places());
        let columns: Vec<usize> = plan.sensitive().iter().flat_map(|&id| plan.schema().columns(id)).collect();
        let (mut hits, mut draw, mut other) = (0, Vec::new(), person.clone());
        for _ in 0..DRAWS {
            let share = unit(case.random());
            let normals: Vec<f64> = columns.iter().map(|_| normal(case.random())).collect();
            believed.draw(share, &normals, &mut draw);
            columns.iter().zip(&draw).for_each(|(&column, value)| other[column] = *value);
            hits += usize::from(plan.model().label(&other) == label);
        }
        let error = (0.25 / DRAWS as f64).sqrt();
        prop_assert!((hits as f64 / DRAWS as f64 - probability).abs() <= 6.0 * error, "{} {}", hits, probability);
    }

    /// Whatever the belief and the model, what a session certifies is found true by other arithmetic.
    #[test]
    fn the_certificate_of_a_session_under_any_belief_is_accepted(
        recipe in any_recipe(2..=4, 1..=5),
        selector in selector(),
        delta in prop::sample::select(vec![0.0, 0.02, 0.1, 0.3]),
        taylor in any::<bool>(),
    ) {
        // Scores that are equal can be told apart by rounding alone, and a probability then hangs on its last digit.
        let recipe = Recipe { weights: Weights::Normal, ..recipe };
        let mut case = recipe.build();
        prop_assume!(is_well_conditioned(&case.plan));
        let answers = case.answers();
        let estimate = if taylor { Estimate::Taylor } else { Estimate::Qmc };
        let estimate = recipe.estimate(estimate);
        let plan = case.with(Rules { estimate, ..rules(delta, selector) });
        let certificate = ended(&plan, &answers, &[false]).certificate().expect("nothing was declined");
        let fresh = recipe.build().plan;
        let verified = verify(&fresh, &certificate);
        prop_assert!(verified.is_ok(), "{:?}", verified);
        if let Some(probability) = certificate.probability {
            let mut other = certificate.clone();
            other.probability = Some(probability - 0.15);
            prop_assert!(verify(&fresh, &other).is_err());
        }
    }

    /// A mixture of the same Gaussian twice is that Gaussian. Of two classes, where the likeliest is that of the expected score, and by
    /// closed forms: draws choose their components.
    #[test]
    fn a_mixture_of_the_same_gaussian_asks_as_it_does(
        recipe in any_recipe(2..=2, 1..=6),
        selector in prop::sample::select(vec![Selector::Decisive, Selector::Importance]),
        delta in prop::sample::select(vec![0.0, 0.05, 0.3]),
    ) {
        let recipe = Recipe { belief: Beliefs::Gaussian, weights: Weights::Normal, trees: None, ..recipe };
        let mut case = recipe.build();
        prop_assume!(is_well_conditioned(&case.plan));
        let person = case.person();
        let rules = Rules { estimate: Estimate::Taylor, ..rules(delta, selector) };
        let gaussian = gaussian_of(&case.plan).clone();
        let mixture = MixtureBelief::new(vec![(0.25, gaussian.clone()), (0.75, gaussian)]).expect("sound");
        let parts = PlanParts { belief: mixture.into(), rules, ..case.plan.to_parts() };
        let mixed = Plan::try_from(parts).expect("sound");
        let one = case.with(rules);
        prop_assert_eq!(questions_asked(&one, &person, 1), questions_asked(&mixed, &person, 1));
        prop_assert_eq!(Walk::new(&one).decide(&person, 1), Walk::new(&mixed).decide(&person, 1));
    }
}

/// The fourth moment of a column about its mean, within the components and between them: E(d + s Z)⁴ = d⁴ + 6 d² s² + 3 s⁴.
fn fourth_moment(believed: &Predictive, column: usize) -> f64 {
    let (mean, size) = (believed.mean()[column], believed.n_columns());
    let of_component = |(component, weight): (usize, &f64)| {
        let away = (believed.component_mean(component)[column] - mean).powi(2);
        let variance = believed.component_covariance(component)[column * size + column].max(0.0);
        weight * (away * away + 6.0 * away * variance + 3.0 * variance * variance)
    };
    believed.weights().iter().enumerate().map(of_component).sum()
}

/// The logarithm of a normal density on some columns, by the eigenvalues of the correlations that are not zero.
fn ln_density(belief: &mindrel::belief::GaussianBelief, columns: &[usize], person: &[f64]) -> f64 {
    let size = columns.len();
    let at = |row: usize, column: usize| belief.covariance().at(columns[row], columns[column]);
    let covariance = DMatrix::from_fn(size, size, at);
    let surprise = DVector::from_fn(size, |row, _| person[columns[row]] - belief.mean()[columns[row]]);
    if size == 0 {
        return 0.0;
    }
    let distance = (surprise.transpose() * pseudo_inverse(&covariance) * &surprise)[0];
    let eigenvalues = covariance.symmetric_eigen().eigenvalues;
    let largest = eigenvalues.max();
    // Components share their null space, so that what it is left out of all of them cancels.
    let ln_determinant: f64 = eigenvalues.iter().filter(|value| **value > 1e-9 * largest).map(|value| value.ln()).sum();
    -0.5 * (ln_determinant + distance)
}

/// Two modes with nothing between them: one Gaussian puts everybody in the middle and is sure of the wrong thing.
#[test]
fn a_mixture_settles_what_one_gaussian_cannot() {
    let case = numbers(2, 2, 3).build();
    let component = |sign: f64| {
        let belief = mindrel::belief::GaussianBelief::new(vec![0.6 * sign; 2], vec![0.01, 0.0, 0.0, 0.01]);
        (0.5, belief.expect("sound"))
    };
    let mixture = MixtureBelief::new(vec![component(1.0), component(-1.0)]).expect("sound");
    let model = mindrel::model::LinearModel::new(2, vec![1.0, 1.0], vec![0.0]).expect("sound");
    let parts = PlanParts { belief: mixture.into(), model: model.into(), ..case.plan.to_parts() };
    let plan = Plan::try_from(PlanParts { rules: rules(0.01, Selector::Decisive), ..parts }).expect("sound");
    let person = vec![0.5, 0.7];
    let mut walk = Walk::new(&plan);
    let (label, guarantee) = walk.decide(&person, 0);
    assert_eq!((label, guarantee, walk.n_revealed()), (mindrel::Label::POSITIVE, Guarantee::Probable, 1));
}

#[test]
fn mixtures_that_are_none_are_refused() {
    use mindrel::belief::{BeliefError, GaussianBelief};
    let gaussian = |size: usize| GaussianBelief::new(vec![0.0; size], vec![0.0; size * size]).expect("sound");
    assert_eq!(MixtureBelief::new(vec![]), Err(BeliefError::NoComponents));
    let apart = MixtureBelief::new(vec![(0.5, gaussian(1)), (0.5, gaussian(2))]);
    assert_eq!(apart, Err(BeliefError::Components { columns: 1, found: 2 }));
    for weights in [[0.5, 0.6], [1.0, 0.0], [-0.5, 1.5], [f64::NAN, 1.0], [f64::INFINITY, 1.0]] {
        let components = weights.iter().map(|&weight| (weight, gaussian(1))).collect();
        assert_eq!(MixtureBelief::new(components), Err(BeliefError::Weights));
    }
}

/// Networks that were trained for one choice of sensitive questions do not serve another.
#[test]
fn networks_for_other_questions_are_refused() {
    for belief in [Beliefs::Amortised, Beliefs::PerSet] {
        let case = Recipe { belief, ..numbers(2, 3, 7) }.build();
        let mut parts = case.plan.to_parts();
        let mut questions = parts.schema.questions().to_vec();
        questions[0].visibility = mindrel::schema::Visibility::Public;
        parts.schema = mindrel::Schema::new(parts.schema.target().clone(), questions).expect("sound");
        assert_eq!(Plan::try_from(parts).unwrap_err(), PlanError::Regressors);
    }
}

#[test]
fn every_belief_is_read_as_it_was_written() {
    for belief in [Beliefs::Gaussian, Beliefs::Mixture(3), Beliefs::Amortised, Beliefs::PerSet, Beliefs::Copula] {
        let plan = Recipe { belief, ..numbers(2, 3, 7) }.build().plan;
        let written = serde_json::to_string(plan.belief()).expect("plain data");
        let read: Belief = serde_json::from_str(&written).expect("what was written");
        assert_eq!(&read, plan.belief());
        assert!(written.contains(&format!("\"kind\":\"{}\"", plan.belief().name())));
    }
}
