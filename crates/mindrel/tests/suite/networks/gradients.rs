//! Gradients against differences.

use super::*;

/// Which units are on.
fn active(network: &Network, person: &[f64]) -> Vec<bool> {
    let (_, hidden) = network.layers().split_last().expect("a network has layers");
    let mut values = person.to_vec();
    let mut active = Vec::new();
    for layer in hidden {
        let sum = |unit: usize| {
            let products = layer.weights(unit).iter().zip(&values).map(|(weight, value)| weight * value);
            layer.biases()[unit] + products.sum::<f64>()
        };
        let sums: Vec<f64> = (0..layer.n_units()).map(sum).collect();
        active.extend(sums.iter().map(|sum| *sum > 0.0));
        values = sums.iter().map(|sum| sum.max(0.0)).collect();
    }
    active
}

/// The step of a central difference: a network is linear where no unit switches, so that only rounding limits it, and a
/// larger step makes that smaller.
const STEP: f64 = 1e-3;

/// Every score and random combinations of them, for networks of no to three hidden layers. Where a unit switches within
/// the step there is no gradient to compare.
#[test]
fn gradients_agree_with_central_differences() {
    let (mut compared, mut switched) = (0, 0);
    for seed in 0..200 {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let hidden: Vec<usize> = (0..seed % 4).map(|_| 1 + below(&mut random, 8)).collect();
        let (n_columns, n_scores) = (1 + below(&mut random, 6), [1, 3, 4][below(&mut random, 3)]);
        let network = network(Weights::Normal, n_columns, &hidden, n_scores, &mut random);
        let person: Vec<f64> = (0..n_columns).map(|_| 2.0 * unit(&mut random) - 1.0).collect();
        let one = |score: usize| (0..n_scores).map(|other| f64::from(u8::from(other == score))).collect();
        let mut combinations: Vec<Vec<f64>> = (0..n_scores).map(one).collect();
        combinations.extend((0..2).map(|_| (0..n_scores).map(|_| normal(&mut random)).collect()));
        let mut gradient = vec![0.0; n_columns];
        for combination in &combinations {
            network.gradient(&person, combination, &mut gradient);
            let value = |person: &[f64]| {
                let products =
                    scores(&network, person).into_iter().zip(combination).map(|(score, share)| score * share);
                products.sum::<f64>()
            };
            let shares: f64 = combination.iter().map(|share| share.abs()).sum();
            // Twice, since the slope itself is rounded too.
            let tolerance = 2.0 * network.rounding_bound(2.0) * shares / STEP;
            for column in 0..n_columns {
                let (mut lower, mut upper) = (person.clone(), person.clone());
                lower[column] -= STEP;
                upper[column] += STEP;
                if active(&network, &lower) != active(&network, &upper) {
                    switched += 1;
                    continue;
                }
                let slope = (value(&upper) - value(&lower)) / (upper[column] - lower[column]);
                let off = (slope - gradient[column]).abs();
                assert!(off <= tolerance, "seed {seed}: {slope} is not {}, off by {off:e}", gradient[column]);
                compared += 1;
            }
        }
    }
    assert!(compared > 20 * switched, "{compared} compared, {switched} not");
}
