//! Decisive: the question most likely to end the questioning.
//!
//! One principle: *fix q at what it is expected to be and see how far the worst case moves.* First comes the
//! probability, under the belief, that the test passes once `q` is known. Where that is close to zero for all, as it
//! usually is early on, comes the expected progress towards the likely label `c`: for each rival `k` not yet beaten,
//!
//! ```text
//! deficit_k = −min over the domain of margin_{c,k},     gain_{q,k} = E[contribution_q] − min contribution_q
//! progress(q) = Σ_k min(1, gain_{q,k} / deficit_k)
//! ```
//!
//! At δ = 0 what must shrink is the *range* of the score, not its variance, which is why this asks for less than the
//! paper's f-score. At δ > 0 it is the variance of the margins, each weighed by the risk that its rival wins; for two
//! classes that is the f-score's own order. Questions may carry costs: gain per cost.
//!
//! At δ = 0 a question that moves no margin whatever its answer is not asked: it can be part of no proof. While the
//! label is open and nothing is declined, there is another.

use super::view::{LinearBelief, LinearView, NegligibleBelow};
use super::{Reason, gain_per_cost};
use crate::Label;
use crate::belief::QuestionEffect;
use crate::core_test::pairs::Pair;
use crate::core_test::probable::{ScoreDistribution, normal_at_least_zero};
use crate::region::part::QuestionPart;
use crate::schema::Domain;

/// A chance of settling a label below this is a long shot, and progress counts instead.
///
/// Measured on seven data sets (docs/decisions/0003-long-shots.md): counting every chance, however faint, asks for up
/// to 4 % more; thresholds from 0.05 to 0.4 do equally well.
const LONG_SHOT: f64 = 0.1;

/// The standard normal quantile of [`LONG_SHOT`], rounded down: below it no distribution function needs to be worked
/// out.
const LONG_SHOT_QUANTILE: NegligibleBelow = NegligibleBelow(-1.29);

/// The vertex of a number that may be missing at which it is.
const MISSING_VERTEX: usize = 2;

pub(super) fn choose<B: LinearBelief>(view: &LinearView<'_, B>) -> (usize, Reason) {
    if view.delta > 0.0 {
        return (B::most_explaining(view), Reason::Tells);
    }
    let (question, settles) = if view.n_scores() == 1 {
        let criteria = TwoClasses::new(view);
        // Early on no single answer can settle anything, and plain rows of numbers are compared.
        criteria.furthest(view).map_or_else(|| leader(view, &criteria), |question| (question, 0.0))
    } else {
        leader(view, &ManyClasses::new(view))
    };
    let probability = settles / view.questions().per_cost[question];
    (question, if probability > 0.0 { Reason::MaySettle { probability } } else { Reason::Narrows })
}

/// What the two criteria need to know, worked out once a step.
trait Criteria {
    /// Whether any value of a question could settle the label.
    fn may_settle(&self, question: usize) -> bool;

    /// How far the worst case of the likely label moves towards being settled when a question takes its expected value.
    fn progress(&self, question: usize) -> f64;
}

/// The open question with the largest settling probability per cost, and that; of equals, the one with the most
/// progress.
///
/// What can move nothing comes last, even where the belief expects what no answer can be and it would look like
/// progress.
fn leader<B: LinearBelief>(view: &LinearView<'_, B>, criteria: &impl Criteria) -> (usize, f64) {
    let can_move = |question: usize| view.can_move(question);
    let leader = leader_among(view, criteria, can_move).or_else(|| leader_among(view, criteria, |_| true));
    leader.expect("there is an open question")
}

fn leader_among<B: LinearBelief>(
    view: &LinearView<'_, B>,
    criteria: &impl Criteria,
    is_candidate: impl Fn(usize) -> bool,
) -> Option<(usize, f64)> {
    let (mut best, mut most_settling, mut most_progress) = (None, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (question, &per_cost) in view.questions().per_cost.iter().enumerate() {
        if !view.askable[question] || !is_candidate(question) {
            continue;
        }
        let settles = if criteria.may_settle(question) { settling_probability(view, question) * per_cost } else { 0.0 };
        let progress = gain_per_cost(criteria.progress(question), per_cost);
        if best.is_none() || settles > most_settling || (settles == most_settling && progress > most_progress) {
            (best, most_settling, most_progress) = (Some(question), settles, progress);
        }
    }
    best.map(|question| (question, most_settling))
}

/// With two classes there is one score, and one margin is the other's negative: rows of plain numbers suffice.
struct TwoClasses<'a> {
    /// What each question is expected to contribute to the score.
    contributions: &'a [f64],
    /// Towards the likely label.
    sign: f64,
    worst: &'a [f64],
    width: &'a [f64],
    /// What must be gained for the label that lacks least.
    needed: f64,
}

impl<'a> TwoClasses<'a> {
    fn new<B: LinearBelief>(view: &LinearView<'a, B>) -> Self {
        let likely = view.likely();
        let place = view.margins().of_winner(likely).start;
        TwoClasses {
            contributions: view.expected_contributions,
            sign: if likely == Label::POSITIVE { 1.0 } else { -1.0 },
            worst: view.smallest_row(place),
            width: view.width_row(place),
            needed: -view.worst[0].max(view.worst[1]),
        }
    }
}

impl TwoClasses<'_> {
    /// The open question with the most progress; `None` when one of them may settle the label, or none can move it.
    fn furthest<B: LinearBelief>(&self, view: &LinearView<'_, B>) -> Option<usize> {
        let rows = self.contributions.iter().zip(self.worst).zip(self.width).zip(&view.questions().per_cost);
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for (question, ((((contribution, worst), width), per_cost), askable)) in rows.zip(view.askable).enumerate() {
            if !askable || *width == 0.0 {
                continue;
            }
            if *width >= self.needed {
                return None;
            }
            let progress = gain_per_cost(self.sign * contribution - worst, *per_cost);
            if progress > most {
                (best, most) = (Some(question), progress);
            }
        }
        best
    }
}

impl Criteria for TwoClasses<'_> {
    fn may_settle(&self, question: usize) -> bool {
        self.width[question] >= self.needed
    }

    fn progress(&self, question: usize) -> f64 {
        self.sign * self.contributions[question] - self.worst[question]
    }
}

/// With more classes, the progress against every rival that is not yet beaten.
struct ManyClasses<'a, B> {
    view: &'a LinearView<'a, B>,
    /// The pairs of the likely label that are not won, with what they lack.
    deficits: Vec<(usize, f64)>,
}

impl<'a, B: LinearBelief> ManyClasses<'a, B> {
    fn new(view: &'a LinearView<'a, B>) -> Self {
        let places = view.margins().of_winner(view.likely());
        let deficits = places.map(|place| (place, -view.worst[place])).filter(|(_, deficit)| *deficit > 0.0);
        ManyClasses { view, deficits: deficits.collect() }
    }
}

impl<B: LinearBelief> Criteria for ManyClasses<'_, B> {
    fn may_settle(&self, question: usize) -> bool {
        let margins = self.view.margins();
        let wins = |place: usize| self.view.worst[place] + self.view.width_row(place)[question] >= 0.0;
        (0..margins.n_classes()).any(|label| margins.of_winner(Label::new(label)).all(wins))
    }

    fn progress(&self, question: usize) -> f64 {
        let share = |&(place, deficit): &(usize, f64)| (self.view.expected_gain(place, question) / deficit).min(1.0);
        self.deficits.iter().map(share).sum()
    }
}

/// The probability that the label is settled once the question is known, leaving out long shots.
fn settling_probability<B: LinearBelief>(view: &LinearView<'_, B>, question: usize) -> f64 {
    let margins = view.margins();
    let mut total = 0.0;
    for label in 0..margins.n_classes() {
        let label = Label::new(label);
        // However the question turns out, it adds no more to a margin than its width.
        if margins.of_winner(label).all(|place| view.worst[place] + view.width_row(place)[question] >= 0.0) {
            let probability = settling_probability_of(view, question, label);
            total += if probability < LONG_SHOT { 0.0 } else { probability };
        }
    }
    total
}

/// The probability that this label is settled once the question is known.
fn settling_probability_of<B: LinearBelief>(view: &LinearView<'_, B>, question: usize, label: Label) -> f64 {
    let domain = view.questions().asked[question].domain;
    match domain {
        Domain::OneOf { .. } | Domain::Grid { points: 2 } => (0..domain.n_vertices())
            .filter(|&level| settles_at(view, question, label, level))
            .map(|level| view.level_probability(question, level))
            .sum(),
        Domain::Interval | Domain::Grid { .. } => {
            let column = view.questions().columns_of(question).start;
            let between = |(lower, upper)| view.belief.between(column, lower, upper, LONG_SHOT_QUANTILE);
            settling_intervals(view, question, label).map(between).sum()
        }
        Domain::OrMissing { .. } => {
            let columns = || view.questions().columns_of(question);
            let between = |(lower, upper)| view.belief.between_or_missing(columns(), lower, upper);
            let (numbers, missing) = settling_intervals(view, question, label)
                .map(between)
                .fold((0.0, 0.0), |(numbers, _), (more, missing)| (numbers + more, missing));
            numbers + if settles_at(view, question, label, MISSING_VERTEX) { missing } else { 0.0 }
        }
    }
}

/// The intervals of a number's values on which it settles the label: one, or one in each piece that rules cut it into.
fn settling_intervals<B: LinearBelief>(
    view: &LinearView<'_, B>,
    question: usize,
    label: Label,
) -> impl Iterator<Item = (f64, f64)> {
    let alone = view.pieces(question).is_none().then(|| settling_interval(view, question, label, None));
    let in_pieces = view.pieces(question).unwrap_or_default().iter().enumerate().filter_map(move |(piece, part)| {
        let (QuestionPart::Numbers(low, high) | QuestionPart::OrMissing(Some((low, high)), _)) = part else {
            return None;
        };
        let (lower, upper) = settling_interval(view, question, label, Some(piece));
        Some((lower.max(*low), upper.min(*high))).filter(|(lower, upper)| lower <= upper)
    });
    alone.into_iter().chain(in_pieces)
}

/// Whether the label is settled when the question is at a vertex of its domain.
fn settles_at<B: LinearBelief>(view: &LinearView<'_, B>, question: usize, label: Label, vertex: usize) -> bool {
    let margins = view.margins();
    let columns = view.questions().columns_of(question);
    let domain = view.questions().asked[question].domain;
    let point: Vec<f64> = (0..columns.len()).map(|column| domain.vertex_value(vertex, column)).collect();
    let piece = view.pieces(question).and_then(|pieces| pieces.iter().position(|piece| piece.contains(&point)));
    margins.of_winner(label).all(|place| {
        let gain = margins.pairs()[place].difference(view.n_scores(), |score| {
            domain.at_vertex(vertex, &view.tables.weights[score][columns.clone()])
        });
        view.worst[place] - view.smallest_in(place, question, piece) + gain >= 0.0
    })
}

/// A number settles the label on an interval of its values, as each of its columns has them.
///
/// What the belief puts outside the domain counts as being at its ends.
fn settling_interval<B: LinearBelief>(
    view: &LinearView<'_, B>,
    question: usize,
    label: Label,
    piece: Option<usize>,
) -> (f64, f64) {
    let margins = view.margins();
    let columns = view.questions().columns_of(question);
    let largest = view.questions().asked[question].domain.numbers().map_or(1.0, |numbers| numbers.scale);
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    for place in margins.of_winner(label) {
        let rest = view.worst[place] - view.smallest_in(place, question, piece);
        let slope = margins.pairs()[place]
            .difference(view.n_scores(), |score| view.tables.weights[score][columns.clone()].iter().sum::<f64>());
        let root = -rest / slope;
        if slope > 0.0 {
            lower = lower.max(if root <= -largest { f64::NEG_INFINITY } else { root });
        } else if slope < 0.0 {
            upper = upper.min(if root >= largest { f64::INFINITY } else { root });
        }
    }
    (lower, upper)
}

/// The rivals of a label that can still win: their pair, the variance of its margin, and the risk that they are ahead.
pub(super) struct Rivals<'a> {
    n_scores: usize,
    rivals: Vec<(&'a Pair, f64, f64)>,
}

impl<'a> Rivals<'a> {
    pub fn new<B: LinearBelief>(view: &LinearView<'a, B>, label: Label, scores: &ScoreDistribution<'_>) -> Self {
        let n_scores = view.n_scores();
        let margins = view.margins();
        let rival = |place: usize| {
            let pair = &margins.pairs()[place];
            let variance = pair.variance(scores.covariance, n_scores);
            (pair, variance, 1.0 - normal_at_least_zero(pair.margin(scores.expected), variance))
        };
        let rivals = margins.of_winner(label).map(rival).filter(|(_, variance, _)| *variance > 0.0).collect();
        Rivals { n_scores, rivals }
    }

    /// How much of the margins' variance a question explains, each weighed by its risk.
    pub fn explained(&self, effect: &QuestionEffect) -> f64 {
        let after = |pair: &Pair| pair.variance(effect.covariance_after(), self.n_scores);
        self.rivals.iter().map(|&(pair, variance, risk)| risk * (variance - after(pair)) / variance).sum()
    }
}
