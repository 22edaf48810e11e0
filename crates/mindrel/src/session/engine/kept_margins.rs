//! What a linear model proves without any belief: the smallest margins, kept up to date by a few additions.

use super::KnownSoFar;
use crate::Label;
use crate::belief::level_probability;
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::narrowed_margins::{NarrowedMargins, least_person};
use crate::math::vector::dot;
use crate::region::part::QuestionPart;

use std::sync::Arc;

/// It has no `Debug`: margins tell about answers.
pub(super) struct ExactMargins {
    pub tables: Arc<LinearTables>,
    /// Part of every score that the public columns make up, then a zero.
    pub public_scores: Vec<f64>,
    /// Smallest margin of every pair.
    pub worst: Vec<f64>,
    /// What each question can still contribute, where rules between questions can narrow that.
    pub narrowed: Option<Box<NarrowedMargins>>,
    /// What the question revealed last contributes to every score, then a zero.
    contribution: Vec<f64>,
}

impl ExactMargins {
    pub fn new(tables: Arc<LinearTables>) -> Self {
        let n_scores = tables.n_scores();
        let has_rules = !tables.questions.implications.is_empty();
        ExactMargins {
            public_scores: vec![0.0; n_scores + 1],
            worst: vec![0.0; tables.margins.pairs().len()],
            narrowed: has_rules.then(Box::default),
            contribution: vec![0.0; n_scores + 1],
            tables,
        }
    }

    pub fn begin(&mut self, standing: &KnownSoFar<'_>) {
        let tables = &self.tables;
        tables.known_scores(&tables.questions.public_columns, standing.person(), &mut self.public_scores);
        match &mut self.narrowed {
            Some(narrowed) => narrowed.begin(tables, standing.region, &self.public_scores, &mut self.worst),
            None => tables.margins.begin(&self.public_scores, &mut self.worst),
        }
    }

    pub fn narrow(&mut self, standing: &KnownSoFar<'_>, places: &[usize]) {
        let tables = &self.tables;
        if let Some(narrowed) = &mut self.narrowed {
            return narrowed.narrow(tables, standing.region, places, &mut self.worst);
        }
        for &place in places {
            let columns = tables.questions.asked[place].columns.clone();
            for (score, contribution) in self.contribution.iter_mut().enumerate().take(tables.n_scores()) {
                *contribution = dot(&tables.model.weights(score)[columns.clone()], &standing.person()[columns.clone()]);
            }
            tables.margins.reveal(place, &self.contribution, &mut self.worst);
        }
    }

    /// Takes note of what the sensitive columns are expected to be, before a question is chosen. `between` is the
    /// probability that a column lies between two bounds.
    #[inline]
    pub fn expect(&mut self, mean: &[f64], between: impl Fn(usize, f64, f64) -> f64) {
        if let Some(narrowed) = &mut self.narrowed {
            let tables = &self.tables;
            narrowed.expect(tables, |question, piece| piece_probability(tables, mean, &between, question, piece));
        }
    }

    /// The label that no value of what is open can change.
    pub fn settled(&self, standing: &KnownSoFar<'_>) -> Option<Label> {
        let slack = self.tables.model.rounding_bound(standing.largest);
        let exact = |pair: &_| least_person(&self.tables, pair, standing.region).map(|(_, sign)| sign);
        self.tables.margins.settled(&self.worst, slack, exact)
    }

    /// Whether no answer to what may still be asked can prove any label. At δ > 0 the belief may still come round.
    pub fn is_hopeless(&self, standing: &KnownSoFar<'_>) -> bool {
        if standing.plan.rules().delta > 0.0 {
            return false;
        }
        let margins = &self.tables.margins;
        let slack = self.tables.model.rounding_bound(standing.largest);
        let out_of_reach = |place: usize| {
            let reach = match &self.narrowed {
                Some(narrowed) => narrowed.reach(&self.tables.joined, place, standing.askable),
                None => {
                    let width = margins.width_row(place).iter().zip(standing.askable);
                    width.filter(|(_, askable)| **askable).map(|(width, _)| width).sum()
                }
            };
            self.worst[place] + reach < -slack
        };
        (0..margins.n_classes()).all(|label| margins.of_winner(Label::new(label)).any(out_of_reach))
    }

    /// The smallest margin by which a label wins.
    pub fn worst_margin(&self, label: Label) -> f64 {
        let places = self.tables.margins.of_winner(label);
        self.worst[places].iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// How likely an answer lies in a piece, as far as it matters for choosing a question. What is believed beyond the domain
/// counts as being at its ends.
fn piece_probability(
    tables: &LinearTables,
    mean: &[f64],
    between: impl Fn(usize, f64, f64) -> f64,
    question: usize,
    piece: usize,
) -> f64 {
    let (group, index) = tables.joined.group_of[question].expect("it is in a group");
    let domain = tables.questions.asked[question].domain;
    let columns = tables.questions.columns_of(question);
    match &tables.joined.groups[group].pieces[index][piece] {
        QuestionPart::Levels(marked) => {
            let levels = (0..marked.len()).filter(|&level| marked[level]);
            levels.map(|level| level_probability(domain, &mean[columns.clone()], level)).sum()
        }
        QuestionPart::Numbers(low, high) => between(columns.start, *low, *high),
        part @ QuestionPart::OrMissing(..) => {
            let mut expected = mean[columns].to_vec();
            domain.bring_in(&mut expected);
            f64::from(u8::from(part.contains(&expected)))
        }
    }
}

/// Works out what every sensitive question is expected to contribute, and the expected scores [TF23, Eq. (5)].
///
/// The mean of a known column is its value, so revealed and open questions add up alike.
pub(super) fn expect(
    tables: &LinearTables,
    public_scores: &[f64],
    mean: &[f64],
    contributions: &mut [f64],
    expected: &mut [f64],
) {
    let n_questions = tables.questions.len();
    for (score, weights) in tables.weights.iter().enumerate() {
        let row = &mut contributions[score * n_questions..(score + 1) * n_questions];
        if weights.len() == n_questions {
            // Every question has one column: two rows of plain numbers.
            for ((contribution, weight), mean) in row.iter_mut().zip(weights).zip(mean) {
                *contribution = weight * mean;
            }
        } else {
            for (contribution, columns) in row.iter_mut().zip(&tables.questions.places) {
                *contribution = dot(&weights[columns.clone()], &mean[columns.clone()]);
            }
        }
        expected[score] = public_scores[score] + dot(weights, mean);
    }
}
