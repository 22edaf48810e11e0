//! `mindrel demo`: train, audit and ask on embedded data.

use std::path::Path;

use clap::Args;
use mindrel::plan::Training;
use mindrel::schema::{Answer, QuestionId, Visibility};
use mindrel::session::{Answers, Next};
use mindrel::{People, Person, Plan, Rules, Selector, Session};
use mindrel_audit::{Run, audit};
use mindrel_io::schema_file;
use mindrel_io::table::Table;
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::{Believer, Learner};

use super::fit::{divide, read_people, train};
use crate::exit_code::ExitCode;
use crate::terminal::audit_tables::{legend, runs_table};
use crate::terminal::output::{bold, faint, say, say_line};
use crate::terminal::words;

const LOAN: &[u8] = include_bytes!("../../data/loan.csv");
const LOAN_SCHEMA: &str = include_str!("../../data/loan.toml");

/// The failure probabilities compared: those of the paper's experiments up to 0.1.
const DELTAS: [f64; 4] = [0.0, 0.01, 0.05, 0.1];

/// The failure probability of the transcript.
const TRANSCRIPT_DELTA: f64 = 0.05;

/// See mindrel work on embedded data: 4,454 loan applications.
///
/// Trains a logistic regression on 70 % of them and audits the other 30 %: how many questions are asked on average,
/// and whether decisions stay the same. Compares our rule (decisive) with the paper's (f-score, importance, random),
/// with asking everything (all) and with the fewest questions possible (optimal). Then shows the questions put to one
/// applicant.
#[derive(Debug, Args)]
pub struct Demo {
    /// Seed for the 70/30 split and for the random rule.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl Demo {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let table = Table::embedded("loan.csv", LOAN);
        let schema = schema_file::parse(Path::new("loan.toml"), LOAN_SCHEMA)?;
        let split = Training { rows: 0, holdout: 0.3, seed: self.seed, table: table.digest()?, private_moments: None };
        let people = read_people(&table, &schema, &split)?;
        let (kept, held_out, training) = divide(&people, split);
        let learner = Learner::Logistic(LogisticOptions::default());
        let plan = train(&schema, &kept, &learner, &Believer::Gaussian, training)?;
        say_line(&bold(&schema.target().prompt))?;
        say_line(&format!(
            "A logistic regression trained on {} loan applications decides {} others. Already known: {}.\n\
             Sensitive, asked only when needed: {}.\n",
            kept.len(),
            held_out.len(),
            words::names(&schema, schema.ids_with(Visibility::Public)),
            words::names(&schema, schema.ids_with(Visibility::Sensitive)),
        ))?;
        self.compare(&plan, &held_out)?;
        transcript(&plan, &held_out)?;
        Ok(ExitCode::SUCCESS)
    }

    fn compare(&self, plan: &Plan, people: &People) -> anyhow::Result<()> {
        let selectors = [Selector::Decisive, Selector::FScore, Selector::Importance, Selector::Random];
        let mut runs = Vec::new();
        for delta in DELTAS {
            for selector in selectors {
                runs.push(Run::asking(plan, Rules { delta, selector, seed: self.seed, ..Rules::default() })?);
            }
            if delta == 0.0 {
                runs.push(Run::optimal(plan));
                runs.push(Run::all(plan));
            }
        }
        let report = audit(plan, &runs, std::iter::once(Ok::<_, std::convert::Infallible>(people.clone())), Ok)?;
        say(&runs_table(&report))?;
        let order = "With two classes and delta above 0, decisive asks in the same order as f-score.";
        say_line(&format!("\n{}\n{order}\n", legend(&report)))
    }
}

/// Shows the session of the first person who is asked two to four questions.
fn transcript(plan: &Plan, people: &People) -> anyhow::Result<()> {
    let plan = plan.with_rules(Rules::with_delta(TRANSCRIPT_DELTA))?;
    let sessions = people.iter().map(|person| (person, questions_asked(&plan, &person)));
    let Some((person, _)) = sessions.into_iter().find(|(_, asked)| (2..=4).contains(asked)) else {
        return Ok(());
    };
    let public = answers(&plan, &person, Visibility::Public);
    let mut session = Session::start(&plan, &public)?;
    say_line(&bold(&format!("One applicant, delta {TRANSCRIPT_DELTA}")))?;
    let known: Vec<String> = public.questions().map(|id| shown(&plan, id, public.get(id))).collect();
    say_line(&format!("Already known: {}", known.join(", ")))?;
    let mut number = 0;
    while let Next::Ask { question, reason } = session.next() {
        number += 1;
        let asked = plan.schema().question(question);
        let answer = asked.decode(&person.columns[plan.schema().columns(question)]);
        say_line(&format!("{number}  {}   {}", asked.prompt, faint(&asked.choices())))?;
        say_line(&faint(&format!("   {}", words::outlook(&session))))?;
        say_line(&faint(&format!("   asked because {reason}")))?;
        say_line(&format!("   > {}", asked.show(&answer)))?;
        session.answer(question, answer)?;
    }
    if let Next::Done(decision) = session.next() {
        say_line(&bold(&words::decision(&session, &decision)))?;
    }
    say_line(&format!("Never asked: {}.", words::names(plan.schema(), session.never_asked())))
}

fn questions_asked(plan: &Plan, person: &Person<'_>) -> usize {
    let mut walk = mindrel::session::Walk::new(plan);
    walk.decide(person.columns, 0);
    walk.n_revealed()
}

fn answers(plan: &Plan, person: &Person<'_>, visibility: Visibility) -> Answers {
    let schema = plan.schema();
    let mut answers = Answers::new();
    for id in schema.ids_with(visibility) {
        answers.insert(id, schema.question(id).decode(&person.columns[schema.columns(id)]));
    }
    answers
}

fn shown(plan: &Plan, id: QuestionId, answer: Option<&Answer>) -> String {
    let question = plan.schema().question(id);
    format!("{} {}", question.name, answer.map_or(String::new(), |answer| question.show(answer)))
}
