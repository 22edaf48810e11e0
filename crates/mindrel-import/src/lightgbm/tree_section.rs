//! One tree of a file.

use super::header::Section;
use crate::ReadError;
use crate::pipeline::{RawCondition, RawNode, RawTree};

/// Bits of a split's `decision_type`; the two above say what counts as missing.
const CATEGORICAL: u8 = 1;
const DEFAULT_LEFT: u8 = 2;

/// What counts as missing at a split.
enum Missing {
    Nothing,
    Zero,
    NotANumber,
}

/// A tree: splits first, then leaves; a child −1 is the first leaf, −2 the second.
pub(super) fn read(section: &Section<'_>, class: Option<usize>, n_features: usize) -> Result<RawTree, ReadError> {
    if section.find("is_linear").is_some_and(|value| value.trim() == "1") {
        let remedy = "train without linear_tree";
        return Err(ReadError::unsupported(&section.name, "a tree with linear models in its leaves", remedy));
    }
    let leaves: Vec<f64> = section.list("leaf_value")?;
    if leaves.is_empty() || leaves.iter().any(|leaf| !leaf.is_finite()) {
        return Err(section.damaged("`leaf_value` has no values, or one that is not finite"));
    }
    let splits = if leaves.len() == 1 { Vec::new() } else { splits(section, leaves.len(), n_features)? };
    let nodes = splits.into_iter().chain(leaves.into_iter().map(|leaf| RawNode::Leaf(vec![leaf]))).collect();
    Ok(RawTree { class, nodes })
}

fn splits(section: &Section<'_>, n_leaves: usize, n_features: usize) -> Result<Vec<RawNode>, ReadError> {
    let features: Vec<usize> = section.list("split_feature")?;
    let thresholds: Vec<f64> = section.list("threshold")?;
    let decisions: Vec<u8> = section.list("decision_type")?;
    let (left, right): (Vec<i64>, Vec<i64>) = (section.list("left_child")?, section.list("right_child")?);
    let n_splits = n_leaves - 1;
    if [features.len(), thresholds.len(), decisions.len(), left.len(), right.len()]
        .iter()
        .any(|length| *length != n_splits)
    {
        return Err(section.damaged("its lists are not equally long"));
    }
    let mut sets = category_sets(section)?;
    let child = |child: i64| {
        let place = if child >= 0 {
            usize::try_from(child).ok()
        } else {
            usize::try_from(!child).ok().map(|leaf| n_splits + leaf)
        };
        place.filter(|place| *place < n_splits + n_leaves)
    };
    let split = |place: usize| {
        let damaged =
            || ReadError::damaged(format!("{}, split {place}", section.name), "it points to what is not there");
        let (left, right) = (child(left[place]).ok_or_else(damaged)?, child(right[place]).ok_or_else(damaged)?);
        let feature = Some(features[place]).filter(|feature| *feature < n_features).ok_or_else(damaged)?;
        let (condition, missing_left) = if decisions[place] & CATEGORICAL != 0 {
            // Every split has a set of its own, so that no more is made than the file holds.
            let set = sets.get_mut(thresholds[place] as usize).filter(|_| thresholds[place] >= 0.0);
            (RawCondition::OneOf(set.and_then(Option::take).ok_or_else(damaged)?), false)
        } else {
            numerical(section, place, thresholds[place], decisions[place])?
        };
        Ok(RawNode::Split { feature, condition, left, right, missing_left: Some(missing_left) })
    };
    (0..n_splits).map(split).collect()
}

/// `x ≤ t`, and where a missing value goes.
fn numerical(
    section: &Section<'_>,
    place: usize,
    threshold: f64,
    decision: u8,
) -> Result<(RawCondition, bool), ReadError> {
    let at = || format!("{}, split {place}", section.name);
    if threshold.is_nan() {
        return Err(ReadError::damaged(at(), "the threshold is no number"));
    }
    let default_left = decision & DEFAULT_LEFT != 0;
    let missing = match decision >> 2 {
        0 => Missing::Nothing,
        1 => Missing::Zero,
        2 => Missing::NotANumber,
        _ => return Err(ReadError::damaged(at(), "there is no such kind of split")),
    };
    let zero_left = 0.0 <= threshold;
    let missing_left = match missing {
        Missing::Nothing => zero_left,
        Missing::NotANumber => default_left,
        // A zero that goes where the threshold would send it anyway is nothing special.
        Missing::Zero if default_left == zero_left => default_left,
        Missing::Zero => {
            let remedy = "train with zero_as_missing=false";
            return Err(ReadError::unsupported(at(), "a split that takes zeros for missing values", remedy));
        }
    };
    Ok((RawCondition::AtMost(threshold), missing_left))
}

/// The sets of categories, each a run of 32-bit words with a bit for each code.
fn category_sets(section: &Section<'_>) -> Result<Vec<Option<Vec<u64>>>, ReadError> {
    if section.find("num_cat").is_none_or(|count| count.trim() == "0") {
        return Ok(Vec::new());
    }
    let (bounds, words): (Vec<usize>, Vec<u32>) = (section.list("cat_boundaries")?, section.list("cat_threshold")?);
    let set = |pair: &[usize]| {
        let words = words.get(pair[0]..pair[1])?;
        let codes = |(place, word): (usize, &u32)| {
            let word = *word;
            (0..32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| place as u64 * 32 + bit)
        };
        Some(words.iter().enumerate().flat_map(codes).collect())
    };
    let sets: Option<Vec<Vec<u64>>> = bounds.windows(2).map(set).collect();
    let sets = sets.map(|sets| sets.into_iter().map(Some).collect());
    sets.ok_or_else(|| section.damaged("its sets of categories do not fit together"))
}
