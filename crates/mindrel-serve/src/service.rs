//! The service without HTTP: sessions are started, taken on, and recorded when they end.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use mindrel::schema::StatedAnswer;
use mindrel::schema::{AnswerError, QuestionId};
use mindrel::session::{Answers, Next, Status};
use mindrel::{Plan, Session};

use crate::conversation::Conversation;
use crate::ledger::{Draft, Facts, Ledger, Receipt};
use crate::metrics::Metrics;
use crate::plans::{Offer, Offers};
use crate::problem::Problem;
use crate::room::Room;
use crate::token::Sealer;
use crate::work::Work;

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

/// What a client does in a session that goes on. It has no `Debug`: it may hold an answer.
pub enum Turn<'a> {
    /// Asks where it stands.
    Resume,
    /// Answers the question that is asked.
    Answer {
        /// Its name.
        question: &'a str,
        /// What was said.
        answer: StatedAnswer,
    },
    /// Declines it.
    Decline {
        /// Its name.
        question: &'a str,
    },
    /// Takes back everything from a question on.
    Back {
        /// Its name.
        question: &'a str,
    },
}

/// Where a session stands, and what its client is to be told of that. It has no `Debug`: it holds answers.
pub struct Standing {
    /// The plan that is followed.
    pub offer: Arc<Offer>,
    /// What was said so far.
    pub conversation: Conversation,
    /// The session that makes.
    pub session: Session,
    /// What to send with the next step.
    pub token: String,
    /// When that expires, in seconds since 1970.
    pub expires: u64,
    /// That its end, if it has ended, is in the ledger.
    pub receipt: Option<Receipt>,
}

impl Service {
    /// Starts a session under a plan, and tells of where it stands.
    ///
    /// # Errors
    /// When the public values do not fit, or δ is not allowed.
    pub async fn start<T: Send + 'static>(
        &self,
        offer: &Arc<Offer>,
        public: impl IntoIterator<Item = (String, StatedAnswer)>,
        delta: Option<f64>,
        tell: impl FnOnce(&Standing) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let delta = allowed_delta(offer, delta)?;
        let public = public_answers(&offer.plan, public)?;
        let conversation = Conversation::new(&offer.plan, delta, &public, self.ledger.block());
        let standing = self.take_up(offer, conversation).await?;
        self.metrics.started(&offer.name);
        self.tell(standing, tell).await
    }

    /// Takes a session on, and tells of where it stands then.
    ///
    /// # Errors
    /// When the token is not ours, or the turn does not fit.
    pub async fn go_on<T: Send + 'static>(
        &self,
        token: &str,
        turn: Turn<'_>,
        tell: impl FnOnce(&Standing) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (offer, conversation) = self.turned(token, turn)?;
        let standing = self.take_up(offer, conversation).await?;
        self.tell(standing, tell).await
    }

    /// What has been said with a turn that fits what was said before.
    fn turned(&self, token: &str, turn: Turn<'_>) -> Result<(&Arc<Offer>, Conversation), Problem> {
        let conversation = self.sealer.open(token, (self.clock)(), Conversation::from_bytes)?;
        let mut conversation = conversation.ok_or(Problem::Internal)?;
        let offer = self.offers.of_fingerprint(&conversation.plan).ok_or(Problem::PlanGone)?;
        take_turn(offer, &mut conversation, turn)?;
        Ok((offer, conversation))
    }

    /// Where a conversation has led to.
    fn take_up(&self, offer: &Arc<Offer>, conversation: Conversation) -> Work<Box<Standing>> {
        let expires = (self.clock)() + self.token_life.as_secs();
        if offer.is_quick() {
            return Work::done(Standing::new(offer, conversation, expires));
        }
        let offer = Arc::clone(offer);
        Work::elsewhere(move || Standing::new(&offer, conversation, expires))
    }

    /// Seals where a session stands and tells of it, with its end, if it has ended, recorded first.
    async fn tell<T: Send + 'static>(
        &self,
        mut standing: Box<Standing>,
        tell: impl FnOnce(&Standing) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        if let Some((guarantee, draft)) = standing.draft((self.clock)()) {
            // In a box, so that steps that end nothing do not carry the room for it along.
            let kept = Box::pin(self.ledger.record(draft)).await?;
            if kept.is_new {
                self.metrics.ended(&standing.offer.name, guarantee, standing.session.revealed().count());
            }
            standing.receipt = Some(kept.receipt);
        }
        standing.token = self.sealer.seal(standing.expires, |token| standing.conversation.behind(token));
        if standing.offer.is_quick() {
            let told = tell(&standing);
            Room::leave(standing.offer, standing.session);
            return Ok(told);
        }
        Work::elsewhere(move || Ok(tell(&standing))).await
    }
}

impl Standing {
    pub(crate) fn new(offer: &Arc<Offer>, mut conversation: Conversation, expires: u64) -> Result<Box<Self>, Problem> {
        let room = conversation.delta.and_then(|delta| Room::find(offer, delta));
        let (offer, walk) = match room {
            Some(Room { offer, walk }) => (offer, Some(walk)),
            None => (Arc::clone(offer), None),
        };
        let session = conversation.take_up(&offer.plan, walk)?;
        Ok(Box::new(Standing { offer, conversation, session, token: String::new(), expires, receipt: None }))
    }

    /// What the decision rests on and what is to be recorded, if the session has ended.
    fn draft(&self, time: u64) -> Option<(&'static str, Draft)> {
        let guarantee = match self.session.next() {
            Next::Ask { .. } => return None,
            Next::Done(decision) => decision.guarantee.name(),
            Next::Undecided(_) => "undecided",
        };
        let plan = self.session.plan();
        let names = |of: Status| {
            let chosen = plan.sensitive().iter().zip(self.session.status()).filter(move |(_, status)| **status == of);
            chosen.map(|(&id, _)| Cow::Borrowed(plan.schema().question(id).name.as_str())).collect()
        };
        let facts = Facts {
            time,
            plan: Cow::Borrowed(&self.offer.fingerprint),
            questions: plan.sensitive().len(),
            asked: names(Status::Revealed),
            declined: names(Status::Declined),
            guarantee: Cow::Borrowed(guarantee),
            delta: plan.rules().delta,
        };
        Some((guarantee, Draft::new(self.conversation.entry_name(), &facts)))
    }
}

/// What a turn makes of what was said so far.
fn take_turn(offer: &Offer, conversation: &mut Conversation, turn: Turn<'_>) -> Result<(), Problem> {
    let schema = offer.plan.schema();
    let asked = |conversation: &Conversation, id: QuestionId| {
        let not_asked = || AnswerError::NotAsked { question: schema.question(id).name.clone() };
        if conversation.asks(id) { Ok(()) } else { Err(not_asked()) }
    };
    match turn {
        Turn::Resume => {}
        Turn::Answer { question, answer } => {
            let id = schema.require(question)?;
            let answer = schema.question(id).accept(&answer)?;
            asked(conversation, id)?;
            conversation.push(id, Some(&answer));
        }
        Turn::Decline { question } => {
            let id = schema.require(question)?;
            asked(conversation, id)?;
            conversation.push(id, None);
        }
        Turn::Back { question } => {
            if !conversation.back_to(schema.require(question)?) {
                return Err(Problem::NotAskedYet { question: question.to_owned() });
            }
        }
    }
    Ok(())
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
            return Err(AnswerError::NotPublic { question: name }.into());
        }
        answers.insert(id, question.accept(&answer)?);
    }
    Ok(answers)
}
