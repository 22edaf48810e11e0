//! Compositions: every predictor by itself, over the columns of the schema.

use mindrel::Schema;
use mindrel::model::{Classifier, Composition, CompositionParts, PartModel, QuadraticModel};

use super::affine::{QuadraticScores, gaussians};
use super::matching::Matched;
use super::{ClassOrder, LowerError, linear, lowered_trees, network};
use crate::pipeline::{ComposedPredictor, Pipeline, Predictor, RawComposition};

/// The same composition over the encoded columns of a schema.
pub(super) fn lower(
    pipeline: &Pipeline,
    composed: &RawComposition,
    schema: &Schema,
    order: &ClassOrder,
) -> Result<Classifier, LowerError> {
    let models = composed.predictors.iter().map(|part| lower_part(pipeline, part, schema));
    let places = order.places();
    if composed.outputs.len() != places.len() || composed.tie_order.iter().any(|&class| class >= places.len()) {
        return Err(LowerError::malformed("its outputs do not fit its classes"));
    }
    let mut outputs = vec![0; places.len()];
    places.iter().zip(&composed.outputs).for_each(|(&class, &output)| outputs[class] = output);
    let parts = CompositionParts {
        n_columns: schema.n_columns(),
        models: models.collect::<Result<_, _>>()?,
        values: composed.values.clone(),
        outputs,
        tie_order: composed.tie_order.iter().map(|&class| places[class]).collect(),
    };
    Ok(Composition::new(parts)?.into())
}

fn lower_part(pipeline: &Pipeline, part: &ComposedPredictor, schema: &Schema) -> Result<PartModel, LowerError> {
    // What is matched are inputs and features; the predictor is passed by itself.
    let nothing = Predictor::Linear { weights: Vec::new(), intercepts: Vec::new() };
    let alone = Pipeline {
        inputs: pipeline.inputs.clone(),
        features: part.features.clone(),
        predictor: nothing,
        classes: None,
        probability: None,
    };
    let matched = Matched::new(&alone, schema)?;
    // The scores stay in the model's own order: the outputs are put in the schema's.
    let order = ClassOrder::same(part.predictor.n_scores());
    match &part.predictor {
        Predictor::Linear { weights, intercepts } => {
            Ok(PartModel::Linear(linear(&matched, weights, intercepts, &order)?))
        }
        Predictor::Network { layers } => Ok(PartModel::Network(network(&matched, layers, &order)?)),
        Predictor::Trees(trees) => match lowered_trees::lower(&matched, trees, &order)? {
            Classifier::Trees(trees) => Ok(PartModel::Trees(trees)),
            _ => unreachable!("trees are lowered to trees"),
        },
        Predictor::Gaussians { means, variances, intercepts } => {
            let scores = gaussians(&matched, means, variances, intercepts)?;
            Ok(PartModel::Quadratic(quadratic(schema.n_columns(), scores)?))
        }
        Predictor::Composition(_) => Err(LowerError::malformed("a composition is part of another")),
    }
}

/// Of two scores, the second less the first is the one score.
fn quadratic(n_columns: usize, scores: QuadraticScores) -> Result<QuadraticModel, LowerError> {
    let QuadraticScores { weights, squares, intercepts } = scores;
    let lead = |rows: &[Vec<f64>]| rows[1].iter().zip(&rows[0]).map(|(yes, no)| yes - no).collect::<Vec<f64>>();
    Ok(if intercepts.len() == 2 {
        QuadraticModel::new(n_columns, lead(&weights), lead(&squares), vec![intercepts[1] - intercepts[0]])?
    } else {
        QuadraticModel::new(n_columns, weights.concat(), squares.concat(), intercepts)?
    })
}
