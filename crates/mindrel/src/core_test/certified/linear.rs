//! Linear models where rules join questions: the smallest margin over possible people, without branching.

use std::sync::Arc;

use super::{Conclusion, Prover, RecordedPart};
use crate::Label;
use crate::core_test::joined_questions::vertices;
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::narrowed_margins::{NarrowedMargins, extremes, least_person};
use crate::math::vector::dot;
use crate::model::Model;
use crate::region::{OpenColumns, Region};
use crate::rules::Budget;

/// The work of bounding one question's part of one margin.
const TERM_WORK: u64 = 8;

/// Tests one person after another. It has no `Debug`: it holds answers.
pub(crate) struct LinearProver {
    tables: Arc<LinearTables>,
    open: OpenColumns,
    /// What is known of the person.
    region: Region,
    /// The same, with the open columns at the point looked at last.
    person: Vec<f64>,
    public_scores: Vec<f64>,
    margins: NarrowedMargins,
    worst: Vec<f64>,
    witness: Vec<f64>,
}

impl LinearProver {
    pub fn new(tables: Arc<LinearTables>) -> Self {
        LinearProver {
            open: OpenColumns::default(),
            region: Region::default(),
            person: Vec::new(),
            public_scores: vec![0.0; tables.n_scores() + 1],
            margins: NarrowedMargins::default(),
            worst: vec![0.0; tables.margins.pairs().len()],
            witness: Vec::new(),
            tables,
        }
    }

    /// A part of what is open, with everything known, narrowed by the rules; `None` if nobody is in it.
    fn with_known(&self, part: &Region) -> Option<Region> {
        let mut region = self.region.clone();
        for (place, &column) in self.open.columns.iter().enumerate() {
            (region.lower[column], region.upper[column]) = (part.lower[place], part.upper[place]);
        }
        let rules = &self.tables.questions.implications;
        rules.narrow(&mut region, |_, _| {}).is_ok().then_some(region)
    }
}

impl Prover for LinearProver {
    fn begin(&mut self, region: &Region) {
        let questions = &self.tables.questions;
        self.open.set(&questions.asked, &questions.implications, region);
        self.region.clone_from(region);
        self.person.clear();
        self.person.extend_from_slice(region.values());
        self.tables.known_scores(&questions.public_columns, region.values(), &mut self.public_scores);
    }

    fn anew(&self) -> Box<dyn Prover> {
        Box::new(LinearProver::new(Arc::clone(&self.tables)))
    }

    /// By every question on its own.
    fn score_bounds(&mut self) -> Vec<(f64, f64)> {
        let model = &self.tables.model;
        let rounding = model.rounding_bound(self.open.largest);
        let questions = &self.tables.questions;
        let of_score = |score: usize| {
            let weights = model.weights(score);
            let public = questions.public_columns.iter().map(|&column| weights[column] * self.person[column]);
            let known = model.intercept(score) + public.sum::<f64>();
            let range = questions.asked.iter().fold((known, known), |(low, high), question| {
                let points = vertices(question, None, &self.region);
                let terms = points.iter().map(|point| dot(&weights[question.columns.clone()], point));
                let (least, most) = extremes(terms);
                (low + least, high + most)
            });
            (range.0 - rounding, range.1 + rounding)
        };
        (0..model.n_scores()).map(of_score).collect()
    }

    fn open(&self) -> &OpenColumns {
        &self.open
    }

    fn witness(&self) -> &[f64] {
        &self.witness
    }

    fn label_at(&mut self, point: &[f64]) -> Label {
        self.open.place(point, &mut self.person);
        self.tables.model.label(&self.person)
    }

    fn label_work(&self) -> u64 {
        self.person.len() as u64
    }

    fn look_work(&self) -> u64 {
        TERM_WORK * (self.worst.len() * self.tables.questions.len()) as u64
    }

    fn refute_within(&mut self, label: Label, _: &[f64], budget: &mut Budget, region: &Region) -> bool {
        self.test_within(label, budget, region) == Conclusion::Open
    }

    fn settle_within(&mut self, label: Label, _: &[f64], budget: &mut Budget, region: &Region) -> Conclusion {
        self.test_within(label, budget, region)
    }

    fn test_within(&mut self, label: Label, budget: &mut Budget, part: &Region) -> Conclusion {
        budget.spend(self.look_work());
        let Some(region) = self.with_known(part) else { return Conclusion::Core };
        let tables = Arc::clone(&self.tables);
        self.margins.begin(&tables, &region, &self.public_scores, &mut self.worst);
        let slack = tables.model.rounding_bound(self.open.largest);
        for place in tables.margins.of_winner(label) {
            if self.worst[place] > slack {
                continue;
            }
            let pair = &tables.margins.pairs()[place];
            let Some((person, sign)) = least_person(&tables, pair, &region) else { return Conclusion::OutOfBudget };
            if sign.is_lt() || (sign.is_eq() && !pair.wins_ties) {
                self.witness = self.point_of(&person);
                return Conclusion::Open;
            }
        }
        Conclusion::Core
    }

    /// A sum needs no parts.
    fn prove_within(&mut self, _: Label, _: &[f64], _: &mut Budget, _: &Region) -> Option<Vec<RecordedPart>> {
        None
    }
}
