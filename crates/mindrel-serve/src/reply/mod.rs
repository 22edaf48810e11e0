//! What a client is told after every step.

mod fragments;
mod written;

pub(crate) use fragments::Fragments;
pub(crate) use written::written;

use mindrel::Session;
use mindrel::certificate::Certificate;
use mindrel::schema::{Kind, Question, QuestionId};
use mindrel::session::Next;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ledger::Receipt;
use crate::service::Standing;
use crate::words;

/// Where a session stands. It has no `Debug`: a certificate in it holds answers.
#[derive(Serialize, ToSchema)]
pub struct Reply<'a> {
    /// What to send with the next step. It holds all that was said, sealed; the service keeps nothing.
    pub token: &'a str,
    /// When the token expires, in seconds since 1970.
    pub expires: u64,
    /// The plan that is followed.
    pub plan: &'a str,
    /// The failure probability that is followed.
    pub delta: f64,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// The questions that were answered, in order.
    pub answered: Vec<&'a str>,
    /// The questions that were declined, in order.
    pub declined: Vec<&'a str>,
    /// The class held likeliest now, and how likely: how settled the decision is.
    pub outlook: OutlookView<'a>,
    /// What comes next.
    #[serde(flatten)]
    pub stage: Stage<'a>,
}

/// A class and how likely it is held.
#[derive(Serialize, ToSchema)]
pub struct OutlookView<'a> {
    /// The class.
    pub class: &'a str,
    /// Its probability under the plan's belief; 1 once it is proved.
    pub probability: f64,
}

/// What comes next.
#[derive(Serialize, ToSchema)]
#[serde(tag = "stage", rename_all = "lowercase")]
pub enum Stage<'a> {
    /// A question.
    Asking {
        /// The question.
        question: QuestionView<'a>,
        /// Why this one, of all that are open.
        reason: String,
    },
    /// The decision.
    Decided(Box<DecisionView<'a>>),
    /// Nothing that could still be asked settles the decision.
    Undecided {
        /// What to make of it, in plain words.
        words: String,
        /// The questions that were never put.
        never_asked: Vec<&'a str>,
        /// That it is in the ledger.
        #[schema(nullable = false)]
        receipt: Option<&'a Receipt>,
    },
}

/// A decision and what it rests on.
#[derive(Serialize, ToSchema)]
pub struct DecisionView<'a> {
    /// The class.
    pub class: &'a str,
    /// What it rests on: complete, proved, sampled or probable.
    pub guarantee: &'static str,
    /// The same in plain words.
    pub words: String,
    /// The questions that never had to be asked.
    pub never_asked: Vec<&'a str>,
    /// All that is needed to check the decision with `mindrel verify`; it holds the answers that were given.
    #[schema(value_type = Object)]
    pub certificate: Option<Certificate>,
    /// That it is in the ledger.
    #[schema(nullable = false)]
    pub receipt: Option<&'a Receipt>,
}

/// A question as it is put.
#[derive(Serialize, ToSchema)]
pub struct QuestionView<'a> {
    /// What it is called in answers.
    pub name: &'a str,
    /// The question in words.
    pub label: &'a str,
    /// More words; may be empty.
    pub help: &'a str,
    /// number, integer, boolean or category.
    pub kind: &'static str,
    /// The smallest number that is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// The largest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// What can be chosen from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<&'a [String]>,
}

impl<'a> Reply<'a> {
    pub(crate) fn new(standing: &'a Standing) -> Self {
        let session = &standing.session;
        let outlook = session.outlook();
        let schema = session.plan().schema();
        Reply {
            token: &standing.token,
            expires: standing.expires,
            plan: &standing.offer.name,
            delta: session.plan().rules().delta,
            questions: session.plan().sensitive().len(),
            answered: names(session, session.revealed()),
            declined: names(session, session.declined().iter().copied()),
            outlook: OutlookView { class: schema.class(outlook.label), probability: outlook.probability },
            stage: Stage::of(session, standing.receipt.as_ref()),
        }
    }
}

impl<'a> Stage<'a> {
    fn of(session: &'a Session, receipt: Option<&'a Receipt>) -> Self {
        let schema = session.plan().schema();
        match session.next() {
            Next::Ask { question, reason } => {
                Stage::Asking { question: QuestionView::new(schema.question(question)), reason: reason.to_string() }
            }
            Next::Done(decision) => Stage::Decided(Box::new(DecisionView {
                class: schema.class(decision.label),
                guarantee: decision.guarantee.name(),
                words: words::guarantee(session, &decision),
                never_asked: names(session, session.never_asked()),
                certificate: session.certificate(),
                receipt,
            })),
            Next::Undecided(outlook) => Stage::Undecided {
                words: words::undecided(session, &outlook),
                never_asked: names(session, session.never_asked()),
                receipt,
            },
        }
    }
}

impl<'a> QuestionView<'a> {
    pub(crate) fn new(question: &'a Question) -> Self {
        let (kind, bounds, levels) = match &question.kind {
            Kind::Number { lower, upper, .. } => ("number", Some((*lower, *upper)), None),
            Kind::Integer { lower, upper, .. } => ("integer", Some((*lower, *upper)), None),
            Kind::Boolean => ("boolean", None, None),
            Kind::Category { levels, .. } => ("category", None, Some(&levels[..])),
        };
        QuestionView {
            name: &question.name,
            label: &question.prompt,
            help: &question.help,
            kind,
            lower: bounds.map(|(lower, _)| lower),
            upper: bounds.map(|(_, upper)| upper),
            levels,
        }
    }
}

fn names(session: &Session, questions: impl Iterator<Item = QuestionId>) -> Vec<&str> {
    questions.map(|id| session.plan().schema().question(id).name.as_str()).collect()
}
