//! Mean and covariance agree with their definition and keep their digits far from zero.

use crate::common::noisy_set;
use mindrel_train::{TrainingSet, moments};

/// Sums of a few hundred terms of size one.
const TOLERANCE: f64 = 1e-13;

/// [TF23, Alg. 1, line 1], written out term by term.
#[test]
fn moments_are_the_sums_of_their_definition() {
    for (seed, n_rows, n_columns) in [(1, 2, 1), (2, 63, 4), (3, 64, 5), (4, 65, 9), (5, 331, 7)] {
        let set = noisy_set(seed, n_rows, n_columns, 2);
        let moments = moments(&set);
        let n = n_rows as f64;
        let mean = |j: usize| (0..n_rows).map(|i| set.row(i)[j]).sum::<f64>() / n;
        for j in 0..n_columns {
            assert!((moments.mean[j] - mean(j)).abs() < TOLERANCE);
            for k in 0..n_columns {
                let product = |i: usize| (set.row(i)[j] - mean(j)) * (set.row(i)[k] - mean(k));
                let covariance = (0..n_rows).map(product).sum::<f64>() / n;
                assert!((moments.covariance[j * n_columns + k] - covariance).abs() < TOLERANCE);
            }
        }
    }
}

#[test]
fn the_covariance_is_symmetric_to_the_last_bit() {
    let set = noisy_set(6, 200, 6, 3);
    let covariance = moments(&set).covariance;
    for j in 0..6 {
        for k in 0..6 {
            assert_eq!(covariance[j * 6 + k].to_bits(), covariance[k * 6 + j].to_bits());
        }
    }
}

/// A shift by 2^30 is exact for these values, so only the method could lose digits.
#[test]
fn columns_far_from_zero_keep_their_digits() {
    let shift = f64::from(1 << 30);
    let values: Vec<f64> = (0..200_u32).map(|i| f64::from(i * i % 64) / 64.0).collect();
    let labels: Vec<usize> = (0..100).map(|row| row % 2).collect();
    let near = TrainingSet::new(values.clone(), 2, labels.clone(), 2).expect("a valid set");
    let far = values.iter().map(|value| value + shift).collect();
    let far = TrainingSet::new(far, 2, labels, 2).expect("a valid set");
    let (near, far) = (moments(&near), moments(&far));
    for (near, far) in near.covariance.iter().zip(&far.covariance) {
        assert!((near - far).abs() < TOLERANCE, "{near} {far}");
    }
}

#[test]
fn constant_and_duplicate_columns_have_the_covariances_one_expects() {
    let plain = noisy_set(7, 100, 1, 2);
    let rows = plain.rows().iter().flat_map(|&value| [value, 0.1, value, 0.0]).collect();
    let set = TrainingSet::new(rows, 4, plain.labels().to_vec(), 2).expect("a valid set");
    let covariance = moments(&set).covariance;
    assert_eq!(covariance[0], covariance[2]);
    assert_eq!(covariance[0], covariance[10]);
    assert!(covariance[4..8].iter().all(|value| value.abs() < TOLERANCE));
    assert_eq!(covariance[12..], [0.0; 4]);
}
