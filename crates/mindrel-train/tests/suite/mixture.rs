//! Mixtures are found where there are some, keep what all rows have in common, and do not depend on the machine.

use crate::common::{noisy_set, normals};
use mindrel::belief::GaussianBelief;
use mindrel_train::mixture::{self, Components, MixtureFit, MixtureOptions, Progress};
use mindrel_train::{TrainError, TrainingSet, moments};

/// Sums of a few thousand terms of size one.
const TOLERANCE: f64 = 1e-12;

fn set(rows: Vec<f64>, n_columns: usize) -> TrainingSet {
    let labels = (0..rows.len() / n_columns).map(|row| row % 2).collect();
    TrainingSet::new(rows, n_columns, labels, 2).expect("a valid set")
}

fn fit(set: &TrainingSet, components: Components) -> MixtureFit {
    let options = MixtureOptions { components, ..MixtureOptions::default() };
    mixture::fit(set, &options, &mut |_| ()).expect("the search ends")
}

/// Centres eight deviations and more apart.
const CENTRES: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [8.0, 0.0, -4.0], [0.0, 9.0, 4.0]];
/// How many of ten rows each centre has.
const TENTHS: [usize; 3] = [5, 3, 2];

/// Rows around the centres, with deviation one and, at the last centre, correlated columns.
fn around_centres(seed: u128, n_rows: usize) -> TrainingSet {
    let noise = normals(seed, 3 * n_rows);
    let row = |i: usize| {
        let centre = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2][i % 10];
        let [x, y, z] = [noise[3 * i], noise[3 * i + 1], noise[3 * i + 2]];
        let y = if centre == 2 { 0.8 * x + 0.6 * y } else { y };
        [CENTRES[centre][0] + x, CENTRES[centre][1] + y, CENTRES[centre][2] + z]
    };
    set((0..n_rows).flat_map(row).collect(), 3)
}

/// A category of three levels, a number with two modes that go with them, a constant, and the number's double.
fn one_hot(seed: u128, n_rows: usize) -> TrainingSet {
    let noise = normals(seed, n_rows);
    let row = |i: usize| {
        let level = [0, 0, 0, 1, 2, 0, 1][i % 7];
        let number = 0.1 * noise[i] + if level == 0 { -0.5 } else { 0.5 };
        let indicator = |of: usize| f64::from(u8::from(level == of));
        [indicator(0), indicator(1), indicator(2), number, 0.1, 2.0 * number]
    };
    set((0..n_rows).flat_map(row).collect(), 6)
}

/// Rows are told apart without doubt, so that a mean of N rows has deviation 1/√N: six of them are passed by luck once in
/// 10⁸ for each of nine means. Weights are known exactly, but for the few rows in doubt.
#[test]
fn a_known_mixture_is_recovered() {
    let set = around_centres(1, 4000);
    let options = MixtureOptions { components: Components::Fixed(3), prior_share: 1e-4, ..MixtureOptions::default() };
    let fit = mixture::fit(&set, &options, &mut |_| ()).expect("the search ends");
    assert!(fit.converged);
    for (component, (centre, tenths)) in fit.components.iter().zip(CENTRES.iter().zip(TENTHS)) {
        let weight = tenths as f64 / 10.0;
        assert!((component.weight - weight).abs() < 0.002);
        let tolerance = 6.0 / (4000.0 * weight).sqrt();
        for (mean, centre) in component.moments.mean.iter().zip(centre) {
            assert!((mean - centre).abs() < tolerance, "{mean} {centre}");
        }
    }
    // A correlation of N rows has deviation (1 − ρ²) / √N = 0.013.
    let covariance = &fit.components[2].moments.covariance;
    let correlation = covariance[1] / (covariance[0] * covariance[4]).sqrt();
    assert!((correlation - 0.8).abs() < 0.08, "{correlation}");
}

/// Seeded. A fourth component would have to earn half its ten parameters' `ln 1000` by chance.
#[test]
fn as_many_components_are_chosen_as_there_are() {
    for seed in 0..5 {
        let fit = fit(&around_centres(10 + seed, 1000), Components::Auto);
        assert_eq!(fit.components.len(), 3, "{:?}", fit.bic);
        let numbers: Vec<usize> = fit.bic.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        assert!(fit.bic.iter().all(|(_, bic)| *bic >= fit.bic[2].1));
    }
}

/// As above.
#[test]
fn one_component_is_chosen_where_there_is_one() {
    for seed in 0..5 {
        let fit = fit(&noisy_set(20 + seed, 800, 4, 2), Components::Auto);
        assert_eq!(fit.components.len(), 1, "{:?}", fit.bic);
        assert_eq!(fit.bic.len(), 3);
    }
}

#[test]
fn one_component_has_the_moments_of_all_rows() {
    for set in [noisy_set(1, 331, 7, 3), around_centres(2, 200), one_hot(3, 150)] {
        let fit = fit(&set, Components::Fixed(1));
        let (found, expected) = (&fit.components[0].moments, moments(&set));
        assert_eq!((fit.components.len(), fit.components[0].weight), (1, 1.0));
        let pairs = found.mean.iter().zip(&expected.mean).chain(found.covariance.iter().zip(&expected.covariance));
        pairs.for_each(|(found, expected)| assert!((found - expected).abs() < 1e-15));
    }
}

#[test]
fn progress_counts_the_numbers_tried_and_their_iterations() {
    let mut steps: Vec<Progress> = Vec::new();
    let set = around_centres(4, 5000);
    let fit = mixture::fit(&set, &MixtureOptions::default(), &mut |step| steps.push(step)).expect("the search ends");
    let mut numbers: Vec<usize> = steps.iter().map(|step| step.components).collect();
    numbers.dedup();
    assert!(numbers.iter().eq(fit.bic.iter().map(|(number, _)| number)));
    for pair in steps.windows(2) {
        let next = if pair[1].components == pair[0].components { pair[0].iteration + 1 } else { 0 };
        assert_eq!((pair[1].iteration, pair[1].most_components), (next, 8));
    }
}

#[test]
fn what_all_rows_have_in_common_every_component_has() {
    let set = one_hot(7, 1400);
    let fit = fit(&set, Components::Fixed(2));
    assert_eq!((fit.components.len(), fit.rank), (2, 3));
    for component in &fit.components {
        let (mean, covariance) = (&component.moments.mean, &component.moments.covariance);
        assert!((mean[..3].iter().sum::<f64>() - 1.0).abs() < TOLERANCE);
        assert!((mean[5] - 2.0 * mean[3]).abs() < TOLERANCE);
        for line in covariance.chunks_exact(6) {
            assert!(line[..3].iter().sum::<f64>().abs() < TOLERANCE);
            assert!((line[5] - 2.0 * line[3]).abs() < TOLERANCE);
            assert_eq!(line[4], 0.0);
        }
        assert_eq!(mean[4], 0.1);
        let belief = GaussianBelief::new(mean.clone(), covariance.clone()).expect("a covariance");
        assert_eq!(n_revealed(belief), 3);
    }
}

/// How many columns move the belief when all are revealed in turn.
fn n_revealed(belief: GaussianBelief) -> usize {
    let mut covariance = belief.covariance().clone();
    let known_below = covariance.known_below();
    (0..covariance.size()).filter(|&column| covariance.reveal(column, known_below[column]).is_some()).count()
}

#[test]
fn weighted_means_are_the_mean_of_all_rows() {
    let set = one_hot(8, 1400);
    let fit = fit(&set, Components::Fixed(3));
    assert!((fit.components.iter().map(|component| component.weight).sum::<f64>() - 1.0).abs() < TOLERANCE);
    for (column, expected) in moments(&set).mean.iter().enumerate() {
        let mean: f64 = fit.components.iter().map(|component| component.weight * component.moments.mean[column]).sum();
        assert!((mean - expected).abs() < TOLERANCE);
    }
}

/// The density of one column, written out.
#[test]
fn the_log_likelihood_is_that_of_the_components() {
    let rows: Vec<f64> = normals(9, 600).iter().enumerate().map(|(i, x)| 0.3 * x + (i % 3) as f64).collect();
    let set = set(rows, 1);
    let fit = fit(&set, Components::Fixed(3));
    let density = |x: f64| -> f64 {
        let of = |component: &mixture::WeightedMoments| {
            let (mean, variance) = (component.moments.mean[0], component.moments.covariance[0]);
            component.weight * (-(x - mean).powi(2) / (2.0 * variance)).exp()
                / (std::f64::consts::TAU * variance).sqrt()
        };
        fit.components.iter().map(of).sum()
    };
    let expected: f64 = set.rows().iter().map(|&x| density(x).ln()).sum();
    assert!((fit.log_likelihood - expected).abs() < 1e-9, "{} {expected}", fit.log_likelihood);
}

#[test]
fn the_same_seed_gives_the_same_mixture_on_any_number_of_threads() {
    let set = around_centres(11, 5000);
    let on = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("a pool of threads");
        pool.install(|| fit(&set, Components::Auto))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn rows_that_are_all_the_same_make_one_component() {
    for components in [Components::Auto, Components::Fixed(2)] {
        let fit = fit(&set([0.1, -0.7].repeat(50), 2), components);
        assert_eq!((fit.components.len(), fit.rank), (1, 0));
        assert_eq!(fit.components[0].moments.mean, [0.1, -0.7]);
        assert_eq!(fit.components[0].moments.covariance, [0.0; 4]);
    }
}

#[test]
fn two_kinds_of_rows_make_two_components_at_most() {
    let rows = [0.0, 1.0, 1.0].repeat(20);
    assert_eq!(fit(&set(rows, 1), Components::Fixed(4)).components.len(), 2);
}

#[test]
fn too_few_rows_are_refused_and_their_need_is_named() {
    let options = MixtureOptions { components: Components::Fixed(5), ..MixtureOptions::default() };
    let error = mixture::fit(&noisy_set(12, 49, 2, 2), &options, &mut |_| ()).unwrap_err();
    assert_eq!(error, TrainError::TooFewRows { n_components: 5, needed: 50 });
    assert_eq!(error.to_string(), "5 components need at least 50 rows; ask for fewer components or add rows");
    assert_eq!(fit(&noisy_set(12, 5, 2, 2), Components::Auto).components.len(), 1);
}

#[test]
fn options_that_make_no_sense_are_refused_by_name() {
    let good = MixtureOptions::default();
    let cases = [
        ("components", MixtureOptions { components: Components::Fixed(0), ..good }),
        ("prior_share", MixtureOptions { prior_share: 0.0, ..good }),
        ("prior_share", MixtureOptions { prior_share: f64::NAN, ..good }),
        ("starts", MixtureOptions { starts: 0, ..good }),
        ("max_iterations", MixtureOptions { max_iterations: 0, ..good }),
        ("tolerance", MixtureOptions { tolerance: f64::INFINITY, ..good }),
    ];
    for (option, options) in cases {
        let error = mixture::fit(&noisy_set(13, 50, 2, 2), &options, &mut |_| ()).unwrap_err();
        assert_eq!(error, TrainError::InvalidOption { option });
    }
}

#[test]
fn numbers_too_large_to_square_are_refused_by_column() {
    let error = mixture::fit(&set(vec![0.0, 1e200, 1.0, -1e200], 2), &MixtureOptions::default(), &mut |_| ());
    assert_eq!(error.unwrap_err(), TrainError::TooLarge { column: 1 });
}
