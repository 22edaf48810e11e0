//! Networks learn what no linear model can, the seed decides everything, and every way to fail is an error.

use crate::common::noisy_set;
use mindrel::model::{Model, Network};
use mindrel_train::logistic::{self, LogisticOptions};
use mindrel_train::mlp::{self, EarlyStopping, Method, MlpFit, MlpOptions};
use mindrel_train::{Epoch, TrainError, TrainingSet};

/// Sums of a few hundred losses of order one, in another order.
const SAME_LOSS: f64 = 1e-13;

/// The fit, which must succeed, and every progress it reported.
fn fit(set: &TrainingSet, options: &MlpOptions) -> (MlpFit, Vec<Epoch>) {
    let mut heard = Vec::new();
    let fit = mlp::fit(set, options, &mut |progress| heard.push(progress)).expect("training succeeds");
    (fit, heard)
}

fn error(set: &TrainingSet, options: &MlpOptions) -> TrainError {
    mlp::fit(set, options, &mut |_| ()).expect_err("training is refused")
}

/// A few epochs and nothing else of note.
fn short() -> MlpOptions {
    MlpOptions { epochs: 4, early_stopping: None, ..MlpOptions::default() }
}

fn accuracy(model: &dyn Model, set: &TrainingSet) -> f64 {
    let right = (0..set.n_rows()).filter(|&row| model.label(set.row(row)).index() == set.labels()[row]);
    right.count() as f64 / set.n_rows() as f64
}

/// A chessboard over [−1, 1]²: the class counts the fields from the lower left corner, modulo the number of classes.
fn chessboard(n_fields: usize, n_classes: usize) -> TrainingSet {
    let ticks: Vec<f64> = (0..20).map(|tick| -0.95 + 0.1 * f64::from(tick)).collect();
    let field = |value: f64| ((value + 1.0) / 2.0 * n_fields as f64) as usize;
    let points = || ticks.iter().flat_map(|&x| ticks.iter().map(move |&y| [x, y]));
    let labels = points().map(|[x, y]| (field(x) + field(y)) % n_classes).collect();
    TrainingSet::new(points().flatten().collect(), 2, labels, n_classes).expect("a valid set")
}

/// Seeded; logistic regression is right about half of two classes, and no line is right about more than three quarters.
#[test]
fn what_no_line_tells_apart_is_learned() {
    let board = chessboard(2, 2);
    let linear = logistic::fit(&board, &LogisticOptions::default(), &mut |_| ()).expect("it converges").model;
    assert!(accuracy(&linear, &board) < 0.76);
    let (fit, _) = fit(&board, &MlpOptions::default());
    assert_eq!(fit.network.n_scores(), 1);
    assert!(accuracy(&fit.network, &board) > 0.95);
}

/// Seeded. Along the diagonal the classes come in turn, 0 1 2 0 1, so that one of three scores must rise twice.
#[test]
fn three_classes_in_turn_are_learned_with_a_score_for_each() {
    let board = chessboard(3, 3);
    let (fit, _) = fit(&board, &MlpOptions { early_stopping: None, ..MlpOptions::default() });
    assert_eq!(fit.network.n_scores(), 3);
    assert!(accuracy(&fit.network, &board) > 0.9);
}

#[test]
fn plain_descent_learns_it_too_with_a_longer_step() {
    let board = chessboard(2, 2);
    let (fit, _) = fit(&board, &MlpOptions { learning_rate: 0.1, ..MlpOptions::paper() });
    assert!(accuracy(&fit.network, &board) > 0.95);
}

#[test]
fn a_network_has_the_layers_that_were_asked_for() {
    let set = noisy_set(3, 60, 4, 3);
    for hidden in [vec![1], vec![7], vec![10, 10], vec![3, 8, 2, 5]] {
        let (fit, _) = fit(&set, &MlpOptions { hidden: hidden.clone(), ..short() });
        let sizes =
            |network: &Network| -> Vec<usize> { network.layers().iter().map(|layer| layer.n_units()).collect() };
        assert_eq!(sizes(&fit.network), [hidden, vec![3]].concat());
        assert_eq!(fit.network.n_columns(), 4);
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_seed_another_network() {
    let set = noisy_set(5, 200, 6, 3);
    for options in [MlpOptions { epochs: 5, ..MlpOptions::default() }, MlpOptions { epochs: 5, ..MlpOptions::paper() }]
    {
        let (one, heard) = fit(&set, &options);
        // What is written of a float is as exact as its bits, the sign of a zero included.
        assert_eq!(format!("{:?}", (&one, &heard)), format!("{:?}", fit(&set, &options)));
        let (other, _) = fit(&set, &MlpOptions { seed: 1, ..options });
        assert_ne!(one.network, other.network);
    }
}

/// Labels are mostly noise and the network is wide: it soon memorises rows, and the validation loss rises.
#[test]
fn early_stopping_restores_the_weights_of_the_best_epoch() {
    let set = noisy_set(7, 300, 8, 2);
    let stopping = EarlyStopping { validation: 0.2, patience: 6 };
    let hidden = vec![40, 40];
    let options = MlpOptions { hidden, epochs: 500, early_stopping: Some(stopping), ..MlpOptions::default() };
    let (stopped, heard) = fit(&set, &options);
    let losses: Vec<f64> =
        heard.iter().map(|progress| progress.validation_loss.expect("rows are kept aside")).collect();
    let lowest = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(stopped.validation_loss, Some(lowest));
    assert_eq!(losses[stopped.kept_epoch - 1], lowest);
    assert!(losses[losses.len() - 1] > lowest);
    assert_eq!(stopped.n_epochs, stopped.kept_epoch + stopping.patience);

    // Training that ends with the best epoch takes the same steps up to there.
    let (to_best, _) = fit(&set, &MlpOptions { epochs: stopped.kept_epoch, ..options });
    assert_eq!(to_best.network, stopped.network);
    assert_eq!(to_best.n_epochs, stopped.kept_epoch);
}

#[test]
fn early_stopping_that_never_strikes_still_keeps_the_best_epoch() {
    let set = noisy_set(9, 100, 3, 2);
    let early_stopping = Some(EarlyStopping { validation: 0.3, patience: 1000 });
    let (fit, heard) = fit(&set, &MlpOptions { epochs: 60, learning_rate: 0.05, early_stopping, ..short() });
    assert_eq!(fit.n_epochs, 60);
    assert!(fit.kept_epoch < 60);
    assert_eq!(heard[fit.kept_epoch - 1].validation_loss, fit.validation_loss);
}

#[test]
fn the_recipe_of_the_paper_runs_exactly_300_epochs() {
    let set = noisy_set(11, 40, 3, 2);
    let (fit, heard) = fit(&set, &MlpOptions::paper());
    assert_eq!((fit.n_epochs, fit.kept_epoch, heard.len()), (300, 300, 300));
    assert_eq!(fit.network.layers().iter().map(|layer| layer.n_units()).collect::<Vec<usize>>(), [10, 10, 1]);
    assert_eq!(fit.validation_loss, None);
}

#[test]
fn progress_is_told_once_an_epoch() {
    let set = noisy_set(13, 100, 3, 3);
    for options in [short(), MlpOptions::default()] {
        let (fit, heard) = fit(&set, &options);
        assert_eq!(heard.len(), fit.n_epochs);
        for (place, progress) in heard.iter().enumerate() {
            assert_eq!((progress.epoch, progress.n_epochs), (place + 1, options.epochs));
            assert_eq!(progress.validation_loss.is_some(), options.early_stopping.is_some());
            assert!(progress.training_loss > 0.0);
        }
        assert!(heard[heard.len() - 1].training_loss < heard[0].training_loss);
    }
}

/// Whatever the size of a batch, and whether or not the rows fill the last one.
#[test]
fn the_training_loss_is_that_of_the_returned_network() {
    let set = noisy_set(15, 101, 3, 2);
    for batch in [1, 7, 32, 101, usize::MAX] {
        let (fit, _) = fit(&set, &MlpOptions { batch, ..short() });
        let losses = (0..set.n_rows()).map(|row| {
            let mut score = [0.0];
            fit.network.scores(set.row(row), &mut score);
            score[0].exp().ln_1p() - set.labels()[row] as f64 * score[0]
        });
        let mean = losses.sum::<f64>() / set.n_rows() as f64;
        assert!((fit.training_loss - mean).abs() < SAME_LOSS, "batches of {batch}");
    }
}

#[test]
fn an_option_out_of_range_is_refused_by_name() {
    let set = noisy_set(17, 40, 3, 2);
    for learning_rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        for method in [Method::Sgd, Method::Adam { weight_decay: 0.0 }] {
            let options = MlpOptions { learning_rate, method, ..short() };
            assert_eq!(error(&set, &options), TrainError::InvalidOption { option: "learning_rate" });
        }
    }
    for (option, options) in [
        ("batch", MlpOptions { batch: 0, ..short() }),
        ("epochs", MlpOptions { epochs: 0, ..short() }),
        ("patience", stopping(0.1, 0)),
    ] {
        assert_eq!(error(&set, &options), TrainError::InvalidOption { option });
    }
    for validation in [0.0, 1.0, -0.1, 1.5, f64::NAN] {
        assert_eq!(error(&set, &stopping(validation, 5)), TrainError::InvalidShare { option: "validation" });
    }
    for weight_decay in [-0.1, f64::NAN, f64::INFINITY, 400.0] {
        let options = MlpOptions { method: Method::Adam { weight_decay }, ..short() };
        assert_eq!(error(&set, &options), TrainError::InvalidDecay);
    }
}

fn stopping(validation: f64, patience: usize) -> MlpOptions {
    MlpOptions { early_stopping: Some(EarlyStopping { validation, patience }), ..MlpOptions::default() }
}

#[test]
fn layers_that_are_missing_empty_or_too_wide_are_refused() {
    let set = noisy_set(19, 40, 3, 2);
    let of = |hidden: &[usize]| error(&set, &MlpOptions { hidden: hidden.to_vec(), ..short() });
    assert_eq!(of(&[]), TrainError::NoHiddenLayers);
    assert_eq!(of(&[0]), TrainError::EmptyLayer { layer: 0 });
    assert_eq!(of(&[4, 4, 0]), TrainError::EmptyLayer { layer: 2 });
    assert!(of(&[4, 0]).to_string().contains("`hidden` gives layer 1 no units"));
    for hidden in [vec![usize::MAX], vec![1 << 40, 1 << 40], vec![20_000, 20_000]] {
        assert!(matches!(of(&hidden), TrainError::TooManyParameters { .. }));
    }
}

#[test]
fn a_class_without_rows_is_refused_as_in_logistic_regression() {
    let set = TrainingSet::new(vec![0.0, 1.0, 2.0, 3.0], 1, vec![0, 2, 0, 2], 3).expect("two classes occur");
    let refused = TrainError::ClassWithoutRows { class: 1 };
    assert_eq!(error(&set, &short()), refused);
    assert_eq!(logistic::fit(&set, &LogisticOptions::default(), &mut |_| ()), Err(refused));
}

#[test]
fn too_few_rows_to_keep_any_aside_are_refused() {
    let set = TrainingSet::new(vec![0.0, 1.0, 2.0, 3.0], 1, vec![0, 1, 0, 1], 2).expect("two classes occur");
    assert_eq!(error(&set, &MlpOptions::default()), TrainError::NoValidationRows);
    let (fit, _) = fit(&set, &stopping(0.5, 5));
    assert!(fit.validation_loss.is_some());
}

/// Steps of 1e300 overflow at once; those of 1e50 stay finite and give a network whose scores could overflow.
#[test]
fn training_that_diverges_says_to_lower_the_learning_rate() {
    let set = noisy_set(21, 100, 3, 2);
    for learning_rate in [1e50, 1e300] {
        for base in [short(), stopping(0.2, 3), MlpOptions { epochs: 3, ..MlpOptions::paper() }] {
            let method = if base.method == Method::Sgd { Method::Sgd } else { Method::Adam { weight_decay: 0.0 } };
            let error = error(&set, &MlpOptions { learning_rate, method, ..base });
            assert!(matches!(error, TrainError::Diverged { .. }), "{error}");
            assert!(error.to_string().contains("lower `learning_rate`"));
        }
    }
}

#[test]
fn columns_too_large_to_learn_from_are_an_error_that_says_to_scale_them() {
    let set = TrainingSet::new(vec![1e300, -1e300, 5e299, -2e300], 1, vec![0, 1, 0, 1], 2).expect("finite cells");
    let error = error(&set, &MlpOptions { epochs: 50, ..short() });
    assert!(error.to_string().contains("scale the columns"));
    assert!(!format!("{error} {error:?}").contains("300"));
}
