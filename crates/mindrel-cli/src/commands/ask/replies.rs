//! Replies to questions, from the terminal or from a file.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, bail, ensure};
use mindrel::Plan;
use mindrel::schema::{Answer, AnswerError, Kind, Question};
use mindrel_io::answers_file::StatedAnswers;

use crate::terminal::output::Channel;

/// A reply to a question.
pub enum Reply {
    Answer(Answer),
    Decline,
    Back,
    Stop,
}

/// Where replies come from.
pub enum Replies {
    /// Typed by hand; `told` once the hint about commands has been shown.
    Terminal { told: bool },
    /// From a file, with its name.
    File(StatedAnswers, String),
}

impl Replies {
    /// Refuses names that are not questions of the plan.
    pub fn check_names(&self, plan: &Plan) -> anyhow::Result<()> {
        let Replies::File(answers, name) = self else {
            return Ok(());
        };
        let known = |question: &&str| plan.schema().find(question).is_some();
        if let Some(unknown) = answers.names().find(|question| !known(question)) {
            bail!("{name}: this plan has no question `{unknown}`; correct the name or remove it");
        }
        Ok(())
    }

    /// Says that a public question must be answered; an error for a file.
    pub fn insist(&self, channel: Channel, question: &Question) -> anyhow::Result<()> {
        let name = &question.name;
        match self {
            Replies::Terminal { .. } => {
                channel.say_line("   this answer is needed to start and cannot be skipped; type q to stop")
            }
            Replies::File(_, file) => {
                bail!("{file}: the public question `{name}` cannot be declined; give its value here or with --public")
            }
        }
    }

    /// Says why an answer cannot be taken, so that its question is asked again; an error for a file.
    pub fn refuse(&self, channel: Channel, error: AnswerError) -> anyhow::Result<()> {
        match self {
            Replies::Terminal { .. } => channel.say_line(&format!("   {error}")),
            Replies::File(_, file) => Err(error).with_context(|| file.clone()),
        }
    }

    /// The reply to a question.
    pub fn reply(&mut self, channel: Channel, question: &Question, reason: &str) -> anyhow::Result<Reply> {
        match self {
            Replies::Terminal { told } => {
                let hint = !std::mem::replace(told, true);
                ask_terminal(channel, question, reason, hint)
            }
            Replies::File(answers, name) => {
                let stated = answers.get(&question.name);
                ensure!(
                    stated.is_some(),
                    "{name}: the question `{}` has no answer; add one, or null to decline it",
                    question.name
                );
                match stated.flatten() {
                    None => {
                        channel.say_line("   declined")?;
                        Ok(Reply::Decline)
                    }
                    Some(stated) => {
                        let accepted = question.accept(stated);
                        let admitted = accepted.and_then(|answer| question.admit(&answer).map(|()| answer));
                        let answer = admitted.with_context(|| name.clone())?;
                        channel.say_line("   answered")?;
                        Ok(Reply::Answer(answer))
                    }
                }
            }
        }
    }
}

/// Commands that can be typed instead of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PromptCommand {
    Skip,
    Back,
    Help,
    Stop,
}

impl PromptCommand {
    /// The command that was typed. A short form that is also a level of the question means the level.
    fn read(question: &Question, text: &str) -> Option<PromptCommand> {
        match text {
            "skip" => Some(PromptCommand::Skip),
            "back" => Some(PromptCommand::Back),
            "help" => Some(PromptCommand::Help),
            "quit" => Some(PromptCommand::Stop),
            _ if is_level(question, text) => None,
            "s" => Some(PromptCommand::Skip),
            "b" => Some(PromptCommand::Back),
            "?" => Some(PromptCommand::Help),
            "q" => Some(PromptCommand::Stop),
            _ => None,
        }
    }

    fn hint(question: &Question) -> &'static str {
        if ["s", "b", "?", "q"].iter().any(|short| is_level(question, short)) {
            "(type skip to skip, back to go back, help for more information, quit to stop)"
        } else {
            "(s to skip, b to go back, ? for more information, q to stop)"
        }
    }
}

fn is_level(question: &Question, text: &str) -> bool {
    let Kind::Category { levels, .. } = &question.kind else { return false };
    levels.iter().any(|level| level == text || question.words.get(level) == Some(text))
}

fn read_typed(question: &Question, text: &str) -> Result<Answer, AnswerError> {
    let answer = question.parse_typed(text)?;
    question.admit(&answer)?;
    Ok(answer)
}

/// Asks until the reply is understood and can be taken.
fn ask_terminal(channel: Channel, question: &Question, reason: &str, first: bool) -> anyhow::Result<Reply> {
    let interactive = std::io::stdin().is_terminal();
    let hint = PromptCommand::hint(question);
    if interactive && (first || hint.starts_with("(type")) {
        channel.say_line(&channel.faint(&format!("   {hint}")))?;
    }
    loop {
        channel.say("   > ")?;
        let mut line = Vec::new();
        if std::io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            bail!("the input ended before the decision was settled; answer, type s to skip, or q to stop");
        }
        if !interactive {
            channel.say_line("")?;
        }
        // Text in another encoding is a wrong answer, not the end of the session.
        let line = String::from_utf8_lossy(&line);
        let text = line.trim();
        match PromptCommand::read(question, text) {
            Some(PromptCommand::Skip) => return Ok(Reply::Decline),
            Some(PromptCommand::Back) => return Ok(Reply::Back),
            Some(PromptCommand::Stop) => return Ok(Reply::Stop),
            Some(PromptCommand::Help) => {
                channel.say_line(&format!("   {reason}"))?;
                if !question.help.is_empty() {
                    channel.say_line(&format!("   {}", question.help))?;
                }
                channel.say_line(&format!("   possible answers: {}", question.choices()))?;
            }
            None if text.is_empty() => channel.say_line(&format!("   please answer {hint}"))?,
            None => match read_typed(question, text) {
                Ok(answer) => return Ok(Reply::Answer(answer)),
                Err(error) => channel.say_line(&format!("   {error}"))?,
            },
        }
    }
}
