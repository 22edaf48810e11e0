//! The service without HTTP: sessions are started, taken on, and recorded when they end.

use std::sync::Arc;
use std::time::Duration;

use mindrel::certificate::StatedAnswer;
use mindrel::session::{Answers, Next};
use mindrel::{Plan, Session};

use crate::conversation::Conversation;
use crate::ledger::{Draft, Facts, Ledger};
use crate::metrics::Metrics;
use crate::plans::{Offer, Offers};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::token::Sealer;

/// Everything sessions need. It has no `Debug`: it holds keys.
pub struct Service {
    /// The plans.
    pub offers: Offers,
    /// What seals tokens.
    pub sealer: Sealer,
    /// Where ends of sessions are recorded.
    pub ledger: Ledger,
    /// What is counted.
    pub metrics: Metrics,
    /// How long a token is good for.
    pub token_life: Duration,
    /// Seconds since 1970.
    pub clock: fn() -> u64,
}

/// What a client does in a session that goes on.
pub enum Turn {
    /// Asks where it stands.
    Resume,
    /// Answers the question that is asked.
    Answer {
        /// Its name.
        question: String,
        /// What was said.
        answer: StatedAnswer,
    },
    /// Declines it.
    Decline {
        /// Its name.
        question: String,
    },
    /// Takes back everything from a question on.
    Back {
        /// Its name.
        question: String,
    },
}

/// A session, and what it came from.
pub(crate) struct Reached {
    pub offer: Arc<Offer>,
    pub conversation: Conversation,
    pub session: Session,
}

impl Service {
    /// Starts a session under a plan.
    ///
    /// # Errors
    /// When the public values do not fit, or δ is not allowed.
    pub async fn start(
        &self,
        offer: &Arc<Offer>,
        public: impl IntoIterator<Item = (String, StatedAnswer)>,
        delta: Option<f64>,
    ) -> Result<Reply, Problem> {
        let delta = allowed_delta(offer, delta)?;
        let public = public_answers(&offer.plan, public)?;
        let offer = Arc::clone(offer);
        let begin = move |offer: Arc<Offer>| {
            let conversation = Conversation::new(&offer.plan, delta, &public);
            let session = conversation.replay(&offer.plan)?;
            Ok(Reached { offer, conversation, session })
        };
        let reached = work(offer, begin).await?;
        self.metrics.started(&reached.offer.name);
        self.reply(reached).await
    }

    /// Takes a session on.
    ///
    /// # Errors
    /// When the token is not ours, or the turn does not fit.
    pub async fn go_on(&self, token: &str, turn: Turn) -> Result<Reply, Problem> {
        let reached = self.reach(token, turn).await?;
        self.reply(reached).await
    }

    /// Where a session stands after a turn.
    pub(crate) async fn reach(&self, token: &str, turn: Turn) -> Result<Reached, Problem> {
        let contents = self.sealer.open(token, (self.clock)())?;
        let conversation = Conversation::from_bytes(&contents).ok_or(Problem::Internal)?;
        let offer = Arc::clone(self.offers.of_fingerprint(&conversation.plan).ok_or(Problem::PlanGone)?);
        work(offer, move |offer| take_turn(offer, conversation, turn)).await
    }

    /// What the client is told, with the entry in the ledger made first if the session has ended.
    async fn reply(&self, reached: Reached) -> Result<Reply, Problem> {
        let mut receipt = None;
        if let Some(draft) = self.draft(&reached) {
            let facts = draft.facts.clone();
            let kept = self.ledger.record(draft).await?;
            if kept.is_new {
                self.metrics.ended(&reached.offer.name, &facts);
            }
            receipt = Some(kept.receipt);
        }
        let expires = (self.clock)() + self.token_life.as_secs();
        let token = self.sealer.seal(&reached.conversation.to_bytes(), expires);
        let offer = Arc::clone(&reached.offer);
        work(offer, move |_| Ok(Reply::new(&reached, token, expires, receipt))).await
    }

    /// What is to be recorded, if the session has ended.
    fn draft(&self, reached: &Reached) -> Option<Draft> {
        let guarantee = match reached.session.next() {
            Next::Ask { .. } => return None,
            Next::Done(decision) => decision.guarantee.name(),
            Next::Undecided(_) => "undecided",
        };
        let session = &reached.session;
        let names = |wanted: &dyn Fn(mindrel::schema::QuestionId) -> bool| -> Vec<String> {
            let chosen = session.plan().sensitive().iter().filter(|id| wanted(**id));
            chosen.map(|&id| session.plan().schema().question(id).name.clone()).collect()
        };
        let revealed: Vec<_> = session.revealed().collect();
        let facts = Facts {
            time: (self.clock)(),
            plan: reached.conversation.plan.clone(),
            questions: session.plan().sensitive().len(),
            asked: names(&|id| revealed.contains(&id)),
            declined: names(&|id| session.declined().contains(&id)),
            guarantee: guarantee.to_owned(),
            delta: session.plan().rules().delta,
        };
        Some(Draft { name: reached.conversation.entry_name(), facts })
    }
}

/// Does what a plan needs here, or, where that may take long, on a thread for such work.
async fn work<T: Send + 'static>(
    offer: Arc<Offer>,
    task: impl FnOnce(Arc<Offer>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    if offer.is_quick() {
        return task(offer);
    }
    tokio::task::spawn_blocking(move || task(offer)).await.map_err(|_| Problem::Internal)?
}

fn take_turn(offer: Arc<Offer>, mut conversation: Conversation, turn: Turn) -> Result<Reached, Problem> {
    let schema = offer.plan.schema();
    let session = match turn {
        Turn::Resume => conversation.replay(&offer.plan)?,
        Turn::Answer { question, answer } => {
            let mut session = conversation.replay(&offer.plan)?;
            let id = schema.require(&question)?;
            let answer = schema.question(id).accept(&answer)?;
            session.answer(id, answer.clone())?;
            conversation.push(id, Some(&answer));
            session
        }
        Turn::Decline { question } => {
            let mut session = conversation.replay(&offer.plan)?;
            let id = schema.require(&question)?;
            session.decline(id)?;
            conversation.push(id, None);
            session
        }
        Turn::Back { question } => {
            if !conversation.back_to(schema.require(&question)?) {
                return Err(Problem::NotAskedYet { question });
            }
            conversation.replay(&offer.plan)?
        }
    };
    Ok(Reached { offer, conversation, session })
}

/// The δ to follow: the client's where the plan allows it; nothing where the plan is calibrated.
fn allowed_delta(offer: &Offer, delta: Option<f64>) -> Result<Option<f64>, Problem> {
    match delta {
        Some(_) if offer.is_calibrated() => Err(Problem::Calibrated),
        Some(delta) if (0.0..=offer.most_delta).contains(&delta) => Ok(Some(delta)),
        Some(_) => Err(Problem::Delta { most: offer.most_delta.to_string() }),
        None if offer.is_calibrated() => Ok(None),
        None => Ok(Some(offer.plan.rules().delta)),
    }
}

fn public_answers(plan: &Plan, given: impl IntoIterator<Item = (String, StatedAnswer)>) -> Result<Answers, Problem> {
    let schema = plan.schema();
    let mut answers = Answers::new();
    for (name, answer) in given {
        let id = schema.require(&name)?;
        let question = schema.question(id);
        if question.visibility == mindrel::schema::Visibility::Sensitive {
            return Err(mindrel::schema::AnswerError::NotPublic { question: name }.into());
        }
        answers.insert(id, question.accept(&answer)?);
    }
    Ok(answers)
}
