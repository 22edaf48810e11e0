//! What a saved booster says: objective, base score, columns and trees.

use std::collections::BTreeSet;

use mindrel::model::Combine;
use serde_json::Value;

use super::{booster_tree, linear_booster};
use crate::ReadError;
use crate::model_field::ModelField;
use crate::pipeline::{
    Category, Feature, FeatureStep, Levels, Pipeline, Predictor, ProbabilityLink, RawCondition, RawInput, RawNode,
    RawTree, RawTrees,
};

/// More columns or classes than a table has.
const MOST: usize = 1_000_000;

/// How an objective turns margins into a class.
struct BoosterObjective {
    n_outputs: usize,
    /// Whether the base score is a probability, of which the margin is the logit.
    is_probability: bool,
    /// A binary margin above this is the second class.
    threshold: f64,
}

/// A saved booster as a pipeline.
///
/// ```text
/// margin = base ⊕ leaf_1 ⊕ leaf_2 ⊕ …    in single precision;    class 1 where margin > 0
/// ```
pub(super) fn pipeline(root: &Value) -> Result<Pipeline, ReadError> {
    let learner = ModelField::root(root).get("learner")?;
    let parameters = learner.get("learner_model_param")?;
    let n_features = parameters.get("num_feature")?.count()?;
    if n_features == 0 || n_features > MOST {
        return Err(parameters.damaged("it has no columns, or too many"));
    }
    let objective = objective(&learner)?;
    let start = base_margins(&parameters.get("base_score")?, &objective)?;
    let probability = objective.is_probability.then_some(ProbabilityLink::Logistic { slope: 1.0 });
    let booster = learner.get("gradient_booster")?;
    let name = booster.get("name")?;
    let (gbtree, weights) = match name.text()? {
        "gbtree" => (booster.get("model")?, None),
        "dart" => (booster.get("gbtree")?.get("model")?, Some(booster.get("weight_drop")?.singles()?)),
        "gblinear" => {
            let predictor = linear_booster::read(&booster.get("model")?, &start, n_features)?;
            let (inputs, features) = columns(&learner, None, &[], n_features)?;
            return Ok(Pipeline { inputs, features, predictor, classes: None, probability });
        }
        other => {
            let what = format!("the booster \"{other}\"");
            return Err(ReadError::unsupported(&name.place, what, "train with gbtree, dart or gblinear"));
        }
    };
    let trees = trees(&learner, &gbtree, weights.as_deref(), &start, n_features)?;
    let (inputs, features) = columns(&learner, Some(&gbtree), &trees, n_features)?;
    let predictor = Predictor::Trees(RawTrees {
        n_outputs: objective.n_outputs,
        start,
        trees,
        combine: Combine::Sum,
        single: true,
        threshold: objective.threshold,
        positive_at_zero: false,
    });
    Ok(Pipeline { inputs, features, predictor, classes: None, probability })
}

fn objective(learner: &ModelField<'_>) -> Result<BoosterObjective, ReadError> {
    let name = learner.get("objective")?.get("name")?;
    let parameters = learner.get("learner_model_param")?;
    let n_classes = parameters.find("num_class").map_or(Ok(0), |count| count.count())?;
    let binary = |is_probability| BoosterObjective { n_outputs: 1, is_probability, threshold: 0.0 };
    let objective = match name.text()? {
        "binary:logistic" => binary(true),
        "binary:hinge" => binary(false),
        // scikit-learn's interface takes 0.5 for the boundary whatever the objective gives.
        "binary:logitraw" => {
            BoosterObjective { threshold: if is_from_scikit_learn(learner) { 0.5 } else { 0.0 }, ..binary(false) }
        }
        "multi:softprob" | "multi:softmax" => {
            BoosterObjective { n_outputs: n_classes, is_probability: false, threshold: 0.0 }
        }
        other => {
            let what = format!("the objective \"{other}\"");
            let remedy =
                "train a classifier: binary:logistic, binary:logitraw, binary:hinge, multi:softprob or multi:softmax";
            return Err(ReadError::unsupported(&name.place, what, remedy));
        }
    };
    if objective.n_outputs == 0 || objective.n_outputs == 2 || objective.n_outputs > MOST {
        let what = format!("{} classes of a multi-class objective", objective.n_outputs);
        return Err(ReadError::unsupported(parameters.place, what, "train two classes with binary:logistic"));
    }
    Ok(objective)
}

fn is_from_scikit_learn(learner: &ModelField<'_>) -> bool {
    learner.find("attributes").is_some_and(|attributes| attributes.find("scikit_learn").is_some())
}

/// The margins that sums start from. Newer files have a list in a text, older ones one number.
fn base_margins(field: &ModelField<'_>, objective: &BoosterObjective) -> Result<Vec<f64>, ReadError> {
    let text = match field.value {
        Value::Number(number) => number.to_string(),
        _ => field.text()?.to_owned(),
    };
    let listed = text.trim().trim_start_matches('[').trim_end_matches(']');
    let scores: Vec<f32> = listed.split(',').filter_map(|score| score.trim().parse().ok()).collect();
    let margin = |score: f32| if objective.is_probability { -(1.0 / score - 1.0).ln() } else { score };
    let mut margins: Vec<f64> = scores.iter().map(|score| f64::from(margin(*score))).collect();
    if margins.len() == 1 {
        margins.resize(objective.n_outputs, margins[0]);
    }
    if margins.len() != objective.n_outputs || margins.iter().any(|margin| !margin.is_finite()) {
        return Err(field.damaged("the base score is not one number for each output"));
    }
    Ok(margins)
}

fn trees(
    learner: &ModelField<'_>,
    model: &ModelField<'_>,
    weights: Option<&[f64]>,
    start: &[f64],
    n_features: usize,
) -> Result<Vec<RawTree>, ReadError> {
    let (trees, classes) = (model.get("trees")?.items()?, model.get("tree_info")?.integers()?);
    if trees.len() != classes.len() || weights.is_some_and(|weights| weights.len() != trees.len()) {
        return Err(model.damaged("what is said of the trees is not as long as their list"));
    }
    let n_taken = best_trees(learner, model)?.map_or(trees.len(), |best| best.min(trees.len()));
    let class = |place: usize| match usize::try_from(classes[place]) {
        Ok(class) if class < start.len() => Ok(if start.len() == 1 { None } else { Some(class) }),
        _ => Err(model.damaged("a tree is of a class that is not there")),
    };
    let weight = |place: usize| weights.map_or(1.0, |weights| weights[place]);
    let read =
        |(place, field): (usize, &ModelField<'_>)| booster_tree::read(field, class(place)?, n_features, weight(place));
    trees.iter().enumerate().take(n_taken).map(read).collect()
}

/// How many trees the best iteration of early stopping leaves, which is what scikit-learn's interface predicts with.
fn best_trees(learner: &ModelField<'_>, model: &ModelField<'_>) -> Result<Option<usize>, ReadError> {
    let Some(best) = learner.find("attributes").and_then(|attributes| attributes.find("best_iteration")) else {
        return Ok(None);
    };
    let best = best.count()?;
    let ends = model.find("iteration_indptr").map_or(Ok(Vec::new()), |ends| ends.integers())?;
    let end = best.checked_add(1).and_then(|next| ends.get(next)).and_then(|end| usize::try_from(*end).ok());
    Ok(end)
}

/// The columns by name, with the levels of categories if the file has them; all are rounded to single precision first.
fn columns(
    learner: &ModelField<'_>,
    model: Option<&ModelField<'_>>,
    trees: &[RawTree],
    n_features: usize,
) -> Result<(Vec<RawInput>, Vec<Feature>), ReadError> {
    let texts = |name: &str| -> Result<Vec<String>, ReadError> {
        let items = learner.find(name).map_or(Ok(Vec::new()), |names| names.items())?;
        items.iter().map(|item| item.text().map(str::to_owned)).collect()
    };
    let (names, types) = (texts("feature_names")?, texts("feature_types")?);
    let levels = model.and_then(|model| model.find("cats")).and_then(|cats| cats.find("enc"));
    let levels = levels.map_or(Ok(Vec::new()), |levels| levels.items())?;
    let column = |place: usize| {
        let known = match (types.get(place).map(String::as_str), levels.get(place)) {
            (Some("c"), Some(field)) => Some(Levels { known: categories(field)?, others: false }),
            _ => None,
        };
        let known = known.filter(|levels| !levels.known.is_empty());
        let step = if known.is_some() { FeatureStep::Code { unknown: None } } else { FeatureStep::Single };
        let name = names.get(place).filter(|_| names.len() == n_features).cloned();
        let levels = known.or_else(|| codes_in_splits(trees, place));
        Ok((RawInput { name, levels }, Feature { input: place, steps: vec![step] }))
    };
    Ok((0..n_features).map(column).collect::<Result<Vec<_>, ReadError>>()?.into_iter().unzip())
}

/// The codes that splits list of a category which reached the model as numbers; all others go to the other side.
fn codes_in_splits(trees: &[RawTree], place: usize) -> Option<Levels> {
    let listed = trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
        RawNode::Split { feature, condition: RawCondition::OneOf(codes), .. } if *feature == place => Some(codes),
        _ => None,
    });
    let codes: BTreeSet<u64> = listed.flatten().copied().collect();
    let known: Vec<Category> = codes.into_iter().map(|code| Category::Number(code as f64)).collect();
    (!known.is_empty()).then_some(Levels { known, others: true })
}

/// Levels in the order of their codes: texts as offsets into their bytes, or numbers.
fn categories(field: &ModelField<'_>) -> Result<Vec<Category>, ReadError> {
    let damaged = || field.damaged("its levels cannot be read");
    let Some(offsets) = field.find("offsets") else {
        return Ok(field
            .get("values")?
            .items()?
            .iter()
            .filter_map(|item| item.value.as_f64())
            .map(Category::Number)
            .collect());
    };
    let bytes: Vec<u8> = field.get("values")?.integers()?.iter().map(|byte| *byte as u8).collect();
    let level = |pair: &[i64]| {
        let (from, to) = (usize::try_from(pair[0]).ok()?, usize::try_from(pair[1]).ok()?);
        String::from_utf8(bytes.get(from..to)?.to_vec()).ok().map(Category::Text)
    };
    offsets.integers()?.windows(2).map(level).collect::<Option<_>>().ok_or_else(damaged)
}
