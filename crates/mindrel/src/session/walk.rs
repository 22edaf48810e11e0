//! The walk from the public columns to a settled label, on encoded columns and without allocating for each person.

use std::cmp::Ordering;
use std::fmt;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use crate::Label;
use crate::belief::{Position, Posterior};
use crate::core_test::Guarantee;
use crate::core_test::exact::{Pair, exact_sign};
use crate::core_test::probable::ScoreDistribution;
use crate::model::{Model, dot, label_of_scores};
use crate::plan::{Plan, Prepared};
use crate::schema::QuestionId;
use crate::selector::{Reason, View};

/// What has become of a sensitive question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Neither answered nor declined.
    Open,
    /// Answered.
    Revealed,
    /// Declined: never asked again, and random like an open one.
    Declined,
}

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

/// A session on encoded columns: what audits drive for millions of people, and what every [`Session`](crate::Session) is inside.
///
/// One walk serves one person after the other: [`begin`](Walk::begin) starts anew and keeps the room it has.
pub struct Walk {
    plan: Plan,
    state: State,
}

/// Everything about the person being asked. It has no `Debug`: it holds answers.
struct State {
    person: Vec<f64>,
    status: Vec<Status>,
    askable: Vec<bool>,
    /// Revealed questions in the order they were asked, by place among the sensitive ones.
    order: Vec<usize>,
    n_declined: usize,
    /// The largest known value in size.
    largest: f64,
    /// Part of every score that the public columns make up, then a zero.
    public_scores: Vec<f64>,
    /// Smallest margin of every pair.
    worst: Vec<f64>,
    posterior: Posterior,
    position: Position,
    /// How many of the revealed questions `posterior` and `position` know of; nothing before the public ones are in.
    n_followed: Option<usize>,
    /// What the question revealed last contributes to every score, then a zero.
    contribution: Vec<f64>,
    /// Row of a score: what each sensitive question is expected to contribute; what it does, if it is revealed.
    expected_contributions: Vec<f64>,
    /// Expected scores, then a zero.
    expected: Vec<f64>,
    random: Pcg64Mcg,
    asked: usize,
    stage: Stage,
    /// Whether test or selector look at what the open columns probably are.
    follows_belief: bool,
    /// Whether they look at the covariance of the scores.
    follows_scores: bool,
    /// Whether the selector looks at what questions would do to the scores.
    follows_effects: bool,
}

impl Walk {
    /// A walk under a plan; [`begin`](Walk::begin) gives it a person.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Walk { plan: plan.clone(), state: State::new(plan) }
    }

    /// Starts with a new person, of whom only the public columns are read.
    ///
    /// `seed` is what `random` and `f-score-mc` draw from.
    pub fn begin(&mut self, person: &[f64], seed: u64) {
        self.state.begin(&self.plan, person, seed);
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
        self.state.order.iter().map(|&place| self.plan.sensitive()[place])
    }

    /// The same, each by its place in [`Plan::sensitive`].
    #[must_use]
    pub fn revealed_places(&self) -> &[usize] {
        &self.state.order
    }

    /// How many sensitive questions were revealed.
    #[must_use]
    pub fn n_revealed(&self) -> usize {
        self.state.order.len()
    }

    /// What has become of each sensitive question, in the order of [`Plan::sensitive`].
    #[must_use]
    pub fn status(&self) -> &[Status] {
        &self.state.status
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
        self.state.outlook(self.plan.prepared())
    }

    /// The smallest margin by which a label can still win, over all rivals and all values of what is open.
    #[must_use]
    pub fn worst_margin(&self, label: Label) -> f64 {
        let places = self.plan.prepared().margins.of_winner(label);
        self.state.worst[places].iter().copied().fold(f64::INFINITY, f64::min)
    }
}

impl fmt::Debug for Walk {
    /// Leaves out the stage: the probability in a question's reason depends on the answers, and one could be worked out from it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Walk").field("n_revealed", &self.n_revealed()).finish_non_exhaustive()
    }
}

impl State {
    fn new(plan: &Plan) -> Self {
        let prepared = plan.prepared();
        let (n_questions, n_scores) = (prepared.sensitive.len(), prepared.weights.len());
        let rules = *plan.rules();
        State {
            person: vec![0.0; plan.schema().n_columns()],
            status: vec![Status::Open; n_questions],
            askable: vec![true; n_questions],
            order: Vec::with_capacity(n_questions),
            n_declined: 0,
            largest: 0.0,
            public_scores: vec![0.0; n_scores + 1],
            worst: vec![0.0; prepared.margins.pairs().len()],
            posterior: Posterior::new(&prepared.prior),
            position: Position::START,
            n_followed: None,
            contribution: vec![0.0; n_scores + 1],
            expected_contributions: vec![0.0; n_scores * n_questions],
            expected: vec![0.0; n_scores + 1],
            random: Pcg64Mcg::seed_from_u64(rules.seed),
            asked: 0,
            stage: Stage::Exhausted,
            follows_belief: rules.delta > 0.0 || rules.selector.needs_belief(n_scores),
            follows_scores: rules.delta > 0.0 || rules.selector.needs_effects(rules.delta),
            follows_effects: rules.selector.needs_effects(rules.delta),
        }
    }

    fn begin(&mut self, plan: &Plan, person: &[f64], seed: u64) {
        let prepared = plan.prepared();
        self.status.fill(Status::Open);
        self.askable.fill(true);
        self.order.clear();
        self.n_declined = 0;
        self.random = Pcg64Mcg::seed_from_u64(seed);
        self.largest = 0.0;
        for &column in &prepared.public_columns {
            self.person[column] = person[column];
            self.largest = self.largest.max(person[column].abs());
        }
        prepared.public_scores(plan.model(), person, &mut self.public_scores);
        prepared.margins.begin(&self.public_scores, &mut self.worst);
        self.position = Position::START;
        self.n_followed = None;
        self.advance(plan);
    }

    fn reveal(&mut self, plan: &Plan, person: &[f64]) {
        let prepared = plan.prepared();
        let place = self.asked;
        let columns = prepared.asked[place].columns.clone();
        for column in columns.clone() {
            self.person[column] = person[column];
            self.largest = self.largest.max(person[column].abs());
        }
        for (score, contribution) in self.contribution.iter_mut().enumerate().take(prepared.weights.len()) {
            *contribution = dot(&plan.model().weights(score)[columns.clone()], &self.person[columns.clone()]);
        }
        prepared.margins.reveal(place, &self.contribution, &mut self.worst);
        self.status[place] = Status::Revealed;
        self.askable[place] = false;
        self.order.push(place);
        self.advance(plan);
    }

    fn decline(&mut self, plan: &Plan) {
        self.status[self.asked] = Status::Declined;
        self.askable[self.asked] = false;
        self.n_declined += 1;
        self.advance(plan);
    }

    /// Tests whether the label is settled, and otherwise chooses the next question.
    fn advance(&mut self, plan: &Plan) {
        let prepared = plan.prepared();
        if let Some((label, guarantee)) = self.verdict(plan) {
            self.stage = Stage::Settled { label, guarantee };
            return;
        }
        if self.order.len() + self.n_declined == self.status.len() || self.is_hopeless(plan) {
            self.stage = Stage::Exhausted;
            return;
        }
        let rules = plan.rules();
        let view = View {
            prepared,
            delta: rules.delta,
            askable: &self.askable,
            worst: &self.worst,
            posterior: &self.posterior,
            expected_contributions: &self.expected_contributions,
            expected: &self.expected,
            known: prepared.paths.known(&self.position),
        };
        let (place, reason) = rules.selector.choose(&view, rules.draws, &mut self.random);
        self.asked = place;
        self.stage = Stage::Asking { question: prepared.sensitive[place], reason };
    }

    /// The core test: everything revealed, else the proof, else, at δ > 0, the probability.
    ///
    /// Departs from [TF23, Alg. 1] at δ > 0, where a proof also ends the questioning: it holds under any belief.
    fn verdict(&mut self, plan: &Plan) -> Option<(Label, Guarantee)> {
        let prepared = plan.prepared();
        if self.order.len() == self.status.len() {
            return Some((plan.model().label(&self.person), Guarantee::Complete));
        }
        let slack = plan.model().rounding_bound(self.largest);
        if let Some(label) = prepared.margins.settled(&self.worst, slack, |pair| self.exact_sign(plan, pair)) {
            return Some((label, Guarantee::Proved));
        }
        self.catch_up(prepared);
        if self.follows_belief {
            let mean = self.posterior.mean();
            expect(prepared, &self.public_scores, mean, &mut self.expected_contributions, &mut self.expected);
        }
        let delta = plan.rules().delta;
        if delta > 0.0 {
            // Only the label of the expected scores can have a probability above one half.
            let label = label_of_scores(&self.expected[..prepared.weights.len()]);
            let covariance = self.posterior.score_covariance();
            let scores = ScoreDistribution { expected: &self.expected, covariance };
            if scores.reaches(&prepared.margins, label, 1.0 - delta) {
                return Some((label, Guarantee::Probable));
            }
        }
        None
    }

    /// Brings the belief up to what is revealed. Put off until the exact test has failed: the last answer needs none.
    fn catch_up(&mut self, prepared: &Prepared) {
        let n_followed = self.n_followed.unwrap_or_else(|| {
            if self.follows_belief {
                self.posterior.begin(&prepared.prior, &self.person);
            }
            0
        });
        for &place in &self.order[n_followed..] {
            if self.follows_belief {
                self.posterior.reveal(&prepared.prior, prepared.columns(place), &self.person, self.follows_scores);
            }
            if self.follows_effects {
                prepared.paths.reveal(&mut self.position, place);
            }
        }
        self.n_followed = Some(self.order.len());
    }

    /// Whether no answer to what may still be asked can prove any label: what was declined then stands in the way, and asking on
    /// would only collect answers that cannot help. At δ > 0 the belief may still come round.
    fn is_hopeless(&self, plan: &Plan) -> bool {
        if self.n_declined == 0 || plan.rules().delta > 0.0 {
            return false;
        }
        let prepared = plan.prepared();
        let margins = &prepared.margins;
        let slack = plan.model().rounding_bound(self.largest);
        let out_of_reach = |place: usize| {
            let width = margins.width_row(place).iter().zip(&self.askable).filter(|(_, askable)| **askable);
            self.worst[place] + width.map(|(width, _)| width).sum::<f64>() < -slack
        };
        (0..margins.n_classes()).all(|label| margins.of_winner(Label::new(label)).any(out_of_reach))
    }

    /// Works out the belief anew, whether test and selector follow it or not.
    fn outlook(&self, prepared: &Prepared) -> (Label, f64) {
        let mut posterior = Posterior::new(&prepared.prior);
        posterior.begin(&prepared.prior, &self.person);
        for &place in &self.order {
            posterior.reveal(&prepared.prior, prepared.columns(place), &self.person, true);
        }
        let mut expected = self.expected.clone();
        let mut contributions = self.expected_contributions.clone();
        expect(prepared, &self.public_scores, posterior.mean(), &mut contributions, &mut expected);
        let covariance = posterior.score_covariance();
        let scores = ScoreDistribution { expected: &expected, covariance };
        let probability = |label: usize| (Label::new(label), scores.probability(&prepared.margins, Label::new(label)));
        let labels = (0..prepared.margins.n_classes()).map(probability);
        labels.reduce(|best, other| if other.1 > best.1 { other } else { best }).expect("there are labels")
    }

    fn exact_sign(&self, plan: &Plan, pair: &Pair) -> Option<Ordering> {
        let prepared = plan.prepared();
        let places = || prepared.asked.iter().zip(&self.status);
        let revealed = places().filter(|(_, status)| **status == Status::Revealed);
        let known_columns = revealed.flat_map(|(question, _)| question.columns.clone());
        let open = places().filter(|(_, status)| **status != Status::Revealed).map(|(question, _)| question);
        let columns = prepared.public_columns.iter().copied().chain(known_columns);
        exact_sign(plan.model(), pair, &self.person, columns, open)
    }
}

/// Works out what every sensitive question is expected to contribute, and the expected scores [TF23, Eq. (5)].
///
/// The mean of a known column is its value, so revealed and open questions add up alike.
fn expect(prepared: &Prepared, public_scores: &[f64], mean: &[f64], contributions: &mut [f64], expected: &mut [f64]) {
    let n_questions = prepared.sensitive.len();
    for (score, weights) in prepared.weights.iter().enumerate() {
        let row = &mut contributions[score * n_questions..(score + 1) * n_questions];
        if weights.len() == n_questions {
            // Every question has one column: two rows of plain numbers.
            for ((contribution, weight), mean) in row.iter_mut().zip(weights).zip(mean) {
                *contribution = weight * mean;
            }
        } else {
            for (contribution, columns) in row.iter_mut().zip(prepared.starts.windows(2)) {
                *contribution = dot(&weights[columns[0]..columns[1]], &mean[columns[0]..columns[1]]);
            }
        }
        expected[score] = public_scores[score] + dot(weights, mean);
    }
}
