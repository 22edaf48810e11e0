//! A proof about a network or a tree ensemble, written so that it can be checked part by part.

use serde::{Deserialize, Serialize};

use crate::Label;
use crate::core_test::certified::{RecordedBound, RecordedPart};
use crate::model::{Model, n_classes};
use crate::plan::{EngineTables, Plan};
use crate::region::RegionCut;
use crate::region::open::OpenColumns;
use crate::rules::Budget;
use crate::schema::QuestionId;

/// That a label wins over the whole domain of the open questions: the parts the domain was cut into, with a bound for
/// each.
///
/// The first part is the whole domain. A part that is cut is followed by its first half and all that comes of it,
/// then by the second. A rival beaten in a part is beaten in all its halves. A part that is not cut has every rival
/// beaten, in it or above it, or is a single point, which is simply evaluated; of a tree ensemble, also a part in
/// which every tree has one leaf.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Proof {
    /// The parts.
    pub parts: Vec<ProofPart>,
}

/// A part of the domain.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofPart {
    /// Whether it is narrowed to what the rules between questions imply, before anything is said of it or it is cut. If
    /// nobody is left in it then, nothing needs to be said.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub narrowed: bool,
    /// The rivals that cannot win in it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub beaten: Vec<Beaten>,
    /// How it is cut in two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cut: Option<ProofCut>,
}

/// A rival that cannot win in a part.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beaten {
    /// The rival.
    pub class: String,
    /// The margin over it is at least this.
    pub margin: f64,
    /// The hidden units, by layer and place from zero, that were bounded from below by themselves although they can
    /// be off; all others that can be on and off were bounded by zero.
    pub on: Vec<(usize, usize)>,
    /// How often the prices of a tree ensemble were set to raise the bound; none if zero.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub sweeps: u32,
}

/// How a part is cut in two. Values are encoded ones, between −1 and 1.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum ProofCut {
    /// A number: up to `low`, and from `high` on.
    Number {
        /// The question.
        question: String,
        /// Where the first half ends.
        low: f64,
        /// Where the second half starts: at the same value, or at the next the question can have.
        high: f64,
    },
    /// A number that may be missing.
    OrMissing {
        /// The question.
        question: String,
        /// Whether missing lies in the first half.
        missing_first: bool,
        /// Where the first half ends and the second starts, as for other numbers; without them, all numbers lie in the
        /// half in which missing does not.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        numbers: Option<(f64, f64)>,
    },
    /// A category: some levels, and the others.
    Levels {
        /// The question.
        question: String,
        /// The levels of the first half.
        first: Vec<String>,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(sweeps: &u32) -> bool {
    *sweeps == 0
}

/// A proof that an encoded person has a label, whatever they answer to the sensitive questions that are not revealed,
/// which are given by their places in [`Plan::sensitive`]; `None` if they do not, if the budget ends before, or if the
/// model is linear or a black box.
#[must_use]
pub fn prove(plan: &Plan, person: &[f64], label: Label, revealed: &[usize], budget: Budget) -> Option<Proof> {
    let EngineTables::Searched(tables) = &plan.prepared().engine else { return None };
    let mut prover = tables.prover();
    let mut budget = budget;
    prover.begin(&plan.prepared().questions.region_with(person, revealed));
    let mut start = Vec::new();
    prover.open().whole.some_point_into(prover.open(), &mut start);
    let parts = prover.prove(label, &start, &mut budget)?;
    Some(Proof::new(plan, prover.open(), label, &parts))
}

impl Proof {
    pub(crate) fn new(plan: &Plan, open: &OpenColumns, label: Label, parts: &[RecordedPart]) -> Self {
        Proof { parts: parts.iter().map(|part| ProofPart::new(plan, open, label, part)).collect() }
    }

    /// The margin by which the label wins everywhere but at single points, at least.
    #[must_use]
    pub fn margin(&self) -> f64 {
        let bounds = self.parts.iter().flat_map(|part| &part.beaten);
        bounds.map(|beaten| beaten.margin).fold(f64::INFINITY, f64::min)
    }
}

impl ProofPart {
    fn new(plan: &Plan, open: &OpenColumns, label: Label, part: &RecordedPart) -> Self {
        let classes = n_classes(plan.model().n_scores());
        let rivals: Vec<usize> = (0..classes).filter(|&class| class != label.index()).collect();
        let beaten = |bound: &RecordedBound| Beaten {
            class: plan.schema().class(Label::new(rivals[bound.rival])).to_owned(),
            margin: bound.margin,
            on: bound.on.clone(),
            sweeps: bound.sweeps,
        };
        ProofPart {
            narrowed: part.narrowed,
            beaten: part.beaten.iter().map(beaten).collect(),
            cut: part.cut.as_ref().map(|cut| ProofCut::new(plan, open, cut)),
        }
    }
}

impl ProofCut {
    /// The question that is cut.
    #[must_use]
    pub fn question(&self) -> &str {
        match self {
            ProofCut::Number { question, .. }
            | ProofCut::OrMissing { question, .. }
            | ProofCut::Levels { question, .. } => question,
        }
    }

    fn new(plan: &Plan, open: &OpenColumns, cut: &RegionCut) -> Self {
        let id = |question: usize| -> QuestionId { plan.sensitive()[open.questions[question].place] };
        let name = |question: usize| plan.schema().question(id(question)).name.clone();
        match cut {
            RegionCut::Number { question, low, high } => {
                ProofCut::Number { question: name(*question), low: *low, high: *high }
            }
            RegionCut::OrMissing { question, numbers, missing_first } => {
                ProofCut::OrMissing { question: name(*question), missing_first: *missing_first, numbers: *numbers }
            }
            RegionCut::Levels { question, first } => {
                let levels = plan.schema().question(id(*question)).levels().expect("its levels are cut");
                let first = first.iter().map(|&level| levels[level].clone()).collect();
                ProofCut::Levels { question: name(*question), first }
            }
        }
    }
}

/// How many parts, and nothing of the bounds: with one answer revealed, it could be worked out from them.
impl std::fmt::Debug for Proof {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Proof({} parts)", self.parts.len())
    }
}
