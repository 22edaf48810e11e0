//! The walk from the public columns to a settled label, on encoded columns and without allocating for each person.

use std::fmt;

use super::engine::{Engine, TestResult, engine};
use super::facts::{Consistency, PersonFacts};
use crate::Label;
use crate::plan::Plan;
use crate::proof::Proof;
use crate::questionnaire::Status;
use crate::region::Asked;
use crate::region::part::QuestionPart;
use crate::rules::{Guarantee, TimeLimit};
use crate::schema::{Answer, OutsidePolicy, QuestionId};
use crate::selector::Reason;

/// Where a walk stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    /// A question is to be asked.
    Asking {
        /// The question.
        question: QuestionId,
        /// Why this one.
        reason: Reason,
    },
    /// The label is settled.
    Settled {
        /// The label.
        label: Label,
        /// What it rests on.
        guarantee: Guarantee,
    },
    /// Nothing is left to ask that could settle the label.
    Exhausted,
}

/// A step that a [time limit](Walk::limit_time) cut short, so that nobody can tell from the answers alone what is
/// asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LateStep {
    /// After how many questions, answered or declined.
    pub after: usize,
    /// The question that was asked, by its place in [`Plan::sensitive`].
    pub place: usize,
    /// Why this one.
    pub reason: Reason,
}

/// Why a walk cannot have gone as it is said to. It names questions, and no answer.
#[derive(Debug)]
pub(crate) enum ImpossibleStep {
    /// The question, by its place, was not open: it was asked before, or followed from other answers.
    NotOpen { place: usize },
    /// The answer to the question, by its place, contradicts what was known of others.
    AgainstRule { place: usize, others: Vec<QuestionId> },
}

impl LateStep {
    /// A step that a certificate states. It does not state why the question was asked, and nobody is shown.
    pub(crate) fn stated(after: usize, place: usize) -> Self {
        LateStep { after, place, reason: Reason::Weighs }
    }
}

/// A session on encoded columns: what audits drive for millions of people, and what every [`Session`](crate::Session)
/// is inside.
///
/// One walk serves one person after the other: [`begin`](Walk::begin) starts again and reuses the buffers.
pub struct Walk {
    plan: Plan,
    /// Boxed, so that moving a session is cheap.
    state: Box<WalkState>,
}

/// What is being worked on.
struct WalkState {
    facts: PersonFacts,
    out_of_budget: Vec<usize>,
    late_steps: Vec<LateStep>,
    asked: usize,
    stage: Stage,
    engine: Box<dyn Engine>,
}

impl Walk {
    /// A walk under a plan; [`begin`](Walk::begin) gives it a person.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Walk { plan: plan.clone(), state: Box::new(WalkState::new(plan)) }
    }

    /// Starts with a new person, of whom only the public columns are read.
    ///
    /// `seed` is what `random` and `f-score-mc` draw from.
    pub fn begin(&mut self, person: &[f64], seed: u64) {
        self.state.begin(&self.plan, person, seed);
    }

    /// Resumes a person's walk after some sensitive questions, by place, that were revealed or declined. Each step goes
    /// by the answers so far alone, so only the last one is computed.
    ///
    /// Of `person` the public and the revealed columns are read.
    ///
    /// # Errors
    /// When a step cannot have been taken. The walk is then of no more use.
    pub(crate) fn take_up(
        &mut self,
        person: &[f64],
        seed: u64,
        steps: impl IntoIterator<Item = (usize, Status)>,
    ) -> Result<(), ImpossibleStep> {
        self.state.take_up(&self.plan, person, seed, steps)
    }

    /// Says that the [outlook](Walk::outlook) will be asked for at every step, so that what it takes is kept at hand.
    pub(crate) fn keep_outlook(&mut self) {
        self.state.engine.keep_outlook();
    }

    /// Where the walk stands.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.state.stage
    }

    /// The plan that is followed.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The revealed questions, in the order they were asked.
    pub fn revealed(&self) -> impl Iterator<Item = QuestionId> + '_ {
        self.state.facts.revealed.iter().map(|&place| self.plan.sensitive()[place])
    }

    /// The same, each by its place in [`Plan::sensitive`].
    #[must_use]
    pub fn revealed_places(&self) -> &[usize] {
        &self.state.facts.revealed
    }

    /// The sensitive questions that follow from others by the rules between questions, by place in
    /// [`Plan::sensitive`], each with the rule by its place in [`Schema::implications`](crate::Schema::implications).
    #[must_use]
    pub fn implied_places(&self) -> &[(usize, usize)] {
        &self.state.facts.implied
    }

    /// Whether the answers so far break a rule between questions. Nothing then follows from rules.
    #[must_use]
    pub fn breaks_rules(&self) -> bool {
        self.state.facts.breaks_rules
    }

    /// The sensitive questions that are not known and of which rules have left something less than everything, with
    /// that.
    pub(crate) fn narrowed_questions(&self) -> impl Iterator<Item = (QuestionId, QuestionPart)> + '_ {
        let (questions, region) = (&self.plan.prepared().questions, &self.state.facts.region);
        let open = questions.asked.iter().zip(&questions.sensitive);
        open.filter_map(|(question, &id)| Some((id, region.narrowed_part(question, &questions.whole)?)))
    }

    /// The known questions that an implied one, by its place, follows from.
    pub(crate) fn follows_from(&self, place: usize) -> Vec<QuestionId> {
        self.state.facts.follows_from(&self.plan, self.plan.sensitive()[place])
    }

    /// If the answer to a question, given by its columns of an encoded person, would break a rule between questions:
    /// the known questions that it contradicts.
    pub(crate) fn contradicted_by(&self, id: QuestionId, person: &[f64]) -> Option<Vec<QuestionId>> {
        self.state.facts.contradicted_by(&self.plan, id, person)
    }

    /// Answers to a question that break no rule together with what is known: levels, or the ends of what a number can
    /// be.
    pub(crate) fn possible_answers(&self, id: QuestionId) -> Vec<Answer> {
        let (schema, region) = (self.plan.schema(), &self.state.facts.region);
        let points = region.vertices_of(&Asked::new(schema, id));
        let is_possible = |point: &Vec<f64>| {
            let mut person = vec![0.0; schema.n_columns()];
            person[schema.columns(id)].copy_from_slice(point);
            self.contradicted_by(id, &person).is_none()
        };
        points.into_iter().filter(is_possible).map(|point| schema.question(id).decode(&point)).collect()
    }

    /// The columns of what is known.
    pub(crate) fn known_columns(&self) -> &[f64] {
        self.state.facts.region.values()
    }

    /// How many sensitive questions were revealed.
    #[must_use]
    pub fn n_revealed(&self) -> usize {
        self.state.facts.revealed.len()
    }

    /// What has become of each sensitive question, in the order of [`Plan::sensitive`].
    #[must_use]
    pub fn status(&self) -> &[Status] {
        &self.state.facts.status
    }

    /// Takes the answer to the question that is being asked from its columns of an encoded person.
    ///
    /// Nothing happens when no question is being asked.
    pub fn reveal(&mut self, person: &[f64]) {
        if let Stage::Asking { .. } = self.state.stage {
            self.state.reveal(&self.plan, person);
        }
    }

    /// Declines the question that is being asked: it stays open to chance and is never asked again.
    ///
    /// Nothing happens when no question is being asked.
    pub fn decline(&mut self) {
        if let Stage::Asking { .. } = self.state.stage {
            self.state.decline(&self.plan);
        }
    }

    /// Asks until the label is settled, taking every answer from an encoded person.
    ///
    /// Returns the label and what it rests on; without declined questions every walk ends so.
    pub fn decide(&mut self, person: &[f64], seed: u64) -> (Label, Guarantee) {
        self.begin(person, seed);
        loop {
            match self.state.stage {
                Stage::Asking { .. } => self.state.reveal(&self.plan, person),
                Stage::Settled { label, guarantee } => return (label, guarantee),
                Stage::Exhausted => unreachable!("a walk in which nothing is declined ends settled"),
            }
        }
    }

    /// The label the belief holds likeliest now, and its probability.
    #[must_use]
    pub fn outlook(&self) -> (Label, f64) {
        self.state.engine.outlook(&self.state.facts.standing(&self.plan))
    }

    /// The smallest margin by which a label of a linear model wins over all rivals and all values of what is open; of
    /// other models only a proof has a bound of it, and this is not a number.
    #[must_use]
    pub fn worst_margin(&self, label: Label) -> f64 {
        self.state.engine.worst_margin(label)
    }

    /// The proof that a label of a network wins whatever the open answers are, computed again; `None` for other models.
    pub(crate) fn proof(&self, label: Label) -> Option<Proof> {
        self.state.engine.proof(&self.state.facts.standing(&self.plan), label)
    }

    /// Says which steps were cut short before, so that they are again: a clock never shows the same time twice.
    pub(crate) fn replay_late_steps(&mut self, steps: Vec<LateStep>) {
        self.state.facts.known_late = steps;
    }

    /// Limits how long each step may take, its test and the choice of the next question, by a clock that is passed in.
    /// What is not proved in time counts as not core, so that more is asked. Without a limit, the same answers always
    /// lead to the same questions.
    pub fn limit_time(&mut self, limit: TimeLimit) {
        self.state.facts.time = Some(limit);
    }

    /// After how many questions, answered or declined, a test ran out of budget or time, so that the next was asked
    /// without knowing it was needed. Of a walk that was resumed, only steps since then are counted.
    #[must_use]
    pub fn out_of_budget(&self) -> &[usize] {
        &self.state.out_of_budget
    }

    /// The steps that the [time limit](Walk::limit_time) cut short, in their test or in the choice of a question.
    #[must_use]
    pub fn late_steps(&self) -> &[LateStep] {
        &self.state.late_steps
    }
}

impl fmt::Debug for Walk {
    /// Leaves out the stage: the probability in a question's reason depends on the answers, and one could be worked
    /// out from it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Walk").field("n_revealed", &self.n_revealed()).finish_non_exhaustive()
    }
}

impl WalkState {
    fn new(plan: &Plan) -> Self {
        WalkState {
            facts: PersonFacts::new(plan),
            out_of_budget: Vec::new(),
            late_steps: Vec::new(),
            asked: 0,
            stage: Stage::Exhausted,
            engine: engine(plan),
        }
    }

    fn begin(&mut self, plan: &Plan, person: &[f64], seed: u64) {
        self.take_up(plan, person, seed, []).expect("no step is taken");
    }

    fn take_up(
        &mut self,
        plan: &Plan,
        person: &[f64],
        seed: u64,
        steps: impl IntoIterator<Item = (usize, Status)>,
    ) -> Result<(), ImpossibleStep> {
        self.out_of_budget.clear();
        self.late_steps.clear();
        self.facts.begin(plan, person, seed);
        self.engine.begin(&self.facts.standing(plan));
        self.follow_rules(plan);
        let mut n_steps = 0;
        for (place, status) in steps {
            n_steps += 1;
            self.check_step(plan, person, place, status)?;
            if status == Status::Declined {
                self.facts.decline(place);
            } else {
                self.facts.reveal(plan, place, person);
                self.follow_rules(plan);
            }
        }
        // Those before the last are not taken again, and a certificate has to state them.
        self.late_steps.extend(self.facts.known_late.iter().filter(|step| step.after < n_steps));
        self.advance(plan);
        Ok(())
    }

    /// Whether a session could take this step: its question is open, and its answer is not against a rule, unless it
    /// may be.
    fn check_step(&self, plan: &Plan, person: &[f64], place: usize, status: Status) -> Result<(), ImpossibleStep> {
        if !self.facts.askable[place] {
            return Err(ImpossibleStep::NotOpen { place });
        }
        let id = plan.sensitive()[place];
        if status == Status::Declined || plan.schema().question(id).outside == OutsidePolicy::Accept {
            return Ok(());
        }
        let others = self.facts.contradicted_by(plan, id, person);
        others.map_or(Ok(()), |others| Err(ImpossibleStep::AgainstRule { place, others }))
    }

    fn reveal(&mut self, plan: &Plan, person: &[f64]) {
        self.facts.reveal(plan, self.asked, person);
        self.follow_rules(plan);
        self.advance(plan);
    }

    /// Tells the engine what was narrowed, with all that rules say then.
    fn follow_rules(&mut self, plan: &Plan) {
        let has_rules = !plan.prepared().questions.implications.is_empty();
        if has_rules && self.facts.follow_rules(plan) == Consistency::Broken {
            self.facts.forget_rules(plan);
            self.engine.begin(&self.facts.standing(plan));
        }
        if !self.facts.narrowed.is_empty() {
            self.engine.narrow(&self.facts.standing(plan), &self.facts.narrowed);
        }
    }

    fn decline(&mut self, plan: &Plan) {
        self.facts.decline(self.asked);
        self.advance(plan);
    }

    /// Tests whether the label is settled, and otherwise chooses the next question.
    fn advance(&mut self, plan: &Plan) {
        let standing = self.facts.standing(plan);
        let n_asked = standing.n_asked;
        let is_this = |step: &&LateStep| step.after == n_asked && standing.askable[step.place];
        if let Some(&known) = self.facts.known_late.iter().find(is_this) {
            self.out_of_budget.push(n_asked);
            self.late_steps.push(known);
            return self.ask(plan, known.place, known.reason);
        }
        let mut budget = standing.budget();
        match self.engine.verdict(&standing, &mut budget) {
            TestResult::Core(label, guarantee) => {
                self.stage = Stage::Settled { label, guarantee };
                return;
            }
            TestResult::Open => {}
            TestResult::OutOfBudget => self.out_of_budget.push(n_asked),
        }
        if !standing.may_ask() || (standing.n_declined > 0 && self.engine.is_hopeless(&standing)) {
            self.stage = Stage::Exhausted;
            return;
        }
        let (place, reason) = self.engine.choose(&standing, &mut budget);
        if budget.is_late() {
            if self.out_of_budget.last() != Some(&n_asked) {
                self.out_of_budget.push(n_asked);
            }
            self.late_steps.push(LateStep { after: n_asked, place, reason });
        }
        self.ask(plan, place, reason);
    }

    fn ask(&mut self, plan: &Plan, place: usize, reason: Reason) {
        self.asked = place;
        self.stage = Stage::Asking { question: plan.sensitive()[place], reason };
    }
}
