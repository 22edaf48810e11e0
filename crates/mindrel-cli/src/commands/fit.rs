//! `mindrel fit`: train a classifier and make a plan.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use mindrel::model::Model;
use mindrel::plan::Training;
use mindrel::schema::{Encoding, Visibility};
use mindrel::{People, Plan, Schema};
use mindrel_io::table::{Decoder, InferOptions, LabelColumn, OutsidePolicy, Roles, Table, infer};
use mindrel_io::{output, plan_file, schema_file};
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, FitError, Learner, Progress, TrainError, fit_plan};

use super::belief::BeliefArguments;
use super::numbers;
use crate::terminal::output::say;
use crate::terminal::progress;
use crate::terminal::words::{self, percent};

/// Train a classifier on a table and make a plan: what can be asked, the model, and what is believed of the unknown.
///
/// Say which columns are sensitive (asked only when needed) with --sensitive or --public, or write a schema first with
/// `mindrel schema` and pass it with --schema.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel fit people.csv --label outcome --sensitive income,health -o people.plan
  mindrel fit people.csv --schema people.toml --holdout 0.3 -o people.plan
  mindrel fit people.csv --schema people.toml --model mlp --hidden 20,10 -o people.plan
  mindrel fit people.csv --schema people.toml --belief mixture -o people.plan
  mindrel fit people.csv --schema people.toml --private-moments 1 -o people.plan")]
pub struct Fit {
    /// Comma-separated table with a header line.
    table: PathBuf,
    /// Column that holds the class to decide; a schema names it.
    #[arg(long, value_name = "COLUMN", required_unless_present = "schema")]
    label: Option<String>,
    #[command(flatten)]
    roles: RoleArguments,
    /// Schema file with questions, domains and words; see `mindrel schema`.
    #[arg(long, value_name = "SCHEMA.toml", conflicts_with_all = ["sensitive", "public", "ignore", "encoding"])]
    schema: Option<PathBuf>,
    /// Kind of classifier.
    #[arg(long, value_enum, default_value_t = ModelName::Logistic)]
    model: ModelName,
    /// How categories become columns [default: onehot].
    #[arg(long, value_enum)]
    encoding: Option<EncodingName>,
    /// Strength of the L2 penalty of a logistic regression, 1/C in scikit-learn's terms [default: 1].
    #[arg(long, value_name = "STRENGTH", allow_hyphen_values = true)]
    regularization: Option<f64>,
    #[command(flatten)]
    network: NetworkArguments,
    #[command(flatten)]
    belief: BeliefArguments,
    /// Seed of the split into training and held-out rows, and of the training of networks and mixtures.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Share of rows to hold out and test on; `mindrel audit --held-out` audits just these.
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, allow_hyphen_values = true)]
    holdout: f64,
    /// Plan file to write.
    #[arg(short, long, value_name = "PLAN")]
    output: PathBuf,
}

/// Kinds of classifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModelName {
    /// Logistic regression: binary, or multinomial for three classes and more.
    Logistic,
    /// Network of rectified linear units, whose decisions are proved by branching.
    Mlp,
}

/// How a network is trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecipeName {
    /// Adam with weight decay, until a tenth of the rows, kept aside for this, is no longer predicted better.
    Default,
    /// Plain gradient descent to the last epoch, as published.
    Paper,
}

/// What is said of a network, with `--model mlp`.
#[derive(Debug, Args)]
struct NetworkArguments {
    /// Units of each hidden layer of a network [default: 10,10].
    #[arg(long, value_name = "UNITS", value_delimiter = ',', value_parser = numbers::units, allow_hyphen_values = true)]
    hidden: Option<Vec<usize>>,
    /// Times a network is shown every row, at most [default: 200, or 300 by the paper's recipe].
    #[arg(long, value_name = "N", value_parser = numbers::epochs, allow_hyphen_values = true)]
    epochs: Option<usize>,
    /// Length of a step of a network's training [default: 0.003, or 0.001 by the paper's recipe].
    #[arg(long, value_name = "RATE", value_parser = numbers::learning_rate, allow_hyphen_values = true)]
    learning_rate: Option<f64>,
    /// How a network is trained [default: default].
    #[arg(long, value_enum)]
    recipe: Option<RecipeName>,
}

impl NetworkArguments {
    /// The first option that was given.
    fn given(&self) -> Option<&'static str> {
        let given = [
            ("--hidden", self.hidden.is_some()),
            ("--epochs", self.epochs.is_some()),
            ("--learning-rate", self.learning_rate.is_some()),
            ("--recipe", self.recipe.is_some()),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }

    fn options(&self, seed: u64) -> MlpOptions {
        let recipe = match self.recipe {
            None | Some(RecipeName::Default) => MlpOptions::default(),
            Some(RecipeName::Paper) => MlpOptions::paper(),
        };
        MlpOptions {
            hidden: self.hidden.clone().unwrap_or(recipe.hidden),
            epochs: self.epochs.unwrap_or(recipe.epochs),
            learning_rate: self.learning_rate.unwrap_or(recipe.learning_rate),
            seed,
            ..recipe
        }
    }
}

/// How categories become columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EncodingName {
    /// One indicator column for each level; still one question.
    Onehot,
    /// One column: the level's place in the list.
    Ordinal,
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::Onehot => Encoding::Onehot,
            EncodingName::Ordinal => Encoding::Ordinal,
        }
    }
}

/// Which columns are what.
#[derive(Debug, Clone, Args)]
pub struct RoleArguments {
    /// Sensitive columns, asked only when needed; all others are public, unless --public is given too.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    sensitive: Option<Vec<String>>,
    /// Public columns, known beforehand; all others are sensitive, unless --sensitive is given too.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    public: Option<Vec<String>>,
    /// Columns to leave out, such as identifiers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
}

impl RoleArguments {
    pub fn into_roles(self) -> Roles {
        let trim = |names: Vec<String>| names.into_iter().map(|name| name.trim().to_owned()).collect::<Vec<String>>();
        Roles { sensitive: self.sensitive.map(trim), public: self.public.map(trim), ignore: trim(self.ignore) }
    }

    fn are_given(&self) -> bool {
        self.sensitive.is_some() || self.public.is_some()
    }
}

impl Fit {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        ensure!(
            (0.0..1.0).contains(&self.holdout),
            "--holdout must be at least 0 and below 1, not {}; 0.3 holds out 30 % of the rows",
            self.holdout
        );
        let learner = self.learner()?;
        let believer = self.belief.believer(self.seed)?;
        let inputs = [Some(&self.table), self.schema.as_ref()].into_iter().flatten();
        output::check_writable(&self.output, &inputs.map(PathBuf::as_path).collect::<Vec<&Path>>())?;
        let table = Table::file(&self.table);
        let schema = self.find_schema(&table)?;
        let people = read_people(&table, &schema)?;
        let split =
            Training { rows: 0, holdout: self.holdout, seed: self.seed, table: table.digest()?, private_moments: None };
        let (kept, held_out, training) = divide(&people, split);
        let plan = train(&schema, &kept, &learner, &believer, training).with_context(|| table.name())?;
        plan_file::write(&self.output, &plan)?;
        say(&self.summary(&plan, &kept, &held_out))?;
        Ok(ExitCode::SUCCESS)
    }

    fn learner(&self) -> anyhow::Result<Learner> {
        match self.model {
            ModelName::Logistic => {
                if let Some(option) = self.network.given() {
                    bail!("{option} is for networks; add --model mlp, or leave it out");
                }
                let default = LogisticOptions::default();
                let regularization = self.regularization.unwrap_or(default.regularization);
                Ok(Learner::Logistic(LogisticOptions { regularization, ..default }))
            }
            ModelName::Mlp => {
                ensure!(
                    self.regularization.is_none(),
                    "--regularization is for logistic regressions; leave it out with --model mlp"
                );
                Ok(Learner::Network(self.network.options(self.seed)))
            }
        }
    }

    fn find_schema(&self, table: &Table) -> anyhow::Result<Schema> {
        if let Some(path) = &self.schema {
            let schema = schema_file::read(path)?;
            ensure!(
                self.label.as_ref().is_none_or(|label| *label == schema.target().name),
                "{}: the schema's label is \"{}\"; leave out --label, or pass the same",
                path.display(),
                schema.target().name
            );
            return Ok(schema);
        }
        ensure!(
            self.roles.are_given(),
            "say which columns are sensitive: --sensitive a,b or --public c,d or --schema FILE"
        );
        let options = InferOptions {
            label: self.label.clone().expect("without a schema the label is required"),
            encoding: self.encoding.map_or(Encoding::Onehot, Encoding::from),
            roles: self.roles.clone().into_roles(),
        };
        let bar = progress::spinner("looking at the table");
        let schema = infer(table, &options);
        bar.finish_and_clear();
        Ok(schema?)
    }

    fn summary(&self, plan: &Plan, kept: &People, held_out: &People) -> String {
        let schema = plan.schema();
        let names = |visibility| {
            let names = words::names(schema, schema.ids_with(visibility));
            if names.is_empty() { "none".to_owned() } else { names }
        };
        let mut text = format!("Trained on {} rows, accuracy there {}.\n", kept.len(), percent(accuracy(plan, kept)));
        if !held_out.is_empty() {
            let accuracy = percent(accuracy(plan, held_out));
            text += &format!("Held out {} rows, accuracy there {accuracy}.\n", held_out.len());
        }
        text += &format!("Model:     {}\n", plan.model().describe());
        text += &format!("Belief:    {}\n", plan.belief().describe());
        text += &format!("Public:    {}\n", names(Visibility::Public));
        text += &format!("Sensitive: {}\n", names(Visibility::Sensitive));
        if let Some(private) = plan.training().and_then(|training| training.private_moments) {
            text += &format!(
                "Mean and covariance of the belief were released with ({}, {:e})-differential privacy for each row's content. \
                 That covers neither the model nor bounds and levels inferred from the table.\n",
                private.epsilon, private.delta
            );
        }
        text += &format!("Plan written to {} ({}).\n", self.output.display(), plan.fingerprint());
        text += &format!("Next: mindrel ask {}\n", self.output.display());
        text
    }
}

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
    let mut blocks = table.open()?;
    let decoder = Decoder::new(&blocks, schema, LabelColumn::Required, OutsidePolicy::Refuse)?;
    let mut people = People::new(schema.n_columns());
    for block in &mut blocks {
        let block = block?;
        people.append(&decoder.decode(&block)?);
        bar.inc(block.size() as u64);
    }
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
    let mut report = |progress: Progress| match progress {
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
            progress::restyle_as_spinner(&bar);
        }
        Progress::Bayes { epochs, n_epochs, n_networks } => {
            let networks = if n_networks == 1 { String::new() } else { format!(", {n_networks} networks") };
            bar.set_message(format!("fitting the belief{networks}"));
            if bar.length() != Some(n_epochs as u64) || epochs == 1 {
                progress::restyle_as_epochs(&bar, n_epochs as u64);
            }
            bar.set_position(epochs as u64);
        }
    };
    let plan = fit_plan(schema, people, learner, believer, Some(training), &mut report);
    bar.finish_and_clear();
    plan.map_err(|error| match error {
        // Its own words speak of options that the command line does not have.
        FitError::Train(TrainError::NoValidationRows) => anyhow!(
            "there are too few rows to keep some aside and see when training should end; add rows, or train with \
             --recipe paper, which needs none"
        ),
        FitError::TooManySets { questions, most } => anyhow!(
            "--per-set would train 2^{questions} networks; leave it out to train one for all sets, or make at most {most} \
             questions sensitive"
        ),
        FitError::Train(TrainError::Diverged { epoch }) => match learner {
            // A logistic regression has no epochs: it was the belief.
            Learner::Logistic(_) => anyhow!("training of the belief diverged in epoch {epoch}; take another --belief"),
            Learner::Network(_) => anyhow!("training diverged in epoch {epoch}; lower --learning-rate"),
        },
        FitError::Train(TrainError::DegenerateComponent { .. }) => anyhow!(
            "one component of the mixture has no variance left in some column; ask for fewer --components, or take \
             --belief gaussian"
        ),
        error => error.into(),
    })
}

/// The share of people whose class the model gives, with everything revealed.
pub fn accuracy(plan: &Plan, people: &People) -> f64 {
    let right = people.iter().filter(|person| Some(plan.model().label(person.columns)) == person.label);
    right.count() as f64 / people.len().max(1) as f64
}
