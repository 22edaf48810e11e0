//! What a client is told after every step.

use mindrel::Session;
use mindrel::certificate::Certificate;
use mindrel::schema::{Kind, Question, QuestionId};
use mindrel::session::Next;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ledger::Receipt;
use crate::service::Reached;
use crate::words;

/// Where a session stands. It has no `Debug`: a certificate in it holds answers.
#[derive(Serialize, ToSchema)]
pub struct Reply {
    /// What to send with the next step. It holds all that was said, sealed; the service keeps nothing.
    pub token: String,
    /// When the token expires, in seconds since 1970.
    pub expires: u64,
    /// The plan that is followed.
    pub plan: String,
    /// The failure probability that is followed.
    pub delta: f64,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// The questions that were answered, in order.
    pub answered: Vec<String>,
    /// The questions that were declined, in order.
    pub declined: Vec<String>,
    /// The class held likeliest now, and how likely: how settled the decision is.
    pub outlook: OutlookView,
    /// What comes next.
    #[serde(flatten)]
    pub stage: Stage,
}

/// A class and how likely it is held.
#[derive(Serialize, ToSchema)]
pub struct OutlookView {
    /// The class.
    pub class: String,
    /// Its probability under the plan's belief; 1 once it is proved.
    pub probability: f64,
}

/// What comes next.
#[derive(Serialize, ToSchema)]
#[serde(tag = "stage", rename_all = "lowercase")]
pub enum Stage {
    /// A question.
    Asking {
        /// The question.
        question: QuestionView,
        /// Why this one, of all that are open.
        reason: String,
    },
    /// The decision.
    Decided(Box<DecisionView>),
    /// Nothing that could still be asked settles the decision.
    Undecided {
        /// What to make of it, in plain words.
        words: String,
        /// The questions that were never put.
        never_asked: Vec<String>,
        /// That it is in the ledger.
        #[schema(nullable = false)]
        receipt: Option<Receipt>,
    },
}

/// A decision and what it rests on.
#[derive(Serialize, ToSchema)]
pub struct DecisionView {
    /// The class.
    pub class: String,
    /// What it rests on: complete, proved, sampled or probable.
    pub guarantee: String,
    /// The same in plain words.
    pub words: String,
    /// The questions that never had to be asked.
    pub never_asked: Vec<String>,
    /// All that is needed to check the decision with `mindrel verify`; it holds the answers that were given.
    #[schema(value_type = Object)]
    pub certificate: Option<Certificate>,
    /// That it is in the ledger.
    #[schema(nullable = false)]
    pub receipt: Option<Receipt>,
}

/// A question as it is put.
#[derive(Serialize, ToSchema)]
pub struct QuestionView {
    /// What it is called in answers.
    pub name: String,
    /// The question in words.
    pub label: String,
    /// More words; may be empty.
    pub help: String,
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
    pub levels: Option<Vec<String>>,
}

impl Reply {
    pub(crate) fn new(reached: &Reached, token: String, expires: u64, receipt: Option<Receipt>) -> Self {
        let session = &reached.session;
        let outlook = session.outlook();
        let schema = session.plan().schema();
        Reply {
            token,
            expires,
            plan: reached.offer.name.clone(),
            delta: session.plan().rules().delta,
            questions: session.plan().sensitive().len(),
            answered: names(session, session.revealed()),
            declined: names(session, session.declined().iter().copied()),
            outlook: OutlookView { class: schema.class(outlook.label).to_owned(), probability: outlook.probability },
            stage: Stage::of(session, receipt),
        }
    }
}

impl Stage {
    pub(crate) fn of(session: &Session, receipt: Option<Receipt>) -> Self {
        let schema = session.plan().schema();
        match session.next() {
            Next::Ask { question, reason } => {
                Stage::Asking { question: QuestionView::new(schema.question(question)), reason: reason.to_string() }
            }
            Next::Done(decision) => Stage::Decided(Box::new(DecisionView {
                class: schema.class(decision.label).to_owned(),
                guarantee: decision.guarantee.name().to_owned(),
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

impl QuestionView {
    pub(crate) fn new(question: &Question) -> Self {
        let (kind, bounds) = match &question.kind {
            Kind::Number { lower, upper, .. } => ("number", Some((*lower, *upper))),
            Kind::Integer { lower, upper, .. } => ("integer", Some((*lower, *upper))),
            Kind::Boolean => ("boolean", None),
            Kind::Category { .. } => ("category", None),
        };
        let levels = match &question.kind {
            Kind::Category { levels, .. } => Some(levels.clone()),
            _ => None,
        };
        QuestionView {
            name: question.name.clone(),
            label: question.prompt.clone(),
            help: question.help.clone(),
            kind,
            lower: bounds.map(|(lower, _)| lower),
            upper: bounds.map(|(_, upper)| upper),
            levels,
        }
    }
}

fn names(session: &Session, questions: impl Iterator<Item = QuestionId>) -> Vec<String> {
    questions.map(|id| session.plan().schema().question(id).name.clone()).collect()
}
