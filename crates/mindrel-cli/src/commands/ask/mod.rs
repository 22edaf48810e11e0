//! `mindrel ask`: ask one person, one question at a time.

mod replies;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use mindrel::core_test::Test;
use mindrel::schema::{Placement, QuestionId, Visibility};
use mindrel::session::{Answers, Next, StartError};
use mindrel::{Plan, Rules, Selector, Session};
use mindrel_io::answers_file::StatedAnswers;
use mindrel_io::{certificate_file, output};

use super::clock::clock;
use super::plans;
use super::public::given_public;
use super::rules::{NOT_CALIBRATED, RuleArguments};
use crate::terminal::output::{bold, faint, say_line};
use crate::terminal::words;

use replies::{Replies, Reply};

/// Answer questions one at a time until the decision is settled.
///
/// Every question comes with the reason why it is asked. Type "s" to skip a question you would rather not answer: it is
/// not asked again, and the decision is made without it if possible. Type "?" for more information, "q" to stop.
#[derive(Args)]
#[command(after_help = "\
Examples:
  mindrel ask people.plan --public age=40,region=north
  mindrel ask people.plan --delta 0.05 --certificate mine.json
  mindrel ask calibrated.plan --calibrated              # after mindrel calibrate
  mindrel ask people.plan --answers answers.json        # {\"age\": 40, \"income\": null}; null declines")]
pub struct Ask {
    /// Plan file.
    plan: PathBuf,
    /// Accepted chance that unasked answers would change the decision; 0 asks until it is proved [default: the plan's].
    #[arg(long, allow_hyphen_values = true)]
    delta: Option<f64>,
    /// Rule that chooses the next question: decisive, f-score, f-score-mc, importance, importance-logistic or random
    /// [default: the plan's].
    #[arg(long)]
    selector: Option<Selector>,
    /// How to test at delta 0 that no unknown answer can change the decision: certified (a proof) or, for models that
    /// are not linear, sampled (no proof) [default: the plan's].
    #[arg(long)]
    test: Option<Test>,
    /// Use the rules that `mindrel calibrate` stored in the plan, which limit how many decisions may differ.
    #[arg(long, conflicts_with_all = NOT_CALIBRATED)]
    calibrated: bool,
    /// Answers already known: name=value,…; may be repeated. A value may contain commas.
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    public: Vec<String>,
    /// Read all answers from a JSON object; null declines a question.
    #[arg(long, value_name = "FILE.json")]
    answers: Option<PathBuf>,
    /// Write a certificate of the decision, for `mindrel verify`. It contains the answers given.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleArguments,
}

impl Ask {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.certificate {
            let inputs = [Some(&self.plan), self.answers.as_ref()].into_iter().flatten();
            output::check_writable(path, &inputs.map(PathBuf::as_path).collect::<Vec<&Path>>())?;
        }
        let plan = plans::read(&self.plan)?;
        if self.calibrated && plan.calibration().is_none() {
            bail!("{}: {}, with `mindrel calibrate`", self.plan.display(), StartError::NotCalibrated);
        }
        let rules = *plan.rules();
        let plan = plan.with_rules(Rules {
            delta: self.delta.unwrap_or(rules.delta),
            selector: self.selector.unwrap_or(rules.selector),
            test: self.test.unwrap_or(rules.test),
            ..self.rules.over(&rules)
        })?;
        let mut replies = match &self.answers {
            Some(path) => Replies::File(StatedAnswers::read(path)?, path.display().to_string()),
            None => Replies::Terminal { told: false },
        };
        replies.check_names(&plan)?;
        say_line(&bold(&plan.schema().target().prompt))?;
        let Some(public) = self.public_answers(&plan, &mut replies)? else {
            return stopped();
        };
        let mut session = match self.rules.each_test() {
            _ if self.calibrated => Session::start_calibrated(&plan, &public)?,
            Some(each) => Session::start_within(&plan, &public, clock, each)?,
            None => Session::start(&plan, &public)?,
        };
        let mut number = 0;
        while let Next::Ask { question, reason } = session.next() {
            number += 1;
            let asked = plan.schema().question(question);
            say_line(&format!("\n{number}  {}   {}", bold(&asked.prompt), faint(&asked.choices())))?;
            say_line(&faint(&format!("   {}", words::outlook(&session))))?;
            say_line(&faint(&format!("   asked because {reason}")))?;
            match replies.reply(asked, &format!("asked because {reason}"))? {
                Reply::Answer(answer) => {
                    if session.answer(question, answer)? == Placement::Outside {
                        say_line("   (outside the expected range; accepted as it is)")?;
                    }
                }
                Reply::Decline => session.decline(question)?,
                Reply::Stop => return stopped(),
            }
        }
        say_line("")?;
        self.finish(&session)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Values from --public, then from the answers, then by asking. Returns `None` when the person stops.
    fn public_answers(&self, plan: &Plan, replies: &mut Replies) -> anyhow::Result<Option<Answers>> {
        let mut answers = given_public(plan, &self.public)?;
        for id in plan.schema().ids_with(Visibility::Public).collect::<Vec<QuestionId>>() {
            if answers.get(id).is_some() {
                continue;
            }
            let question = plan.schema().question(id);
            say_line(&format!("\n-  {}   {}", bold(&question.prompt), faint(&question.choices())))?;
            let reason = "usually already known, and needed to start";
            let answer = loop {
                match replies.reply(question, reason)? {
                    Reply::Answer(answer) => break answer,
                    Reply::Stop => return Ok(None),
                    Reply::Decline => replies.insist(question)?,
                }
            };
            answers.insert(id, answer);
        }
        for id in answers.questions().collect::<Vec<QuestionId>>() {
            let question = plan.schema().question(id);
            if let Some(answer) = answers.get(id)
                && question.encode(answer, &mut vec![0.0; question.n_columns()])? == Placement::Outside
            {
                say_line(&format!("   ({}: outside the expected range; accepted as it is)", question.name))?;
            }
        }
        Ok(Some(answers))
    }

    fn finish(&self, session: &Session) -> anyhow::Result<()> {
        match session.next() {
            Next::Done(decision) => say_line(&bold(&words::decision(session, &decision)))?,
            Next::Undecided(outlook) => {
                let class = words::quoted(session.plan().schema().class(outlook.label));
                let chance = words::percent(outlook.probability);
                say_line(&bold(&format!(
                    "Undecided: no remaining question can settle it. {class} is the most likely, {chance}. A person \
                     should decide this case."
                )))?;
            }
            Next::Ask { .. } => unreachable!("the questions have ended"),
        }
        let declined = words::names(session.plan().schema(), session.declined().iter().copied());
        if !declined.is_empty() {
            say_line(&format!("Declined: {declined}."))?;
        }
        let never = words::names(session.plan().schema(), session.never_asked());
        if !never.is_empty() {
            say_line(&format!("Never asked: {never}."))?;
        }
        if !session.out_of_budget().is_empty() {
            say_line("A test ran out of budget or time, so more questions may have been asked than necessary.")?;
        }
        if let Some(promise) = session.promise() {
            say_line(&words::promise(promise))?;
        } else if self.calibrated {
            say_line("The plan's promise does not cover people who decline to answer.")?;
        }
        let Some(path) = &self.certificate else {
            return Ok(());
        };
        let Some(certificate) = session.certificate() else {
            return say_line(&no_certificate(path));
        };
        certificate_file::write(path, &certificate)?;
        say_line(&format!(
            "Certificate written to {0}. Check it with: mindrel verify {1} {0}",
            path.display(),
            self.plan.display()
        ))
    }
}

fn no_certificate(path: &Path) -> String {
    let earlier =
        if path.exists() { format!(" {} is from an earlier session.", path.display()) } else { String::new() };
    format!("No certificate was written, because there is no decision.{earlier}")
}

fn stopped() -> anyhow::Result<ExitCode> {
    say_line("\nStopped. Nothing was decided, and nothing was saved.")?;
    Ok(ExitCode::SUCCESS)
}
