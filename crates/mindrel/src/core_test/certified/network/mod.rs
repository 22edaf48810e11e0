//! The certified test for ReLU networks: can any value of what is open change the label?
//!
//! 1. **refute**: points that may have another label (the expected person, vertices along gradients, counterexamples
//!    met before);
//! 2. **bound**: every margin of the label from below ([`bounds`]);
//! 3. **branch**: cut the domain in two and start again with each part, until proved, refuted or out of budget.
//!
//! [TF23, §6.2] samples instead. A proof here is about the labels the model computes: bounds keep more than the
//! rounding error of a score away from zero, and a part of the domain with one point is simply evaluated.

pub(crate) mod bounds;
mod branch;
pub(crate) mod folded;
mod point;
mod tables;

use bounds::{Bounds, LinearBound, ScoreMargin};
use folded::FoldedNetwork;
use point::{Evaluator, to_lowest_vertex};
pub(crate) use tables::NetworkTables;

use std::sync::Arc;

use super::{Conclusion, Prover, RecordedBound, RecordedPart};
use crate::Label;
use crate::model::{Model, Network, label_of_scores};
use crate::questionnaire::Questionnaire;
use crate::region::Region;
use crate::region::open::{OpenColumns, OpenQuestion};
use crate::rules::Budget;

/// Gradients followed from one start at most; nearly all walks end after two or three.
const MOST_STEPS: usize = 8;

/// Tests one person after another, and reuses its buffers.
pub(crate) struct NetworkProver {
    questions: Arc<Questionnaire>,
    tables: Arc<NetworkTables>,
    open: FoldedNetwork,
    /// The person, with open columns at the point looked at last.
    person: Vec<f64>,
    bounds: Bounds,
    evaluator: Evaluator,
    linear: LinearBound,
    retried: LinearBound,
    worst: LinearBound,
    point: Vec<f64>,
    /// The point of the open columns that has another label.
    witness: Vec<f64>,
    stack: Vec<NetworkPart>,
    spare: Vec<NetworkPart>,
    usefulness: Vec<f64>,
    /// The parts looked at so far, where they are wanted.
    record: Option<Vec<RecordedPart>>,
}

/// Passes through the network that a walk along gradients usually takes: two or three steps, each forward and back.
const WALK_PASSES: u64 = 5;

/// How often a bound that does not suffice is tried again with other lines.
const RETRIES: usize = 2;

/// A bound closer to the network than this many times what it is moved outwards for rounding is as good as it gets:
/// once for the margin itself, less than once for the layers below, and as much again.
const ROUNDING_PADS: f64 = 4.0;

/// A part of the domain, and the rivals that may still win there.
#[derive(Default)]
struct NetworkPart {
    region: Region,
    rivals: Vec<usize>,
}

impl NetworkProver {
    pub fn new(questions: Arc<Questionnaire>, tables: Arc<NetworkTables>) -> Self {
        NetworkProver {
            questions,
            tables,
            open: FoldedNetwork::default(),
            person: Vec::new(),
            bounds: Bounds::default(),
            evaluator: Evaluator::default(),
            linear: LinearBound::default(),
            retried: LinearBound::default(),
            worst: LinearBound::default(),
            point: Vec::new(),
            witness: Vec::new(),
            stack: Vec::new(),
            spare: Vec::new(),
            usefulness: Vec::new(),
            record: None,
        }
    }

    /// What a margin must exceed to be called positive: more than rounding can do to two scores.
    fn slack(&self) -> f64 {
        self.tables.network.rounding * self.open.largest
    }

    /// Strikes the rivals that cannot win in a part, and keeps the linear bound of the most dangerous one left; whether
    /// a point with another label turned up.
    fn bound(&mut self, label: Label, part: &mut NetworkPart) -> bool {
        let slack = self.slack();
        let network = &self.tables.network;
        self.bounds.set_region(network, &self.open, &part.region);
        self.worst.minimum = f64::INFINITY;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        let mut place = 0;
        while place < part.rivals.len() && !found {
            let margin = &self.tables.margins(label)[part.rivals[place]];
            self.bounds.relax();
            self.bounds.margin(network, &self.open, &part.region, margin, &mut self.linear);
            let mut beaten = self.linear.minimum > slack;
            for _ in 0..RETRIES {
                if beaten {
                    break;
                }
                // Where the bound is least, the network itself may be least, or show which lines were chosen badly.
                part.region.middle_into(&self.open, &mut point);
                to_lowest_vertex(&self.open, &part.region, &self.linear.coefficients, &mut point);
                let value = margin.of(self.evaluator.scores(network, &self.open, &point));
                if value <= slack && label_at(&self.tables.model, &self.open, &mut self.person, &point) != label {
                    found = true;
                    break;
                }
                self.bounds.relax_at(self.evaluator.sums());
                self.bounds.margin(network, &self.open, &part.region, margin, &mut self.retried);
                if self.retried.minimum <= self.linear.minimum {
                    break;
                }
                std::mem::swap(&mut self.retried, &mut self.linear);
                beaten = self.linear.minimum > slack;
            }
            if beaten {
                let rival = part.rivals.swap_remove(place);
                if let Some(recorded) = self.record.as_mut().and_then(|record| record.last_mut()) {
                    let margin = self.linear.minimum;
                    recorded.beaten.push(RecordedBound {
                        rival,
                        margin,
                        on: self.bounds.bounded_by_themselves(),
                        sweeps: 0,
                    });
                }
                continue;
            }
            if self.linear.minimum < self.worst.minimum {
                std::mem::swap(&mut self.linear, &mut self.worst);
            }
            place += 1;
        }
        if found {
            self.witness.clone_from(&point);
        }
        self.point = point;
        found
    }

    /// The smallest margin met where the linear bound of the most dangerous rival is least, and down from there; `None`
    /// if a point there has another label, which is kept.
    fn smallest_margin(&mut self, label: Label, part: &NetworkPart) -> Option<f64> {
        let network = &self.tables.network;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        let mut smallest_of_all = f64::INFINITY;
        for &rival in &part.rivals {
            part.region.middle_into(&self.open, &mut point);
            to_lowest_vertex(&self.open, &part.region, &self.worst.coefficients, &mut point);
            let margin = &self.tables.margins(label)[rival];
            let smallest = self.evaluator.walk_down(network, &self.open, &part.region, margin, &mut point, 2);
            if smallest <= self.slack() && label_at(&self.tables.model, &self.open, &mut self.person, &point) != label {
                self.witness.clone_from(&point);
                found = true;
                break;
            }
            smallest_of_all = smallest_of_all.min(smallest);
        }
        self.point = point;
        (!found).then_some(smallest_of_all)
    }

    /// Whether a margin met in a region exceeds its bound by no more than what bounds are moved outwards for rounding:
    /// smaller regions would not have better bounds. Where only finitely many points are left, they can be looked at
    /// one by one.
    fn is_within_rounding(&self, region: &Region, smallest: f64) -> bool {
        let network = &self.tables.network;
        let pad = 2.0 * network.pads[network.n_hidden()] * self.open.largest;
        let is_endless = |question: &OpenQuestion| {
            question.domain.numbers().is_some_and(|numbers| !numbers.is_grid()) && !region.is_settled(question)
        };
        smallest - self.worst.minimum <= ROUNDING_PADS * pad && self.open.questions.iter().any(is_endless)
    }
}

impl Prover for NetworkProver {
    fn begin(&mut self, region: &Region) {
        self.open.fold(&self.tables.network, &self.questions, region);
        self.person.clear();
        self.person.extend_from_slice(region.values());
    }

    fn anew(&self) -> Box<dyn Prover> {
        Box::new(NetworkProver::new(Arc::clone(&self.questions), Arc::clone(&self.tables)))
    }

    /// By one look at intervals and linear bounds, without branching.
    fn score_bounds(&mut self) -> Vec<(f64, f64)> {
        let network = &self.tables.network;
        let region = self.open.whole.clone();
        self.bounds.set_region(network, &self.open, &region);
        let rounding = network.rounding * self.open.largest;
        let mut lower = |plus: Option<usize>, minus: Option<usize>| {
            let margin = ScoreMargin::new(network, plus, minus);
            self.bounds.margin(network, &self.open, &region, &margin, &mut self.linear);
            self.linear.minimum - rounding
        };
        (0..network.n_scores).map(|score| (lower(Some(score), None), -lower(None, Some(score)))).collect()
    }

    fn open(&self) -> &OpenColumns {
        &self.open
    }

    fn witness(&self) -> &[f64] {
        &self.witness
    }

    fn label_at(&mut self, point: &[f64]) -> Label {
        label_at(&self.tables.model, &self.open, &mut self.person, point)
    }

    /// By the folded network wherever rounding cannot change the label.
    fn quick_label_at(&mut self, point: &[f64]) -> Label {
        let slack = self.slack();
        let scores = self.evaluator.scores(&self.tables.network, &self.open, point);
        let label = label_of_scores(&scores[..self.tables.network.n_scores]);
        let is_clear = self.tables.margins(label).iter().all(|margin| margin.of(scores) > slack);
        if is_clear { label } else { self.label_at(point) }
    }

    fn label_work(&self) -> u64 {
        self.open.forward_work
    }

    fn look_work(&self) -> u64 {
        self.open.part_work(1)
    }

    /// Along gradients to the vertices, for every rival of the label.
    fn refute_within(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> bool {
        let network = &self.tables.network;
        let slack = self.slack();
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        for margin in self.tables.margins(label) {
            point.clear();
            point.extend_from_slice(start);
            region.pull_in(&self.open, &mut point);
            let smallest = self.evaluator.walk_down(network, &self.open, region, margin, &mut point, MOST_STEPS);
            budget.spend(WALK_PASSES * self.open.forward_work);
            if smallest <= slack && label_at(&self.tables.model, &self.open, &mut self.person, &point) != label {
                self.witness.clone_from(&point);
                found = true;
                break;
            }
        }
        self.point = point;
        found
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

    /// By bounds, and branching where bounds do not suffice.
    fn test_within(&mut self, label: Label, budget: &mut Budget, region: &Region) -> Conclusion {
        self.spare.append(&mut self.stack);
        let mut root = self.spare.pop().unwrap_or_default();
        root.region.clone_from(region);
        root.rivals.clear();
        root.rivals.extend(0..self.tables.margins(label).len());
        self.stack.push(root);
        let (mut undecided, mut is_first) = (false, true);
        while let Some(mut part) = self.stack.pop() {
            if !std::mem::take(&mut is_first) && budget.is_used_up() {
                return Conclusion::OutOfBudget;
            }
            budget.spend(self.open.part_work(part.rivals.len()));
            if let Some(record) = &mut self.record {
                record.push(RecordedPart::default());
            }
            if self.bound(label, &mut part) {
                return Conclusion::Open;
            }
            if part.rivals.is_empty() {
                self.spare.push(part);
                continue;
            }
            let Some(smallest) = self.smallest_margin(label, &part) else {
                return Conclusion::Open;
            };
            if part.region.is_point(&self.open) {
                // The one point has the label: it was just evaluated.
                self.spare.push(part);
                continue;
            }
            let is_tie = self.is_within_rounding(&part.region, smallest);
            let Some(cut) = (if is_tie { None } else { self.choose_cut(&part.region) }) else {
                // Nobody can tell here, but the next part may have a witness.
                undecided = true;
                self.spare.push(part);
                continue;
            };
            let mut other = self.spare.pop().unwrap_or_default();
            other.region.clone_from(&part.region);
            other.rivals.clone_from(&part.rivals);
            part.region.keep(&self.open, &cut, true);
            other.region.keep(&self.open, &cut, false);
            if let Some(part) = self.record.as_mut().and_then(|record| record.last_mut()) {
                part.cut = Some(cut);
            }
            self.stack.push(other);
            self.stack.push(part);
        }
        if undecided { Conclusion::OutOfBudget } else { Conclusion::Core }
    }
}

/// The label the network computes with the open columns at a point, which are written into the person.
fn label_at(model: &Network, open: &FoldedNetwork, person: &mut [f64], point: &[f64]) -> Label {
    open.place(point, person);
    model.label(person)
}
