//! Where a condition on a feature parts the raw numbers, and the encoded column.

use mindrel::schema::{Answer, Domain, Kind, Question};

use super::LowerError;
use super::raw_level::apply;
use crate::pipeline::{Feature, FeatureStep, RawCondition};

/// How many times coarser than the encoding the decimals of a number must be for it to be taken for one that was
/// written down: by chance, one threshold in as many has such a number beside it.
const FEW: f64 = 1000.0;

/// How a condition on a feature splits the values of an encoded column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnCut {
    /// It holds for all of them, or for none.
    Constant(bool),
    /// It holds if the column is at most this, or, with `holds_below` false, if it is more.
    At { threshold: f64, holds_below: bool },
    /// It changes at each of these thresholds; `sides` says whether it holds below, between and above them.
    Runs { thresholds: Vec<f64>, sides: Vec<bool> },
}

/// Where a condition splits a number's encoded column.
///
/// ```text
/// {x : condition(steps(x))} = {x ≤ x*} or {x > x*},    threshold = encode(x*)
/// ```
///
/// Every step is monotone, rounding included, so `x*` is found by bisection over all floating-point numbers.
///
/// # Numerics
/// The encoding rounds, and may merge `x*` with the number above. A number of few decimals among those it merges is
/// then on its right side: it is the one that stands in tables, as 0 does beside LightGBM's thresholds of ±1e-35.
/// Without one, `x*` itself is: histograms have values of the table as thresholds.
pub(super) fn of_number(
    question: &Question,
    feature: &Feature,
    condition: &RawCondition,
) -> Result<ColumnCut, LowerError> {
    if let RawCondition::OneOf(_) = condition {
        return Err(LowerError::NumberIsNoCategory { question: question.name.clone() });
    }
    let is_of_levels = |step: &FeatureStep| {
        use FeatureStep::{Code, Hash, Indicator, Map};
        matches!(step, Indicator { .. } | Code { .. } | Map { .. } | Hash { .. })
    };
    if feature.steps.iter().any(is_of_levels) {
        return Err(LowerError::NumberIsNoCategory { question: question.name.clone() });
    }
    let first = feature.steps.iter().position(|step| !matches!(step, FeatureStep::Impute { .. }));
    if let Some(FeatureStep::Staircase { cuts, values }) = first.map(|first| &feature.steps[first]) {
        let later = &feature.steps[first.unwrap_or_default() + 1..];
        let holds = |value: &f64| holds(condition, later.iter().fold(*value, |value, step| apply(step, value)));
        return Ok(of_staircase(question, cuts, &values.iter().map(holds).collect::<Vec<bool>>()));
    }
    if feature.steps.iter().any(|step| matches!(step, FeatureStep::Staircase { .. })) {
        return Err(LowerError::malformed("a staircase is not the first step of its feature"));
    }
    let holds = |raw: f64| holds(condition, feature.steps.iter().fold(raw, |value, step| apply(step, value)));
    let (first, last) = (holds(f64::MIN), holds(f64::MAX));
    if first == last {
        return Ok(ColumnCut::Constant(first));
    }
    let (below, above) = boundary(|raw| holds(raw) == first);
    let threshold = encoded(question, below, above);
    Ok(match threshold {
        Some(threshold) => ColumnCut::At { threshold, holds_below: first },
        None => ColumnCut::Constant(if below > 0.0 { first } else { last }),
    })
}

/// Where something changes that holds on some steps of a staircase and not on others.
fn of_staircase(question: &Question, cuts: &[f64], holds: &[bool]) -> ColumnCut {
    let (mut thresholds, mut sides) = (Vec::new(), vec![holds[0]]);
    for (cut, side) in cuts.iter().zip(&holds[1..]).filter(|(cut, _)| **cut < f64::MAX) {
        if sides[sides.len() - 1] == *side {
            continue;
        }
        match encoded(question, *cut, cut.next_up()) {
            Some(threshold) => {
                thresholds.push(threshold);
                sides.push(*side);
            }
            // Nobody is above, or nobody below.
            None if *cut > 0.0 => break,
            None => sides = vec![*side],
        }
    }
    match thresholds[..] {
        [] => ColumnCut::Constant(sides[0]),
        [threshold] => ColumnCut::At { threshold, holds_below: sides[0] },
        _ => ColumnCut::Runs { thresholds, sides },
    }
}

/// Whether a condition holds for a value; not for one that is missing.
pub(super) fn holds(condition: &RawCondition, value: f64) -> bool {
    match condition {
        RawCondition::AtMost(threshold) => value <= *threshold,
        RawCondition::Below(threshold) => value < *threshold,
        RawCondition::OneOf(codes) => value >= 0.0 && value.fract() == 0.0 && codes.contains(&(value as u64)),
    }
}

/// The encoded threshold between two neighbouring numbers. Returns `None` if it lies beyond every encoded value.
fn encoded(question: &Question, below: f64, above: f64) -> Option<f64> {
    let (Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) = question.kind else { return None };
    let scale = Question::number(question.name.clone(), lower, upper);
    let encode = |raw: f64| {
        let mut column = [0.0];
        scale.encode(&Answer::Number(raw), &mut column).ok().map(|_| column[0])
    };
    if let Domain::Grid { .. } | Domain::OrMissing { points: Some(_) } = question.domain() {
        // No whole number lies between, so that nothing is merged.
        return encode(below.floor());
    }
    let (encoded_below, encoded_above) = (encode(below)?, encode(above)?);
    if encoded_below < encoded_above {
        return Some(encoded_below);
    }
    let is_merged = |number: &f64| encode(*number) == Some(encoded_below);
    // Some number of 16 digits is always among those that are merged, and is nobody's.
    let most_digits = (0..18).take_while(|&digits| 10f64.powi(-digits) > FEW * (upper - lower) * f64::EPSILON);
    let written = most_digits.filter_map(|digits| format!("{below:.0$}", digits as usize).parse().ok());
    let shortest = written.into_iter().find(is_merged);
    if shortest.unwrap_or(below) <= below { Some(encoded_below) } else { Some(encoded_above.next_down()) }
}

/// The two neighbouring numbers between which something that holds of the smallest ceases to.
fn boundary(holds: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut yes, mut no) = (place(f64::MIN), place(f64::MAX));
    while yes + 1 < no {
        let middle = i64::midpoint(yes, no);
        if holds(number(middle)) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    (number(yes), number(no))
}

/// The place of a number in the order of all of them.
fn place(number: f64) -> i64 {
    let bits = number.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn number(place: i64) -> f64 {
    let bits = if place < 0 { i64::MIN.wrapping_sub(place) } else { place };
    f64::from_bits(bits as u64)
}
