//! Leaving out what follows from other rules.

use super::cell_set::AnswerCellSet;
use super::divided_question::DividedQuestion;
use super::pair::PairRule;

/// The rules without those that others imply, the least useful looked at first.
///
/// All rules between the same two questions are looked at together, so that one family of rules goes rather than some
/// rules of each.
pub(super) fn without_redundant(divided: &[DividedQuestion], rules: Vec<PairRule>) -> Vec<PairRule> {
    let family = |rule: &PairRule| (rule.premise.min(rule.consequence), rule.premise.max(rule.consequence));
    let of_family = |rule: &PairRule| {
        let same = rules.iter().filter(|other| family(other) == family(rule));
        same.map(|other| other.bits).sum::<f64>()
    };
    let mut order: Vec<(f64, usize)> = rules.iter().map(of_family).zip(0..).collect();
    order.sort_by(|left, right| {
        let (first, second) = (&rules[left.1], &rules[right.1]);
        let by_family = left.0.total_cmp(&right.0).then_with(|| family(second).cmp(&family(first)));
        by_family.then(first.bits.total_cmp(&second.bits))
    });
    let mut is_kept = vec![true; rules.len()];
    for (_, place) in order {
        is_kept[place] = false;
        let others: Vec<&PairRule> =
            rules.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(rule, _)| rule).collect();
        is_kept[place] = !follows(divided, &rules[place], &others);
    }
    rules.into_iter().zip(is_kept).filter(|(_, kept)| *kept).map(|(rule, _)| rule).collect()
}

/// Whether a rule follows from others one by one, in either direction, as a person's possible answers are narrowed.
fn follows(divided: &[DividedQuestion], rule: &PairRule, others: &[&PairRule]) -> bool {
    let mut possible: Vec<AnswerCellSet> = divided.iter().map(DividedQuestion::seen).collect();
    possible[rule.premise].keep(&rule.when);
    let mut changed = true;
    while changed && !possible[rule.consequence].is_within(&rule.then) {
        changed = false;
        for other in others {
            if possible[other.premise].is_within(&other.when) {
                changed |= narrow(divided, &mut possible, other.consequence, |cells| cells.keep(&other.then));
            } else if possible[other.consequence].is_apart_from(&other.then) {
                changed |= narrow(divided, &mut possible, other.premise, |cells| *cells = cells.without(&other.when));
            }
        }
    }
    possible[rule.consequence].is_within(&rule.then)
}

/// Narrows the possible cells of one question, without gaps where it has an order; returns whether that changed them.
fn narrow(
    divided: &[DividedQuestion],
    possible: &mut [AnswerCellSet],
    place: usize,
    narrow: impl Fn(&mut AnswerCellSet),
) -> bool {
    let mut cells = possible[place].clone();
    narrow(&mut cells);
    let mut cells = divided[place].without_gaps(cells);
    cells.keep(&possible[place]);
    let changed = cells != possible[place];
    possible[place] = cells;
    changed
}
