//! The certified test for tree ensembles: can any value of what is open change the label?
//!
//! What is known is filled in, so that only splits on open columns are left ([`residual`]). Then
//!
//! 1. **refute**: tree after tree, go to the leaf that is worst for the label ([`guided`]); from there change one
//!    answer
//!    at a time for the worse ([`descent`]);
//! 2. **bound**: the worst each tree can give a margin, added up ([`tables`]);
//! 3. **branch**: cut the domain by a question that splits ask about, so that splits on it go one way in each half
//!    ([`branch`]), prune the trees to each half, and go on with the half whose bound is smaller.
//!
//! A part in which every tree has one leaf left is evaluated, with the model's own arithmetic, ties included. There are
//! finitely many such parts, so that branching ends with the truth unless the budget does first.
//!
//! A proof that is written down is to be short. There the Lagrangian bound ([`lagrangian`]) raises the bound of every
//! part: it costs more than branching on, but a tenth of the parts or fewer are left.

mod bounds;
mod branch;
mod cells;
mod descent;
mod folded_trees;
mod guided;
mod lagrangian;
mod leaf_boxes;
mod residual;
mod tables;

pub(super) use folded_trees::{FoldedTrees, ProposedCut, TreesInRegion};
pub(crate) use tables::TreeTables;

use std::sync::Arc;

use bounds::Contest;
use branch::Branching;
use descent::{Descent, DescentPlace};
use folded_trees::score_ranges;
use guided::LeafGuide;
use lagrangian::Lagrangian;
use residual::{Look, Residual, ResidualLayout, ResidualNode};

use super::{Conclusion, Prover, RecordedBound, RecordedPart};
use crate::Label;
use crate::model::{Model, TreeEnsemble, n_classes};
use crate::questionnaire::Questionnaire;
use crate::region::open::OpenColumns;
use crate::region::{Region, RegionCut};
use crate::rules::Budget;

/// The work of looking at a node: where it leads is read from memory.
const NODE_WORK: u64 = 2;

/// Nodes on the way to a leaf, about.
const TYPICAL_DEPTH: u64 = 8;

/// How often prices are set in a part, at most.
const MOST_SWEEPS: u32 = 20;

/// Prices are set again while the last gain, made so many times more, would settle a part.
const SWEEPS_AHEAD: f64 = 4.0;

/// Tests one person after another, and reuses its buffers. It has no `Debug`: it holds answers.
pub(crate) struct TreeProver {
    questions: Arc<Questionnaire>,
    tables: Arc<TreeTables>,
    open: OpenColumns,
    /// The person, with open columns at the point looked at last.
    person: Vec<f64>,
    layout: ResidualLayout,
    /// The ensemble with everything known filled in.
    root: Residual,
    branching: Branching,
    guide: LeafGuide,
    descent: Descent,
    lagrangian: Lagrangian,
    outputs: Vec<f64>,
    witness: Vec<f64>,
    stack: Vec<TreePart>,
    spare: Vec<TreePart>,
    /// The parts looked at, if they are to be written down.
    record: Option<ProofRecord>,
}

/// A part of the domain, with what is left of the trees in it.
#[derive(Default)]
struct TreePart {
    region: Region,
    residual: Residual,
    /// The rivals that may still win, by their places, and the bound of the margin over each.
    rivals: Vec<(usize, f64)>,
    /// Its place in the record, if one is kept.
    place: usize,
}

/// A proof as it is found.
struct ProofRecord {
    parts: Vec<RecordedTreePart>,
    /// What may be spent on prices.
    for_prices: Budget,
}

/// A part as it is recorded, and the places of its halves.
#[derive(Default)]
struct RecordedTreePart {
    part: RecordedPart,
    halves: Option<(usize, usize)>,
}

/// What a look at a part says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finding {
    Proved,
    Refuted,
    Unsettled,
}

impl ResidualNode {
    fn is_leaf(&self) -> bool {
        self.look == Look::Leaf
    }
}

impl TreePart {
    /// The smallest bound.
    fn bound(&self) -> f64 {
        self.rivals.iter().map(|(_, bound)| *bound).fold(f64::INFINITY, f64::min)
    }
}

impl TreeProver {
    pub fn new(questions: Arc<Questionnaire>, tables: Arc<TreeTables>) -> Self {
        TreeProver {
            questions,
            tables,
            open: OpenColumns::default(),
            person: Vec::new(),
            layout: ResidualLayout::default(),
            root: Residual::default(),
            branching: Branching::default(),
            guide: LeafGuide::default(),
            descent: Descent::default(),
            lagrangian: Lagrangian::default(),
            outputs: Vec::new(),
            witness: Vec::new(),
            stack: Vec::new(),
            spare: Vec::new(),
            record: None,
        }
    }

    fn n_rivals(&self) -> usize {
        n_classes(self.tables.ensemble.n_scores()) - 1
    }

    /// Prunes the trees to a part's region and strikes the rivals that cannot win there.
    fn look_at(
        &mut self,
        label: Label,
        part: &mut TreePart,
        source: Option<&Residual>,
        budget: &mut Budget,
    ) -> Finding {
        let source = source.unwrap_or(&self.root);
        self.layout.prune(&self.open, &part.region, source, &mut part.residual);
        let n_looks = part.residual.nodes.len() * (part.rivals.len() + 1);
        budget.spend(NODE_WORK * (part.residual.starts.len() + n_looks) as u64);
        let ensemble = &self.tables.ensemble;
        if part.residual.is_settled() {
            let leaves = part.residual.nodes.iter().map(|leaf| leaf.right);
            if ensemble.label_of_leaves(leaves, &mut self.outputs) == label {
                return Finding::Proved;
            }
            part.region.some_point_into(&self.open, &mut self.witness);
            return Finding::Refuted;
        }
        let mut rivals = std::mem::take(&mut part.rivals);
        rivals.retain_mut(|(rival, bound)| {
            let (margin, wins) = contest(&self.tables, label, *rival).bound(&part.residual);
            *bound = margin;
            match &mut self.record {
                Some(record) if wins => record.note(part.place, *rival, margin, 0),
                Some(_) => return !self.raise(label, *rival, part),
                None => {}
            }
            !wins
        });
        part.rivals = rivals;
        if part.rivals.is_empty() { Finding::Proved } else { Finding::Unsettled }
    }

    /// Raises the bound of a rival in a part by prices; whether the rival cannot win then, which is recorded.
    fn raise(&mut self, label: Label, rival: usize, part: &TreePart) -> bool {
        let Some(record) = &mut self.record else { return false };
        if record.for_prices.is_used_up() {
            return false;
        }
        let contest = contest(&self.tables, label, rival);
        self.lagrangian.begin(&contest, &self.layout, &self.open, part, &mut record.for_prices);
        let mut last = f64::NEG_INFINITY;
        for sweep in 1..=MOST_SWEEPS {
            self.lagrangian.sweep(&mut record.for_prices);
            let (margin, wins) = contest.margin_of(self.lagrangian.bound());
            if wins {
                record.note(part.place, rival, margin, sweep);
                return true;
            }
            if margin + SWEEPS_AHEAD * (margin - last) < 0.0 || record.for_prices.is_used_up() {
                return false;
            }
            last = margin;
        }
        false
    }

    /// Cuts a part in two and looks at both halves; the one with the smaller bound second.
    fn halve(&mut self, label: Label, part: &TreePart, budget: &mut Budget) -> [(TreePart, Finding); 2] {
        let worst = part.rivals.iter().min_by(|one, other| one.1.total_cmp(&other.1)).expect("rivals are left");
        let contest = contest(&self.tables, label, worst.0);
        let cut = self.branching.choose(&contest, &self.layout, &self.open, &part.region, &part.residual);
        let places = self.record_cut(part.place, &cut);
        budget.spend(NODE_WORK * part.residual.nodes.len() as u64);
        let mut half = |first_side: bool, place: usize| {
            let mut half = self.spare.pop().unwrap_or_default();
            half.region.clone_from(&part.region);
            half.region.keep(&self.open, &cut, first_side);
            half.rivals.clone_from(&part.rivals);
            half.place = place;
            let look = self.look_at(label, &mut half, Some(&part.residual), budget);
            (half, look)
        };
        let (first, second) = (half(true, places.0), half(false, places.1));
        if first.0.bound() < second.0.bound() { [second, first] } else { [first, second] }
    }

    /// Notes how a part is cut, and makes room for its halves.
    fn record_cut(&mut self, place: usize, cut: &RegionCut) -> (usize, usize) {
        let Some(record) = &mut self.record else { return (0, 0) };
        let halves = (record.parts.len(), record.parts.len() + 1);
        record.parts[place].part.cut = Some(cut.clone());
        record.parts[place].halves = Some(halves);
        record.parts.extend([RecordedTreePart::default(), RecordedTreePart::default()]);
        halves
    }

    /// Walks on from the witness to people who are worse for the label against a rival, until one has another label or
    /// no single answer is worse.
    fn descend(&mut self, label: Label, rival: usize, budget: &mut Budget, region: &Region) -> bool {
        let questions = self.open.questions.iter().enumerate();
        let unsettled: Vec<usize> =
            questions.filter(|(_, question)| !region.is_settled(question)).map(|(place, _)| place).collect();
        let (mut next, mut n_unmoved) = (0, 0);
        while !self.is_refuted(label) {
            let mut is_lower = false;
            while !is_lower {
                if n_unmoved == unsettled.len() || budget.is_used_up() {
                    return false;
                }
                let contest = contest(&self.tables, label, rival);
                let place =
                    DescentPlace { contest, layout: &self.layout, open: &self.open, region, residual: &self.root };
                is_lower = self.descent.move_question(&place, unsettled[next], &mut self.witness, budget);
                n_unmoved = if is_lower { 1 } else { n_unmoved + 1 };
                next = (next + 1) % unsettled.len();
            }
        }
        true
    }

    /// Whether the witness has another label.
    fn is_refuted(&mut self, label: Label) -> bool {
        let leaves = (0..self.root.n_trees()).map(|tree| self.layout.leaf_at(&self.root, tree, &self.witness));
        self.tables.ensemble.label_of_leaves(leaves, &mut self.outputs) != label
    }

    /// The whole of a region, looked at.
    fn start(&mut self, label: Label, region: &Region, budget: &mut Budget) -> (TreePart, Finding) {
        self.spare.append(&mut self.stack);
        let mut part = self.spare.pop().unwrap_or_default();
        part.region.clone_from(region);
        part.rivals.clear();
        part.rivals.extend((0..self.n_rivals()).map(|rival| (rival, 0.0)));
        part.place = 0;
        if let Some(record) = &mut self.record {
            record.parts.clear();
            record.parts.push(RecordedTreePart::default());
        }
        let look = self.look_at(label, &mut part, None, budget);
        (part, look)
    }
}

impl ProofRecord {
    /// Notes that a rival cannot win in a part.
    fn note(&mut self, place: usize, rival: usize, margin: f64, sweeps: u32) {
        self.parts[place].part.beaten.push(RecordedBound { rival, margin, on: Vec::new(), sweeps });
    }
}

/// A label against the rival of some place.
fn contest(tables: &TreeTables, label: Label, rival: usize) -> Contest<'_> {
    let rival = Label::new(if rival < label.index() { rival } else { rival + 1 });
    Contest { tables, label, rival }
}

/// What an output is at least and at most.
fn output_range(ensemble: &TreeEnsemble, residual: &Residual, output: usize) -> (f64, f64) {
    let mut range = (ensemble.start()[output], ensemble.start()[output]);
    for (place, tree) in ensemble.trees().iter().enumerate() {
        let offset = match tree.class {
            Some(class) if class != output => continue,
            Some(_) => 0,
            None => output,
        };
        let leaves = residual.tree(place).iter().filter(|node| node.is_leaf());
        let values = leaves.map(|leaf| ensemble.values()[leaf.right as usize + offset]);
        let (least, most) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
        range = (ensemble.arithmetic().add(range.0, least), ensemble.arithmetic().add(range.1, most));
    }
    (ensemble.finish(range.0), ensemble.finish(range.1))
}

/// The parts as a proof tells of them: each followed by its first half and all that comes of it, then by the second.
fn in_order(mut record: Vec<RecordedTreePart>) -> Vec<RecordedPart> {
    let mut parts = Vec::with_capacity(record.len());
    let mut pending = vec![0];
    while let Some(place) = pending.pop() {
        let recorded = std::mem::take(&mut record[place]);
        parts.push(recorded.part);
        if let Some((first, second)) = recorded.halves {
            pending.extend([second, first]);
        }
    }
    parts
}

impl Prover for TreeProver {
    fn begin(&mut self, region: &Region) {
        self.open.set(&self.questions.asked, &self.questions.implications, region);
        self.person.clear();
        self.person.extend_from_slice(region.values());
        let ensemble = &self.tables.ensemble;
        self.layout.fold(ensemble, &self.open, region.values(), &mut self.root);
        self.guide.begin();
    }

    fn anew(&self) -> Box<dyn Prover> {
        Box::new(TreeProver::new(Arc::clone(&self.questions), Arc::clone(&self.tables)))
    }

    /// By the extremes of each tree over the leaves that can be reached, without branching.
    fn score_bounds(&mut self) -> Vec<(f64, f64)> {
        let mut part = TreePart { region: self.open.whole.clone(), ..TreePart::default() };
        self.layout.prune(&self.open, &part.region, &self.root, &mut part.residual);
        score_ranges(&self.tables, &part.residual)
    }

    fn open(&self) -> &OpenColumns {
        &self.open
    }

    fn witness(&self) -> &[f64] {
        &self.witness
    }

    fn label_at(&mut self, point: &[f64]) -> Label {
        self.open.place(point, &mut self.person);
        self.tables.ensemble.label(&self.person)
    }

    /// By what is left of the trees.
    fn quick_label_at(&mut self, point: &[f64]) -> Label {
        let leaves = (0..self.root.n_trees()).map(|tree| self.layout.leaf_at(&self.root, tree, point));
        self.tables.ensemble.label_of_leaves(leaves, &mut self.outputs)
    }

    /// One way down each tree.
    fn label_work(&self) -> u64 {
        NODE_WORK * TYPICAL_DEPTH * self.root.n_trees() as u64
    }

    fn look_work(&self) -> u64 {
        NODE_WORK * self.root.nodes.len() as u64
    }

    /// For every rival, tree after tree to the leaf that is worst for the label, and on from there.
    fn refute_within(&mut self, label: Label, _: &[f64], budget: &mut Budget, region: &Region) -> bool {
        (0..self.n_rivals()).any(|rival| {
            let contest = contest(&self.tables, label, rival);
            self.guide.narrow(&contest, &mut self.layout, &self.open, region, &self.root, budget);
            self.guide.region.some_point_into(&self.open, &mut self.witness);
            self.descend(label, rival, budget, region)
        })
    }

    /// A test first walks from the start, answer by answer, which in a large forest costs less than one look at its
    /// leaves.
    fn settle_within(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> Conclusion {
        let has_budget = !budget.is_used_up();
        self.witness.clear();
        self.witness.extend_from_slice(start);
        region.bring_in(&self.open, &mut self.witness);
        let is_refuted = (0..self.n_rivals()).any(|rival| self.descend(label, rival, budget, region));
        if is_refuted || self.refute_within(label, start, budget, region) {
            Conclusion::Open
        } else if has_budget {
            self.test_within(label, budget, region)
        } else {
            Conclusion::OutOfBudget
        }
    }

    fn test_within(&mut self, label: Label, budget: &mut Budget, region: &Region) -> Conclusion {
        let (part, look) = self.start(label, region, budget);
        match look {
            Finding::Proved => self.spare.push(part),
            Finding::Refuted => return Conclusion::Open,
            Finding::Unsettled => self.stack.push(part),
        }
        while let Some(part) = self.stack.pop() {
            if budget.is_used_up() {
                return Conclusion::OutOfBudget;
            }
            for (half, look) in self.halve(label, &part, budget) {
                match look {
                    Finding::Proved => self.spare.push(half),
                    Finding::Refuted => return Conclusion::Open,
                    Finding::Unsettled => self.stack.push(half),
                }
            }
            self.spare.push(part);
        }
        Conclusion::Core
    }

    /// As the test does, but that prices settle parts it would cut; they may take as much work as the test. The parts
    /// are thus some of those that the test looks at.
    fn prove_within(
        &mut self,
        label: Label,
        _: &[f64],
        budget: &mut Budget,
        region: &Region,
    ) -> Option<Vec<RecordedPart>> {
        let for_prices = Budget::of(budget.left());
        self.record = Some(ProofRecord { parts: Vec::new(), for_prices });
        let verdict = self.test_within(label, budget, region);
        let record = self.record.take().filter(|_| verdict == Conclusion::Core);
        record.map(|record| in_order(record.parts))
    }
}
