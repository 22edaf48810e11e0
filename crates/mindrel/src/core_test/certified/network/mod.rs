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
pub(crate) mod folded;
mod point;

use bounds::{Bounds, LinearBound, Margin};
use folded::Folded;
use point::{Evaluator, to_lowest_vertex};

use super::budget::Budget;
use super::open::{Open, OpenQuestion};
use super::region::Region;
use super::{Claim, Prover, RecordedBound, RecordedPart, Verdict};
use crate::Label;
use crate::model::{Model, label_of_scores};
use crate::plan::{NetworkTables, Plan};
use crate::schema::Domain;

/// Gradients followed from one start at most; nearly all walks end after two or three.
const MOST_STEPS: usize = 8;

/// Room for testing one person after the other.
#[derive(Default)]
pub(crate) struct Certifier {
    pub open: Folded,
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
    stack: Vec<Part>,
    spare: Vec<Part>,
    n_nodes: u64,
    usefulness: Vec<f64>,
    /// The parts looked at so far, where they are wanted.
    record: Option<Vec<RecordedPart>>,
}

/// What a network's claims are worked out with.
impl<'a> Claim<'a> {
    fn tables(&self) -> &'a NetworkTables {
        self.plan.prepared().network()
    }

    /// The margins of the label over each rival.
    fn margins(&self) -> &'a [Margin] {
        self.tables().margins(&self.plan.prepared().search().pairs, self.label)
    }

    /// What a margin must exceed to be called positive: more than rounding can do to two scores.
    fn slack(&self, open: &Open) -> f64 {
        self.tables().network.rounding * open.largest
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
    /// Strikes the rivals that cannot win in a part, and keeps the linear bound of the most dangerous one left; whether a point with
    /// another label turned up.
    fn bound(&mut self, claim: &Claim<'_>, part: &mut Part) -> bool {
        let slack = claim.slack(&self.open);
        let network = &claim.tables().network;
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
                if value <= slack && self.label_at(claim.plan, &point) != claim.label {
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
        let network = &claim.tables().network;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        let mut smallest_of_all = f64::INFINITY;
        for &rival in &part.rivals {
            part.region.middle_into(&self.open, &mut point);
            to_lowest_vertex(&self.open, &part.region, &self.worst.coefficients, &mut point);
            let margin = &claim.margins()[rival];
            let smallest = self.evaluator.walk_down(network, &self.open, &part.region, margin, &mut point, 2);
            if smallest <= claim.slack(&self.open) && self.label_at(claim.plan, &point) != claim.label {
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
        let network = &claim.tables().network;
        let pad = 2.0 * network.pads[network.n_hidden()] * self.open.largest;
        let is_endless = |question: &OpenQuestion| question.domain == Domain::Interval && !region.is_settled(question);
        smallest - self.worst.minimum <= ROUNDING_PADS * pad && self.open.questions.iter().any(is_endless)
    }
}

impl Prover for Certifier {
    fn begin(&mut self, plan: &Plan, is_open: &dyn Fn(usize) -> bool, person: &[f64]) {
        let prepared = plan.prepared();
        self.open.fold(&prepared.network().network, &prepared.asked, is_open, person);
        self.person.clear();
        self.person.extend_from_slice(person);
    }

    fn open(&self) -> &Open {
        &self.open
    }

    fn witness(&self) -> &[f64] {
        &self.witness
    }

    fn label_at(&mut self, plan: &Plan, point: &[f64]) -> Label {
        self.open.open.place(point, &mut self.person);
        plan.network().label(&self.person)
    }

    /// By the folded network wherever rounding cannot change the label.
    fn quick_label_at(&mut self, plan: &Plan, point: &[f64]) -> Label {
        let (tables, pairs) = (plan.prepared().network(), &plan.prepared().search().pairs);
        let scores = self.evaluator.scores(&tables.network, &self.open, point);
        let label = label_of_scores(&scores[..tables.network.n_scores]);
        let slack = tables.network.rounding * self.open.largest;
        let is_clear = tables.margins(pairs, label).iter().all(|margin| margin.of(scores) > slack);
        if is_clear { label } else { self.label_at(plan, point) }
    }

    /// Along gradients to the vertices, for every rival of the label.
    fn refute_within(&mut self, claim: &Claim<'_>, start: &[f64], region: &Region) -> bool {
        let network = &claim.tables().network;
        let slack = claim.slack(&self.open);
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        for margin in claim.margins() {
            point.clear();
            point.extend_from_slice(start);
            region.pull_in(&self.open, &mut point);
            let smallest = self.evaluator.walk_down(network, &self.open, region, margin, &mut point, MOST_STEPS);
            if smallest <= slack && self.label_at(claim.plan, &point) != claim.label {
                self.witness.clone_from(&point);
                found = true;
                break;
            }
        }
        self.point = point;
        found
    }

    fn prove(&mut self, claim: &Claim<'_>, budget: &Budget) -> Option<Vec<RecordedPart>> {
        self.record = Some(Vec::new());
        let verdict = self.test(claim, budget);
        let record = self.record.take();
        record.filter(|_| verdict == Verdict::Core)
    }

    /// By bounds, and branching where bounds do not suffice.
    fn test_within(&mut self, claim: &Claim<'_>, budget: &Budget, region: &Region) -> Verdict {
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
}
