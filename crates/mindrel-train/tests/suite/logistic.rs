//! The optimum is the one of a plain Newton's method on dense matrices, and every way to miss it is a warning.

use mindrel::model::LinearModel;
use mindrel_train::logistic::{self, LogisticOptions};
use mindrel_train::{FitWarning, Iteration, TrainError, TrainingSet};
use nalgebra::{DMatrix, DVector};

use crate::common::{fit, noisy_set, normals, objective, parameters, relative_difference};

/// Two searches that stop at a mean gradient of 1e-10, on columns that are not far from independent.
const SAME_OPTIMUM: f64 = 1e-7;
/// The objective is flat at its optimum: an error of 1e-7 in the parameters leaves 1e-14, below the rounding of sums.
const SAME_OBJECTIVE: f64 = 1e-12;

/// With a penalty of 1e-6 the separable objective is so flat that the same gradient leaves four digits.
const SAME_FLAT_OPTIMUM: f64 = 1e-4;
/// A penalty of 1e-9 moves a weight of order one by about 1e-9 / n times the square of its unit, 1e4 at most.
const SAME_WITHOUT_PENALTY: f64 = 1e-6;
/// Intercepts are centred at the end, so that only the rounding of a few numbers of order one is left.
const CENTRED: f64 = 1e-14;

/// The parameters that are found.
fn found(set: &TrainingSet, options: &LogisticOptions) -> Vec<f64> {
    parameters(&fit(set, options).model, set.n_classes())
}

/// The warning of a fit that does not reach its optimum, whose objective is still better than that of zero parameters.
fn unconverged(set: &TrainingSet, options: &LogisticOptions) -> FitWarning {
    let fit = logistic::fit(set, options, &mut |_| ()).expect("a model all the same");
    assert!(fit.objective < set.n_rows() as f64 * (set.n_classes() as f64).ln());
    fit.warning.expect("a warning")
}

/// The probabilities of each class, under parameters laid out score after score with the intercept at the end.
fn probabilities(set: &TrainingSet, parameters: &[f64], row: usize) -> Vec<f64> {
    let size = set.n_columns() + 1;
    let score = |of_score: &[f64]| {
        let products = set.row(row).iter().zip(of_score).map(|(value, weight)| value * weight);
        products.sum::<f64>() + of_score[size - 1]
    };
    let mut scores: Vec<f64> = parameters.chunks_exact(size).map(score).collect();
    if scores.len() == 1 {
        scores.insert(0, 0.0);
    }
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
    scores.iter().map(|score| (score - largest).exp() / total).collect()
}

/// Newton's method with halving on dense matrices, written out from the definition: weights and then intercepts.
fn plain_newton(set: &TrainingSet, regularization: f64) -> Vec<f64> {
    let (size, n_classes) = (set.n_columns() + 1, set.n_classes());
    let n_scores = if n_classes == 2 { 1 } else { n_classes };
    let classes: Vec<usize> = if n_scores == 1 { vec![1] } else { (0..n_classes).collect() };
    let mut point = vec![0.0; n_scores * size];
    let model = |point: &[f64]| {
        let scores = || point.chunks_exact(size);
        let weights = scores().flat_map(|score| score[..size - 1].to_vec()).collect();
        LinearModel::new(size - 1, weights, scores().map(|score| score[size - 1]).collect()).expect("finite parameters")
    };
    let value = |point: &[f64]| objective(set, &model(point), regularization.recip());
    for _ in 0..100 {
        let penalty = |place: usize| f64::from(u8::from(place % size != size - 1));
        let mut gradient = DVector::from_fn(point.len(), |place, _| penalty(place) * point[place]);
        let mut matrix = DMatrix::from_diagonal(&DVector::from_fn(point.len(), |place, _| penalty(place)));
        for row in 0..set.n_rows() {
            let probabilities = probabilities(set, &point, row);
            let input = DVector::from_fn(size, |place, _| if place + 1 < size { set.row(row)[place] } else { 1.0 });
            let outer = &input * input.transpose() / regularization;
            for (a, &class) in classes.iter().enumerate() {
                let residual = probabilities[class] - f64::from(u8::from(set.labels()[row] == class));
                gradient.rows_mut(a * size, size).axpy(residual / regularization, &input, 1.0);
                for (b, &other) in classes.iter().enumerate() {
                    let weight = probabilities[class] * (f64::from(u8::from(a == b)) - probabilities[other]);
                    let mut block = matrix.view_mut((a * size, b * size), (size, size));
                    block += weight * &outer;
                }
            }
        }
        if n_scores > 1 {
            // Shifting all intercepts changes nothing; without this the matrix would be singular.
            for (a, b) in (0..n_scores).flat_map(|a| (0..n_scores).map(move |b| (a, b))) {
                matrix[(a * size + size - 1, b * size + size - 1)] += 1.0;
            }
        }
        let step = matrix.cholesky().expect("the penalty keeps it definite").solve(&gradient);
        let at = |length: f64| -> Vec<f64> { point.iter().zip(&step).map(|(old, step)| old - length * step).collect() };
        let slack = 1e-13 * value(&point);
        let length = (0..60).map(|halvings| 0.5_f64.powi(halvings)).find(|&t| value(&at(t)) <= value(&point) + slack);
        point = at(length.expect("a step along Newton's direction lowers the objective"));
    }
    parameters(&model(&point), n_classes)
}

/// Seeded rows of one-hot categories with noisy labels of three classes, one of them rare.
fn one_hot_set(n_rows: usize, n_categories: usize, n_levels: usize) -> TrainingSet {
    let n_columns = n_categories * n_levels;
    let (draws, effects, noise) = (normals(1, n_rows * n_categories), normals(2, n_columns), normals(3, n_rows));
    let mut rows = vec![0.0; n_rows * n_columns];
    let mut labels = Vec::with_capacity(n_rows);
    for (row, columns) in rows.chunks_exact_mut(n_columns).enumerate() {
        let mut score = 2.0 * noise[row];
        for category in 0..n_categories {
            // Squared, so that some levels are rare.
            let level = (draws[row * n_categories + category].powi(2) * 15.0) as usize % n_levels;
            columns[category * n_levels + level] = 1.0;
            score += effects[category * n_levels + level];
        }
        labels.push(if score > 8.0 { 2 } else { usize::from(score > 0.0) });
    }
    TrainingSet::new(rows, n_columns, labels, 3).expect("all classes occur")
}

/// The largest derivative of the mean penalised loss in any column's own scale, from the definition.
fn mean_gradient(set: &TrainingSet, model: &LinearModel) -> f64 {
    let size = set.n_columns() + 1;
    let scores = 0..set.n_classes();
    let point: Vec<f64> = scores.clone().flat_map(|c| [model.weights(c), &[model.intercept(c)]].concat()).collect();
    let mut gradient: Vec<f64> =
        scores.flat_map(|c| model.weights(c).iter().copied().chain([0.0]).collect::<Vec<f64>>()).collect();
    let mut squares = vec![0.0; size];
    for row in 0..set.n_rows() {
        let probabilities = probabilities(set, &point, row);
        let input = || set.row(row).iter().copied().chain([1.0]).enumerate().filter(|(_, value)| *value != 0.0);
        input().for_each(|(place, value)| squares[place] += value * value);
        for (class, probability) in probabilities.iter().enumerate() {
            let residual = probability - f64::from(u8::from(set.labels()[row] == class));
            input().for_each(|(place, value)| gradient[class * size + place] += residual * value);
        }
    }
    let n_rows = set.n_rows() as f64;
    let scale = |place: usize| if squares[place] > 0.0 { (squares[place] / n_rows).sqrt() } else { 1.0 };
    gradient.iter().enumerate().map(|(place, slope)| slope.abs() / (n_rows * scale(place % size))).fold(0.0, f64::max)
}

/// Seeded; thirty tables of all shapes and penalties over six orders of magnitude.
#[test]
fn the_optimum_is_that_of_a_plain_newton_method() {
    for seed in 0..30_usize {
        let (n_rows, n_columns, n_classes) = (20 + 37 * seed, 1 + seed * 5 % 13, 2 + seed % 4);
        let set = noisy_set(seed as u128, n_rows, n_columns, n_classes);
        let regularization = 10_f64.powi(seed as i32 % 7 - 3);
        let fit = fit(&set, &LogisticOptions { regularization, ..LogisticOptions::default() });
        let written_out = objective(&set, &fit.model, regularization.recip());
        assert!((fit.objective / written_out - 1.0).abs() < SAME_OBJECTIVE, "seed {seed}");
        let difference = relative_difference(&parameters(&fit.model, n_classes), &plain_newton(&set, regularization));
        assert!(difference < SAME_OPTIMUM, "seed {seed}: {difference:e}");
    }
}

/// Steps of 1e-3 in every direction lie above the optimum by far more than rounding.
#[test]
fn no_neighbour_of_the_optimum_is_better() {
    for n_classes in [2, 3] {
        let set = noisy_set(11, 200, 4, n_classes);
        let fit = fit(&set, &LogisticOptions::default());
        let parameters = parameters(&fit.model, n_classes);
        let n_scores = parameters.len() / 5;
        for seed in 0..50 {
            let mut moved = parameters.clone();
            for (parameter, change) in moved.iter_mut().zip(normals(seed, parameters.len())) {
                *parameter += 1e-3 * change;
            }
            let intercepts = moved.split_off(4 * n_scores);
            let model = LinearModel::new(4, moved, intercepts).expect("finite numbers");
            assert!(objective(&set, &model, 1.0) > fit.objective);
        }
    }
}

/// Without the penalty the weights would grow without end.
#[test]
fn separable_rows_converge_thanks_to_the_penalty() {
    let column: Vec<f64> = (0..40).map(|row| f64::from(row) - 19.5).collect();
    for n_classes in [2, 4] {
        let labels = (0..40).map(|row| row * n_classes / 40).collect();
        let set = TrainingSet::new(column.clone(), 1, labels, n_classes).expect("a valid set");
        for regularization in [1.0, 1e-3, 1e-6] {
            let found = found(&set, &LogisticOptions { regularization, ..LogisticOptions::default() });
            let difference = relative_difference(&found, &plain_newton(&set, regularization));
            assert!(difference < SAME_FLAT_OPTIMUM, "{n_classes}, {regularization}: {difference:e}");
        }
    }
}

/// With columns s_j x_j the weights w_j / s_j give the same scores, so once the penalty counts for nothing the scaled
/// weights agree.
#[test]
fn columns_of_very_different_sizes_are_no_obstacle() {
    let plain = noisy_set(5, 300, 3, 2);
    let scales = [1e6, 1.0, 1e-2];
    let rows = plain.rows().iter().enumerate().map(|(i, value)| value * scales[i % 3]).collect();
    let scaled = TrainingSet::new(rows, 3, plain.labels().to_vec(), 2).expect("a valid set");
    let options = LogisticOptions { regularization: 1e-9, ..LogisticOptions::default() };
    let mut weights = found(&scaled, &options);
    for (weight, scale) in weights.iter_mut().zip(scales) {
        *weight *= scale;
    }
    let difference = relative_difference(&weights, &found(&plain, &options));
    assert!(difference < SAME_WITHOUT_PENALTY, "{difference:e}");
}

/// A shift is taken up by the intercept, which is not penalised: `b + w (x + shift) = (b + w shift) + w x`.
#[test]
fn a_column_far_from_zero_gets_the_weight_of_its_centred_copy() {
    for n_classes in [2, 3] {
        let plain = noisy_set(18, 300, 3, n_classes);
        let shifts = [2020.0, 0.0, -1e6];
        let rows = plain.rows().iter().enumerate().map(|(i, value)| value + shifts[i % 3]).collect();
        let shifted = TrainingSet::new(rows, 3, plain.labels().to_vec(), n_classes).expect("a valid set");
        let (near, far) =
            (fit(&plain, &LogisticOptions::default()).model, fit(&shifted, &LogisticOptions::default()).model);
        for score in 0..if n_classes == 2 { 1 } else { n_classes } {
            let difference = relative_difference(far.weights(score), near.weights(score));
            assert!(difference < SAME_OPTIMUM, "{difference:e}");
            let back = far.intercept(score) + far.weights(score).iter().zip(shifts).map(|(w, s)| w * s).sum::<f64>();
            assert!((back - near.intercept(score)).abs() < SAME_OPTIMUM);
        }
    }
}

#[test]
fn a_constant_column_gets_weight_zero() {
    let plain = noisy_set(19, 200, 1, 2);
    let rows = plain.rows().iter().flat_map(|value| [0.3, *value]).collect();
    let set = TrainingSet::new(rows, 2, plain.labels().to_vec(), 2).expect("a valid set");
    assert!(fit(&set, &LogisticOptions::default()).model.weights(0)[0].abs() < SAME_OPTIMUM);
}

/// The two columns differ by one part in a billion, and the penalty is 1e-18 of their curvature.
#[test]
fn columns_that_rounding_makes_equal_are_a_warning_and_not_a_silent_guess() {
    let plain = noisy_set(20, 300, 2, 3);
    let rows = plain.rows().chunks_exact(2).flat_map(|row| [1e9 * row[0], 1e9 * row[0] + row[1]]).collect();
    let set = TrainingSet::new(rows, 2, plain.labels().to_vec(), 3).expect("a valid set");
    let warning = unconverged(&set, &LogisticOptions::default());
    assert_eq!(warning, FitWarning::Collinear { column: Some(1) });
    assert!(warning.to_string().starts_with("to rounding, column 1 is a combination of other columns"));
}

#[test]
fn tiny_columns_are_fitted_to_the_same_relative_accuracy() {
    let plain = noisy_set(6, 300, 3, 2);
    let rows = plain.rows().iter().map(|value| value * 1e-9).collect();
    let set = TrainingSet::new(rows, 3, plain.labels().to_vec(), 2).expect("a valid set");
    let (found, plain) = (found(&set, &LogisticOptions::default()), plain_newton(&set, 1.0));
    assert!(relative_difference(&found[..3], &plain[..3]) < SAME_OPTIMUM);
    assert!(found[..3].iter().all(|weight| *weight != 0.0 && weight.abs() < 1e-6));
}

/// The matrix of the loss alone is singular here; the penalty shares the weight equally.
#[test]
fn a_column_that_occurs_twice_gets_the_same_weight_twice() {
    let single = noisy_set(7, 250, 2, 3);
    let doubled = single.rows().chunks_exact(2).flat_map(|row| [row[0], row[1], row[0]]).collect();
    let set = TrainingSet::new(doubled, 3, single.labels().to_vec(), 3).expect("a valid set");
    let model = fit(&set, &LogisticOptions::default()).model;
    for score in 0..3 {
        let weights = model.weights(score);
        assert!((weights[0] - weights[2]).abs() < SAME_OPTIMUM * weights[0].abs());
    }
}

#[test]
fn a_column_of_zeros_gets_weight_zero_and_changes_nothing_else() {
    for n_classes in [2, 3] {
        let plain = noisy_set(8, 250, 2, n_classes);
        let rows = plain.rows().chunks_exact(2).flat_map(|row| [row[0], 0.0, row[1]]).collect();
        let set = TrainingSet::new(rows, 3, plain.labels().to_vec(), n_classes).expect("a valid set");
        let (with_zeros, without) =
            (fit(&set, &LogisticOptions::default()).model, fit(&plain, &LogisticOptions::default()).model);
        let weights = with_zeros.weights(0);
        assert_eq!(weights[1], 0.0);
        assert!(relative_difference(&[weights[0], weights[2]], without.weights(0)) < SAME_OPTIMUM);
    }
}

#[test]
fn weights_and_intercepts_of_three_or_more_classes_sum_to_zero() {
    let set = noisy_set(9, 400, 5, 4);
    let model = fit(&set, &LogisticOptions::default()).model;
    for column in 0..5 {
        let sum: f64 = (0..4).map(|score| model.weights(score)[column]).sum();
        assert!(sum.abs() < SAME_OPTIMUM);
    }
    assert!((0..4).map(|score| model.intercept(score)).sum::<f64>().abs() < CENTRED);
}

#[test]
fn a_stronger_penalty_makes_smaller_weights() {
    let set = noisy_set(10, 200, 3, 2);
    let length = |regularization| {
        let fit = fit(&set, &LogisticOptions { regularization, ..LogisticOptions::default() });
        fit.model.weights(0).iter().map(|weight| weight * weight).sum::<f64>()
    };
    assert!(length(100.0) < length(1.0) && length(1.0) < length(0.01));
}

/// 2,500 one-hot columns of 25 categories, three classes, one class rare; the design matrix is sparse, and the
/// preconditioner has several blocks. The gradient is worked out from its definition.
#[test]
fn thousands_of_one_hot_columns_and_three_classes_converge() {
    let set = one_hot_set(3000, 25, 100);
    let fit = fit(&set, &LogisticOptions::default());
    assert_eq!(fit.warning, None);
    assert!(fit.n_iterations < 20, "{} iterations", fit.n_iterations);
    let gradient = mean_gradient(&set, &fit.model);
    assert!(gradient < LogisticOptions::default().tolerance, "{gradient:e}");
}

#[test]
fn progress_is_told_before_each_iteration_and_never_gets_worse() {
    let set = noisy_set(13, 200, 6, 3);
    let mut seen = Vec::new();
    let fit =
        logistic::fit(&set, &LogisticOptions::default(), &mut |progress| seen.push(progress)).expect("it converges");
    assert_eq!(seen.len(), fit.n_iterations + 1);
    assert!(seen.iter().enumerate().all(|(i, progress)| progress.iteration == i));
    let not_worse = |pair: &[Iteration]| pair[1].objective <= pair[0].objective * (1.0 + SAME_OBJECTIVE);
    assert!(seen.windows(2).all(not_worse));
    let last = seen.last().expect("at least the start");
    assert!(last.gradient <= last.tolerance && last.objective == fit.objective);
}

#[test]
fn the_same_rows_give_the_same_model_to_the_last_bit() {
    let set = noisy_set(14, 300, 6, 3);
    assert_eq!(fit(&set, &LogisticOptions::default()), fit(&set, &LogisticOptions::default()));
}

#[test]
fn too_few_iterations_are_a_warning_beside_the_best_model_so_far() {
    let set = noisy_set(15, 300, 6, 3);
    let options = LogisticOptions { max_iterations: 2, ..LogisticOptions::default() };
    let warning = unconverged(&set, &options);
    assert_eq!(warning, FitWarning::OutOfIterations { n_iterations: 2 });
    assert!(warning.to_string().contains("allow more iterations"));
}

#[test]
fn a_tolerance_below_rounding_is_a_warning() {
    let set = noisy_set(16, 300, 6, 3);
    let warning = unconverged(&set, &LogisticOptions { tolerance: 1e-300, ..LogisticOptions::default() });
    assert!(matches!(warning, FitWarning::Stalled { .. } | FitWarning::OutOfIterations { .. }), "{warning}");
}

/// Its intercept would fall for ever.
#[test]
fn a_class_without_rows_is_refused() {
    let set = TrainingSet::new(vec![1.0, 2.0, 3.0], 1, vec![0, 2, 0], 3).expect("two classes occur");
    let error = logistic::fit(&set, &LogisticOptions::default(), &mut |_| ()).unwrap_err();
    assert_eq!(error, TrainError::ClassWithoutRows { class: 1 });
}

#[test]
fn a_column_too_large_to_square_is_refused() {
    let set = TrainingSet::new(vec![1.0, 1.0, 1.0, 1e200], 2, vec![0, 1], 2).expect("finite values");
    let error = logistic::fit(&set, &LogisticOptions::default(), &mut |_| ()).unwrap_err();
    assert_eq!(error, TrainError::TooLarge { column: 1 });
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let set = noisy_set(17, 20, 1, 2);
    let good = LogisticOptions::default();
    let mut cases = vec![(LogisticOptions { max_iterations: 0, ..good }, "max_iterations")];
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        cases.push((LogisticOptions { regularization: bad, ..good }, "regularization"));
        cases.push((LogisticOptions { tolerance: bad, ..good }, "tolerance"));
    }
    cases.push((LogisticOptions { regularization: 1e-310, ..good }, "regularization"));
    for (options, option) in cases {
        let error = logistic::fit(&set, &options, &mut |_| ()).unwrap_err();
        assert_eq!(error, TrainError::InvalidOption { option });
    }
}
