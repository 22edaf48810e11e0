//! The service without HTTP: sessions are started, continued, and recorded when they end.

use std::sync::Arc;
use std::time::Duration;

use mindrel::schema::{AnswerError, QuestionId, StatedAnswer, Visibility};
use mindrel::session::{Answers, Next, Status};
use mindrel::{Plan, Session};

use crate::ledger::{Draft, EntryFacts, Ledger, Receipt};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::served_plans::{ServedPlan, ServedPlans};
use crate::token::Sealer;
use crate::transcript::Transcript;
use crate::workers::{self, Turn, Workers};

/// Everything that sessions need. It has no `Debug` because it holds keys.
pub struct Service {
    /// The plans.
    pub plans: ServedPlans,
    /// Seals and opens tokens.
    pub sealer: Sealer,
    /// Where the ends of sessions are recorded.
    pub ledger: Ledger,
    /// The counters.
    pub metrics: Metrics,
    /// Where steps are computed that take longer than a moment.
    pub workers: Workers,
    /// How long a token is valid.
    pub token_life: Duration,
    /// Returns the time in seconds since 1970.
    pub clock: fn() -> u64,
}

/// What a client does in a session that has started. It has no `Debug` because it may hold an answer.
pub enum Action<'a> {
    /// Asks for the current state.
    Resume,
    /// Answers the question being asked.
    Answer {
        /// The question's name.
        question: &'a str,
        /// The answer.
        answer: StatedAnswer,
    },
    /// Declines the question being asked.
    Decline {
        /// The question's name.
        question: &'a str,
    },
    /// Takes back the answer to a question and everything after it.
    Back {
        /// The question's name.
        question: &'a str,
    },
}

/// A session after a request, with everything a reply is made of. It has no `Debug` because it holds answers.
pub struct SessionState {
    /// The plan.
    pub plan: Arc<ServedPlan>,
    /// The questions and answers so far.
    pub transcript: Transcript,
    /// The session they lead to.
    pub session: Session,
    /// The token to send with the next request.
    pub token: String,
    /// When the token expires, in seconds since 1970.
    pub expires: u64,
    /// The receipt of the ledger entry, once the session has ended.
    pub receipt: Option<Receipt>,
}

impl Service {
    /// Starts a session under a plan and renders its state.
    ///
    /// # Errors
    /// When the public values do not fit, or δ is not allowed.
    pub async fn start<T: Send + 'static>(
        &self,
        plan: &Arc<ServedPlan>,
        public: impl IntoIterator<Item = (String, StatedAnswer)>,
        delta: Option<f64>,
        render: impl FnOnce(&SessionState) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let delta = allowed_delta(plan, delta)?;
        let public = public_answers(&plan.plan, public)?;
        let transcript = Transcript::new(&plan.plan, delta, &public, self.ledger.block());
        let turn = self.turn(plan).await?;
        let state = self.resume(plan, transcript, turn.as_ref()).await?;
        self.metrics.session_started(&plan.name);
        self.finish(state, turn.as_ref(), render).await
    }

    /// Continues the session of a token and renders its state.
    ///
    /// # Errors
    /// When the token is refused, or the action does not fit.
    pub async fn advance<T: Send + 'static>(
        &self,
        token: &str,
        action: Action<'_>,
        render: impl FnOnce(&SessionState) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let contents = self.sealer.open(token, (self.clock)())?;
        let mut transcript = Transcript::from_bytes(&contents).ok_or(Problem::Internal)?;
        let plan = self.plans.with_fingerprint(&transcript.plan).ok_or(Problem::PlanGone)?;
        apply(&plan.plan, &mut transcript, action)?;
        let turn = self.turn(plan).await?;
        let state = self.resume(plan, transcript, turn.as_ref()).await?;
        self.finish(state, turn.as_ref(), render).await
    }

    /// Waits for a worker; `None` if the plan's steps need none.
    async fn turn(&self, plan: &ServedPlan) -> Result<Option<Turn>, Problem> {
        if plan.is_quick() { Ok(None) } else { self.workers.turn().await.map(Some) }
    }

    async fn resume(
        &self,
        plan: &Arc<ServedPlan>,
        mut transcript: Transcript,
        turn: Option<&Turn>,
    ) -> Result<SessionState, Problem> {
        let expires = (self.clock)() + self.token_life.as_secs();
        let plan = Arc::clone(plan);
        let limit = turn.map(|_| workers::while_awaited());
        compute(turn, move || {
            let session = transcript.resume(&plan.plan, limit)?;
            Ok(SessionState { plan, transcript, session, token: String::new(), expires, receipt: None })
        })
        .await
    }

    /// Records the session if it has ended, seals it, and renders the state.
    async fn finish<T: Send + 'static>(
        &self,
        mut state: SessionState,
        turn: Option<&Turn>,
        render: impl FnOnce(&SessionState) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        if let Some(facts) = state.facts((self.clock)()) {
            let (guarantee, n_asked) = (facts.guarantee.clone(), facts.asked.len());
            let recorded = self.ledger.record(Draft { name: state.transcript.entry_name(), facts }).await?;
            if recorded.is_new {
                self.metrics.session_ended(&state.plan.name, &guarantee, n_asked);
            }
            state.receipt = Some(recorded.receipt);
        }
        state.token = self.sealer.seal(&state.transcript.to_bytes(), state.expires);
        compute(turn, move || Ok(render(&state))).await
    }
}

impl SessionState {
    /// What the ledger records, if the session has ended.
    fn facts(&self, time: u64) -> Option<EntryFacts> {
        let guarantee = match self.session.next() {
            Next::Ask { .. } => return None,
            Next::Done(decision) => decision.guarantee.name(),
            Next::Undecided(_) => "undecided",
        };
        let plan = self.session.plan();
        let names = |wanted: Status| {
            let questions = plan.sensitive().iter().zip(self.session.status());
            let chosen = questions.filter(|(_, status)| **status == wanted);
            chosen.map(|(&id, _)| plan.schema().question(id).name.clone()).collect()
        };
        Some(EntryFacts {
            time,
            plan: self.plan.plan.fingerprint().to_string(),
            questions: plan.sensitive().len(),
            asked: names(Status::Revealed),
            declined: names(Status::Declined),
            guarantee: guarantee.to_owned(),
            delta: plan.rules().delta,
        })
    }
}

/// Computes something by a worker, or here if it is quick.
async fn compute<T: Send + 'static>(
    turn: Option<&Turn>,
    task: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    match turn {
        None => task(),
        Some(turn) => turn.compute(task).await,
    }
}

fn apply(plan: &Plan, transcript: &mut Transcript, action: Action<'_>) -> Result<(), Problem> {
    let schema = plan.schema();
    let check_asked = |transcript: &Transcript, id: QuestionId| {
        let not_asked = || AnswerError::NotAsked { question: schema.question(id).name.clone() };
        if transcript.asks(id) { Ok(()) } else { Err(not_asked()) }
    };
    match action {
        Action::Resume => {}
        Action::Answer { question, answer } => {
            let id = schema.require(question)?;
            let answer = schema.question(id).accept(&answer)?;
            check_asked(transcript, id)?;
            transcript.push(id, Some(&answer));
        }
        Action::Decline { question } => {
            let id = schema.require(question)?;
            check_asked(transcript, id)?;
            transcript.push(id, None);
        }
        Action::Back { question } => {
            if !transcript.back_to(schema.require(question)?) {
                return Err(Problem::NotAskedYet { question: question.to_owned() });
            }
        }
    }
    Ok(())
}

/// The δ of a session: the client's if the plan allows it, `None` if the plan is calibrated.
fn allowed_delta(plan: &ServedPlan, delta: Option<f64>) -> Result<Option<f64>, Problem> {
    match delta {
        Some(_) if plan.is_calibrated() => Err(Problem::Calibrated),
        Some(delta) if (0.0..=plan.most_delta).contains(&delta) => Ok(Some(delta)),
        Some(_) => Err(Problem::Delta { most: plan.most_delta.to_string() }),
        None if plan.is_calibrated() => Ok(None),
        None => Ok(Some(plan.plan.rules().delta)),
    }
}

fn public_answers(plan: &Plan, given: impl IntoIterator<Item = (String, StatedAnswer)>) -> Result<Answers, Problem> {
    let schema = plan.schema();
    let mut answers = Answers::new();
    for (name, answer) in given {
        let id = schema.require(&name)?;
        let question = schema.question(id);
        if question.visibility == Visibility::Sensitive {
            return Err(AnswerError::NotPublic { question: name }.into());
        }
        answers.insert(id, question.accept(&answer)?);
    }
    Ok(answers)
}
