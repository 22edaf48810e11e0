//! What a person does with a question: from the terminal, or from a file.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, bail, ensure};
use mindrel::Plan;
use mindrel::schema::{Answer, Question};
use mindrel_io::answers_file::StatedAnswers;

use crate::terminal::output::{faint, say, say_line};

/// What a person does with a question.
pub enum Reply {
    Answer(Answer),
    Decline,
    Stop,
}

/// Where replies come from.
pub enum Replies {
    /// By hand; whether it was said what else can be typed.
    Terminal { told: bool },
    /// From a file, with its name.
    File(StatedAnswers, String),
}

impl Replies {
    /// Every name it speaks of is a question of the plan.
    pub fn check_names(&self, plan: &Plan) -> anyhow::Result<()> {
        let Replies::File(answers, name) = self else {
            return Ok(());
        };
        let known = |question: &&str| plan.schema().find(question).is_some();
        if let Some(unknown) = answers.names().find(|question| !known(question)) {
            bail!("{name}: there is no question `{unknown}` in this plan; correct the name or leave it out");
        }
        Ok(())
    }

    /// What the person does with a question.
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
                    "{name}: there is no answer to `{}`; add one, or null to decline it",
                    question.name
                );
                match stated.flatten() {
                    None => {
                        say_line("   declined")?;
                        Ok(Reply::Decline)
                    }
                    Some(text) => {
                        let answer = question.parse(&text).with_context(|| name.clone())?;
                        say_line("   answered")?;
                        Ok(Reply::Answer(answer))
                    }
                }
            }
        }
    }
}

/// Asks until the reply can be understood.
fn ask_terminal(question: &Question, reason: &str, hint: bool) -> anyhow::Result<Reply> {
    let interactive = std::io::stdin().is_terminal();
    if interactive && hint {
        say_line(&faint("   (s to skip, ? for more, q to stop)"))?;
    }
    loop {
        say("   > ")?;
        let mut line = Vec::new();
        if std::io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            bail!("the answers ended before the decision was settled; answer, skip with s, or stop with q");
        }
        if !interactive {
            say_line("")?;
        }
        // Text in another encoding is a wrong answer, not the end of the session.
        let line = String::from_utf8_lossy(&line);
        let text = line.trim();
        let parsed = if text.is_empty() { None } else { Some(parse(question, text)) };
        match (parsed, text) {
            (Some(Ok(answer)), _) => return Ok(Reply::Answer(answer)),
            (_, "s" | "skip") => return Ok(Reply::Decline),
            (_, "q" | "quit") => return Ok(Reply::Stop),
            (_, "?") => {
                say_line(&format!("   {reason}"))?;
                if !question.help.is_empty() {
                    say_line(&format!("   {}", question.help))?;
                }
                say_line(&format!("   possible answers: {}", question.choices()))?;
            }
            (None, _) => say_line("   please answer, or s to skip")?,
            (Some(Err(error)), _) => say_line(&format!("   {error}"))?,
        }
    }
}

/// Reads an answer, taking a level whatever its case.
fn parse(question: &Question, text: &str) -> Result<Answer, mindrel::schema::AnswerError> {
    question.parse(text).or_else(|error| {
        let mindrel::schema::Kind::Category { levels, .. } = &question.kind else {
            return Err(error);
        };
        let mut alike = levels.iter().enumerate().filter(|(_, level)| level.eq_ignore_ascii_case(text));
        match (alike.next(), alike.next()) {
            (Some((level, _)), None) => Ok(Answer::Level(level)),
            _ => Err(error),
        }
    })
}
