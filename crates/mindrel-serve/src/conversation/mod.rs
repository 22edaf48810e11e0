//! What has been said in one session, as it travels in a token.

mod bytes;
mod said;

use mindrel::schema::{Answer, AnswerError, QuestionId};
use mindrel::session::{Answers, Next, PastStep, StartError, Walk};
use mindrel::{Plan, Rules, Session};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::token::random_bytes;
use said::Said;

/// One person's session so far: enough to take it up again. It has no `Debug`: it holds answers.
#[derive(Clone, Serialize, Deserialize)]
pub struct Conversation {
    /// The plan, by its fingerprint.
    #[serde(with = "bytes")]
    pub plan: [u8; 32],
    /// The failure probability that is followed; nothing where the plan's calibration says.
    pub delta: Option<f64>,
    /// What nobody but the client holds: with it, a ledger entry can be found again, and without it not be tied to anybody.
    #[serde(with = "bytes")]
    secret: [u8; 16],
    /// Where in the ledger the session began.
    block: u32,
    public: Vec<(usize, Said)>,
    /// Question after question: the answer, or nothing where it was declined.
    steps: Vec<(usize, Option<Said>)>,
    /// The question that is asked now.
    asked: Option<usize>,
}

/// Why a session cannot be taken up again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TakeUpError {
    /// An answer does not fit its question.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The rules cannot be followed.
    #[error("the plan cannot be followed with this delta")]
    Rules,
}

impl Conversation {
    /// A session at its start, in a block of the ledger.
    #[must_use]
    pub fn new(plan: &Plan, delta: Option<f64>, public: &Answers, block: u32) -> Self {
        let said = |id: QuestionId| (id.index(), Said::from(public.get(id).expect("it is one of them")));
        Conversation {
            plan: *plan.fingerprint().bytes(),
            delta,
            secret: random_bytes(),
            block,
            public: public.questions().map(said).collect(),
            steps: Vec::new(),
            asked: None,
        }
    }

    /// What was sealed.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// Puts what is to be sealed behind other bytes.
    ///
    /// # Panics
    /// Never: there is room for plain data.
    #[must_use]
    pub fn behind(&self, bytes: Vec<u8>) -> Vec<u8> {
        postcard::to_extend(self, bytes).expect("there is room for plain data")
    }

    /// The session as it stands after what was said, and takes note of what it asks. A walk under the same plan and δ is room for it.
    ///
    /// # Errors
    /// When the answers do not fit the plan, which only happens to those of another.
    pub fn take_up(&mut self, plan: &Plan, room: Option<Walk>) -> Result<Session, TakeUpError> {
        let mut public = Answers::with_capacity(self.public.len() + self.steps.len());
        for (index, said) in &self.public {
            public.insert(QuestionId::new(*index), said.into());
        }
        let steps: Vec<PastStep> = self.steps().collect();
        let session = match (self.delta, room) {
            (Some(_), Some(walk)) => Session::resume_on(walk, public, &steps)?,
            (Some(delta), None) => Session::resume(&with_delta(plan, delta)?, public, &steps)?,
            (None, _) => Session::resume_calibrated(plan, public, &steps)?,
        };
        self.asked = match session.next() {
            Next::Ask { question, .. } => Some(question.index()),
            Next::Done(_) | Next::Undecided(_) => None,
        };
        Ok(session)
    }

    /// Whether a question is the one that is asked now.
    #[must_use]
    pub fn asks(&self, question: QuestionId) -> bool {
        self.asked == Some(question.index())
    }

    /// Takes note of an answer, or with nothing, of a refusal to answer.
    pub fn push(&mut self, question: QuestionId, answer: Option<&Answer>) {
        self.steps.push((question.index(), answer.map(Said::from)));
    }

    /// Takes back everything from a question on; whether it had been asked.
    pub fn back_to(&mut self, question: QuestionId) -> bool {
        let place = self.steps.iter().position(|(index, _)| *index == question.index());
        if let Some(place) = place {
            self.steps.truncate(place);
        }
        place.is_some()
    }

    /// The questions put so far, in order, each with its answer unless it was declined.
    pub fn steps(&self) -> impl Iterator<Item = PastStep> + '_ {
        self.steps.iter().map(|(index, said)| (QuestionId::new(*index), said.as_ref().map(Into::into)))
    }

    /// What a ledger entry of this end of this session is called.
    ///
    /// ```text
    /// block ‖ SHA-256(everything said, with a secret among it)
    /// ```
    ///
    /// The same end has the same name, so that a request sent twice makes one entry; and as the secret is with the client alone, the
    /// name tells nobody else more than the block. Entries that are made at about the same time are near one another in an index of names, thanks to
    /// it, and as many sessions begin in one block it hardly tells which entries are of one session.
    #[must_use]
    pub fn entry_name(&self) -> [u8; 32] {
        let mut name: [u8; 32] = Sha256::digest(self.behind(b"mindrel ledger entry".to_vec())).into();
        name[..4].copy_from_slice(&self.block.to_be_bytes());
        name
    }
}

impl From<StartError> for TakeUpError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Answer(error) => error.into(),
            StartError::NotCalibrated => TakeUpError::Rules,
        }
    }
}

/// The plan with another δ.
fn with_delta(plan: &Plan, delta: f64) -> Result<Plan, TakeUpError> {
    plan.with_rules(Rules { delta, ..*plan.rules() }).map_err(|_| TakeUpError::Rules)
}

#[cfg(test)]
mod tests {
    use mindrel::belief::GaussianBelief;
    use mindrel::model::LinearModel;
    use mindrel::schema::{Question, Target};
    use mindrel::{Plan, Rules, Schema};

    use super::*;

    #[test]
    fn names_of_one_block_are_near_one_another_and_tell_nothing_else() {
        let target = Target { name: "y".into(), prompt: "y?".into(), classes: vec!["no".into(), "yes".into()] };
        let schema = Schema::new(target, vec![Question::number("one", -1.0, 1.0)]).unwrap();
        let model = LinearModel::new(1, vec![1.0], vec![0.0]).unwrap();
        let belief = GaussianBelief::new(vec![0.0], vec![1.0]).unwrap();
        let plan = Plan::new(schema, model, belief, Rules::default()).unwrap();
        let begun = |block| Conversation::new(&plan, Some(0.0), &Answers::new(), block);
        let (one, other, later) = (begun(7).entry_name(), begun(7).entry_name(), begun(8).entry_name());
        assert_eq!(one[..4], other[..4]);
        assert_ne!(one[4..8], other[4..8]);
        assert!(one.max(other) < later);
        let sealed = begun(7);
        let opened = Conversation::from_bytes(&sealed.behind(Vec::new())).unwrap();
        assert_eq!(opened.entry_name(), sealed.entry_name());
    }
}
