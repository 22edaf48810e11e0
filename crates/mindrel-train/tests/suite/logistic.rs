//! The optimum is the same whatever way it is reached, and every way to miss it is an error.

use crate::common::{fit, noisy_set, normals, objective, parameters, relative_difference};
use mindrel_train::logistic::{self, LogisticOptions, Method};
use mindrel_train::{TrainError, TrainingSet};

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

const METHODS: [Method; 2] = [Method::Newton, Method::QuasiNewton];

fn with(method: Method) -> LogisticOptions {
    LogisticOptions { method: Some(method), ..LogisticOptions::default() }
}

/// The parameters that a method finds.
fn found(set: &TrainingSet, options: &LogisticOptions) -> Vec<f64> {
    parameters(&fit(set, options).model, set.n_classes())
}

/// Seeded; thirty tables of all shapes and penalties over six orders of magnitude.
#[test]
fn newton_and_quasi_newton_find_the_same_optimum() {
    for seed in 0..30_usize {
        let (n_rows, n_columns, n_classes) = (20 + 37 * seed, 1 + seed * 5 % 13, 2 + seed % 4);
        let set = noisy_set(seed as u128, n_rows, n_columns, n_classes);
        let regularization = 10_f64.powi(seed as i32 % 7 - 3);
        let [newton, quasi_newton] = METHODS.map(|method| {
            let options = LogisticOptions { regularization, ..with(method) };
            let fit = fit(&set, &options);
            let written_out = objective(&set, &fit.model, regularization.recip());
            assert!((fit.objective / written_out - 1.0).abs() < SAME_OBJECTIVE, "seed {seed}");
            parameters(&fit.model, n_classes)
        });
        let difference = relative_difference(&quasi_newton, &newton);
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
            let model = mindrel::model::LinearModel::new(4, moved, intercepts).expect("finite numbers");
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
            let [newton, quasi_newton] =
                METHODS.map(|method| found(&set, &LogisticOptions { regularization, ..with(method) }));
            assert!(relative_difference(&quasi_newton, &newton) < SAME_FLAT_OPTIMUM, "{n_classes}, {regularization}");
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
    for method in METHODS {
        let options = LogisticOptions { regularization: 1e-9, ..with(method) };
        let mut weights = found(&scaled, &options);
        for (weight, scale) in weights.iter_mut().zip(scales) {
            *weight *= scale;
        }
        let difference = relative_difference(&weights, &found(&plain, &options));
        assert!(difference < SAME_WITHOUT_PENALTY, "{method:?}: {difference:e}");
    }
}

/// A shift is taken up by the intercept, which is not penalised: `b + w (x + shift) = (b + w shift) + w x`.
#[test]
fn a_column_far_from_zero_gets_the_weight_of_its_centred_copy() {
    for n_classes in [2, 3] {
        let plain = noisy_set(18, 300, 3, n_classes);
        let shifts = [2020.0, 0.0, -1e6];
        let rows = plain.rows().iter().enumerate().map(|(i, value)| value + shifts[i % 3]).collect();
        let shifted = TrainingSet::new(rows, 3, plain.labels().to_vec(), n_classes).expect("a valid set");
        for method in METHODS {
            let (near, far) = (fit(&plain, &with(method)).model, fit(&shifted, &with(method)).model);
            for score in 0..if n_classes == 2 { 1 } else { n_classes } {
                let difference = relative_difference(far.weights(score), near.weights(score));
                assert!(difference < SAME_OPTIMUM, "{method:?}: {difference:e}");
                let back =
                    far.intercept(score) + far.weights(score).iter().zip(shifts).map(|(w, s)| w * s).sum::<f64>();
                assert!((back - near.intercept(score)).abs() < SAME_OPTIMUM, "{method:?}");
            }
        }
    }
}

#[test]
fn a_constant_column_gets_weight_zero() {
    let plain = noisy_set(19, 200, 1, 2);
    let rows = plain.rows().iter().flat_map(|value| [0.3, *value]).collect();
    let set = TrainingSet::new(rows, 2, plain.labels().to_vec(), 2).expect("a valid set");
    for method in METHODS {
        assert!(fit(&set, &with(method)).model.weights(0)[0].abs() < SAME_OPTIMUM);
    }
}

/// The two columns differ by one part in a billion, and the penalty is 1e-18 of their curvature.
#[test]
fn columns_that_rounding_makes_equal_are_an_error_and_not_a_guess() {
    let plain = noisy_set(20, 300, 2, 3);
    let rows = plain.rows().chunks_exact(2).flat_map(|row| [1e9 * row[0], 1e9 * row[0] + row[1]]).collect();
    let set = TrainingSet::new(rows, 2, plain.labels().to_vec(), 3).expect("a valid set");
    let error = logistic::fit(&set, &LogisticOptions::default(), &mut |_| ()).unwrap_err();
    assert_eq!(error, TrainError::Collinear { column: Some(1) });
    assert!(error.to_string().starts_with("to rounding, column 1 is a combination of the columns before it"));
}

#[test]
fn tiny_columns_are_fitted_to_the_same_relative_accuracy() {
    let plain = noisy_set(6, 300, 3, 2);
    let rows = plain.rows().iter().map(|value| value * 1e-9).collect();
    let set = TrainingSet::new(rows, 3, plain.labels().to_vec(), 2).expect("a valid set");
    let [newton, quasi_newton] = METHODS.map(|method| found(&set, &with(method)));
    assert!(relative_difference(&quasi_newton[..3], &newton[..3]) < SAME_OPTIMUM);
    assert!(newton[..3].iter().all(|weight| *weight != 0.0 && weight.abs() < 1e-6));
}

/// The matrix of the loss alone is singular here; the penalty shares the weight equally.
#[test]
fn a_column_that_occurs_twice_gets_the_same_weight_twice() {
    let single = noisy_set(7, 250, 2, 3);
    let doubled = single.rows().chunks_exact(2).flat_map(|row| [row[0], row[1], row[0]]).collect();
    let set = TrainingSet::new(doubled, 3, single.labels().to_vec(), 3).expect("a valid set");
    for method in METHODS {
        let model = fit(&set, &with(method)).model;
        for score in 0..3 {
            let weights = model.weights(score);
            assert!((weights[0] - weights[2]).abs() < SAME_OPTIMUM * weights[0].abs());
        }
    }
}

#[test]
fn a_column_of_zeros_gets_weight_zero_and_changes_nothing_else() {
    for n_classes in [2, 3] {
        let plain = noisy_set(8, 250, 2, n_classes);
        let rows = plain.rows().chunks_exact(2).flat_map(|row| [row[0], 0.0, row[1]]).collect();
        let set = TrainingSet::new(rows, 3, plain.labels().to_vec(), n_classes).expect("a valid set");
        for method in METHODS {
            let (with_zeros, without) = (fit(&set, &with(method)).model, fit(&plain, &with(method)).model);
            let weights = with_zeros.weights(0);
            assert_eq!(weights[1], 0.0);
            assert!(relative_difference(&[weights[0], weights[2]], without.weights(0)) < SAME_OPTIMUM);
        }
    }
}

#[test]
fn weights_and_intercepts_of_three_or_more_classes_sum_to_zero() {
    let set = noisy_set(9, 400, 5, 4);
    for method in METHODS {
        let model = fit(&set, &with(method)).model;
        for column in 0..5 {
            let sum: f64 = (0..4).map(|score| model.weights(score)[column]).sum();
            assert!(sum.abs() < SAME_OPTIMUM);
        }
        assert!((0..4).map(|score| model.intercept(score)).sum::<f64>().abs() < CENTRED);
    }
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

#[test]
fn few_parameters_are_fitted_by_newton_and_many_by_quasi_newton() {
    let few = noisy_set(12, 100, 10, 2);
    let many = noisy_set(12, 100, 501, 2);
    assert_eq!(fit(&few, &LogisticOptions::default()).method, Method::Newton);
    assert_eq!(fit(&many, &LogisticOptions::default()).method, Method::QuasiNewton);
}

#[test]
fn progress_is_told_before_each_iteration_and_never_gets_worse() {
    let set = noisy_set(13, 200, 6, 3);
    for method in METHODS {
        let mut seen = Vec::new();
        let fit = logistic::fit(&set, &with(method), &mut |progress| seen.push(progress)).expect("it converges");
        assert_eq!(seen.len(), fit.n_iterations + 1);
        assert!(seen.iter().enumerate().all(|(i, progress)| progress.iteration == i));
        let not_worse = |pair: &[logistic::Progress]| pair[1].objective <= pair[0].objective * (1.0 + SAME_OBJECTIVE);
        assert!(seen.windows(2).all(not_worse));
        let last = seen.last().expect("at least the start");
        assert!(last.gradient <= last.tolerance && last.objective == fit.objective);
    }
}

#[test]
fn the_same_rows_give_the_same_model_to_the_last_bit() {
    let set = noisy_set(14, 300, 6, 3);
    for method in METHODS {
        assert_eq!(fit(&set, &with(method)), fit(&set, &with(method)));
    }
}

#[test]
fn too_few_iterations_are_an_error_and_not_a_model() {
    let set = noisy_set(15, 300, 6, 3);
    for method in METHODS {
        let options = LogisticOptions { max_iterations: 2, ..with(method) };
        let error = logistic::fit(&set, &options, &mut |_| ()).unwrap_err();
        assert_eq!(error, TrainError::NotConverged { n_iterations: 2 });
        assert!(error.to_string().contains("allow more `max_iterations`"));
    }
}

#[test]
fn a_tolerance_below_rounding_is_an_error_and_not_a_model() {
    let set = noisy_set(16, 300, 6, 3);
    for method in METHODS {
        let options = LogisticOptions { tolerance: 1e-300, ..with(method) };
        let error = logistic::fit(&set, &options, &mut |_| ()).unwrap_err();
        assert!(matches!(error, TrainError::Stalled { .. } | TrainError::NotConverged { .. }), "{error}");
    }
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
