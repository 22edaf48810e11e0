//! From a table to a plan, with progress bars.

use anyhow::anyhow;
use indicatif::ProgressBar;
use mindrel::model::Classifier;
use mindrel::plan::Training;
use mindrel::{People, Plan, Schema};
use mindrel_io::table::{LabelColumn, Table, Unfit};
use mindrel_train::{Believer, FitError, Learner, TrainError, TrainingProgress, fit_plan};

use crate::commands::tables::tell_skipped;
use crate::terminal::output::warn;
use crate::terminal::progress;

/// The people to train on, those held out, and the split with its number of rows.
pub fn divide(people: &People, split: Training) -> (People, People, Training) {
    let kept = people.filter(|person| !split.is_held_out(person.line));
    let held_out = people.filter(|person| split.is_held_out(person.line));
    let training = Training { rows: kept.len(), ..split };
    (kept, held_out, training)
}

/// Reads and encodes a whole table. Rows to train on must fit the schema; of those held out, those that do not are
/// skipped.
pub fn read_people(table: &Table, schema: &Schema, split: &Training) -> anyhow::Result<People> {
    let bar = progress::bytes("reading", table.size());
    let unfit = Unfit::RefuseInTraining(split.clone());
    let (people, skipped) = table.people(schema, LabelColumn::Required, unfit, |bytes| bar.inc(bytes as u64))?;
    bar.finish_and_clear();
    tell_skipped(&skipped);
    Ok(people)
}

/// Trains, showing progress.
pub fn train(
    schema: &Schema,
    people: &People,
    learner: &Learner,
    believer: &Believer,
    training: Training,
) -> anyhow::Result<Plan> {
    let bar = match learner {
        Learner::Logistic(_) => progress::spinner("training"),
        Learner::Network(options) => progress::epochs(options.epochs as u64, options.early_stopping.is_some()),
    };
    let plan = fit_plan(schema, people, learner, believer, Some(training), &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    plan.map_err(|error| match (error, learner) {
        (FitError::Train(TrainError::Diverged { epoch }), Learner::Network(_)) => {
            anyhow!("training diverged in epoch {epoch}; lower --learning-rate")
        }
        (error, _) => in_words(error),
    })
}

/// Fits the belief for an existing classifier, showing progress.
pub fn plan_around(
    schema: &Schema,
    model: Classifier,
    people: &People,
    believer: &Believer,
    training: Training,
) -> anyhow::Result<Plan> {
    let bar = progress::spinner("fitting the belief");
    let report = &mut |progress| show(&bar, progress);
    let plan = mindrel_train::plan_around(schema, model, people, believer, Some(training), report);
    bar.finish_and_clear();
    plan.map_err(in_words)
}

/// Shows the progress of training.
fn show(bar: &ProgressBar, progress: TrainingProgress) {
    match progress {
        TrainingProgress::Iteration(step) => {
            bar.set_message(format!("training, iteration {}, gradient {:.1e}", step.iteration + 1, step.gradient));
        }
        TrainingProgress::Epoch(epoch) => {
            bar.set_position(epoch.epoch as u64);
            let loss = epoch.validation_loss.unwrap_or(epoch.training_loss);
            bar.set_message(format!("training, loss {loss:.4}"));
        }
        TrainingProgress::BeliefEpoch { epochs, n_epochs, n_networks } => {
            let networks = if n_networks == 1 { String::new() } else { format!(", {n_networks} networks") };
            bar.set_message(format!("fitting the belief{networks}"));
            if bar.length() != Some(n_epochs as u64) || epochs == 1 {
                progress::restyle_as_epochs(bar, n_epochs as u64);
            }
            bar.set_position(epochs as u64);
        }
        TrainingProgress::Warning(warning) => {
            bar.suspend(|| warn(&format!("{warning}. The plan is made with the best model found.")));
        }
    }
}

/// Explains an error in terms of the command line's options.
fn in_words(error: FitError) -> anyhow::Error {
    match error {
        // Its own words speak of options that the command line does not have.
        FitError::Train(TrainError::NoValidationRows) => anyhow!(
            "there are too few rows to hold some out for early stopping; add rows, or use --recipe paper, which does \
             not need them"
        ),
        FitError::TooManySets { questions, most } => anyhow!(
            "--per-set would train 2^{questions} networks; leave it out to train one for all sets, or make at most \
             {most} questions sensitive"
        ),
        // A logistic regression has no epochs: it was the belief.
        FitError::Train(TrainError::Diverged { epoch }) => {
            anyhow!("training of the belief diverged in epoch {epoch}; choose another --belief")
        }
        FitError::Train(TrainError::NothingOpen) => anyhow!(
            "no question is sensitive, so a Bayesian network has nothing to predict; make one sensitive, or leave out \
             --belief"
        ),
        error => error.into(),
    }
}
