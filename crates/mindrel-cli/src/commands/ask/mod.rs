//! `mindrel ask`: ask one person, one question at a time.

mod conversation;
mod replies;
mod result;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use mindrel::core_test::TimeLimit;
use mindrel::session::{Answers, Next, StartError};
use mindrel::{Plan, Session};
use mindrel_io::answers_file::StatedAnswers;
use mindrel_io::certificate_file;
use mindrel_io::output::Readers;

use super::clock::clock;
use super::json_output::JsonArguments;
use super::plans;
use super::public::given_public;
use super::rules::{NOT_CALIBRATED, SessionRules};
use super::tables::WritingArguments;
use crate::exit_code::ExitCode;
use crate::terminal::output::Channel;
use crate::terminal::words;

use conversation::Conversation;
use replies::Replies;
use result::AskResult;

/// The exit code of a session that ended without a decision.
const UNDECIDED: u8 = 3;
/// The exit code of a session that was stopped.
const STOPPED: u8 = 4;

/// Answer questions one at a time until the decision is settled.
///
/// Every question comes with the reason why it is asked. Type "s" to skip a question you would rather not answer: it
/// is not asked again, and the decision is made without it if possible. Type "b" to go back to the question before,
/// "?" for more information, "q" to stop.
///
/// Exit code 0: decided. 2: bad input. 3: undecided, a person should decide. 4: stopped.
#[derive(Args)]
#[command(after_help = "\
Examples:
  mindrel ask people.plan --public age=40,region=north
  mindrel ask people.plan --delta 0.05 --certificate mine.json
  mindrel ask calibrated.plan --calibrated              # after mindrel calibrate
  mindrel ask people.plan --answers answers.json        # {\"age\": 40, \"income\": null}; null declines
  mindrel ask people.plan --answers answers.json --json -")]
pub struct Ask {
    /// Plan file.
    plan: PathBuf,
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
    json: JsonArguments,
    #[command(flatten)]
    writing: WritingArguments,
    #[command(flatten)]
    rules: SessionRules,
}

impl Ask {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let inputs: Vec<&Path> =
            [Some(&self.plan), self.answers.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        if let Some(path) = &self.certificate {
            self.writing.check(path, &inputs)?;
        }
        self.json.check(&self.writing, &inputs)?;
        let plan = self.plan()?;
        let channel = self.json.channel();
        let replies = match &self.answers {
            Some(path) => Replies::File(StatedAnswers::read(path)?, path.display().to_string()),
            None => Replies::Terminal { told: false },
        };
        replies.check_names(&plan)?;
        channel.say_line(&channel.bold(&plan.schema().target().prompt))?;
        let public = given_public(&plan, &self.public)?;
        let mut conversation = Conversation::new(&plan, replies, channel, public);
        let session = conversation.hold(&|public| self.start(&plan, public))?;
        self.json.write(&AskResult::new(&plan, session.as_ref()), Readers::Owner)?;
        let Some(session) = session else {
            channel.say_line("\nStopped. Nothing was decided, and nothing was saved.")?;
            return Ok(ExitCode::from(STOPPED));
        };
        channel.say_line("")?;
        self.finish(&session, channel)?;
        Ok(if matches!(session.next(), Next::Done(_)) { ExitCode::SUCCESS } else { ExitCode::from(UNDECIDED) })
    }

    /// The plan under the rules asked for.
    fn plan(&self) -> anyhow::Result<Plan> {
        let plan = plans::read(&self.plan)?;
        if self.calibrated && plan.calibration().is_none() {
            bail!("{}: {}, with `mindrel calibrate`", self.plan.display(), StartError::NotCalibrated);
        }
        Ok(self.rules.applied_to(&plan)?)
    }

    fn start(&self, plan: &Plan, public: &Answers) -> anyhow::Result<Session> {
        Ok(match self.rules.each_step() {
            _ if self.calibrated => Session::start_calibrated(plan, public)?,
            Some(each) => Session::start_within(plan, public, TimeLimit { clock, each })?,
            None => Session::start(plan, public)?,
        })
    }

    fn finish(&self, session: &Session, channel: Channel) -> anyhow::Result<()> {
        match session.next() {
            Next::Done(decision) => channel.say_line(&channel.bold(&words::decision(session, &decision)))?,
            Next::Undecided(outlook) => {
                let class = words::quoted(session.plan().schema().class_words(outlook.label));
                let chance = words::percent(outlook.probability);
                channel.say_line(&channel.bold(&format!(
                    "Undecided: no remaining question can settle it. {class} is the most likely, {chance}. A person \
                     should decide this case."
                )))?;
            }
            Next::Ask { .. } => unreachable!("the questions have ended"),
        }
        let declined = words::names(session.plan().schema(), session.declined().iter().copied());
        if !declined.is_empty() {
            channel.say_line(&format!("Declined: {declined}."))?;
        }
        let implied = words::names(session.plan().schema(), session.implied().map(|implied| implied.question));
        if !implied.is_empty() {
            channel.say_line(&format!("Known without asking: {implied}."))?;
        }
        let never = words::names(session.plan().schema(), session.never_asked());
        if !never.is_empty() {
            channel.say_line(&format!("Never asked: {never}."))?;
        }
        if !session.out_of_budget().is_empty() {
            channel
                .say_line("A test ran out of budget or time, so more questions may have been asked than necessary.")?;
        }
        if let Some(promise) = session.promise() {
            channel.say_line(&words::promise(promise))?;
        } else if self.calibrated {
            channel.say_line("The plan's promise does not cover people who decline to answer.")?;
        }
        self.certify(session, channel)
    }

    fn certify(&self, session: &Session, channel: Channel) -> anyhow::Result<()> {
        let Some(path) = &self.certificate else {
            return Ok(());
        };
        let Some(certificate) = session.certificate() else {
            return channel.say_line(&no_certificate(path));
        };
        certificate_file::write(path, &certificate)?;
        channel.say_line(&format!(
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
