//! What is known of the person being asked, and what follows from it.

use super::engine::KnownSoFar;
use super::walk::LateStep;
use crate::plan::Plan;
use crate::questionnaire::Status;
use crate::region::Region;
use crate::rules::TimeLimit;
use crate::schema::QuestionId;

/// What is known of the person being asked. It has no `Debug`: it holds answers.
pub(super) struct PersonFacts {
    pub region: Region,
    pub status: Vec<Status>,
    pub askable: Vec<bool>,
    /// Revealed questions, in the order they were asked.
    pub revealed: Vec<usize>,
    /// Questions that follow from others, with the rule by its place in the schema.
    pub implied: Vec<(usize, usize)>,
    /// Which questions of the schema were narrowed by which rules.
    narrowed_by: Vec<(usize, usize)>,
    /// Both, in the order they became known.
    pub known: Vec<usize>,
    pub n_declined: usize,
    /// Whether the answers break a rule between questions. Rules then say nothing of the person.
    pub breaks_rules: bool,
    /// What was narrowed by the last step.
    pub narrowed: Vec<usize>,
    pub largest: f64,
    pub seed: u64,
    pub time: Option<TimeLimit>,
    /// Steps known to have been cut short by a clock, with what was asked.
    pub known_late: Vec<LateStep>,
}

/// Whether what is known of a person breaks a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Consistency {
    Possible,
    Broken,
}

impl PersonFacts {
    /// Of nobody yet.
    pub fn new(plan: &Plan) -> Self {
        let n_questions = plan.sensitive().len();
        let seed = plan.rules().seed;
        PersonFacts {
            region: Region::default(),
            status: vec![Status::Open; n_questions],
            askable: vec![true; n_questions],
            revealed: Vec::with_capacity(n_questions),
            implied: Vec::new(),
            narrowed_by: Vec::new(),
            known: Vec::with_capacity(n_questions),
            n_declined: 0,
            breaks_rules: false,
            narrowed: Vec::with_capacity(1),
            largest: 0.0,
            seed,
            time: None,
            known_late: Vec::new(),
        }
    }

    pub fn begin(&mut self, plan: &Plan, person: &[f64], seed: u64) {
        self.status.fill(Status::Open);
        self.askable.fill(true);
        self.revealed.clear();
        self.implied.clear();
        self.narrowed_by.clear();
        self.known.clear();
        self.narrowed.clear();
        self.n_declined = 0;
        self.breaks_rules = false;
        self.largest = 0.0;
        self.seed = seed;
        let questions = &plan.prepared().questions;
        self.region.clone_from(&questions.whole);
        for &column in &questions.public_columns {
            self.know(column, person[column]);
        }
    }

    /// One column after the other: most questions have one, and a copy of so little would be a call.
    fn know(&mut self, column: usize, value: f64) {
        self.region.lower[column] = value;
        self.region.upper[column] = value;
        self.largest = self.largest.max(value.abs());
    }

    pub fn reveal(&mut self, plan: &Plan, place: usize, person: &[f64]) {
        for column in plan.prepared().questions.asked[place].columns.clone() {
            self.know(column, person[column]);
        }
        self.status[place] = Status::Revealed;
        self.askable[place] = false;
        self.revealed.push(place);
        self.known.push(place);
        self.narrowed.clear();
        self.narrowed.push(place);
    }

    pub fn decline(&mut self, place: usize) {
        self.status[place] = Status::Declined;
        self.askable[place] = false;
        self.n_declined += 1;
    }

    /// Narrows the region to what single rules imply, and takes note of what is known by it.
    pub fn follow_rules(&mut self, plan: &Plan) -> Consistency {
        let questions = &plan.prepared().questions;
        if self.breaks_rules {
            return Consistency::Possible;
        }
        let mut by_rules = Vec::new();
        let narrow = questions.implications.narrow(&mut self.region, |question, rule| by_rules.push((question, rule)));
        if narrow.is_err() {
            return Consistency::Broken;
        }
        for narrowed in &by_rules {
            if !self.narrowed_by.contains(narrowed) {
                self.narrowed_by.push(*narrowed);
            }
        }
        let places = by_rules.iter().filter_map(|&(question, rule)| Some((questions.place_of[question]?, rule)));
        for (place, rule) in places {
            if !self.narrowed.contains(&place) {
                self.narrowed.push(place);
            }
            let columns = &questions.asked[place].columns;
            if self.region.is_known(columns) && !self.known.contains(&place) {
                self.known.push(place);
                let values = &self.region.values()[columns.clone()];
                self.largest = values.iter().fold(self.largest, |largest, value| largest.max(value.abs()));
                // What was declined and follows all the same stays declined: it is never asked again.
                if self.status[place] == Status::Open {
                    self.implied.push((place, rule));
                    self.status[place] = Status::Implied;
                    self.askable[place] = false;
                }
            }
        }
        Consistency::Possible
    }

    /// Goes back to what was said, without what rules made of it.
    pub fn forget_rules(&mut self, plan: &Plan) {
        self.breaks_rules = true;
        let questions = &plan.prepared().questions;
        for (place, question) in questions.asked.iter().enumerate() {
            if !self.revealed.contains(&place) {
                self.region.open(question);
            }
        }
        for (place, _) in self.implied.drain(..) {
            self.status[place] = Status::Open;
            self.askable[place] = true;
        }
        self.narrowed_by.clear();
        self.known.clone_from(&self.revealed);
        self.narrowed.clone_from(&self.revealed);
    }

    /// The known questions that an implied one follows from.
    pub fn follows_from(&self, plan: &Plan, id: QuestionId) -> Vec<QuestionId> {
        let by_rules = self.narrowed_by.iter().filter(|(question, _)| *question == id.index()).map(|&(_, rule)| rule);
        let (of, implications) = (Some(id.index()), &plan.prepared().questions.implications);
        let is_known = |question| self.is_known(plan, question);
        let grounds = implications.grounds(&self.region, of, by_rules.collect(), &self.narrowed_by, is_known);
        grounds.into_iter().map(QuestionId::new).collect()
    }

    /// The known questions that the answer to a question contradicts, if it would break a rule.
    pub fn contradicted_by(&self, plan: &Plan, id: QuestionId, person: &[f64]) -> Option<Vec<QuestionId>> {
        let implications = &plan.prepared().questions.implications;
        if implications.is_empty() || self.breaks_rules {
            return None;
        }
        let (mut region, mut narrowed_by) = (self.region.clone(), self.narrowed_by.clone());
        let columns = plan.schema().columns(id);
        region.set_point(columns.clone(), &person[columns]);
        let contradiction =
            implications.narrow(&mut region, |question, rule| narrowed_by.push((question, rule))).err()?;
        let (of, is_known) = (Some(id.index()), |question| self.is_known(plan, question));
        let grounds = implications.grounds(&region, of, vec![contradiction.rule], &narrowed_by, is_known);
        Some(grounds.into_iter().map(QuestionId::new).collect())
    }

    /// Whether a question of the schema is public, answered or implied.
    fn is_known(&self, plan: &Plan, question: usize) -> bool {
        let place = plan.prepared().questions.place_of[question];
        place.is_none_or(|place| matches!(self.status[place], Status::Revealed | Status::Implied))
    }

    /// As an engine sees it.
    pub fn standing<'a>(&'a self, plan: &'a Plan) -> KnownSoFar<'a> {
        KnownSoFar {
            plan,
            region: &self.region,
            askable: &self.askable,
            known: &self.known,
            n_asked: self.revealed.len() + self.n_declined,
            n_declined: self.n_declined,
            largest: self.largest,
            seed: self.seed,
            time: self.time,
        }
    }
}
