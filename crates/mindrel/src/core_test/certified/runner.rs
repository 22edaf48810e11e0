//! Black boxes: labels, as many at once as can be, and no proof of anything.

use std::sync::Arc;

use super::{Conclusion, Prover, RecordedPart};
use crate::Label;
use crate::model::{BlackBox, Model};
use crate::questionnaire::Questionnaire;
use crate::region::Region;
use crate::region::open::OpenColumns;
use crate::rules::Budget;

/// Points run together at most: enough that what one call costs hardly counts, and few enough that many people's can
/// wait for the same call.
const MOST_TOGETHER: usize = 4096;

/// Runs one person after another, and reuses its buffers. It has no `Debug`: it holds answers.
pub(crate) struct BlackBoxRunner {
    questions: Arc<Questionnaire>,
    model: BlackBox,
    open: OpenColumns,
    /// The person, with open columns at the point looked at last.
    person: Vec<f64>,
    people: Vec<f64>,
}

impl BlackBoxRunner {
    pub fn new(questions: Arc<Questionnaire>, model: BlackBox) -> Self {
        BlackBoxRunner { questions, model, open: OpenColumns::default(), person: Vec::new(), people: Vec::new() }
    }

    /// What is open of the person.
    pub fn open_columns(&self) -> &OpenColumns {
        &self.open
    }

    /// The length of a point; at least 1, so that points can be counted.
    pub fn width(&self) -> usize {
        self.open.width.max(1)
    }

    /// How many scores a point has.
    pub fn n_scores(&self) -> usize {
        self.model.n_scores()
    }

    /// Appends the scores of all points.
    pub fn scores_at(&mut self, points: &[f64], scores: &mut Vec<f64>) {
        for points in points.chunks(self.width() * MOST_TOGETHER) {
            self.fill_in(points);
            let first = scores.len();
            scores.resize(first + points.len() / self.width() * self.n_scores(), 0.0);
            self.model.scores_of_many(&self.people, &mut scores[first..]);
        }
    }

    /// Makes a person of each point.
    fn fill_in(&mut self, points: &[f64]) {
        self.people.clear();
        for point in points.chunks_exact(self.width()) {
            self.open.place(point, &mut self.person);
            self.people.extend_from_slice(&self.person);
        }
    }
}

impl Prover for BlackBoxRunner {
    fn begin(&mut self, region: &Region) {
        self.open.set(&self.questions.asked, &self.questions.implications, region);
        self.person.clear();
        self.person.extend_from_slice(region.values());
    }

    fn anew(&self) -> Box<dyn Prover> {
        Box::new(BlackBoxRunner::new(Arc::clone(&self.questions), self.model.clone()))
    }

    fn can_prove(&self) -> bool {
        false
    }

    /// Nothing is known of them.
    fn score_bounds(&mut self) -> Vec<(f64, f64)> {
        vec![(f64::NEG_INFINITY, f64::INFINITY); self.model.n_scores()]
    }

    fn open(&self) -> &OpenColumns {
        &self.open
    }

    /// None is ever found.
    fn witness(&self) -> &[f64] {
        &[]
    }

    fn label_at(&mut self, point: &[f64]) -> Label {
        self.open.place(point, &mut self.person);
        self.model.label(&self.person)
    }

    fn quick_labels_at(&mut self, points: &[f64], n_points: usize, labels: &mut Vec<Label>) {
        if self.open.width == 0 {
            let label = self.model.label(&self.person);
            return *labels = vec![label; n_points];
        }
        self.fill_in(points);
        *labels = self.model.labels_of_many(&self.people);
    }

    fn batch(&self) -> usize {
        MOST_TOGETHER
    }

    /// What a run takes is not known; nothing is searched by runs.
    fn label_work(&self) -> u64 {
        1
    }

    fn look_work(&self) -> u64 {
        1
    }

    fn refute_within(&mut self, _: Label, _: &[f64], _: &mut Budget, _: &Region) -> bool {
        false
    }

    fn test_within(&mut self, _: Label, _: &mut Budget, _: &Region) -> Conclusion {
        Conclusion::OutOfBudget
    }

    fn prove_within(&mut self, _: Label, _: &[f64], _: &mut Budget, _: &Region) -> Option<Vec<RecordedPart>> {
        None
    }
}
