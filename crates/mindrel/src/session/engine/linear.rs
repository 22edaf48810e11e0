//! Linear models under a Gaussian belief: margins in closed form, a few additions a step.

use std::cmp::Ordering;

use rand_pcg::Pcg64Mcg;

use super::{Engine, Standing, Verdict, posterior_of};
use crate::Label;
use crate::belief::{Position, Posterior};
use crate::core_test::Guarantee;
use crate::core_test::exact::exact_sign;
use crate::core_test::pairs::Pair;
use crate::core_test::probable::ScoreDistribution;
use crate::model::{Model, dot, label_of_scores};
use crate::plan::{LinearTables, Plan};
use crate::proof::Proof;
use crate::selector::{Reason, View};

/// It has no `Debug`: margins and means tell about answers.
pub(in crate::session) struct LinearEngine {
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
    /// Whether test or selector look at what the open columns probably are.
    follows_belief: bool,
    /// Whether they look at the covariance of the scores.
    follows_scores: bool,
    /// Whether the selector looks at what questions would do to the scores.
    follows_effects: bool,
}

impl LinearEngine {
    pub fn new(plan: &Plan) -> Self {
        let prepared = plan.prepared();
        let tables = prepared.linear();
        let (n_questions, n_scores) = (prepared.sensitive.len(), tables.n_scores());
        let rules = *plan.rules();
        LinearEngine {
            public_scores: vec![0.0; n_scores + 1],
            worst: vec![0.0; tables.margins.pairs().len()],
            posterior: Posterior::new(&prepared.prior),
            position: Position::START,
            n_followed: None,
            contribution: vec![0.0; n_scores + 1],
            expected_contributions: vec![0.0; n_scores * n_questions],
            expected: vec![0.0; n_scores + 1],
            follows_belief: rules.delta > 0.0 || rules.selector.needs_belief(n_scores),
            follows_scores: rules.delta > 0.0 || rules.selector.needs_effects(rules.delta),
            follows_effects: rules.selector.needs_effects(rules.delta),
        }
    }

    /// Brings the belief up to what is revealed. Put off until the exact test has failed: the last answer needs none.
    fn catch_up(&mut self, standing: &Standing<'_>) {
        let prepared = standing.prepared();
        let n_followed = self.n_followed.unwrap_or_else(|| {
            if self.follows_belief {
                self.posterior.begin(&prepared.prior, standing.person);
            }
            0
        });
        for &place in &standing.order[n_followed..] {
            if self.follows_belief {
                let columns = prepared.columns(place);
                self.posterior.reveal(&prepared.prior, columns, standing.person, self.follows_scores);
            }
            if self.follows_effects {
                prepared.linear().paths.reveal(&mut self.position, place);
            }
        }
        self.n_followed = Some(standing.order.len());
    }
}

impl Engine for LinearEngine {
    fn begin(&mut self, standing: &Standing<'_>) {
        let prepared = standing.prepared();
        let tables = prepared.linear();
        let model = standing.plan.linear();
        tables.known_scores(model, &prepared.public_columns, standing.person, &mut self.public_scores);
        tables.margins.begin(&self.public_scores, &mut self.worst);
        self.position = Position::START;
        self.n_followed = None;
    }

    fn reveal(&mut self, standing: &Standing<'_>, place: usize) {
        let prepared = standing.prepared();
        let tables = prepared.linear();
        let model = standing.plan.linear();
        let columns = prepared.asked[place].columns.clone();
        for (score, contribution) in self.contribution.iter_mut().enumerate().take(tables.n_scores()) {
            *contribution = dot(&model.weights(score)[columns.clone()], &standing.person[columns.clone()]);
        }
        tables.margins.reveal(place, &self.contribution, &mut self.worst);
    }

    /// The core test: everything revealed, else the proof, else, at δ > 0, the probability.
    ///
    /// Departs from [TF23, Alg. 1] at δ > 0, where a proof also ends the questioning: it holds under any belief.
    fn verdict(&mut self, standing: &Standing<'_>) -> Verdict {
        let plan = standing.plan;
        let prepared = standing.prepared();
        let tables = prepared.linear();
        if standing.is_complete() {
            return Verdict::Core(plan.model().label(standing.person), Guarantee::Complete);
        }
        let slack = plan.linear().rounding_bound(standing.largest);
        if let Some(label) = tables.margins.settled(&self.worst, slack, |pair| exact_sign_of(standing, pair)) {
            return Verdict::Core(label, Guarantee::Proved);
        }
        self.catch_up(standing);
        if self.follows_belief {
            let mean = self.posterior.mean();
            let contributions = &mut self.expected_contributions;
            expect(tables, &prepared.starts, &self.public_scores, mean, contributions, &mut self.expected);
        }
        let delta = plan.rules().delta;
        if delta > 0.0 {
            // Only the label of the expected scores can have a probability above one half.
            let label = label_of_scores(&self.expected[..tables.n_scores()]);
            let covariance = self.posterior.score_covariance();
            let scores = ScoreDistribution { expected: &self.expected, covariance };
            if scores.reaches(tables.margins.by_label(), label, 1.0 - delta) {
                return Verdict::Core(label, Guarantee::Probable);
            }
        }
        Verdict::Open
    }

    fn choose(&mut self, standing: &Standing<'_>, random: &mut Pcg64Mcg) -> (usize, Reason) {
        let prepared = standing.prepared();
        let tables = prepared.linear();
        let rules = standing.plan.rules();
        let view = View {
            prepared,
            tables,
            delta: rules.delta,
            askable: standing.askable,
            worst: &self.worst,
            posterior: &self.posterior,
            expected_contributions: &self.expected_contributions,
            expected: &self.expected,
            known: tables.paths.known(&self.position),
        };
        rules.selector.choose(&view, rules.draws, random)
    }

    /// At δ > 0 the belief may still come round.
    fn is_hopeless(&mut self, standing: &Standing<'_>) -> bool {
        if standing.plan.rules().delta > 0.0 {
            return false;
        }
        let margins = &standing.prepared().linear().margins;
        let slack = standing.plan.linear().rounding_bound(standing.largest);
        let out_of_reach = |place: usize| {
            let width = margins.width_row(place).iter().zip(standing.askable).filter(|(_, askable)| **askable);
            self.worst[place] + width.map(|(width, _)| width).sum::<f64>() < -slack
        };
        (0..margins.n_classes()).all(|label| margins.of_winner(Label::new(label)).any(out_of_reach))
    }

    fn outlook(&self, standing: &Standing<'_>) -> (Label, f64) {
        let prepared = standing.prepared();
        let tables = prepared.linear();
        let posterior = posterior_of(prepared, standing);
        let mut expected = self.expected.clone();
        let mut contributions = self.expected_contributions.clone();
        let (starts, mean) = (&prepared.starts, posterior.mean());
        expect(tables, starts, &self.public_scores, mean, &mut contributions, &mut expected);
        let scores = ScoreDistribution { expected: &expected, covariance: posterior.score_covariance() };
        let probability =
            |label: usize| (Label::new(label), scores.probability(tables.margins.by_label(), Label::new(label)));
        let labels = (0..tables.margins.n_classes()).map(probability);
        labels.reduce(|best, other| if other.1 > best.1 { other } else { best }).expect("there are labels")
    }

    fn worst_margin(&self, standing: &Standing<'_>, label: Label) -> f64 {
        let places = standing.prepared().linear().margins.of_winner(label);
        self.worst[places].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The sum that [`verify`](crate::verify) adds up again is proof enough.
    fn proof(&self, _: &Standing<'_>, _: Label) -> Option<Proof> {
        None
    }
}

fn exact_sign_of(standing: &Standing<'_>, pair: &Pair) -> Option<Ordering> {
    let prepared = standing.prepared();
    let known_columns = standing.order.iter().flat_map(|&place| prepared.asked[place].columns.clone());
    let open = (0..prepared.asked.len()).filter(|&place| standing.is_open(place)).map(|place| &prepared.asked[place]);
    let columns = prepared.public_columns.iter().copied().chain(known_columns);
    exact_sign(standing.plan.linear(), pair, standing.person, columns, open)
}

/// Works out what every sensitive question is expected to contribute, and the expected scores [TF23, Eq. (5)].
///
/// The mean of a known column is its value, so revealed and open questions add up alike.
fn expect(
    tables: &LinearTables,
    starts: &[usize],
    public_scores: &[f64],
    mean: &[f64],
    contributions: &mut [f64],
    expected: &mut [f64],
) {
    let n_questions = starts.len() - 1;
    for (score, weights) in tables.weights.iter().enumerate() {
        let row = &mut contributions[score * n_questions..(score + 1) * n_questions];
        if weights.len() == n_questions {
            // Every question has one column: two rows of plain numbers.
            for ((contribution, weight), mean) in row.iter_mut().zip(weights).zip(mean) {
                *contribution = weight * mean;
            }
        } else {
            for (contribution, columns) in row.iter_mut().zip(starts.windows(2)) {
                *contribution = dot(&weights[columns[0]..columns[1]], &mean[columns[0]..columns[1]]);
            }
        }
        expected[score] = public_scores[score] + dot(weights, mean);
    }
}
