//! What was asked and answered in one session, as it travels in a token.

use mindrel::core_test::TimeLimit;
use mindrel::schema::{Answer, AnswerError, QuestionId};
use mindrel::session::{Answers, Next, PastStep, StartError};
use mindrel::{Plan, Rules, Session};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::token::random_bytes;

/// One person's session so far: all that is needed to resume it. It has no `Debug` because it holds answers.
#[derive(Clone, Serialize, Deserialize)]
pub struct Transcript {
    /// The plan's fingerprint.
    pub plan: [u8; 32],
    /// The failure probability of the session. `None` means that the plan's calibration sets it.
    pub delta: Option<f64>,
    /// Known to the client alone: with it, a ledger entry can be found again; without it, nobody can link an entry to a
    /// session.
    secret: [u8; 16],
    /// The ledger's block when the session started.
    block: u32,
    public: Vec<(usize, SealedAnswer)>,
    /// The questions asked, in order, each with its answer, or `None` if it was declined.
    steps: Vec<(usize, Option<SealedAnswer>)>,
    /// The question being asked.
    asked: Option<usize>,
}

/// An answer in a token, where the order of the variants is part of the format. It has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
enum SealedAnswer {
    Number(f64),
    Boolean(bool),
    Level(usize),
    Missing,
}

/// Why a session cannot be resumed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// An answer does not fit its question.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The plan does not allow these rules.
    #[error("the plan cannot be followed with this delta")]
    Rules,
}

impl Transcript {
    /// The transcript of a session that starts now, in a block of the ledger.
    #[must_use]
    pub fn new(plan: &Plan, delta: Option<f64>, public: &Answers, block: u32) -> Self {
        let sealed = |id: QuestionId| Some((id.index(), public.get(id)?.into()));
        Transcript {
            plan: *plan.fingerprint().bytes(),
            delta,
            secret: random_bytes(),
            block,
            public: public.questions().filter_map(sealed).collect(),
            steps: Vec::new(),
            asked: None,
        }
    }

    /// Decodes the contents of a token; returns `None` if they are not a transcript.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// The contents of a token.
    ///
    /// # Panics
    /// Never: plain data can always be encoded.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("plain data can always be encoded")
    }

    /// Resumes the session, within a time limit if there is one, and notes which question it asks.
    ///
    /// # Errors
    /// When the answers do not fit the plan, which only happens with another plan's answers.
    pub fn resume(&mut self, plan: &Plan, limit: Option<TimeLimit>) -> Result<Session, ResumeError> {
        let mut public = Answers::new();
        for (index, answer) in &self.public {
            public.insert(QuestionId::new(*index), answer.into());
        }
        let steps: Vec<PastStep> = self.steps().collect();
        let session = match self.delta {
            Some(delta) => Session::resume(&with_delta(plan, delta)?, public, &steps, limit)?,
            None => Session::resume_calibrated(plan, public, &steps, limit)?,
        };
        self.asked = match session.next() {
            Next::Ask { question, .. } => Some(question.index()),
            Next::Done(_) | Next::Undecided(_) => None,
        };
        Ok(session)
    }

    /// Whether a question is the one being asked.
    #[must_use]
    pub fn asks(&self, question: QuestionId) -> bool {
        self.asked == Some(question.index())
    }

    /// Adds an answer; `None` means that the question was declined.
    pub fn push(&mut self, question: QuestionId, answer: Option<&Answer>) {
        self.steps.push((question.index(), answer.map(SealedAnswer::from)));
    }

    /// Takes back the answer to a question and everything after it. Returns whether the question had been asked.
    pub fn back_to(&mut self, question: QuestionId) -> bool {
        let place = self.steps.iter().position(|(index, _)| *index == question.index());
        if let Some(place) = place {
            self.steps.truncate(place);
        }
        place.is_some()
    }

    /// The questions asked so far, in order, each with its answer unless it was declined.
    pub fn steps(&self) -> impl Iterator<Item = PastStep> + '_ {
        self.steps.iter().map(|(index, answer)| (QuestionId::new(*index), answer.as_ref().map(Into::into)))
    }

    /// The name of the ledger entry for this end of this session.
    ///
    /// ```text
    /// block ‖ SHA-256(transcript, which includes the secret)
    /// ```
    ///
    /// The same end has the same name, so that a request sent twice makes one entry. Only the client has the secret, so
    /// to anyone else the name reveals nothing but the block. Thanks to the block, entries written at about the same
    /// time are close together in an index of names; many sessions start in one block, so it hardly tells which entries
    /// belong to one session.
    #[must_use]
    pub fn entry_name(&self) -> [u8; 32] {
        let digest = Sha256::new().chain_update(b"mindrel ledger entry").chain_update(self.to_bytes());
        let mut name: [u8; 32] = digest.finalize().into();
        name[..4].copy_from_slice(&self.block.to_be_bytes());
        name
    }
}

impl From<&Answer> for SealedAnswer {
    fn from(answer: &Answer) -> Self {
        match answer {
            Answer::Number(value) => SealedAnswer::Number(*value),
            Answer::Boolean(value) => SealedAnswer::Boolean(*value),
            Answer::Level(level) => SealedAnswer::Level(*level),
            Answer::Missing => SealedAnswer::Missing,
        }
    }
}

impl From<&SealedAnswer> for Answer {
    fn from(answer: &SealedAnswer) -> Self {
        match answer {
            SealedAnswer::Number(value) => Answer::Number(*value),
            SealedAnswer::Boolean(value) => Answer::Boolean(*value),
            SealedAnswer::Level(level) => Answer::Level(*level),
            SealedAnswer::Missing => Answer::Missing,
        }
    }
}

impl From<StartError> for ResumeError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Answer(error) => error.into(),
            StartError::NotCalibrated => ResumeError::Rules,
        }
    }
}

/// The plan with another δ.
fn with_delta(plan: &Plan, delta: f64) -> Result<Plan, ResumeError> {
    plan.with_rules(Rules { delta, ..*plan.rules() }).map_err(|_| ResumeError::Rules)
}

#[cfg(test)]
mod tests {
    use mindrel::belief::GaussianBelief;
    use mindrel::model::LinearModel;
    use mindrel::schema::{Question, Target};
    use mindrel::{Plan, Rules, Schema};

    use super::*;

    #[test]
    fn names_of_one_block_are_close_together_and_otherwise_unrelated() {
        let target = Target::new("y", "y?", ["no", "yes"]);
        let schema = Schema::new(target, vec![Question::number("one", -1.0, 1.0)]).unwrap();
        let model = LinearModel::new(1, vec![1.0], vec![0.0]).unwrap();
        let belief = GaussianBelief::new(vec![0.0], vec![1.0]).unwrap();
        let plan = Plan::new(schema, model, belief, Rules::default()).unwrap();
        let started = |block| Transcript::new(&plan, Some(0.0), &Answers::new(), block);
        let (one, other, later) = (started(7).entry_name(), started(7).entry_name(), started(8).entry_name());
        assert_eq!(one[..4], other[..4]);
        assert_ne!(one[4..8], other[4..8]);
        assert!(one.max(other) < later);
        let sealed = started(7);
        let opened = Transcript::from_bytes(&sealed.to_bytes()).unwrap();
        assert_eq!(opened.entry_name(), sealed.entry_name());
    }
}
