//! Why a certificate is not accepted. Nothing here holds a number that an answer could be worked out from.

use crate::certificate::VERSION;
use crate::rules::RulesError;
use crate::schema::AnswerError;

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum VerifyError {
    /// It is no certificate of a form known here.
    #[error("this is not a certificate of version {VERSION}; it calls itself `{format}`, version {version}")]
    Format { format: String, version: u32 },
    /// It was made under another plan.
    #[error("the certificate belongs to another plan ({certificate}); this plan is {plan}")]
    OtherPlan { certificate: String, plan: String },
    /// It names a class that the plan does not have.
    #[error("the plan has no class `{label}`")]
    UnknownLabel { label: String },
    /// An answer cannot be read.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// Its δ or number of draws is out of bounds.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The lists of questions do not make up the plan's.
    #[error("the certificate does not account for question `{question}` exactly once")]
    Unaccounted { question: String },
    /// What it says does not hold.
    #[error("the certificate does not hold: {0}")]
    Refuted(#[from] Refutation),
}

/// What does not hold in a certificate. Parts of a proof are counted from one, in the order they are listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum Refutation {
    /// An answer that a session under the plan refuses.
    #[error("the answer to `{question}` is outside the range that the plan takes")]
    OutsideDomain { question: String },
    /// Rules that are not the plan's, or none of which say anything of somebody who breaks one.
    #[error("the rules between questions that are stated are not those that the decision rests on")]
    OtherImplications,
    /// What rules have left of open questions, stated otherwise.
    #[error("what the rules have left of the open questions is not what is stated")]
    OtherRegion,
    /// An answer that does not follow from the others, or one that does and is called open.
    #[error("what follows about `{question}` from the other answers is not what is stated")]
    NotImplied { question: String },
    /// A proof that does not hold.
    #[error("some value of the open questions gives class `{rival}` instead")]
    NotProved { rival: String },
    /// A proof that holds, by another margin than the one stated.
    #[error("the smallest margin of the class is not the one stated")]
    OtherMargin,
    /// A network's decision that is called proved without a proof.
    #[error("a decision of a network is called proved, and the proof is missing")]
    NoProof,
    /// A proof whose list of parts ends too early or goes on too long.
    #[error("the proof lists more or fewer parts than its cuts make")]
    OtherParts,
    /// A cut that leaves out something, or cuts off nothing.
    #[error("part {part} of the proof is not cut into two smaller parts that cover it")]
    BadCut { part: usize },
    /// A bound that cannot be read.
    #[error(
        "part {part} of the proof has a bound for a class or a unit that does not belong there, or a margin below zero"
    )]
    BadBound { part: usize },
    /// A bound that holds, but not by as much as stated.
    #[error("part {part} of the proof: the margin over class `{rival}` is not as large as stated")]
    MarginTooLarge { part: usize, rival: String },
    /// A part of the domain in which nothing keeps another class from winning.
    #[error("part {part} of the proof does not rule out class `{rival}`")]
    NotBeaten { part: usize, rival: String },
    /// A complete answer sheet that gives another label, or is not complete.
    #[error("the answers do not give this class, or are not complete")]
    NotComplete,
    /// Samples under rules that take none.
    #[error("under these rules nothing is settled because no counterexample was found")]
    NotSampled,
    /// A probability that is too low, or not the one stated.
    #[error("the probability of the class is not what is stated, or too low for delta")]
    NotProbable,
    /// A promise that the plan does not make.
    #[error("the plan does not promise this of its decisions about people like this one")]
    OtherPromise,
    /// A promise for other rules than those followed.
    #[error("the rules that were followed are not those the promise was calibrated for")]
    OtherRules,
    /// The plan would have asked other questions, or stopped elsewhere.
    #[error("the plan would have asked other questions, or stopped after another number of them")]
    OtherQuestions,
    /// A number that must be there for this kind of guarantee is missing, or the other way round.
    #[error("the numbers do not belong to a guarantee of this kind")]
    Numbers,
}
