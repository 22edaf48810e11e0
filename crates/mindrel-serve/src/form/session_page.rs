//! The pages of a session.

use askama::Template;
use axum::response::Html;
use mindrel::schema::{AnswerError, Question};
use mindrel::session::Next;

use super::error_page::answer_error;
use super::pages::{FormField, render};
use crate::explanation;
use crate::service::SessionState;

#[derive(Template)]
#[template(path = "question.html")]
struct QuestionPage<'a> {
    title: String,
    decision: &'a str,
    token: &'a str,
    number: usize,
    most: usize,
    field: FormField<'a>,
    reason: String,
    likely: &'a str,
    percent: String,
    probability: f64,
    implied: Vec<ImpliedLine<'a>>,
    earlier: Vec<EarlierAnswer<'a>>,
}

#[derive(Template)]
#[template(path = "end.html")]
struct EndPage<'a> {
    title: String,
    decision: &'a str,
    plan: &'a str,
    token: &'a str,
    /// The class, or `None` if there is no decision.
    class: Option<&'a str>,
    words: String,
    n_never: usize,
    n_questions: usize,
    never: Vec<&'a str>,
    declined: Vec<&'a str>,
    implied: Vec<ImpliedLine<'a>>,
    earlier: Vec<EarlierAnswer<'a>>,
}

/// A question that is not asked because its answer follows from others.
struct ImpliedLine<'a> {
    prompt: &'a str,
    answer: String,
    /// From which, in words; may be empty.
    follows_from: String,
}

/// A question asked before, with its answer.
struct EarlierAnswer<'a> {
    name: &'a str,
    prompt: &'a str,
    /// `None` if it was declined.
    answer: Option<String>,
}

/// The page of a session's state.
pub(super) struct SessionPage<'a> {
    pub state: &'a SessionState,
    /// What was wrong with the last answer.
    pub error: Option<&'a AnswerError>,
}

impl SessionPage<'_> {
    pub fn render(&self) -> Html<String> {
        let session = &self.state.session;
        let schema = session.plan().schema();
        match session.next() {
            Next::Ask { question, reason } => self.question(schema.question(question), reason.to_string()),
            Next::Done(decision) => {
                self.end(Some(schema.class_words(decision.label)), explanation::guarantee(session, &decision))
            }
            Next::Undecided(outlook) => self.end(None, explanation::undecided(session, &outlook)),
        }
    }

    fn question(&self, question: &Question, reason: String) -> Html<String> {
        let session = &self.state.session;
        let schema = session.plan().schema();
        let outlook = session.outlook();
        let earlier = self.earlier();
        let number = earlier.len() + 1;
        render(&QuestionPage {
            title: format!("Question {number}: {}", question.prompt),
            decision: &schema.target().prompt,
            token: &self.state.token,
            number,
            most: session.plan().sensitive().len() - session.implied().count(),
            field: FormField::new(
                "answer".to_owned(),
                question,
                "",
                self.error.map(|error| answer_error(schema, error)),
            ),
            reason,
            likely: schema.class_words(outlook.label),
            percent: explanation::percent(outlook.probability),
            probability: outlook.probability,
            implied: self.implied(),
            earlier,
        })
    }

    fn end(&self, class: Option<&str>, words: String) -> Html<String> {
        let session = &self.state.session;
        let schema = session.plan().schema();
        let never: Vec<&str> = session.never_asked().map(|id| schema.question(id).prompt.as_str()).collect();
        let declined = session.declined().iter().map(|&id| schema.question(id).prompt.as_str()).collect();
        render(&EndPage {
            title: class.map_or("Not decided".to_owned(), |class| format!("The decision: {class}")),
            decision: &schema.target().prompt,
            plan: &self.state.plan.name,
            token: &self.state.token,
            class,
            words,
            n_never: never.len(),
            n_questions: session.plan().sensitive().len(),
            never,
            declined,
            implied: self.implied(),
            earlier: self.earlier(),
        })
    }

    fn implied(&self) -> Vec<ImpliedLine<'_>> {
        let session = &self.state.session;
        let shown = session.implied().map(|implied| {
            let question = session.plan().schema().question(implied.question);
            let follows_from = explanation::follows_from(session, &implied);
            ImpliedLine { prompt: &question.prompt, answer: question.show(&implied.answer), follows_from }
        });
        shown.collect()
    }

    fn earlier(&self) -> Vec<EarlierAnswer<'_>> {
        let schema = self.state.session.plan().schema();
        let shown = self.state.transcript.steps().map(|(id, answer)| {
            let question = schema.question(id);
            let answer = answer.map(|answer| question.show(&answer));
            EarlierAnswer { name: &question.name, prompt: &question.prompt, answer }
        });
        shown.collect()
    }
}
