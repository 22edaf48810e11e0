//! One model of a composition, with everything known of a person filled in.

use super::ranges::ValueRange;
use super::smooth::SmoothSum;
use super::tables::{CompositionTables, PartTables};
use crate::core_test::certified::network::bounds::{Bounds, LinearBound, ScoreMargin};
use crate::core_test::certified::network::folded::FoldedNetwork;
use crate::core_test::certified::trees::{FoldedTrees, TreesInRegion};
use crate::model::Model;
use crate::questionnaire::Questionnaire;
use crate::region::Region;
use crate::region::open::OpenColumns;

/// It has no `Debug`: it holds answers.
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
pub(super) enum FoldedPart {
    /// Scores that are smooth sums of the open columns, and what rounding can do to them.
    Smooth {
        sums: Vec<SmoothSum>,
        rounding: f64,
    },
    Network {
        folded: FoldedNetwork,
        bounds: Bounds,
        linear: LinearBound,
    },
    Trees(FoldedTrees),
}

/// What a model's scores can be in a region.
#[derive(Default)]
pub(super) struct ScoresInRegion {
    pub ranges: Vec<ValueRange>,
    /// Smooth sums below and above each score; empty where there are none.
    pub below: Vec<SmoothSum>,
    pub above: Vec<SmoothSum>,
}

impl FoldedPart {
    pub fn new(tables: &PartTables) -> Self {
        match tables {
            PartTables::Smooth(model) => {
                FoldedPart::Smooth { sums: vec![SmoothSum::default(); model.n_scores()], rounding: 0.0 }
            }
            PartTables::Network { .. } => FoldedPart::Network {
                folded: FoldedNetwork::default(),
                bounds: Bounds::default(),
                linear: LinearBound::default(),
            },
            PartTables::Trees(tables) => FoldedPart::Trees(FoldedTrees::new(std::sync::Arc::clone(tables))),
        }
    }

    /// Takes on a person.
    pub fn fold(&mut self, tables: &PartTables, questions: &Questionnaire, open: &OpenColumns, region: &Region) {
        let person = region.values();
        match (self, tables) {
            (FoldedPart::Smooth { sums, rounding }, PartTables::Smooth(model)) => {
                *rounding = model.rounding(open.largest);
                for (score, sum) in sums.iter_mut().enumerate() {
                    sum.clear(open);
                    let (weights, squares) = (model.weights(score), model.squares(score));
                    sum.constant = model.intercept(score);
                    for column in (0..person.len()).filter(|&column| !open.free[column]) {
                        let value = person[column];
                        sum.constant += weights[column] * value;
                        sum.constant += squares.map_or(0.0, |squares| squares[column] * (value * value));
                    }
                    for (place, &column) in open.columns.iter().enumerate() {
                        sum.weights[place] = weights[column];
                        sum.squares[place] = squares.map_or(0.0, |squares| squares[column]);
                    }
                }
            }
            (FoldedPart::Network { folded, .. }, PartTables::Network { tables, .. }) => {
                folded.fold(&tables.network, questions, region);
            }
            (FoldedPart::Trees(folded), PartTables::Trees(_)) => folded.fold(open, person),
            _ => unreachable!("a part is folded with its own tables"),
        }
    }

    /// What the scores can be in a region; `left` is what is left of the trees there, if it is trees.
    pub fn scores_in(
        &mut self,
        tables: &PartTables,
        open: &OpenColumns,
        region: &Region,
        left: &TreesInRegion,
        found: &mut ScoresInRegion,
        place: &mut [f64],
    ) {
        found.ranges.clear();
        found.below.clear();
        found.above.clear();
        match (self, tables) {
            (FoldedPart::Smooth { sums, rounding }, _) => found.ranges.extend(sums.iter().map(|sum| {
                ValueRange::new(sum.least(open, region, place) - *rounding, sum.most(open, region, place) + *rounding)
            })),
            (FoldedPart::Network { folded, bounds, linear }, PartTables::Network { tables, margins }) => {
                let network = &tables.network;
                bounds.set_region(network, folded, region);
                bounds.relax();
                let rounding = network.rounding * folded.largest;
                let mut below = |margin: &ScoreMargin| {
                    bounds.margin(network, folded, region, margin, linear);
                    let mut sum = SmoothSum::default();
                    sum.clear(open);
                    sum.weights.copy_from_slice(&linear.coefficients[..open.len()]);
                    let minimum = linear.minimum - rounding;
                    // The line lies as far below the score as its least value does.
                    sum.constant = minimum - sum.least(open, region, place);
                    (minimum, sum)
                };
                for (plus, minus) in margins {
                    let ((low, below), (negated, above)) = (below(plus), below(minus));
                    found.ranges.push(ValueRange::new(low, -negated));
                    found.below.push(below);
                    let mut sum = SmoothSum::default();
                    sum.clear(open);
                    sum.add(-1.0, &above);
                    found.above.push(sum);
                }
            }
            (FoldedPart::Trees(folded), _) => {
                let ranges = folded.score_ranges(left);
                found.ranges.extend(ranges.into_iter().map(|(low, high)| ValueRange::new(low, high)));
            }
            _ => unreachable!("a part is bounded with its own tables"),
        }
    }

    /// The scores at a point of the domain, which is also written into the person.
    pub fn scores_at(&self, tables: &PartTables, person: &[f64], point: &[f64]) -> Vec<f64> {
        match (self, tables) {
            (FoldedPart::Trees(folded), _) => folded.scores_at(point),
            (_, PartTables::Smooth(model)) => {
                let mut scores = vec![0.0; model.n_scores()];
                model.scores(person, &mut scores);
                scores
            }
            (_, PartTables::Network { tables, .. }) => {
                let mut scores = vec![0.0; tables.model.n_scores()];
                tables.model.scores(person, &mut scores);
                scores
            }
            _ => unreachable!("a part is run with its own tables"),
        }
    }

    /// The work of bounding it.
    pub fn look_work(&self, open: &OpenColumns) -> u64 {
        match self {
            FoldedPart::Smooth { sums, .. } => 8 * (sums.len() * open.len()) as u64,
            FoldedPart::Network { folded, .. } => folded.part_work(2),
            FoldedPart::Trees(folded) => 2 * folded.n_nodes() as u64,
        }
    }

    /// The work of running it.
    pub fn run_work(&self, person: usize) -> u64 {
        match self {
            FoldedPart::Smooth { sums, .. } => (sums.len() * person) as u64,
            FoldedPart::Network { folded, .. } => folded.forward_work,
            FoldedPart::Trees(folded) => 16 * folded.n_trees() as u64,
        }
    }
}

/// The tables of every part, folded.
pub(super) fn fold_nothing(tables: &CompositionTables) -> Vec<FoldedPart> {
    tables.parts.iter().map(FoldedPart::new).collect()
}
