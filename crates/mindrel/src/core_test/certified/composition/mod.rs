//! The certified test for compositions: can any value of what is open change the label?
//!
//! 1. **refute**: from the expected person, one answer at a time for the worse ([`search`]);
//! 2. **bound**: every model as its own family does ([`folded_part`]), then every value by what it is made of
//!    ([`ranges`]), then the difference of two outputs over all models at once ([`margin`]);
//! 3. **branch**: cut the domain by the question that moves the margin most ([`influence`]), and go on with both
//!    halves.
//!
//! A part with one point is evaluated, and so is, in effect, one in which no value can change any more.

mod folded_part;
mod influence;
mod lines;
mod margin;
mod ranges;
mod search;
mod smooth;
mod tables;

pub(crate) use tables::CompositionTables;

use std::sync::Arc;

use folded_part::{FoldedPart, ScoresInRegion, fold_nothing};
use influence::choose_cut;
use margin::{MarginBound, RegionView, smooth_lead};
use ranges::{ValueRange, range_of};
use smooth::SmoothSum;

use super::trees::TreesInRegion;
use super::{Conclusion, Prover, RecordedBound, RecordedPart};
use crate::Label;
use crate::model::{ComposedValue, Model};
use crate::questionnaire::Questionnaire;
use crate::region::open::OpenColumns;
use crate::region::{Region, RegionCut};
use crate::rules::Budget;

/// The share of a test's budget that the search for another label may take.
const SEARCH_SHARE: u64 = 3;

/// The work of bounding a value once, and of going back through it once: lines below exponentials take some dozens of
/// them.
const VALUE_WORK: u64 = 200;

/// The work of computing a value at a point.
const POINT_WORK: u64 = 20;

/// Tests one person after another, and reuses its buffers. It has no `Debug`: it holds answers.
pub(crate) struct CompositionProver {
    questions: Arc<Questionnaire>,
    tables: Arc<CompositionTables>,
    open: OpenColumns,
    /// The person, with open columns at the point looked at last.
    person: Vec<f64>,
    folded: Vec<FoldedPart>,
    /// Every value at the point looked at last.
    values: Vec<f64>,
    /// Thresholds of all trees on each open number, in order.
    thresholds: Vec<Vec<f64>>,
    has_thresholds: bool,
    /// Whether any value is a vote, and over what width each value is counted as unsure.
    has_steps: bool,
    softness: Vec<f64>,
    run_work: u64,
    look_work: u64,
    scores: Vec<ScoresInRegion>,
    ranges: Vec<ValueRange>,
    bound: MarginBound,
    difference: SmoothSum,
    place: Vec<f64>,
    witness: Vec<f64>,
    record: Option<Vec<RecordedPart>>,
}

/// A part of the domain, with what is left of the trees in it and the rivals that may still win there.
#[derive(Default)]
struct CompositionPart {
    region: Region,
    left: Vec<TreesInRegion>,
    rivals: Vec<usize>,
}

/// What a look at a part says.
enum CompositionFinding {
    Proved,
    Refuted,
    /// The cut that promises most, if there is one.
    Unsettled(Option<RegionCut>),
}

impl CompositionProver {
    pub fn new(questions: Arc<Questionnaire>, tables: Arc<CompositionTables>) -> Self {
        let is_step =
            |value: &ComposedValue| matches!(value, ComposedValue::AtLeast { .. } | ComposedValue::Largest { .. });
        CompositionProver {
            questions,
            open: OpenColumns::default(),
            person: Vec::new(),
            folded: fold_nothing(&tables),
            values: Vec::new(),
            thresholds: Vec::new(),
            has_thresholds: false,
            has_steps: tables.model.values().iter().any(is_step),
            softness: Vec::new(),
            run_work: 0,
            look_work: 0,
            scores: tables.parts.iter().map(|_| ScoresInRegion::default()).collect(),
            ranges: Vec::new(),
            bound: MarginBound::default(),
            difference: SmoothSum::default(),
            place: Vec::new(),
            witness: Vec::new(),
            record: None,
            tables,
        }
    }

    fn n_rivals(&self) -> usize {
        self.tables.model.outputs().len() - 1
    }

    /// The whole of a region.
    fn start(&mut self, region: &Region) -> CompositionPart {
        let mut part = CompositionPart {
            region: region.clone(),
            left: vec![TreesInRegion::default(); self.folded.len()],
            rivals: (0..self.n_rivals()).collect(),
        };
        for (folded, left) in self.folded.iter_mut().zip(&mut part.left) {
            if let FoldedPart::Trees(folded) = folded {
                folded.prune(&self.open, &part.region, None, left);
            }
        }
        part
    }

    /// What every score and every value can be in a part.
    fn set_ranges(&mut self, region: &Region, left: &[TreesInRegion]) {
        let tables = Arc::clone(&self.tables);
        self.place.clear();
        self.place.resize(self.open.width, 0.0);
        let parts = self.folded.iter_mut().zip(&tables.parts).zip(&mut self.scores).zip(left);
        for (((folded, tables), scores), left) in parts {
            folded.scores_in(tables, &self.open, region, left, scores, &mut self.place);
        }
        self.ranges.clear();
        for value in tables.model.values() {
            let range = if let ComposedValue::Score { model, score } = value {
                self.scores[*model].ranges[*score]
            } else {
                let view = RegionView {
                    values: tables.model.values(),
                    ranges: &self.ranges,
                    scores: &self.scores,
                    folded: &self.folded,
                    left,
                    open: &self.open,
                    region,
                };
                let (mut sum, mut place) = (std::mem::take(&mut self.difference), std::mem::take(&mut self.place));
                let buffers = std::cell::RefCell::new((&mut sum, &mut place));
                let range = range_of(&tables.model, value, &self.ranges, |own, rival| {
                    let apart = self.ranges[own].low - self.ranges[rival].high;
                    let (sum, place) = &mut *buffers.borrow_mut();
                    smooth_lead(&view, own, rival, sum, place).map_or(apart, |lead| lead.max(apart))
                });
                (self.difference, self.place) = (sum, place);
                range
            };
            self.ranges.push(range);
        }
    }

    /// Strikes the rivals that cannot win in a part, and looks at the points where the others seem nearest.
    fn look_at(&mut self, label: Label, part: &mut CompositionPart, budget: &mut Budget) -> CompositionFinding {
        let n_values = self.tables.model.values().len() as u64;
        budget.spend(self.look_work + VALUE_WORK * n_values * (1 + part.rivals.len() as u64));
        self.set_ranges(&part.region, &part.left);
        let tables = Arc::clone(&self.tables);
        let outputs = tables.model.outputs();
        let mut bound = std::mem::take(&mut self.bound);
        let mut worst: Option<(f64, usize)> = None;
        let mut left = Vec::new();
        for &rival in &part.rivals {
            let against = rival_of(label, rival);
            let view = self.view(&part.region, &part.left);
            let margin = bound.least(&view, outputs[label.index()], outputs[against.index()]);
            if margin > 0.0 || (margin == 0.0 && tables.model.wins_ties(label, against)) {
                if let Some(recorded) = self.record.as_mut().and_then(|record| record.last_mut()) {
                    recorded.beaten.push(RecordedBound { rival, margin, on: Vec::new(), sweeps: 0 });
                }
                continue;
            }
            left.push(rival);
            if worst.is_none_or(|(least, _)| margin < least) {
                worst = Some((margin, outputs[against.index()]));
            }
            // Where a quadratic function turns need not be a point of a fine grid.
            part.region.bring_in(&self.open, &mut bound.lowest);
            if self.try_point(label, &bound.lowest, budget) {
                self.bound = bound;
                return CompositionFinding::Refuted;
            }
        }
        self.bound = bound;
        part.rivals = left;
        let Some((_, rival)) = worst else { return CompositionFinding::Proved };
        if part.region.is_point(&self.open) {
            // The one point has the label: it was just evaluated.
            return CompositionFinding::Proved;
        }
        let view = self.view(&part.region, &part.left);
        CompositionFinding::Unsettled(choose_cut(&view, outputs[label.index()], rival))
    }

    fn view<'a>(&'a self, region: &'a Region, left: &'a [TreesInRegion]) -> RegionView<'a> {
        RegionView {
            values: self.tables.model.values(),
            ranges: &self.ranges,
            scores: &self.scores,
            folded: &self.folded,
            left,
            open: &self.open,
            region,
        }
    }

    /// One half of a part.
    fn half(&mut self, part: &CompositionPart, cut: &RegionCut, first_side: bool) -> CompositionPart {
        let mut half = CompositionPart {
            region: part.region.clone(),
            left: vec![TreesInRegion::default(); self.folded.len()],
            rivals: part.rivals.clone(),
        };
        half.region.keep(&self.open, cut, first_side);
        for ((folded, source), left) in self.folded.iter_mut().zip(&part.left).zip(&mut half.left) {
            if let FoldedPart::Trees(folded) = folded {
                folded.prune(&self.open, &half.region, Some(source), left);
            }
        }
        half
    }

    /// Every value with the open columns at a point of the domain, which are written into the person.
    fn set_values_at(&mut self, point: &[f64]) {
        self.open.place(point, &mut self.person);
        let parts = self.folded.iter().zip(&self.tables.parts);
        let scores: Vec<Vec<f64>> =
            parts.map(|(folded, tables)| folded.scores_at(tables, &self.person, point)).collect();
        let mut values = std::mem::take(&mut self.values);
        self.tables.model.values_of_scores(&scores, &mut values);
        self.values = values;
    }

    /// What the search needs to know of the person, worked out when it is first needed.
    fn prepare_search(&mut self) {
        if self.has_thresholds {
            return;
        }
        self.has_thresholds = true;
        self.thresholds.iter_mut().for_each(Vec::clear);
        self.thresholds.resize(self.open.len(), Vec::new());
        for folded in &self.folded {
            if let FoldedPart::Trees(folded) = folded {
                folded.add_thresholds(&mut self.thresholds);
            }
        }
        for values in &mut self.thresholds {
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
        }
        if self.has_steps {
            let whole = self.start(&self.open.whole.clone());
            self.set_ranges(&whole.region, &whole.left);
            let width = |range: &ValueRange| {
                let width = range.width() / 8.0;
                if width.is_finite() && width > 0.0 { width } else { 1.0 }
            };
            self.softness.clear();
            self.softness.extend(self.ranges.iter().map(width));
        }
    }
}

/// The label of the rival of some place.
fn rival_of(label: Label, rival: usize) -> Label {
    Label::new(if rival < label.index() { rival } else { rival + 1 })
}

impl Prover for CompositionProver {
    fn begin(&mut self, region: &Region) {
        self.open.set(&self.questions.asked, &self.questions.implications, region);
        let person = region.values();
        self.person.clear();
        self.person.extend_from_slice(person);
        for (folded, tables) in self.folded.iter_mut().zip(&self.tables.parts) {
            folded.fold(tables, &self.questions, &self.open, region);
        }
        self.has_thresholds = false;
        let n_values = self.tables.model.values().len() as u64;
        self.run_work =
            POINT_WORK * n_values + self.folded.iter().map(|folded| folded.run_work(person.len())).sum::<u64>();
        self.look_work = self.folded.iter().map(|folded| folded.look_work(&self.open)).sum();
    }

    fn anew(&self) -> Box<dyn Prover> {
        Box::new(CompositionProver::new(Arc::clone(&self.questions), Arc::clone(&self.tables)))
    }

    /// By one look at all parts, without branching.
    fn score_bounds(&mut self) -> Vec<(f64, f64)> {
        let whole = self.start(&self.open.whole.clone());
        self.set_ranges(&whole.region, &whole.left);
        let tables = Arc::clone(&self.tables);
        let outputs = tables.model.outputs();
        let [no, yes] = outputs[..] else {
            // A winner that is not the first of equals is given moved up by one number.
            let range = |&output: &usize| (self.ranges[output].low, self.ranges[output].high.next_up());
            return outputs.iter().map(range).collect();
        };
        let mut bound = std::mem::take(&mut self.bound);
        let view = self.view(&whole.region, &whole.left);
        let (least, most) = (bound.least(&view, yes, no), -bound.least(&view, no, yes));
        self.bound = bound;
        vec![(least.next_down(), most.next_up())]
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

    /// By what is left of the trees.
    fn quick_label_at(&mut self, point: &[f64]) -> Label {
        self.set_values_at(point);
        self.tables.model.label_of(&self.values)
    }

    fn label_work(&self) -> u64 {
        self.run_work
    }

    fn look_work(&self) -> u64 {
        self.look_work + 2 * VALUE_WORK * self.tables.model.values().len() as u64
    }

    fn refute_within(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> bool {
        self.prepare_search();
        let share = budget.left().div_ceil(SEARCH_SHARE);
        budget.within(share, |budget| self.search(label, start, budget, region))
    }

    fn test_within(&mut self, label: Label, budget: &mut Budget, region: &Region) -> Conclusion {
        let mut stack = vec![self.start(region)];
        let (mut undecided, mut is_first) = (false, true);
        while let Some(mut part) = stack.pop() {
            if !std::mem::take(&mut is_first) && budget.is_used_up() {
                return Conclusion::OutOfBudget;
            }
            if let Some(record) = &mut self.record {
                record.push(RecordedPart::default());
            }
            match self.look_at(label, &mut part, budget) {
                CompositionFinding::Proved => {}
                CompositionFinding::Refuted => return Conclusion::Open,
                // Nobody can tell here, but the next part may have a witness.
                CompositionFinding::Unsettled(None) => undecided = true,
                CompositionFinding::Unsettled(Some(cut)) => {
                    let halves = [true, false].map(|first_side| self.half(&part, &cut, first_side));
                    if let Some(part) = self.record.as_mut().and_then(|record| record.last_mut()) {
                        part.cut = Some(cut);
                    }
                    let [first, second] = halves;
                    stack.extend([second, first]);
                }
            }
        }
        if undecided { Conclusion::OutOfBudget } else { Conclusion::Core }
    }

    fn prove_within(
        &mut self,
        label: Label,
        _: &[f64],
        budget: &mut Budget,
        region: &Region,
    ) -> Option<Vec<RecordedPart>> {
        self.record = Some(Vec::new());
        let verdict = self.test_within(label, budget, region);
        let record = self.record.take();
        record.filter(|_| verdict == Conclusion::Core)
    }
}
