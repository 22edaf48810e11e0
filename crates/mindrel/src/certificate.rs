//! The certificate: all a third party needs to check a decision without trusting what made it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core_test::Guarantee;
use crate::plan::Rules;
use crate::proof::Proof;
use crate::schema::{Answer, Question, QuestionId, StatedAnswer};
use crate::session::{Decision, Session};

/// What a certificate file calls itself.
pub const FORMAT: &str = "mindrel-certificate";
/// The version of the certificate's form.
pub const VERSION: u32 = 3;

/// A settled decision with everything needed to check it by [`verify`](crate::verify::verify).
///
/// It holds the answers that were given, so it belongs to the person it speaks of; its `Debug` shows none of them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The fingerprint of the plan.
    pub plan: String,
    /// The class decided for.
    pub label: String,
    /// What the decision rests on.
    pub guarantee: Guarantee,
    /// The rules that were followed: the failure probability allowed, how questions were chosen and sets tested, the seed.
    pub rules: Rules,
    /// If proved: the smallest margin by which the class wins, whatever the open answers are; of a network, what it is at least.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worst_margin: Option<f64>,
    /// If proved about a network: the parts the domain was cut into, with a bound for each.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proof: Option<Proof>,
    /// If probable: the probability of the class under the plan's belief.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probability: Option<f64>,
    /// After how many questions, answered or declined, a test ran out of budget or time, so that the next question was asked without knowing it was needed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub out_of_budget: Vec<usize>,
    /// If asked by calibrated rules and nothing was declined: what is promised of all such decisions together.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub calibration: Option<Promise>,
    /// What was known beforehand.
    pub public: Vec<Stated>,
    /// What was asked and answered, in order.
    pub revealed: Vec<Stated>,
    /// What was asked and declined, in order.
    pub declined: Vec<String>,
    /// What never had to be asked.
    pub never_asked: Vec<String>,
}

/// What a calibrated plan promises of its decisions about people like those it was calibrated on. Its `Debug` leaves out the group's
/// level, which is an answer of the person.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// The share of decisions that differ from the full model's, at most.
    pub flips: f64,
    /// How sure that is, for all groups together.
    pub confidence: f64,
    /// How many people it was calibrated on.
    pub people: u64,
    /// The group the promise is made to, where each has its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group: Option<PromisedGroup>,
    /// Whether it rests on a proof of every decision, since no threshold was borne out by the people it was calibrated on.
    pub proved: bool,
}

/// The group a promise is made to: those who give the same answer to a public question.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromisedGroup {
    /// The name of the question.
    pub question: String,
    /// The answer they share.
    pub level: String,
    /// How many of them the plan was calibrated on.
    pub people: u64,
}

/// A question with its answer.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// The name of the question.
    pub question: String,
    /// The answer as a person would state it.
    pub answer: StatedAnswer,
}

impl Certificate {
    pub(crate) fn of(session: &Session, decision: &Decision) -> Self {
        let plan = session.plan();
        let schema = plan.schema();
        let name = |id: QuestionId| schema.question(id).name.clone();
        let stated = |id: QuestionId| Stated::new(schema.question(id), session.answers().get(id).expect("answered"));
        let revealed: Vec<QuestionId> = session.revealed().collect();
        let public = session.answers().questions().filter(|id| !revealed.contains(id));
        let proved = decision.guarantee == Guarantee::Proved;
        let proof = session.walk().proof(decision.label).filter(|_| proved);
        let margin = || proof.as_ref().map_or_else(|| session.walk().worst_margin(decision.label), Proof::margin);
        // A proof by points alone has no bounds.
        let worst_margin = proved.then(margin).filter(|margin| margin.is_finite());
        let probability = (decision.guarantee == Guarantee::Probable).then(|| session.outlook().probability);
        Certificate {
            format: FORMAT.to_owned(),
            version: VERSION,
            plan: plan.fingerprint().to_string(),
            label: schema.class(decision.label).to_owned(),
            guarantee: decision.guarantee,
            rules: Rules { seed: session.seed(), ..*plan.rules() },
            worst_margin,
            proof,
            probability,
            out_of_budget: session.out_of_budget().to_vec(),
            calibration: session.promise().cloned(),
            public: public.map(stated).collect(),
            revealed: revealed.iter().map(|&id| stated(id)).collect(),
            declined: session.declined().iter().map(|&id| name(id)).collect(),
            never_asked: session.never_asked().map(name).collect(),
        }
    }
}

impl Stated {
    fn new(question: &Question, answer: &Answer) -> Self {
        Stated { question: question.name.clone(), answer: question.state(answer) }
    }
}

impl fmt::Debug for Certificate {
    /// Leaves out margin and probability as well: with one answer revealed, it could be worked out from them.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Certificate");
        shown.field("plan", &self.plan).field("guarantee", &self.guarantee).field("delta", &self.rules.delta);
        shown.field("revealed", &self.revealed).field("declined", &self.declined).finish_non_exhaustive()
    }
}

impl fmt::Debug for Promise {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Promise");
        shown.field("flips", &self.flips).field("confidence", &self.confidence).finish_non_exhaustive()
    }
}

impl fmt::Debug for PromisedGroup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} = …", self.question)
    }
}

impl fmt::Debug for Stated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} = …", self.question)
    }
}
