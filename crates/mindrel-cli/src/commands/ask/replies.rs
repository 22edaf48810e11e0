//! Replies to questions, from the terminal or from a file.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, bail, ensure};
use mindrel::Plan;
use mindrel::schema::{Answer, Kind, Question};
use mindrel_io::answers_file::StatedAnswers;

use crate::terminal::output::{faint, say, say_line};

/// A reply to a question.
pub enum Reply {
    Answer(Answer),
    Decline,
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
    pub fn insist(&self, question: &Question) -> anyhow::Result<()> {
        let name = &question.name;
        match self {
            Replies::Terminal { .. } => {
                say_line("   this answer is needed to start and cannot be skipped; type q to stop")
            }
            Replies::File(_, file) => {
                bail!("{file}: the public question `{name}` cannot be declined; give its value here or with --public")
            }
        }
    }

    /// The reply to a question.
    pub fn reply(&mut self, question: &Question, reason: &str) -> anyhow::Result<Reply> {
        match self {
            Replies::Terminal { told } => {
                let hint = !std::mem::replace(told, true);
                ask_terminal(question, reason, hint)
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
                        say_line("   declined")?;
                        Ok(Reply::Decline)
                    }
                    Some(stated) => {
                        let answer = question.accept(stated).with_context(|| name.clone())?;
                        say_line("   answered")?;
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
    Help,
    Stop,
}

impl PromptCommand {
    /// The command that was typed. A short form that is also a level of the question means the level.
    fn read(question: &Question, text: &str) -> Option<PromptCommand> {
        match text {
            "skip" => Some(PromptCommand::Skip),
            "help" => Some(PromptCommand::Help),
            "quit" => Some(PromptCommand::Stop),
            _ if is_level(question, text) => None,
            "s" => Some(PromptCommand::Skip),
            "?" => Some(PromptCommand::Help),
            "q" => Some(PromptCommand::Stop),
            _ => None,
        }
    }

    fn hint(question: &Question) -> &'static str {
        if ["s", "q", "?"].iter().any(|short| is_level(question, short)) {
            "(type skip to skip, help for more information, quit to stop)"
        } else {
            "(s to skip, ? for more information, q to stop)"
        }
    }
}

fn is_level(question: &Question, text: &str) -> bool {
    matches!(&question.kind, Kind::Category { levels, .. } if levels.iter().any(|level| level == text))
}

/// Asks until the reply is understood.
fn ask_terminal(question: &Question, reason: &str, first: bool) -> anyhow::Result<Reply> {
    let interactive = std::io::stdin().is_terminal();
    let hint = PromptCommand::hint(question);
    if interactive && (first || hint.starts_with("(type")) {
        say_line(&faint(&format!("   {hint}")))?;
    }
    loop {
        say("   > ")?;
        let mut line = Vec::new();
        if std::io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            bail!("the input ended before the decision was settled; answer, type s to skip, or q to stop");
        }
        if !interactive {
            say_line("")?;
        }
        // Text in another encoding is a wrong answer, not the end of the session.
        let line = String::from_utf8_lossy(&line);
        let text = line.trim();
        match PromptCommand::read(question, text) {
            Some(PromptCommand::Skip) => return Ok(Reply::Decline),
            Some(PromptCommand::Stop) => return Ok(Reply::Stop),
            Some(PromptCommand::Help) => {
                say_line(&format!("   {reason}"))?;
                if !question.help.is_empty() {
                    say_line(&format!("   {}", question.help))?;
                }
                say_line(&format!("   possible answers: {}", question.choices()))?;
            }
            None if text.is_empty() => say_line(&format!("   please answer {hint}"))?,
            None => match question.parse_typed(text) {
                Ok(answer) => return Ok(Reply::Answer(answer)),
                Err(error) => say_line(&format!("   {error}"))?,
            },
        }
    }
}
