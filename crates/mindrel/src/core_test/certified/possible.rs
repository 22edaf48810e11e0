//! Proofs about possible people: those who break no rule between questions.
//!
//! The other provers know parts of the domain, and nothing of rules. So a region is narrowed to what the rules imply
//! and handed to them; a counterexample that breaks a rule is mended, or else shows where to cut: by a condition of the
//! rule that it breaks. In both halves the rule says more, and in the end, where every condition holds or fails, all it
//! says. Rules that no counterexample breaks cost nothing.

use super::{Conclusion, Prover, RecordedPart};
use crate::Label;
use crate::region::{OpenColumns, Region, RegionCut};
use crate::rules::Budget;

/// How often a counterexample is mended before it is given up.
const MOST_MENDS: usize = 8;

/// A prover to which only possible people are counterexamples. It has no `Debug`: it holds answers.
pub(crate) struct PossibleProver {
    inner: Box<dyn Prover>,
    witness: Vec<f64>,
    start: Vec<f64>,
}

/// What is still to be looked at: a region, and its place in the record.
struct PendingRegion {
    region: Region,
    place: usize,
}

/// A proof as it is found: regions by place, with the parts of those that were not cut.
#[derive(Default)]
struct RegionRecord {
    regions: Vec<RecordedRegion>,
}

#[derive(Default)]
struct RecordedRegion {
    /// How it was cut, and the place of the first half; the second follows.
    halves: Option<(RegionCut, usize)>,
    parts: Vec<RecordedPart>,
}

impl PossibleProver {
    pub fn new(inner: Box<dyn Prover>) -> Self {
        PossibleProver { inner, witness: Vec::new(), start: Vec::new() }
    }

    /// Whether the counterexample that was found is a possible person, if need be once it is mended.
    fn has_possible_witness(&mut self, label: Label, region: &Region) -> bool {
        self.witness.clear();
        self.witness.extend_from_slice(self.inner.witness());
        if self.inner.open().is_possible(&self.witness) {
            return true;
        }
        mend(self.inner.open(), region, &mut self.witness) && self.inner.label_at(&self.witness) != label
    }

    /// Settles a region from a start; with a record, proves what holds.
    fn search(
        &mut self,
        label: Label,
        start: &[f64],
        budget: &mut Budget,
        region: &Region,
        mut record: Option<&mut RegionRecord>,
    ) -> Conclusion {
        let mut pending = vec![PendingRegion { region: region.clone(), place: 0 }];
        if let Some(record) = &mut record {
            record.regions.push(RecordedRegion::default());
        }
        while let Some(PendingRegion { mut region, place }) = pending.pop() {
            if self.inner.open().rules.narrow(&mut region, |_, _| {}).is_err() {
                note(&mut record, place, vec![RecordedPart::default()]);
                continue;
            }
            let before = budget.left();
            let conclusion = self.settle_plainly(label, start, budget, &region);
            match conclusion {
                Conclusion::Core => {
                    if record.is_some() {
                        let mut again = Budget::of(before);
                        let Some(parts) = self.inner.prove_within(label, start, &mut again, &region) else {
                            return Conclusion::OutOfBudget;
                        };
                        note(&mut record, place, parts);
                    }
                }
                Conclusion::Open if self.has_possible_witness(label, &region) => return Conclusion::Open,
                Conclusion::Open => {
                    let Some(cut) = self.cut(&region).filter(|_| !budget.is_used_up()) else {
                        return Conclusion::OutOfBudget;
                    };
                    let (mut first, mut second) = (region.clone(), region);
                    first.keep(self.inner.open(), &cut, true);
                    second.keep(self.inner.open(), &cut, false);
                    let halves = split(&mut record, place, cut);
                    pending.push(PendingRegion { region: second, place: halves.1 });
                    pending.push(PendingRegion { region: first, place: halves.0 });
                }
                Conclusion::OutOfBudget => return Conclusion::OutOfBudget,
            }
        }
        Conclusion::Core
    }

    /// What the prover inside says of a region; its counterexample may break rules.
    fn settle_plainly(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> Conclusion {
        let mut point = std::mem::take(&mut self.start);
        point.clear();
        point.extend_from_slice(start);
        region.bring_in(self.inner.open(), &mut point);
        let conclusion = self.inner.settle_within(label, &point, budget, region);
        self.start = point;
        conclusion
    }

    /// Where to cut a region by the rule that the counterexample breaks.
    fn cut(&self, region: &Region) -> Option<RegionCut> {
        let rule = self.inner.open().rules.broken_at(self.inner.witness())?;
        rule.undecided(region).map(|condition| condition.cut(region))
    }
}

/// Notes the parts of a region that is not cut.
fn note(record: &mut Option<&mut RegionRecord>, place: usize, mut parts: Vec<RecordedPart>) {
    if let (Some(record), Some(first)) = (record, parts.first_mut()) {
        first.narrowed = true;
        record.regions[place].parts = parts;
    }
}

/// Notes how a region is cut; the places of its halves.
fn split(record: &mut Option<&mut RegionRecord>, place: usize, cut: RegionCut) -> (usize, usize) {
    let Some(record) = record else { return (0, 0) };
    let first = record.regions.len();
    record.regions[place].halves = Some((cut, first));
    record.regions.extend([RecordedRegion::default(), RecordedRegion::default()]);
    (first, first + 1)
}

impl RegionRecord {
    /// All parts, each region followed by its first half and all that comes of it, then by the second.
    fn into_parts(mut self) -> Vec<RecordedPart> {
        let (mut parts, mut pending) = (Vec::new(), vec![0]);
        while let Some(place) = pending.pop() {
            let recorded = std::mem::take(&mut self.regions[place]);
            match recorded.halves {
                Some((cut, first)) => {
                    parts.push(RecordedPart { cut: Some(cut), narrowed: true, ..RecordedPart::default() });
                    pending.extend([first + 1, first]);
                }
                None => parts.extend(recorded.parts),
            }
        }
        parts
    }
}

/// Moves a point within a region to somebody possible: the consequences of every rule it breaks to their nearest
/// answers. Whether that succeeds.
pub(crate) fn mend(open: &OpenColumns, region: &Region, point: &mut [f64]) -> bool {
    if open.is_possible(point) {
        return true;
    }
    let mut narrowed = region.clone();
    for _ in 0..MOST_MENDS {
        let Some(rule) = open.rules.broken_at(point) else { return true };
        for consequence in &rule.then {
            if consequence.part.misses(&narrowed, &consequence.columns) {
                return false;
            }
            consequence.part.keep(&mut narrowed, &consequence.columns);
        }
        narrowed.bring_in(open, point);
    }
    open.is_possible(point)
}

impl Prover for PossibleProver {
    fn begin(&mut self, region: &Region) {
        self.inner.begin(region);
    }

    fn anew(&self) -> Box<dyn Prover> {
        Box::new(PossibleProver::new(self.inner.anew()))
    }

    fn can_prove(&self) -> bool {
        self.inner.can_prove()
    }

    fn score_bounds(&mut self) -> Vec<(f64, f64)> {
        self.inner.score_bounds()
    }

    fn open(&self) -> &OpenColumns {
        self.inner.open()
    }

    fn witness(&self) -> &[f64] {
        &self.witness
    }

    fn label_at(&mut self, point: &[f64]) -> Label {
        self.inner.label_at(point)
    }

    fn quick_label_at(&mut self, point: &[f64]) -> Label {
        self.inner.quick_label_at(point)
    }

    fn quick_labels_at(&mut self, points: &[f64], n_points: usize, labels: &mut Vec<Label>) {
        self.inner.quick_labels_at(points, n_points, labels);
    }

    fn batch(&self) -> usize {
        self.inner.batch()
    }

    fn label_work(&self) -> u64 {
        self.inner.label_work()
    }

    fn look_work(&self) -> u64 {
        self.inner.look_work()
    }

    fn refute_within(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> bool {
        let mut region = region.clone();
        self.inner.open().rules.narrow(&mut region, |_, _| {}).is_ok()
            && self.inner.refute_within(label, start, budget, &region)
            && self.has_possible_witness(label, &region)
    }

    fn test_within(&mut self, label: Label, budget: &mut Budget, region: &Region) -> Conclusion {
        let mut start = Vec::new();
        region.some_point_into(self.inner.open(), &mut start);
        self.search(label, &start, budget, region, None)
    }

    fn settle_within(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> Conclusion {
        self.search(label, start, budget, region, None)
    }

    /// As the test goes from the same start, so that the same regions are cut.
    fn prove_within(
        &mut self,
        label: Label,
        start: &[f64],
        budget: &mut Budget,
        region: &Region,
    ) -> Option<Vec<RecordedPart>> {
        let mut record = RegionRecord::default();
        let conclusion = self.search(label, start, budget, region, Some(&mut record));
        (conclusion == Conclusion::Core).then(|| record.into_parts())
    }
}
