//! The pages.

use std::sync::Arc;

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use mindrel::schema::{Kind, Question, Visibility};
use mindrel::session::Next;

use crate::plans::Offer;
use crate::problem::Problem;
use crate::service::Standing;
use crate::words;

/// With more levels than this, a list to choose from; up to it, all side by side.
const MOST_BUTTONS: usize = 8;

#[derive(Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    title: &'a str,
    plans: Vec<(&'a str, &'a str)>,
}

#[derive(Template)]
#[template(path = "begin.html")]
struct BeginPage<'a> {
    title: &'a str,
    plan: &'a str,
    n_sensitive: usize,
    inputs: Vec<Input<'a>>,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "question.html")]
struct QuestionPage<'a> {
    title: String,
    decision: &'a str,
    token: &'a str,
    number: usize,
    most: usize,
    input: Input<'a>,
    reason: String,
    likely: &'a str,
    how_likely: String,
    percent: String,
    probability: f64,
    earlier: Vec<Earlier<'a>>,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "end.html")]
struct EndPage<'a> {
    title: String,
    decision: &'a str,
    plan: &'a str,
    token: &'a str,
    /// The class, or nothing where there is no decision.
    class: Option<&'a str>,
    words: String,
    n_never: usize,
    n_questions: usize,
    never: Vec<&'a str>,
    declined: Vec<&'a str>,
    earlier: Vec<Earlier<'a>>,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    title: &'static str,
    detail: String,
}

/// A question that was put before, with what was said.
struct Earlier<'a> {
    name: &'a str,
    prompt: &'a str,
    /// Nothing where it was declined.
    answer: Option<String>,
}

/// A field to answer in.
struct Input<'a> {
    field: String,
    name: &'a str,
    prompt: &'a str,
    help: &'a str,
    /// What numbers are expected, in words.
    hint: String,
    is_whole: bool,
    /// What can be chosen from, each with its label; without, a number is typed.
    choices: Vec<(String, String)>,
    as_list: bool,
    /// What was typed before.
    value: &'a str,
}

impl<'a> Input<'a> {
    fn new(field: String, question: &'a Question, value: &'a str) -> Self {
        let named = |name: &str| (name.to_owned(), name.to_owned());
        let choices: Vec<(String, String)> = match &question.kind {
            Kind::Boolean => vec![("yes".to_owned(), "Yes".to_owned()), ("no".to_owned(), "No".to_owned())],
            Kind::Category { levels, .. } => {
                levels.iter().filter(|level| !level.is_empty()).map(|level| named(level)).collect()
            }
            Kind::Number { .. } | Kind::Integer { .. } => Vec::new(),
        };
        let is_whole = matches!(question.kind, Kind::Integer { .. });
        let hint = match &question.kind {
            Kind::Number { lower, upper, .. } => format!("A number, usually from {lower} to {upper}."),
            Kind::Integer { lower, upper, .. } => format!("A whole number, usually from {lower} to {upper}."),
            _ => String::new(),
        };
        let as_list = choices.len() > MOST_BUTTONS;
        Input {
            field,
            name: &question.name,
            prompt: &question.prompt,
            help: &question.help,
            hint,
            is_whole,
            choices,
            as_list,
            value,
        }
    }
}

pub(super) fn index(offers: &[&Arc<Offer>]) -> Html<String> {
    let plans =
        offers.iter().map(|offer| (offer.name.as_str(), offer.plan.schema().target().prompt.as_str())).collect();
    render(&IndexPage { title: "What would you like to have decided?", plans })
}

pub(super) fn begin(offer: &Offer, typed: &[(String, String)], problem: Option<&Problem>) -> Html<String> {
    let schema = offer.plan.schema();
    let input = |id| {
        let question = schema.question(id);
        let value = typed.iter().find(|(name, _)| *name == question.name).map_or("", |(_, value)| value.as_str());
        Input::new(format!("public.{}", question.name), question, value)
    };
    render(&BeginPage {
        title: &schema.target().prompt,
        plan: &offer.name,
        n_sensitive: offer.plan.sensitive().len(),
        inputs: schema.ids_with(Visibility::Public).map(input).collect(),
        problem: problem.map(sentence),
    })
}

/// The page of where a session stands.
pub(super) struct Page<'a> {
    standing: &'a Standing,
    /// What was wrong with the last answer.
    problem: Option<&'a Problem>,
}

impl<'a> Page<'a> {
    pub fn new(standing: &'a Standing, problem: Option<&'a Problem>) -> Self {
        Page { standing, problem }
    }

    pub fn render(&self) -> Html<String> {
        let session = &self.standing.session;
        let schema = session.plan().schema();
        match session.next() {
            Next::Ask { question, reason } => self.question(schema.question(question), reason.to_string()),
            Next::Done(decision) => self.end(Some(schema.class(decision.label)), words::guarantee(session, &decision)),
            Next::Undecided(outlook) => self.end(None, words::undecided(session, &outlook)),
        }
    }

    fn question(&self, question: &Question, reason: String) -> Html<String> {
        let session = &self.standing.session;
        let schema = session.plan().schema();
        let outlook = session.outlook();
        let earlier = self.earlier();
        let number = earlier.len() + 1;
        render(&QuestionPage {
            title: format!("Question {number}: {}", question.prompt),
            decision: &schema.target().prompt,
            token: &self.standing.token,
            number,
            most: session.plan().sensitive().len(),
            input: Input::new("answer".to_owned(), question, ""),
            reason,
            likely: schema.class(outlook.label),
            how_likely: if outlook.probability >= 0.5 { "likely" } else { "likeliest" }.to_owned(),
            percent: words::percent(outlook.probability),
            probability: outlook.probability,
            earlier,
            problem: self.problem.map(sentence),
        })
    }

    fn end(&self, class: Option<&str>, words: String) -> Html<String> {
        let session = &self.standing.session;
        let schema = session.plan().schema();
        let never: Vec<&str> = session.never_asked().map(|id| schema.question(id).prompt.as_str()).collect();
        let declined = session.declined().iter().map(|&id| schema.question(id).prompt.as_str()).collect();
        let title = class.map_or("Not decided".to_owned(), |class| format!("The decision: {class}"));
        render(&EndPage {
            title,
            decision: &schema.target().prompt,
            plan: &self.standing.offer.name,
            token: &self.standing.token,
            class,
            words,
            n_never: never.len(),
            n_questions: session.plan().sensitive().len(),
            never,
            declined,
            earlier: self.earlier(),
        })
    }

    fn earlier(&self) -> Vec<Earlier<'_>> {
        let schema = self.standing.session.plan().schema();
        let steps = self.standing.conversation.steps();
        let shown = steps.map(|(id, answer)| {
            let question = schema.question(id);
            let answer = answer.map(|answer| question.show(&answer));
            Earlier { name: &question.name, prompt: &question.prompt, answer }
        });
        shown.collect()
    }
}

/// A problem as a page.
pub(super) struct Failure(Problem);

impl Failure {
    pub fn of(problem: Problem) -> Self {
        Failure(problem)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure(problem)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, _, title) = self.0.kind();
        (status, render(&ProblemPage { title, detail: sentence(&self.0) })).into_response()
    }
}

/// What is wrong, as a sentence.
fn sentence(problem: &Problem) -> String {
    let text = problem.to_string();
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

fn render(page: &impl Template) -> Html<String> {
    Html(page.render().expect("a page is plain text"))
}
