//! The body of a reply: one set of types for the JSON and for its description in OpenAPI.

use mindrel::Session;
use mindrel::certificate::Certificate;
use mindrel::schema::{Kind, NOT_KNOWN, OutsidePolicy, Question, QuestionId, StatedAnswer};
use mindrel::session::{ImpliedAnswer, Next};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::AnswerValue;
use crate::explanation;
use crate::ledger::Receipt;
use crate::service::SessionState;

/// The state of a session. It has no `Debug` because a certificate in it holds answers.
#[derive(Serialize, ToSchema)]
pub struct SessionReply<'a> {
    /// Send it with the next request. It holds the whole session, encrypted; the service stores nothing.
    pub token: &'a str,
    /// When the token expires, in seconds since 1970.
    pub expires: u64,
    /// The plan's name.
    pub plan: &'a str,
    /// The failure probability of this session.
    pub delta: f64,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// The questions that were answered, in order.
    pub answered: Vec<&'a str>,
    /// The questions that were declined, in order.
    pub declined: Vec<&'a str>,
    /// The questions that are not asked because their answers follow from others.
    pub implied: Vec<ImpliedView<'a>>,
    /// The most likely class at this point.
    pub outlook: OutlookView<'a>,
    /// What comes next.
    #[serde(flatten)]
    pub stage: SessionStage<'a>,
}

/// A question whose answer follows from others by the plan's rules between questions.
#[derive(Serialize, ToSchema)]
pub struct ImpliedView<'a> {
    /// The question's name.
    pub question: &'a str,
    /// Its answer.
    #[schema(value_type = AnswerValue)]
    pub answer: StatedAnswer,
    /// The questions, answered or public, that it follows from.
    pub follows_from: Vec<&'a str>,
}

/// A class and its probability.
#[derive(Serialize, ToSchema)]
pub struct OutlookView<'a> {
    /// The class.
    pub class: &'a str,
    /// What people are shown for it.
    pub label: &'a str,
    /// Its probability, given the answers so far; 1 once it is proved.
    pub probability: f64,
}

/// What comes next.
#[derive(Serialize, ToSchema)]
#[serde(tag = "stage", rename_all = "lowercase")]
pub enum SessionStage<'a> {
    /// The next question.
    Asking {
        /// The question.
        question: QuestionView<'a>,
        /// Why this question comes next.
        reason: String,
    },
    /// The decision.
    Decided(Box<DecisionView<'a>>),
    /// No further question can settle the decision.
    Undecided {
        /// An explanation in plain words.
        words: String,
        /// The questions that were not asked.
        never_asked: Vec<&'a str>,
        /// The receipt of the ledger entry.
        #[schema(nullable = false)]
        receipt: Option<&'a Receipt>,
    },
}

/// A decision and its guarantee.
#[derive(Serialize, ToSchema)]
pub struct DecisionView<'a> {
    /// The class.
    pub class: &'a str,
    /// What people are shown for it.
    pub label: &'a str,
    /// complete, proved, sampled or probable.
    pub guarantee: &'static str,
    /// What the guarantee means, in plain words.
    pub words: String,
    /// The questions that never had to be asked.
    pub never_asked: Vec<&'a str>,
    /// Everything needed to check the decision with `mindrel verify`, including the answers given.
    #[schema(value_type = Object)]
    pub certificate: Option<Certificate>,
    /// The receipt of the ledger entry.
    #[schema(nullable = false)]
    pub receipt: Option<&'a Receipt>,
}

/// A question.
#[derive(Serialize, ToSchema)]
pub struct QuestionView<'a> {
    /// Its name in requests.
    pub name: &'a str,
    /// The text of the question.
    pub label: &'a str,
    /// A longer explanation; may be empty.
    pub help: &'a str,
    /// number, integer, boolean or category.
    pub kind: &'static str,
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// What happens to a number outside the two: `refuse` (the question is asked again) or `accept`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub outside: Option<OutsidePolicy>,
    /// The possible answers of a category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<&'a [String]>,
    /// What people are shown for each of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level_labels: Option<Vec<&'a str>>,
    /// What to answer if it is not known, where that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<&'static str>,
}

impl<'a> SessionReply<'a> {
    pub(crate) fn new(state: &'a SessionState) -> Self {
        let session = &state.session;
        let outlook = session.outlook();
        let schema = session.plan().schema();
        SessionReply {
            token: &state.token,
            expires: state.expires,
            plan: &state.plan.name,
            delta: session.plan().rules().delta,
            questions: session.plan().sensitive().len(),
            answered: names(session, session.revealed()),
            declined: names(session, session.declined().iter().copied()),
            implied: session.implied().map(|implied| ImpliedView::new(session, implied)).collect(),
            outlook: OutlookView {
                class: schema.class(outlook.label),
                label: schema.class_words(outlook.label),
                probability: outlook.probability,
            },
            stage: SessionStage::of(session, state.receipt.as_ref()),
        }
    }
}

impl<'a> ImpliedView<'a> {
    fn new(session: &'a Session, implied: ImpliedAnswer) -> Self {
        let question = session.plan().schema().question(implied.question);
        ImpliedView {
            question: &question.name,
            answer: question.state(&implied.answer),
            follows_from: names(session, implied.follows_from.into_iter()),
        }
    }
}

impl<'a> SessionStage<'a> {
    fn of(session: &'a Session, receipt: Option<&'a Receipt>) -> Self {
        let schema = session.plan().schema();
        match session.next() {
            Next::Ask { question, reason } => {
                let question = QuestionView::new(schema.question(question));
                SessionStage::Asking { question, reason: reason.to_string() }
            }
            Next::Done(decision) => SessionStage::Decided(Box::new(DecisionView {
                class: schema.class(decision.label),
                label: schema.class_words(decision.label),
                guarantee: decision.guarantee.name(),
                words: explanation::guarantee(session, &decision),
                never_asked: names(session, session.never_asked()),
                certificate: session.certificate(),
                receipt,
            })),
            Next::Undecided(outlook) => SessionStage::Undecided {
                words: explanation::undecided(session, &outlook),
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
            outside: bounds.map(|_| question.outside),
            levels,
            level_labels: levels.map(|levels| (0..levels.len()).map(|level| question.level_words(level)).collect()),
            missing: question.missing_answer().map(|_| NOT_KNOWN),
        }
    }
}

fn names(session: &Session, questions: impl Iterator<Item = QuestionId>) -> Vec<&str> {
    questions.map(|id| session.plan().schema().question(id).name.as_str()).collect()
}
