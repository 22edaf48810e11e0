//! LightGBM's models, in text.

mod header;
mod tree_section;

use mindrel::model::Combine;

use crate::ReadError;
use crate::pipeline::{Category, Feature, FeatureStep, Levels, Pipeline, Predictor, RawInput, RawNode, RawTrees};
use header::{LightGbmHeader, Section};

/// Reads a model as `save_model` writes it.
///
/// ```text
/// margin = leaf_1 + leaf_2 + …    in double precision, divided by their number for a random forest
/// ```
///
/// # Errors
/// When the file is damaged, or holds something that is not supported.
pub fn read_text(bytes: &[u8]) -> Result<Pipeline, ReadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ReadError::damaged(format!("byte {}", error.valid_up_to()), "this is no text"))?;
    let sections = header::sections(text)?;
    let (first, rest) = sections.split_first().ok_or(ReadError::UnknownFormat)?;
    let header = LightGbmHeader::read(first, text)?;
    let n_outputs = header.n_outputs;
    let read = |(place, section): (usize, &Section<'_>)| {
        let class = if n_outputs == 1 { None } else { Some(place % n_outputs) };
        tree_section::read(section, class, header.n_features())
    };
    let mut trees = rest.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    if trees.is_empty() || trees.len() % n_outputs != 0 {
        return Err(ReadError::damaged("the list of trees", "it does not hold as many for each class"));
    }
    let mut combine = if header.average { Combine::Mean } else { Combine::Sum };
    if header.average && n_outputs > 1 {
        // The mean is over the trees of one class.
        let n_rounds = (trees.len() / n_outputs) as f64;
        let leaves = trees.iter_mut().flat_map(|tree| &mut tree.nodes);
        leaves.for_each(|node| {
            if let RawNode::Leaf(values) = node {
                values.iter_mut().for_each(|value| *value /= n_rounds)
            }
        });
        combine = Combine::Sum;
    }
    let (inputs, features) = (0..header.n_features()).map(|place| column(&header, place)).unzip();
    let predictor = Predictor::Trees(RawTrees {
        n_outputs,
        start: vec![0.0; n_outputs],
        trees,
        combine,
        single: false,
        threshold: 0.0,
        positive_at_zero: false,
    });
    Ok(Pipeline { inputs, features, predictor, classes: None, probability: header.probability })
}

fn column(header: &LightGbmHeader, place: usize) -> (RawInput, Feature) {
    let name = header.names.as_ref().map(|names| names[place].clone());
    let (levels, steps) = match (header.pandas_levels(place), header.codes(place)) {
        // A level that pandas did not know becomes a missing value, which is in no set of categories.
        (Some(known), _) => {
            (Some(Levels { known: known.to_vec(), others: true }), vec![FeatureStep::Code { unknown: Some(-1.0) }])
        }
        (None, Some(codes)) => {
            let known = codes.iter().map(|code| Category::Number(*code)).collect();
            (Some(Levels { known, others: true }), vec![])
        }
        (None, None) => (None, vec![]),
    };
    (RawInput { name, levels }, Feature { input: place, steps })
}
