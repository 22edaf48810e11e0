//! From a table to a plan, under signs of life.

use anyhow::anyhow;
use indicatif::ProgressBar;
use mindrel::model::{Classifier, Model};
use mindrel::plan::Training;
use mindrel::{People, Plan, Schema};
use mindrel_io::table::{LabelColumn, OutsidePolicy, Table};
use mindrel_train::{Believer, FitError, Learner, Progress, TrainError, fit_plan};

use crate::terminal::progress;

/// Those to train on, those held out, and the split with its number of rows filled in.
pub fn divide(people: &People, split: Training) -> (People, People, Training) {
    let kept = people.filter(|person| !split.is_held_out(person.line));
    let held_out = people.filter(|person| split.is_held_out(person.line));
    let training = Training { rows: kept.len(), ..split };
    (kept, held_out, training)
}

/// Reads and encodes a whole table; a row outside its declared domain is refused.
pub fn read_people(table: &Table, schema: &Schema) -> anyhow::Result<People> {
    let bar = progress::bytes("reading", table.size());
    let people = table.people(schema, LabelColumn::Required, OutsidePolicy::Refuse, |bytes| bar.inc(bytes as u64))?;
    bar.finish_and_clear();
    Ok(people)
}

/// Trains under a sign of life.
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

/// Fits the belief around a classifier that is there already, under a sign of life.
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

/// Where training stands.
fn show(bar: &ProgressBar, progress: Progress) {
    match progress {
        Progress::Step(step) => {
            bar.set_message(format!("training, step {}, gradient {:.1e}", step.iteration + 1, step.gradient));
        }
        Progress::Epoch(epoch) => {
            bar.set_position(epoch.epoch as u64);
            let loss = epoch.validation_loss.unwrap_or(epoch.training_loss);
            bar.set_message(format!("training, loss {loss:.4}"));
        }
        Progress::Mixture(step) => {
            bar.set_message(format!(
                "fitting the belief, {} of up to {} components, step {}",
                step.components, step.most_components, step.iteration
            ));
            progress::restyle_as_spinner(bar);
        }
        Progress::Bayes { epochs, n_epochs, n_networks } => {
            let networks = if n_networks == 1 { String::new() } else { format!(", {n_networks} networks") };
            bar.set_message(format!("fitting the belief{networks}"));
            if bar.length() != Some(n_epochs as u64) || epochs == 1 {
                progress::restyle_as_epochs(bar, n_epochs as u64);
            }
            bar.set_position(epochs as u64);
        }
    }
}

/// What went wrong, in words of the command line.
fn in_words(error: FitError) -> anyhow::Error {
    match error {
        // Its own words speak of options that the command line does not have.
        FitError::Train(TrainError::NoValidationRows) => anyhow!(
            "there are too few rows to keep some aside and see when training should end; add rows, or train with \
             --recipe paper, which needs none"
        ),
        FitError::TooManySets { questions, most } => anyhow!(
            "--per-set would train 2^{questions} networks; leave it out to train one for all sets, or make at most {most} \
             questions sensitive"
        ),
        // A logistic regression has no epochs: it was the belief.
        FitError::Train(TrainError::Diverged { epoch }) => {
            anyhow!("training of the belief diverged in epoch {epoch}; take another --belief")
        }
        FitError::Train(TrainError::NothingOpen) => anyhow!(
            "no question is sensitive, so that a Bayesian network has nothing to predict; make one sensitive, or leave out \
             --belief"
        ),
        FitError::Train(TrainError::DegenerateComponent { .. }) => anyhow!(
            "one component of the mixture has no variance left in some column; ask for fewer --components, or take \
             --belief gaussian"
        ),
        error => error.into(),
    }
}

/// The share of people whose class the model gives, with everything revealed.
pub fn accuracy(plan: &Plan, people: &People) -> f64 {
    let right = people.iter().filter(|person| Some(plan.model().label(person.columns)) == person.label);
    right.count() as f64 / people.len().max(1) as f64
}
