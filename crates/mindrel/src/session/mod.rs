//! A session: one person, asked one question at a time.

mod engine;
mod facts;
mod resume;
mod statement;
mod walk;

pub use crate::questionnaire::Status;
pub use resume::PastStep;
pub use walk::{LateStep, Stage, Walk};

use std::fmt;

use crate::Label;
use crate::certificate::Certificate;
use crate::plan::{Plan, Promise};
use crate::region::{Asked, Region};
use crate::rules::{Guarantee, TimeLimit};
use crate::schema::{Answer, AnswerError, OutsidePolicy, Placement, QuestionId, Schema, Visibility};
use crate::selector::Reason;

/// The answers given so far, by question. Shows no value.
#[derive(Clone, Default, PartialEq)]
pub struct Answers {
    /// In the order of the schema, one for each question.
    all: Vec<(QuestionId, Answer)>,
}

/// One person's questions and answers under a plan.
///
/// It does no input or output: [`next`](Session::next) says what to do, [`answer`](Session::answer) and
/// [`decline`](Session::decline) say what the person did. The same plan, seed and answers give the same questions.
#[derive(Debug)]
pub struct Session {
    walk: Walk,
    answers: Answers,
    /// The questions answered or declined, in order.
    asked: Vec<QuestionId>,
    declined: Vec<QuestionId>,
    seed: u64,
    promise: Option<Promise>,
}

/// An answer that follows from others.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpliedAnswer {
    /// The question that need not be asked.
    pub question: QuestionId,
    /// Its answer.
    pub answer: Answer,
    /// The questions from whose answers it follows, in the order of the schema.
    pub follows_from: Vec<QuestionId>,
}

/// Why no calibrated session can be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A public answer is missing or wrong.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// There is nothing to go by.
    #[error("the plan is not calibrated; calibrate it on people it was not fitted on")]
    NotCalibrated,
}

/// What a session wants next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Put this question to the person.
    Ask {
        /// The question.
        question: QuestionId,
        /// Why this one.
        reason: Reason,
    },
    /// Stop: the decision is settled.
    Done(Decision),
    /// Stop: nothing is left to ask and the decision is not settled; a human should look at it.
    Undecided(Outlook),
}

/// A settled decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    /// The label.
    pub label: Label,
    /// What it rests on.
    pub guarantee: Guarantee,
    /// How many sensitive questions were answered.
    pub n_revealed: usize,
}

/// How the decision looks while it is not settled, under the belief. Its `Debug` leaves out the probability.
#[derive(Clone, Copy, PartialEq)]
pub struct Outlook {
    /// The likeliest label.
    pub label: Label,
    /// Its probability.
    pub probability: f64,
}

impl Session {
    /// Starts a session with the public answers.
    ///
    /// # Errors
    /// When a public question has no value or one outside its domain, or a value is given to one that is not public.
    pub fn start(plan: &Plan, public: &Answers) -> Result<Self, AnswerError> {
        Session::start_with(plan, public, |_| ())
    }

    /// The same, where no step may take longer than a time, by a clock that is passed in: what is not proved by then
    /// counts as not core.
    ///
    /// # Errors
    /// As [`start`](Session::start).
    pub fn start_within(plan: &Plan, public: &Answers, limit: TimeLimit) -> Result<Self, AnswerError> {
        Session::start_with(plan, public, |walk| walk.limit_time(limit))
    }

    /// Starts a session by the plan's calibrated rules: the δ of the person's group takes the place of the plan's.
    ///
    /// # Errors
    /// When the plan is not calibrated, or as [`start`](Session::start).
    pub fn start_calibrated(plan: &Plan, public: &Answers) -> Result<Self, StartError> {
        let (plan, promise) = calibrated(plan, public)?;
        Ok(Session { promise, ..Session::start(&plan, public)? })
    }

    /// The same as it went before, when a clock cut some steps short.
    pub(crate) fn replay(plan: &Plan, public: &Answers, late_steps: Vec<LateStep>) -> Result<Self, AnswerError> {
        Session::start_with(plan, public, |walk| walk.replay_late_steps(late_steps))
    }

    fn start_with(plan: &Plan, public: &Answers, prepare: impl FnOnce(&mut Walk)) -> Result<Self, AnswerError> {
        let person = encode_public(plan, public)?;
        Session::check_public(plan, public)?;
        let mut walk = Walk::new(plan);
        walk.keep_outlook();
        prepare(&mut walk);
        let seed = plan.rules().seed;
        walk.begin(&person, seed);
        let (answers, asked, declined) = (public.clone(), Vec::new(), Vec::new());
        Ok(Session { walk, answers, asked, declined, seed, promise: None })
    }

    /// Checks public answers, some of which may still be missing, against the rules between questions.
    ///
    /// # Errors
    /// When they break a rule together, unless every question that takes part in that accepts what is outside.
    pub fn check_public(plan: &Plan, public: &Answers) -> Result<(), AnswerError> {
        let (schema, implications) = (plan.schema(), &plan.prepared().questions.implications);
        if implications.is_empty() {
            return Ok(());
        }
        let asked: Vec<Asked> = schema.ids().map(|id| Asked::new(schema, id)).collect();
        let mut region = Region::whole(schema.n_columns(), asked.iter());
        let mut person = vec![0.0; schema.n_columns()];
        for (id, answer) in &public.all {
            schema.encode(*id, answer, &mut person)?;
            region.set_point(schema.columns(*id), &person[schema.columns(*id)]);
        }
        let mut narrowed_by = Vec::new();
        let narrowed = implications.narrow(&mut region, |question, rule| narrowed_by.push((question, rule)));
        let Err(contradiction) = narrowed else { return Ok(()) };
        let is_known = |question| public.get(QuestionId::new(question)).is_some();
        let grounds = implications.grounds(&region, None, vec![contradiction.rule], &narrowed_by, is_known);
        let mut together: Vec<QuestionId> = grounds.into_iter().map(QuestionId::new).collect();
        let refuses = |id: &QuestionId| schema.question(*id).outside == OutsidePolicy::Refuse;
        match together.iter().rposition(refuses) {
            Some(place) => {
                let last = together.remove(place);
                Err(against_rule(schema, last, &together))
            }
            None => Ok(()),
        }
    }

    /// What to do next.
    #[must_use]
    pub fn next(&self) -> Next {
        match self.walk.stage() {
            Stage::Asking { question, reason } => Next::Ask { question, reason },
            Stage::Settled { label, guarantee } => {
                Next::Done(Decision { label, guarantee, n_revealed: self.walk.n_revealed() })
            }
            Stage::Exhausted => Next::Undecided(self.outlook()),
        }
    }

    /// Takes the answer to the question being asked.
    ///
    /// # Errors
    /// When another question is being asked, the answer is of another kind, or it is outside the declared domain or
    /// against a rule between questions, and the question does not accept that. The question is then still being asked.
    pub fn answer(&mut self, id: QuestionId, answer: Answer) -> Result<Placement, AnswerError> {
        self.check_asked(id)?;
        let schema = self.plan().schema();
        let mut person = vec![0.0; schema.n_columns()];
        let mut placement = encode_admitted(schema, id, &answer, &mut person)?;
        if let Some(others) = self.walk.contradicted_by(id, &person) {
            if schema.question(id).outside == OutsidePolicy::Refuse {
                return Err(against_rule(schema, id, &others));
            }
            placement = Placement::Outside;
        }
        self.answers.insert(id, answer);
        self.asked.push(id);
        self.walk.reveal(&person);
        Ok(placement)
    }

    /// Takes note that the person prefers not to answer the question being asked.
    ///
    /// # Errors
    /// When another question is being asked.
    pub fn decline(&mut self, id: QuestionId) -> Result<(), AnswerError> {
        self.check_asked(id)?;
        self.declined.push(id);
        self.asked.push(id);
        self.walk.decline();
        Ok(())
    }

    /// The plan that is followed.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.walk.plan()
    }

    /// How the decision looks now, under the belief. A settled one has its own label and, if proved, probability one.
    #[must_use]
    pub fn outlook(&self) -> Outlook {
        match self.walk.stage() {
            Stage::Settled { label, guarantee: Guarantee::Proved | Guarantee::Complete } => {
                Outlook { label, probability: 1.0 }
            }
            _ => {
                let (label, probability) = self.walk.outlook();
                Outlook { label, probability }
            }
        }
    }

    /// The revealed questions, in the order they were asked.
    pub fn revealed(&self) -> impl Iterator<Item = QuestionId> + '_ {
        self.walk.revealed()
    }

    /// The declined questions, in the order they were asked.
    #[must_use]
    pub fn declined(&self) -> &[QuestionId] {
        &self.declined
    }

    /// What has become of each sensitive question, in the order of [`Plan::sensitive`].
    #[must_use]
    pub fn status(&self) -> &[Status] {
        self.walk.status()
    }

    /// The sensitive questions that were never asked.
    pub fn never_asked(&self) -> impl Iterator<Item = QuestionId> + '_ {
        let open = |(_, status): &(&QuestionId, &Status)| **status == Status::Open;
        self.plan().sensitive().iter().zip(self.walk.status()).filter(open).map(|(&id, _)| id)
    }

    /// The sensitive questions that are not asked because their answers follow from others by the rules between
    /// questions, with these answers and the questions they follow from.
    pub fn implied(&self) -> impl Iterator<Item = ImpliedAnswer> + '_ {
        let (schema, columns) = (self.plan().schema(), self.walk.known_columns());
        self.walk.implied_places().iter().map(move |&(place, _)| {
            let question = self.plan().sensitive()[place];
            ImpliedAnswer {
                question,
                answer: schema.question(question).decode_plainly(&columns[schema.columns(question)]),
                follows_from: self.walk.follows_from(place),
            }
        })
    }

    /// The columns of what is known, by answers or by what follows from them.
    pub(crate) fn known_columns(&self) -> &[f64] {
        self.walk.known_columns()
    }

    /// An answer to the question being asked, or the nearest that breaks no rule together with what is known.
    pub(crate) fn nearest_possible(&self, id: QuestionId, answer: Answer) -> Answer {
        let schema = self.plan().schema();
        let mut person = vec![0.0; schema.n_columns()];
        schema.encode(id, &answer, &mut person).expect("an answer to the question");
        if self.walk.contradicted_by(id, &person).is_none() {
            return answer;
        }
        let mut others = self.walk.possible_answers(id);
        others
            .sort_by(|one, other| (one.code() - answer.code()).abs().total_cmp(&(other.code() - answer.code()).abs()));
        others.into_iter().next().unwrap_or(answer)
    }

    /// Whether the answers break a rule between questions: nothing then follows from rules.
    #[must_use]
    pub fn breaks_rules(&self) -> bool {
        self.walk.breaks_rules()
    }

    /// After how many questions, answered or declined, a test ran out of budget or time, so that the next was asked
    /// without knowing it was needed. Of a session that was resumed, only steps since then are counted.
    #[must_use]
    pub fn out_of_budget(&self) -> &[usize] {
        self.walk.out_of_budget()
    }

    /// The steps that a time limit cut short.
    #[must_use]
    pub fn late_steps(&self) -> &[LateStep] {
        self.walk.late_steps()
    }

    /// The answers given so far, public ones among them.
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// What the plan promises of calibrated sessions like this one. Nothing once a question was declined: those it
    /// was calibrated on answered everything.
    #[must_use]
    pub fn promise(&self) -> Option<&Promise> {
        self.promise.as_ref().filter(|_| self.declined.is_empty())
    }

    /// The certificate of a settled decision.
    #[must_use]
    pub fn certificate(&self) -> Option<Certificate> {
        let Next::Done(decision) = self.next() else {
            return None;
        };
        Some(self.certify(&decision))
    }

    fn check_asked(&self, id: QuestionId) -> Result<(), AnswerError> {
        match self.walk.stage() {
            Stage::Asking { question, .. } if question == id => Ok(()),
            _ => Err(not_asked(self.plan(), id)),
        }
    }
}

/// The error for an answer that breaks a rule: it names the questions it contradicts, and no answer.
fn against_rule(schema: &Schema, id: QuestionId, others: &[QuestionId]) -> AnswerError {
    let name = |id: &QuestionId| schema.question(*id).name.clone();
    AnswerError::AgainstRule { question: name(&id), others: others.iter().map(name).collect() }
}

fn not_asked(plan: &Plan, id: QuestionId) -> AnswerError {
    let question = plan.schema().questions().get(id.index());
    AnswerError::NotAsked { question: question.map_or("?", |question| &question.name).to_owned() }
}

/// A plan with the calibrated rules for a person, and what is promised to them.
fn calibrated(plan: &Plan, public: &Answers) -> Result<(Plan, Option<Promise>), StartError> {
    let calibration = plan.calibration().ok_or(StartError::NotCalibrated)?;
    let person = encode_public(plan, public)?;
    let rules = plan.calibrated_rules(&person).expect("the plan is calibrated");
    let promise = calibration.place(plan.schema(), &person).map(|group| calibration.promise_to(group));
    Ok((plan.with_rules(rules).expect("a plan can follow its calibrated rules"), promise))
}

/// The columns of the public answers; zero elsewhere.
fn encode_public(plan: &Plan, public: &Answers) -> Result<Vec<f64>, AnswerError> {
    let schema = plan.schema();
    let mut person = vec![0.0; schema.n_columns()];
    let mut given = public.all.iter().peekable();
    if public.all.last().is_some_and(|(id, _)| id.index() >= schema.questions().len()) {
        return Err(schema.unknown_question("?"));
    }
    for id in schema.ids() {
        let question = schema.question(id);
        match (question.visibility, given.next_if(|(other, _)| *other == id)) {
            (Visibility::Public, Some((_, answer))) => {
                encode_admitted(schema, id, answer, &mut person)?;
            }
            (Visibility::Public, None) => {
                return Err(AnswerError::PublicMissing { question: question.name.clone() });
            }
            (Visibility::Sensitive, Some(_)) => {
                return Err(AnswerError::NotPublic { question: question.name.clone() });
            }
            (Visibility::Sensitive, None) => {}
        }
    }
    Ok(person)
}

/// Writes an answer that is given in a session into the columns of its question: the one place where values outside
/// are refused.
fn encode_admitted(
    schema: &Schema,
    id: QuestionId,
    answer: &Answer,
    person: &mut [f64],
) -> Result<Placement, AnswerError> {
    schema.question(id).admit(answer)?;
    schema.encode(id, answer, person)
}

impl Answers {
    /// No answers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes the answer to a question, if there is one.
    pub fn remove(&mut self, id: QuestionId) {
        self.all.retain(|(other, _)| *other != id);
    }

    /// Adds or replaces one answer.
    pub fn insert(&mut self, id: QuestionId, answer: Answer) {
        match self.place(id) {
            Ok(place) => self.all[place].1 = answer,
            Err(place) => self.all.insert(place, (id, answer)),
        }
    }

    /// The answer to a question, if there is one.
    #[must_use]
    pub fn get(&self, id: QuestionId) -> Option<&Answer> {
        self.place(id).ok().map(|place| &self.all[place].1)
    }

    /// The questions answered, in the order of the schema.
    pub fn questions(&self) -> impl Iterator<Item = QuestionId> + '_ {
        self.all.iter().map(|(id, _)| *id)
    }

    /// Where the answer to a question is, or would be.
    fn place(&self, id: QuestionId) -> Result<usize, usize> {
        self.all.binary_search_by_key(&id, |(other, _)| *other)
    }

    /// Reads answers by the names of their questions, as people type them.
    ///
    /// # Errors
    /// When a name or a text fits no question; the error holds no value.
    pub fn parse<'a>(plan: &Plan, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, AnswerError> {
        let schema = plan.schema();
        let mut answers = Answers::new();
        for (name, text) in texts {
            let id = schema.require(name)?;
            answers.insert(id, schema.question(id).parse_typed(text)?);
        }
        Ok(answers)
    }
}

impl fmt::Debug for Outlook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Outlook").field("label", &self.label).finish_non_exhaustive()
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Answers({} of them)", self.all.len())
    }
}
