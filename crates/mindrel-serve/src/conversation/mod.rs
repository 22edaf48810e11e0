//! What has been said in one session, as it travels in a token.

mod said;

use mindrel::schema::{Answer, AnswerError, QuestionId};
use mindrel::session::{Answers, StartError};
use mindrel::{Plan, Rules, Session};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::token::random_bytes;
use said::Said;

/// One person's session so far: enough to play it again. It has no `Debug`: it holds answers.
#[derive(Clone, Serialize, Deserialize)]
pub struct Conversation {
    /// The plan, by its fingerprint.
    #[serde(rename = "p")]
    pub plan: String,
    /// The failure probability that is followed; nothing where the plan's calibration says.
    #[serde(rename = "d")]
    pub delta: Option<f64>,
    /// What nobody but the client holds: with it, a ledger entry can be found again, and without it not be tied to anybody.
    #[serde(rename = "s")]
    secret: [u8; 16],
    #[serde(rename = "k")]
    public: Vec<(usize, Said)>,
    /// Question after question: the answer, or nothing where it was declined.
    #[serde(rename = "a")]
    steps: Vec<(usize, Option<Said>)>,
}

/// Why a session cannot be played again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// An answer does not fit its question.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The rules cannot be followed.
    #[error("the plan cannot be followed with this delta")]
    Rules,
}

impl Conversation {
    /// A session at its start.
    #[must_use]
    pub fn new(plan: &Plan, delta: Option<f64>, public: &Answers) -> Self {
        let said = |id: QuestionId| (id.index(), Said::from(public.get(id).expect("it is one of them")));
        Conversation {
            plan: plan.fingerprint().to_string(),
            delta,
            secret: random_bytes(),
            public: public.questions().map(said).collect(),
            steps: Vec::new(),
        }
    }

    /// What was sealed.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// What is to be sealed.
    ///
    /// # Panics
    /// Never: answers are finite numbers.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data with finite numbers")
    }

    /// Plays the session again: the same plan and answers lead to the same questions.
    ///
    /// # Errors
    /// When the answers do not fit the plan, which only happens to those of another.
    pub fn replay(&self, plan: &Plan) -> Result<Session, ReplayError> {
        let mut public = Answers::new();
        for (index, said) in &self.public {
            public.insert(QuestionId::new(*index), said.into());
        }
        let mut session = start(plan, self.delta, &public)?;
        for (index, said) in &self.steps {
            match said {
                Some(said) => drop(session.answer(QuestionId::new(*index), said.into())?),
                None => session.decline(QuestionId::new(*index))?,
            }
        }
        Ok(session)
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
    pub fn steps(&self) -> impl Iterator<Item = (QuestionId, Option<Answer>)> + '_ {
        self.steps.iter().map(|(index, said)| (QuestionId::new(*index), said.as_ref().map(Into::into)))
    }

    /// What a ledger entry of this end of this session is called.
    ///
    /// ```text
    /// SHA-256(everything said, with a secret among it)
    /// ```
    ///
    /// The same end has the same name, so that a request sent twice makes one entry; and as the secret is with the client alone, the
    /// name tells nobody else anything.
    #[must_use]
    pub fn entry_name(&self) -> [u8; 32] {
        Sha256::new().chain_update(b"mindrel ledger entry").chain_update(self.to_bytes()).finalize().into()
    }
}

/// A session under a plan and, unless the plan's calibration is to be followed, a δ.
fn start(plan: &Plan, delta: Option<f64>, public: &Answers) -> Result<Session, ReplayError> {
    let Some(delta) = delta else {
        return Session::start_calibrated(plan, public).map_err(|error| match error {
            StartError::Answer(error) => error.into(),
            StartError::NotCalibrated => ReplayError::Rules,
        });
    };
    if delta == plan.rules().delta {
        return Ok(Session::start(plan, public)?);
    }
    let plan = plan.with_rules(Rules { delta, ..*plan.rules() }).map_err(|_| ReplayError::Rules)?;
    Ok(Session::start(&plan, public)?)
}
