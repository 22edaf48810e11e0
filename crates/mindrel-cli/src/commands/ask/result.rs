//! How a session ended, for `--json`. It holds no answer.

use mindrel::certificate::Promise;
use mindrel::schema::QuestionId;
use mindrel::session::Next;
use mindrel::{Plan, Session};
use serde::Serialize;

/// How a session ended.
#[derive(Serialize)]
pub struct AskResult {
    plan: String,
    #[serde(flatten)]
    end: SessionEnd,
}

#[derive(Serialize)]
#[serde(tag = "stage", rename_all = "lowercase")]
enum SessionEnd {
    Decided {
        guarantee: &'static str,
        #[serde(flatten)]
        told: Told,
    },
    Undecided {
        #[serde(flatten)]
        told: Told,
    },
    Stopped,
}

/// What both ends have: the class decided for, or the likeliest.
#[derive(Serialize)]
struct Told {
    class: String,
    /// What people are shown for it.
    label: String,
    probability: f64,
    delta: f64,
    answered: Vec<String>,
    declined: Vec<String>,
    /// What was known without asking.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    implied: Vec<Implied>,
    never_asked: Vec<String>,
    out_of_budget: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<Promise>,
}

/// A question whose answer follows from those to others.
#[derive(Serialize)]
struct Implied {
    question: String,
    follows_from: Vec<String>,
}

impl AskResult {
    /// The end of a session; `None` if it was stopped.
    pub fn new(plan: &Plan, session: Option<&Session>) -> Self {
        let end = match session.map(|session| (session, session.next())) {
            Some((session, Next::Done(decision))) => {
                SessionEnd::Decided { guarantee: decision.guarantee.name(), told: Told::new(session) }
            }
            Some((session, _)) => SessionEnd::Undecided { told: Told::new(session) },
            None => SessionEnd::Stopped,
        };
        AskResult { plan: plan.fingerprint().to_string(), end }
    }
}

impl Told {
    fn new(session: &Session) -> Self {
        let (schema, outlook) = (session.plan().schema(), session.outlook());
        let name = |id: QuestionId| schema.question(id).name.clone();
        Told {
            class: schema.class(outlook.label).to_owned(),
            label: schema.class_words(outlook.label).to_owned(),
            probability: outlook.probability,
            delta: session.plan().rules().delta,
            answered: session.revealed().map(name).collect(),
            declined: session.declined().iter().copied().map(name).collect(),
            implied: session
                .implied()
                .map(|implied| Implied {
                    question: name(implied.question),
                    follows_from: implied.follows_from.into_iter().map(name).collect(),
                })
                .collect(),
            never_asked: session.never_asked().map(name).collect(),
            out_of_budget: session.out_of_budget().to_vec(),
            promise: session.promise().cloned(),
        }
    }
}
