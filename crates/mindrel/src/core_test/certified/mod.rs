//! The certified test for ReLU networks: can any value of what is open change the label?
//!
//! 1. **refute**: points that may have another label (the expected person, vertices along gradients, counterexamples met before);
//! 2. **bound**: every margin of the label from below ([`bounds`]);
//! 3. **branch**: cut the domain in two and start again with each part, until proved, refuted or out of budget.
//!
//! [TF23, §6.2] samples instead. A proof here is about the labels the model computes: bounds keep more than the rounding error
//! of a score away from zero, and a part of the domain with one point is simply evaluated.

pub(crate) mod bounds;
mod branch;
pub(crate) mod budget;
pub(crate) mod open;
pub(crate) mod point;
pub(crate) mod region;
pub(crate) mod smallest;

use bounds::{Bounds, LinearBound, Margin};
use budget::Budget;
use open::{Open, OpenQuestion, PaddedNetwork};
use point::{Evaluator, to_lowest_vertex};
use region::{Cut, Region};

use super::pairs::Asked;
use crate::Label;
use crate::model::{Model, Network, label_of_scores};
use crate::plan::NetworkTables;
use crate::schema::Domain;

/// Gradients followed from one start at most; nearly all walks end after two or three.
const MOST_STEPS: usize = 8;

/// What the certified test says of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No value of what is open gives another label.
    Core,
    /// Some value does: the witness.
    Open,
    /// Neither was found in time.
    OutOfBudget,
}

/// Room for testing one person after the other.
#[derive(Default)]
pub(crate) struct Certifier {
    pub open: Open,
    free: Vec<bool>,
    /// The person, with open columns at the point looked at last.
    person: Vec<f64>,
    bounds: Bounds,
    pub evaluator: Evaluator,
    linear: LinearBound,
    retried: LinearBound,
    worst: LinearBound,
    point: Vec<f64>,
    /// The point of the open columns that has another label.
    pub witness: Vec<f64>,
    stack: Vec<Part>,
    spare: Vec<Part>,
    pub n_nodes: u64,
    usefulness: Vec<f64>,
    whole: Region,
    /// The parts looked at so far, where they are wanted.
    record: Option<Vec<RecordedPart>>,
}

/// A part of the domain as a proof tells of it.
#[derive(Clone, Default)]
pub(crate) struct RecordedPart {
    /// The rivals that cannot win in it.
    pub beaten: Vec<RecordedBound>,
    /// How it is cut, if rivals are left; the two halves follow, the first with all that comes of it before the second.
    pub cut: Option<Cut>,
}

/// A rival that cannot win in a part.
#[derive(Clone)]
pub(crate) struct RecordedBound {
    /// By its place among the rivals.
    pub rival: usize,
    /// The margin over it is at least this.
    pub margin: f64,
    /// The units, by layer and place, bounded from below by themselves although they can be off.
    pub on: Vec<(usize, usize)>,
}

/// That a network gives everybody in some part of the domain the same label.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'a> {
    pub tables: &'a NetworkTables,
    pub model: &'a Network,
    pub label: Label,
}

impl<'a> Claim<'a> {
    /// The margins of the label over each rival.
    fn margins(&self) -> &'a [Margin] {
        self.tables.margins(self.label)
    }

    /// What a margin must exceed to be called positive: more than rounding can do to two scores.
    fn slack(&self, open: &Open) -> f64 {
        self.tables.network.rounding * open.largest
    }
}

/// How often a bound that does not suffice is tried again with other lines.
const RETRIES: usize = 2;

/// A bound closer to the network than this many times what it is moved outwards for rounding is as good as it gets: once for the margin
/// itself, less than once for the layers below, and as much again.
const ROUNDING_PADS: f64 = 4.0;

/// A part of the domain, and the rivals that may still win there.
#[derive(Default)]
struct Part {
    region: Region,
    rivals: Vec<usize>,
}

impl Certifier {
    /// Takes on a person of whom the questions in `open` are not known.
    pub fn begin(&mut self, network: &PaddedNetwork, asked: &[Asked], open: impl Fn(usize) -> bool, person: &[f64]) {
        self.open.fold(network, asked, open, person, &mut self.free);
        self.person.clear();
        self.person.extend_from_slice(person);
    }

    /// The label the model gives with the open columns at a point.
    pub fn label_at(&mut self, model: &Network, point: &[f64]) -> Label {
        for (&column, &value) in self.open.columns.iter().zip(point) {
            self.person[column] = value;
        }
        model.label(&self.person)
    }

    /// The same, by the folded network wherever rounding cannot change the label.
    pub fn quick_label_at(&mut self, tables: &NetworkTables, model: &Network, point: &[f64]) -> Label {
        let scores = self.evaluator.scores(&tables.network, &self.open, point);
        let label = label_of_scores(&scores[..tables.network.n_scores]);
        let slack = tables.network.rounding * self.open.largest;
        let is_clear = tables.margins(label).iter().all(|margin| margin.of(scores) > slack);
        if is_clear { label } else { self.label_at(model, point) }
    }

    /// Looks for another label from a start, along gradients to the vertices, for every rival of the label; keeps what it finds.
    pub fn refute(&mut self, claim: &Claim<'_>, start: &[f64]) -> bool {
        let mut whole = std::mem::take(&mut self.whole);
        whole.set_whole(&self.open);
        let found = self.refute_within(claim, start, &whole);
        self.whole = whole;
        found
    }

    /// The same, for a part of the domain.
    pub fn refute_within(&mut self, claim: &Claim<'_>, start: &[f64], region: &Region) -> bool {
        let network = &claim.tables.network;
        let slack = claim.slack(&self.open);
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        for margin in claim.margins() {
            point.clear();
            point.extend_from_slice(start);
            region.pull_in(&self.open, &mut point);
            let smallest = self.evaluator.walk_down(network, &self.open, region, margin, &mut point, MOST_STEPS);
            if smallest <= slack && self.label_at(claim.model, &point) != claim.label {
                self.witness.clone_from(&point);
                found = true;
                break;
            }
        }
        self.point = point;
        found
    }

    /// Bounds, and branches where bounds do not suffice.
    pub fn test(&mut self, claim: &Claim<'_>, budget: &Budget) -> Verdict {
        let mut whole = std::mem::take(&mut self.whole);
        whole.set_whole(&self.open);
        let verdict = self.test_within(claim, budget, &whole);
        self.whole = whole;
        verdict
    }

    /// The same, with every part that was looked at; nothing if the label is not proved.
    pub fn prove(&mut self, claim: &Claim<'_>, budget: &Budget) -> Option<Vec<RecordedPart>> {
        self.record = Some(Vec::new());
        let verdict = self.test(claim, budget);
        let record = self.record.take();
        record.filter(|_| verdict == Verdict::Core)
    }

    /// The test for a part of the domain.
    pub fn test_within(&mut self, claim: &Claim<'_>, budget: &Budget, region: &Region) -> Verdict {
        self.n_nodes = 0;
        self.spare.append(&mut self.stack);
        let mut root = self.spare.pop().unwrap_or_default();
        root.region.clone_from(region);
        root.rivals.clear();
        root.rivals.extend(0..claim.margins().len());
        self.stack.push(root);
        let mut undecided = false;
        while let Some(mut part) = self.stack.pop() {
            if budget.is_used_up(self.n_nodes) {
                return Verdict::OutOfBudget;
            }
            self.n_nodes += 1;
            if let Some(record) = &mut self.record {
                record.push(RecordedPart::default());
            }
            if self.bound(claim, &mut part) {
                return Verdict::Open;
            }
            if part.rivals.is_empty() {
                self.spare.push(part);
                continue;
            }
            let Some(smallest) = self.smallest_margin(claim, &part) else {
                return Verdict::Open;
            };
            if part.region.is_point(&self.open) {
                // The one point has the label: it was just evaluated.
                self.spare.push(part);
                continue;
            }
            let is_tie = self.is_within_rounding(claim, &part.region, smallest);
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
        if undecided { Verdict::OutOfBudget } else { Verdict::Core }
    }

    /// Strikes the rivals that cannot win in a part, and keeps the linear bound of the most dangerous one left; whether a point with
    /// another label turned up.
    fn bound(&mut self, claim: &Claim<'_>, part: &mut Part) -> bool {
        let slack = claim.slack(&self.open);
        let network = &claim.tables.network;
        self.bounds.set_region(network, &self.open, &part.region);
        self.worst.minimum = f64::INFINITY;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        let mut place = 0;
        while place < part.rivals.len() && !found {
            let margin = &claim.margins()[part.rivals[place]];
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
                if value <= slack && self.label_at(claim.model, &point) != claim.label {
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
                    recorded.beaten.push(RecordedBound { rival, margin, on: self.bounds.bounded_by_themselves() });
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

    /// The smallest margin met where the linear bound of the most dangerous rival is least, and down from there; nothing if a point
    /// there has another label, which is kept.
    fn smallest_margin(&mut self, claim: &Claim<'_>, part: &Part) -> Option<f64> {
        let network = &claim.tables.network;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        let mut smallest_of_all = f64::INFINITY;
        for &rival in &part.rivals {
            part.region.middle_into(&self.open, &mut point);
            to_lowest_vertex(&self.open, &part.region, &self.worst.coefficients, &mut point);
            let margin = &claim.margins()[rival];
            let smallest = self.evaluator.walk_down(network, &self.open, &part.region, margin, &mut point, 2);
            if smallest <= claim.slack(&self.open) && self.label_at(claim.model, &point) != claim.label {
                self.witness.clone_from(&point);
                found = true;
                break;
            }
            smallest_of_all = smallest_of_all.min(smallest);
        }
        self.point = point;
        (!found).then_some(smallest_of_all)
    }

    /// Whether a margin met in a region exceeds its bound by no more than what bounds are moved outwards for rounding: smaller regions
    /// would not have better bounds. Where only finitely many points are left, they can be looked at one by one.
    fn is_within_rounding(&self, claim: &Claim<'_>, region: &Region, smallest: f64) -> bool {
        let network = &claim.tables.network;
        let pad = 2.0 * network.pads[network.n_hidden()] * self.open.largest;
        let is_endless = |question: &OpenQuestion| question.domain == Domain::Interval && !region.is_settled(question);
        smallest - self.worst.minimum <= ROUNDING_PADS * pad && self.open.questions.iter().any(is_endless)
    }
}
