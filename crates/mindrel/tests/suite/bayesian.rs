//! The moments of a Bayesian neural network against drawing all its weights, and what makes no network.

use mindrel::belief::{BayesianLayer, BeliefError, LN_VARIANCE_BOUNDS, Normals, Regressor, RegressorRoom};
use nalgebra::{DMatrix, SymmetricEigen};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const N_INPUTS: usize = 3;
const N_HIDDEN: usize = 5;
const N_TARGETS: usize = 2;

/// How often all weights are drawn.
const N_DRAWS: usize = 200_000;

/// A sampled moment is off by more than this many of its standard errors with probability 2e-9.
const SIGMAS: f64 = 6.0;

/// Sums of a few terms of size one, in another order.
const ROUNDING: f64 = 1e-13;

fn normal(random: &mut Pcg64Mcg) -> f64 {
    StandardNormal.sample(random)
}

fn normals(size: usize, random: &mut Pcg64Mcg) -> Normals {
    let means = (0..size).map(|_| 0.7 * normal(random)).collect();
    let deviations = (0..size).map(|_| 0.3 * normal(random).abs()).collect();
    Normals { means, deviations }
}

fn layer(n_inputs: usize, n_units: usize, random: &mut Pcg64Mcg) -> BayesianLayer {
    let weights = normals(n_inputs * n_units, random);
    BayesianLayer::new(n_inputs, weights, normals(n_units, random)).expect("a valid layer")
}

/// A seeded network whose noise is correlated.
fn regressor(random: &mut Pcg64Mcg) -> Regressor {
    let (hidden, output) = (layer(N_INPUTS, N_HIDDEN, random), layer(N_HIDDEN, 2 * N_TARGETS, random));
    Regressor::new(hidden, output, vec![1.0, 0.6, 0.6, 1.2]).expect("a valid regressor")
}

/// The sums of a layer with weights drawn.
fn drawn_sums(layer: &BayesianLayer, inputs: &[f64], random: &mut Pcg64Mcg) -> Vec<f64> {
    let mut draw = |normals: &Normals, place: usize| normals.means[place] + normals.deviations[place] * normal(random);
    let sum = |unit: usize| {
        let terms = inputs.iter().enumerate();
        let bias = draw(layer.biases(), unit);
        terms.fold(bias, |sum, (input, value)| sum + draw(layer.weights(), unit * inputs.len() + input) * value)
    };
    (0..layer.n_units()).map(sum).collect()
}

fn drawn_outputs(regressor: &Regressor, inputs: &[f64], random: &mut Pcg64Mcg) -> Vec<f64> {
    let mut hidden = drawn_sums(regressor.hidden(), inputs, random);
    hidden.iter_mut().for_each(|sum| *sum = sum.max(0.0));
    drawn_sums(regressor.output(), &hidden, random)
}

/// Mean of the numbers, and its standard error.
fn mean_and_error(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let variance = numbers.map(|number| (number - mean) * (number - mean)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}

/// Seeded. Three people, 14 moments each, every one within six standard errors: fails by luck less than once in 10⁷.
#[test]
fn the_moments_of_the_outputs_are_those_of_drawn_weights() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let regressor = regressor(&mut random);
    let mut room = RegressorRoom::default();
    let all: Vec<usize> = (0..2 * N_TARGETS).collect();
    for inputs in [[0.0, 0.0, 0.0], [1.0, -0.5, 0.3], [-2.0, 1.5, -3.0]] {
        regressor.outputs(&inputs, &all, &mut room);
        let draws: Vec<Vec<f64>> = (0..N_DRAWS).map(|_| drawn_outputs(&regressor, &inputs, &mut random)).collect();
        for &one in &all {
            let (mean, error) = mean_and_error(draws.iter().map(|draw| draw[one]));
            assert!((room.mean()[one] - mean).abs() < SIGMAS * error, "mean of output {one}");
            for &other in &all[..=one] {
                let (mean, other_mean) = (room.mean()[one], room.mean()[other]);
                let products = draws.iter().map(|draw| (draw[one] - mean) * (draw[other] - other_mean));
                let (covariance, error) = mean_and_error(products);
                let found = room.covariance()[one * all.len() + other];
                assert!((found - covariance).abs() < SIGMAS * error, "covariance of outputs {one} and {other}");
                assert_eq!(found, room.covariance()[other * all.len() + one]);
            }
        }
    }
}

#[test]
fn a_prediction_adds_the_noise_to_the_uncertainty_of_the_weights() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let regressor = regressor(&mut random);
    let inputs = [0.4, -1.0, 2.0];
    let (mut outputs, mut room) = (RegressorRoom::default(), RegressorRoom::default());
    regressor.outputs(&inputs, &[0, 1, 2, 3], &mut outputs);
    regressor.predict(&inputs, &[0, 1], &mut room);
    for one in 0..N_TARGETS {
        assert_eq!(room.mean()[one], outputs.mean()[one]);
        let ln_variance = N_TARGETS + one;
        let half = 0.5 * outputs.covariance()[ln_variance * 4 + ln_variance];
        let noise = (0.5 * (outputs.mean()[ln_variance] + half)).exp();
        assert!((room.noise_deviations()[one] / noise - 1.0).abs() < ROUNDING);
        for other in 0..N_TARGETS {
            let product = room.noise_deviations()[one] * room.noise_deviations()[other];
            let expected = regressor.residual()[one * 2 + other] * product + outputs.covariance()[one * 4 + other];
            assert!((room.covariance()[one * 2 + other] - expected).abs() < ROUNDING);
        }
    }
}

#[test]
fn asking_for_some_targets_gives_their_part_of_all_in_any_order_and_room() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let regressor = regressor(&mut random);
    let inputs = [0.4, -1.0, 2.0];
    let (mut all, mut some) = (RegressorRoom::default(), RegressorRoom::default());
    regressor.predict(&inputs, &[0, 1], &mut all);
    for targets in [&[1, 0][..], &[0], &[], &[1]] {
        regressor.predict(&inputs, targets, &mut some);
        let mean: Vec<f64> = targets.iter().map(|&target| all.mean()[target]).collect();
        assert_eq!(some.mean(), mean);
        let entry = |row: usize, column: usize| all.covariance()[row * 2 + column];
        let covariance: Vec<f64> =
            targets.iter().flat_map(|&row| targets.iter().map(move |&column| entry(row, column))).collect();
        assert_eq!(some.covariance(), covariance);
    }
    assert_eq!(format!("{all:?}"), "RegressorRoom { .. }");
}

/// Also for people far outside of anything learned from; seeded.
#[test]
fn every_predicted_covariance_is_finite_and_positive_semi_definite() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let mut room = RegressorRoom::default();
    for scale in [1.0, 1e3, 1e30] {
        for _ in 0..100 {
            let regressor = regressor(&mut random);
            let inputs: Vec<f64> = (0..N_INPUTS).map(|_| scale * normal(&mut random)).collect();
            regressor.predict(&inputs, &[0, 1], &mut room);
            assert!(room.mean().iter().chain(room.covariance()).all(|value| value.is_finite()));
            let (lowest, highest) = LN_VARIANCE_BOUNDS;
            let bounds = (0.5 * lowest).exp() * 0.999..(0.5 * highest).exp() * 1.001;
            assert!(room.noise_deviations().iter().all(|deviation| bounds.contains(deviation)));
            let eigenvalues = SymmetricEigen::new(DMatrix::from_row_slice(2, 2, room.covariance())).eigenvalues;
            assert!(eigenvalues.min() >= -ROUNDING * eigenvalues.max());
        }
    }
}

#[test]
fn what_is_no_regressor_is_refused() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let mut error = |hidden: usize, inputs: usize, outputs: usize, residual: &[f64]| {
        let (hidden, output) = (layer(1, hidden, &mut random), layer(inputs, outputs, &mut random));
        Regressor::new(hidden, output, residual.to_vec()).expect_err("it is no regressor")
    };
    assert_eq!(error(3, 2, 2, &[1.0]), BeliefError::LayersApart { units: 3, inputs: 2 });
    assert_eq!(error(3, 3, 3, &[1.0]), BeliefError::OutputCount { found: 3 });
    assert_eq!(error(3, 3, 0, &[]), BeliefError::OutputCount { found: 0 });
    assert_eq!(error(3, 3, 4, &[1.0]), BeliefError::Size { columns: 2, found: 1 });
    assert_eq!(error(3, 3, 2, &[f64::NAN]), BeliefError::NotFinite);
    assert_eq!(error(3, 3, 4, &[1.0, 0.5, 0.4, 1.0]), BeliefError::NotSymmetric { row: 1, column: 0 });
    assert_eq!(error(3, 3, 4, &[1.0, 2.0, 2.0, 1.0]), BeliefError::Indefinite { column: 1 });
}

#[test]
fn a_regressor_survives_being_written_and_a_bad_one_is_not_read() {
    let regressor = regressor(&mut Pcg64Mcg::seed_from_u64(6));
    let written = serde_json::to_string(&regressor).expect("it can be written");
    assert_eq!(serde_json::from_str::<Regressor>(&written).expect("and read"), regressor);
    let bad = written.replace("[1.0,0.6,0.6,1.2]", "[1.0,1.6,1.6,1.2]");
    assert!(serde_json::from_str::<Regressor>(&bad).is_err());
}
