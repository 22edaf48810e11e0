//! The certified test for ReLU networks: can any value of what is open change the label?
//!
//! 1. **refute**: points that may have another label (the expected person, vertices along gradients, counterexamples met before);
//! 2. **bound**: every margin of the label from below ([`bounds`]);
//! 3. **branch**: cut the domain in two and start again with each part, until proved, refuted or out of budget.
//!
//! [TF23, §6.2] samples instead. A proof here is about the labels the model computes: bounds keep more than the rounding error
//! of a score away from zero, and a part of the domain with one point is simply evaluated.

pub(crate) mod bounds;
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

use super::exact::Asked;
use crate::Label;
use crate::model::{Model, Network};
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

/// What is to be proved.
#[derive(Clone, Copy)]
struct Target<'a> {
    tables: &'a NetworkTables,
    model: &'a Network,
    label: Label,
    /// What a margin must exceed to be called positive.
    slack: f64,
}

impl<'a> Target<'a> {
    fn margins(&self) -> &'a [Margin] {
        self.tables.margins(self.label)
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

    /// Looks for another label from a start, along gradients to the vertices, for every rival of the label; keeps what it finds.
    pub fn refute(&mut self, tables: &NetworkTables, model: &Network, label: Label, start: &[f64]) -> bool {
        let mut whole = std::mem::take(&mut self.whole);
        whole.set_whole(&self.open);
        let found = self.refute_within(tables, model, label, start, &whole);
        self.whole = whole;
        found
    }

    /// The same, for a part of the domain.
    pub fn refute_within(
        &mut self,
        tables: &NetworkTables,
        model: &Network,
        label: Label,
        start: &[f64],
        region: &Region,
    ) -> bool {
        let network = &tables.network;
        let slack = network.rounding * self.open.largest;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        for margin in tables.margins(label) {
            point.clear();
            point.extend_from_slice(start);
            region.pull_in(&self.open, &mut point);
            let smallest = self.evaluator.walk_down(network, &self.open, region, margin, &mut point, MOST_STEPS);
            if smallest <= slack && self.label_at(model, &point) != label {
                self.witness.clone_from(&point);
                found = true;
                break;
            }
        }
        self.point = point;
        found
    }

    /// Bounds, and branches where bounds do not suffice.
    pub fn test(&mut self, tables: &NetworkTables, model: &Network, label: Label, budget: &Budget) -> Verdict {
        let mut whole = std::mem::take(&mut self.whole);
        whole.set_whole(&self.open);
        let verdict = self.test_within(tables, model, label, budget, &whole);
        self.whole = whole;
        verdict
    }

    /// The same, with every part that was looked at; nothing if the label is not proved.
    pub fn prove(
        &mut self,
        tables: &NetworkTables,
        model: &Network,
        label: Label,
        budget: &Budget,
    ) -> Option<Vec<RecordedPart>> {
        self.record = Some(Vec::new());
        let verdict = self.test(tables, model, label, budget);
        let record = self.record.take();
        record.filter(|_| verdict == Verdict::Core)
    }

    /// The test for a part of the domain.
    pub fn test_within(
        &mut self,
        tables: &NetworkTables,
        model: &Network,
        label: Label,
        budget: &Budget,
        region: &Region,
    ) -> Verdict {
        self.n_nodes = 0;
        let target = Target { tables, model, label, slack: tables.network.rounding * self.open.largest };
        self.spare.append(&mut self.stack);
        let mut root = self.spare.pop().unwrap_or_default();
        root.region.clone_from(region);
        root.rivals.clear();
        root.rivals.extend(0..target.margins().len());
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
            if self.bound(&target, &mut part) {
                return Verdict::Open;
            }
            if part.rivals.is_empty() {
                self.spare.push(part);
                continue;
            }
            let Some(smallest) = self.smallest_margin(&target, &part) else {
                return Verdict::Open;
            };
            if part.region.is_point(&self.open) {
                // The one point has the label: it was just evaluated.
                self.spare.push(part);
                continue;
            }
            let is_tie = self.is_within_rounding(&target, &part.region, smallest);
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
    fn bound(&mut self, target: &Target<'_>, part: &mut Part) -> bool {
        let Target { tables, slack, .. } = *target;
        let network = &tables.network;
        self.bounds.set_region(network, &self.open, &part.region);
        self.worst.minimum = f64::INFINITY;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        let mut place = 0;
        while place < part.rivals.len() && !found {
            let margin = &target.margins()[part.rivals[place]];
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
                if value <= slack && self.label_at(target.model, &point) != target.label {
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
    fn smallest_margin(&mut self, target: &Target<'_>, part: &Part) -> Option<f64> {
        let network = &target.tables.network;
        let mut point = std::mem::take(&mut self.point);
        let mut found = false;
        let mut smallest_of_all = f64::INFINITY;
        for &rival in &part.rivals {
            part.region.middle_into(&self.open, &mut point);
            to_lowest_vertex(&self.open, &part.region, &self.worst.coefficients, &mut point);
            let margin = &target.margins()[rival];
            let smallest = self.evaluator.walk_down(network, &self.open, &part.region, margin, &mut point, 2);
            if smallest <= target.slack && self.label_at(target.model, &point) != target.label {
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
    fn is_within_rounding(&self, target: &Target<'_>, region: &Region, smallest: f64) -> bool {
        let network = &target.tables.network;
        let pad = 2.0 * network.pads[network.n_hidden()] * self.open.largest;
        let is_endless = |question: &OpenQuestion| question.domain == Domain::Interval && !region.is_settled(question);
        smallest - self.worst.minimum <= ROUNDING_PADS * pad && self.open.questions.iter().any(is_endless)
    }

    /// The question whose halving promises to tighten the bound most.
    ///
    /// Each rectified unit on whose both sides the part lies costs the bound at most |coefficient| · (gap between the unit and its
    /// line); that is shared among the questions by how far each moves the unit.
    fn choose_cut(&mut self, region: &Region) -> Option<Cut> {
        let n_questions = self.open.questions.len();
        self.usefulness.clear();
        self.usefulness.resize(n_questions, 0.0);
        for (units, coefficients) in self.bounds.layers.iter().zip(&self.bounds.on_units) {
            for (unit, &coefficient) in coefficients.iter().enumerate() {
                let (lower, upper) = (units.lower[unit], units.upper[unit]);
                if coefficient == 0.0 || lower >= 0.0 || upper <= 0.0 {
                    continue;
                }
                let gap = if coefficient > 0.0 { upper.min(-lower) } else { units.intercept[unit] };
                let row = &units.sensitivity[unit * self.open.width..(unit + 1) * self.open.width];
                let moves = |question: usize| moves(&self.open, region, row, question);
                let total: f64 = (0..n_questions).map(moves).sum();
                if total > 0.0 {
                    for question in 0..n_questions {
                        self.usefulness[question] += coefficient.abs() * gap * moves(question) / total;
                    }
                }
            }
        }
        let candidates = (0..n_questions).filter(|&question| !region.is_settled(&self.open.questions[question]));
        let best = candidates.max_by(|&left, &right| self.usefulness[left].total_cmp(&self.usefulness[right]))?;
        self.cut(region, best)
    }

    fn cut(&self, region: &Region, question: usize) -> Option<Cut> {
        let columns = self.open.questions[question].columns.clone();
        if columns.start < self.open.n_numbers {
            return region.halve(&self.open, question);
        }
        let start = columns.start;
        let mut possible: Vec<usize> = columns.filter(|&column| region.allows(column)).collect();
        possible.sort_by(|&left, &right| {
            self.worst.coefficients[left].total_cmp(&self.worst.coefficients[right]).then(left.cmp(&right))
        });
        let mut first: Vec<usize> = possible[..possible.len() / 2].iter().map(|column| column - start).collect();
        first.sort_unstable();
        Some(Cut::Levels { question, first })
    }
}

/// How far a question can move a linear function over a region.
fn moves(open: &Open, region: &Region, row: &[f64], question: usize) -> f64 {
    let columns = open.questions[question].columns.clone();
    if columns.start < open.n_numbers {
        return row[columns.start].abs() * (region.upper[columns.start] - region.lower[columns.start]);
    }
    let possible = columns.filter(|&column| region.allows(column));
    let (low, high) = possible
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), column| (low.min(row[column]), high.max(row[column])));
    if high > low { high - low } else { 0.0 }
}
