//! The questions put to one person, in order, with a way back.

use mindrel::schema::{Placement, QuestionId, Visibility};
use mindrel::session::{Answers, Next};
use mindrel::{Plan, Session};

use super::replies::{Replies, Reply};
use crate::terminal::output::Channel;
use crate::terminal::progress::patiently;
use crate::terminal::words;

const WORKING: &str = "working out what to ask next";

/// A conversation with one person. It has no `Debug` because it holds answers.
pub struct Conversation<'a> {
    plan: &'a Plan,
    replies: Replies,
    channel: Channel,
    public: Answers,
    /// The public questions that were asked here, in order.
    asked_public: Vec<QuestionId>,
}

/// How a part of the conversation ended.
enum Ended {
    Answered,
    Stopped,
    /// The person went back past its first question.
    Back,
}

impl<'a> Conversation<'a> {
    /// A conversation with a person whose public answers may be known in part.
    pub fn new(plan: &'a Plan, replies: Replies, channel: Channel, public: Answers) -> Self {
        Conversation { plan, replies, channel, public, asked_public: Vec::new() }
    }

    /// Asks until the session ends. Returns `None` if the person stops it.
    pub fn hold(&mut self, start: &dyn Fn(&Answers) -> anyhow::Result<Session>) -> anyhow::Result<Option<Session>> {
        loop {
            if !self.ask_public()? {
                return Ok(None);
            }
            let mut session = patiently(WORKING, || start(&self.public))?;
            match self.ask_sensitive(&mut session)? {
                Ended::Answered => return Ok(Some(session)),
                Ended::Stopped => return Ok(None),
                Ended::Back => self.take_back_public(),
            }
        }
    }

    /// Asks for the public answers that are still missing. Returns whether all are there.
    fn ask_public(&mut self) -> anyhow::Result<bool> {
        let schema = self.plan.schema();
        while let Some(id) = schema.ids_with(Visibility::Public).find(|id| self.public.get(*id).is_none()) {
            let question = schema.question(id);
            let (bold, faint) = (self.channel.bold(&question.prompt), self.channel.faint(&question.choices()));
            self.channel.say_line(&format!("\n-  {bold}   {faint}"))?;
            match self.replies.reply(self.channel, question, "usually already known, and needed to start")? {
                Reply::Answer(answer) => {
                    self.public.insert(id, answer);
                    match Session::check_public(self.plan, &self.public) {
                        Ok(()) => self.asked_public.push(id),
                        Err(error) => {
                            self.public.remove(id);
                            self.replies.refuse(self.channel, error)?;
                        }
                    }
                }
                Reply::Decline => self.replies.insist(self.channel, question)?,
                Reply::Back if self.asked_public.is_empty() => self.say_first()?,
                Reply::Back => self.take_back_public(),
                Reply::Stop => return Ok(false),
            }
        }
        Ok(true)
    }

    fn ask_sensitive(&mut self, session: &mut Session) -> anyhow::Result<Ended> {
        self.tell_implied(session, 0)?;
        while let Next::Ask { question: id, reason } = session.next() {
            let question = self.plan.schema().question(id);
            let number = session.revealed().count() + session.declined().len() + 1;
            let (bold, faint) = (self.channel.bold(&question.prompt), self.channel.faint(&question.choices()));
            self.channel.say_line(&format!("\n{number}  {bold}   {faint}"))?;
            self.channel.say_line(&self.channel.faint(&format!("   {}", words::outlook(session))))?;
            self.channel.say_line(&self.channel.faint(&format!("   asked because {reason}")))?;
            match self.replies.reply(self.channel, question, &format!("asked because {reason}"))? {
                Reply::Answer(answer) => {
                    let (n_implied, broke_rules) = (session.implied().count(), session.breaks_rules());
                    match patiently(WORKING, || session.answer(id, answer)) {
                        Ok(Placement::Outside) if session.breaks_rules() && !broke_rules => {
                            self.channel.say_line("   (does not go with the other answers; accepted as it is)")?;
                        }
                        Ok(Placement::Outside) => {
                            self.channel.say_line("   (outside the expected range; accepted as it is)")?;
                        }
                        Ok(Placement::Inside) => self.tell_implied(session, n_implied)?,
                        Err(error) => self.replies.refuse(self.channel, error)?,
                    }
                }
                Reply::Decline => patiently(WORKING, || session.decline(id))?,
                Reply::Back if patiently(WORKING, || session.back()) => {}
                Reply::Back if self.asked_public.is_empty() => self.say_first()?,
                Reply::Back => return Ok(Ended::Back),
                Reply::Stop => return Ok(Ended::Stopped),
            }
        }
        Ok(Ended::Answered)
    }

    /// Says what follows from the answers, except for what was said before.
    fn tell_implied(&self, session: &Session, n_before: usize) -> anyhow::Result<()> {
        for implied in session.implied().skip(n_before) {
            self.channel
                .say_line(&self.channel.faint(&format!("   {}", words::implied(self.plan.schema(), &implied))))?;
        }
        Ok(())
    }

    fn take_back_public(&mut self) {
        if let Some(id) = self.asked_public.pop() {
            self.public.remove(id);
        }
    }

    fn say_first(&self) -> anyhow::Result<()> {
        self.channel.say_line("   this is the first question; there is nothing to go back to")
    }
}
