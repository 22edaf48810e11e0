//! Where to cut a part of the domain that no bound settles: by the question whose answer moves the margin most.
//!
//! How far a value can move a margin is handed on to what it is made of, in proportion to how far these can move; at
//! the models it is told by weights and by splits near the roots.

use super::folded_part::FoldedPart;
use super::margin::RegionView;
use crate::core_test::certified::trees::ProposedCut;
use crate::model::ComposedValue;
use crate::region::RegionCut;
use crate::schema::Domain;

/// What is known of one question.
#[derive(Default)]
struct QuestionInfluence {
    /// Through linear models, naive Bayes and networks.
    smooth: f64,
    /// Through trees.
    stepwise: f64,
    /// The split that moves most, and its model.
    best: Option<(usize, ProposedCut)>,
}

/// The cut of a region; `None` if nothing is left to cut.
pub(super) fn choose_cut(view: &RegionView<'_>, own: usize, rival: usize) -> Option<RegionCut> {
    let of_scores = influence_of_scores(view, own, rival);
    let mut questions: Vec<QuestionInfluence> =
        view.open.questions.iter().map(|_| QuestionInfluence::default()).collect();
    for (model, sizes) in of_scores.iter().enumerate().filter(|(_, sizes)| sizes.iter().any(|size| *size > 0.0)) {
        add_model(view, model, sizes, &mut questions);
    }
    let mut order: Vec<usize> = (0..questions.len()).collect();
    let total = |place: &usize| questions[*place].smooth + questions[*place].stepwise;
    order.sort_by(|one, other| total(other).total_cmp(&total(one)));
    // A question without influence is cut only if nothing else is left.
    order.into_iter().find_map(|place| cut_question(view, place, &questions[place]))
}

/// How far each score can move the difference of two values, for each unit it moves itself.
fn influence_of_scores(view: &RegionView<'_>, own: usize, rival: usize) -> Vec<Vec<f64>> {
    let mut influence = vec![0.0f64; own.max(rival) + 1];
    influence[own] = 1.0;
    influence[rival] = 1.0;
    let mut of_scores: Vec<Vec<f64>> = view.scores.iter().map(|scores| vec![0.0; scores.ranges.len()]).collect();
    for place in (0..influence.len()).rev() {
        let here = influence[place];
        if here == 0.0 || !here.is_finite() {
            continue;
        }
        match &view.values[place] {
            ComposedValue::Score { model, score } => of_scores[*model][*score] += here,
            ComposedValue::Sum { terms, divisor, .. } => {
                terms.iter().for_each(|(operand, weight)| influence[*operand] += here * (weight / divisor).abs());
            }
            value => {
                let moved = here * view.ranges[place].width();
                for operand in value.operands() {
                    let width = view.ranges[operand].width();
                    if width > 0.0 && width.is_finite() {
                        influence[operand] += moved / width;
                    }
                }
            }
        }
    }
    of_scores
}

fn add_model(view: &RegionView<'_>, model: usize, sizes: &[f64], questions: &mut [QuestionInfluence]) {
    match &view.folded[model] {
        FoldedPart::Smooth { sums, .. } => {
            for (place, question) in view.open.questions.iter().enumerate() {
                let reach = |(sum, size): (&super::smooth::SmoothSum, &f64)| size * sum.reach(question, view.region);
                questions[place].smooth += sums.iter().zip(sizes).map(reach).sum::<f64>();
            }
        }
        FoldedPart::Network { .. } => {
            let scores = &view.scores[model];
            for (score, size) in sizes.iter().enumerate() {
                let lines = [&scores.below[score], &scores.above[score]];
                for (place, question) in view.open.questions.iter().enumerate() {
                    let reach = lines.map(|line| line.reach(question, view.region));
                    // A unit that is not yet sure hides what a question does; its share is at least a little.
                    let share = scores.ranges[score].width() / view.open.questions.len() as f64;
                    let is_settled = view.region.is_settled(question);
                    let least = if is_settled { 0.0 } else { 0.05 * share };
                    questions[place].smooth += size * reach[0].max(reach[1]).max(least);
                }
            }
        }
        FoldedPart::Trees(folded) => {
            folded.propose(&view.left[model], sizes, &mut |proposed| {
                let question = &mut questions[proposed.question];
                question.stepwise += proposed.moves;
                if question.best.as_ref().is_none_or(|(_, best)| proposed.moves > best.moves) {
                    question.best = Some((model, proposed));
                }
            });
        }
    }
}

fn cut_question(view: &RegionView<'_>, place: usize, influence: &QuestionInfluence) -> Option<RegionCut> {
    let question = &view.open.questions[place];
    if view.region.is_settled(question) {
        return None;
    }
    if let Some((model, proposed)) = influence.best.as_ref().filter(|_| influence.stepwise >= influence.smooth)
        && let FoldedPart::Trees(folded) = &view.folded[*model]
    {
        return Some(folded.cut(view.open, view.region, proposed));
    }
    if let Domain::OneOf { .. } = question.domain {
        let start = question.columns.start;
        let possible: Vec<usize> = question.columns.clone().filter(|&column| view.region.allows(column)).collect();
        let first = possible[..possible.len() / 2].iter().map(|column| column - start).collect();
        return Some(RegionCut::Levels { question: place, first });
    }
    // Halves of an interval have no number in common, as trees need it.
    match view.region.halve(view.open, place)? {
        RegionCut::Number { question: cut, low, high } if low == high => {
            let high = low.next_up();
            (high <= view.region.upper[question.columns.start]).then_some(RegionCut::Number {
                question: cut,
                low,
                high,
            })
        }
        cut => Some(cut),
    }
}
