//! The summary of an import.

use std::path::Path;

use mindrel::schema::Visibility;
use mindrel::{People, Plan};
use mindrel_import::pipeline::FeatureStep;
use mindrel_import::{Format, Pipeline, lower};

use crate::commands::cut::CutArguments;
use crate::commands::fit::Quality;
use crate::terminal::words::{self, percent};

/// What was imported; `classes_named` says whether the classes were named.
pub enum CameIn {
    Model { format: Format, pipeline: Pipeline, classes_named: bool },
    BlackBox { why: String, classes_named: bool },
}

/// The summary of an import.
pub struct Summary<'a> {
    pub came_in: &'a CameIn,
    pub plan: &'a Plan,
    pub kept: &'a People,
    pub held_out: &'a People,
    pub cut: &'a CutArguments,
}

impl Summary<'_> {
    /// A few lines.
    pub fn text(&self, output: &Path) -> String {
        let (schema, plan) = (self.plan.schema(), self.plan);
        let names = |visibility| {
            let names = words::names(schema, schema.ids_with(visibility));
            if names.is_empty() { "none".to_owned() } else { names }
        };
        let mut text = self.model();
        text += &self.cut();
        text += &self.accuracy();
        text += &format!("Belief:    {}\n", plan.belief().describe());
        text += &format!("Public:    {}\n", names(Visibility::Public));
        text += &format!("Sensitive: {}\n", names(Visibility::Sensitive));
        text += &self.remarks();
        text += &format!("Plan written to {} ({}).\n", output.display(), plan.fingerprint());
        text += &format!("Next: mindrel audit {} TABLE, or mindrel ask {}\n", output.display(), output.display());
        text
    }

    fn model(&self) -> String {
        match self.came_in {
            CameIn::Model { format, pipeline, .. } => format!(
                "Imported from {format}: {}.\nColumns:   {}\nIncluded:  {}\n",
                self.plan.model().describe(),
                columns(pipeline),
                folded(pipeline)
            ),
            CameIn::BlackBox { why, .. } => format!(
                "Imported from ONNX as a black box, because {why}.\nNothing can be proved about its decisions. They \
                 are settled with a probability, by default at delta {}; calibrate the plan, so that few of them \
                 differ whatever the belief.\nAt delta 0 all that can be said is that no counterexample was found.\n",
                self.plan.rules().delta
            ),
        }
    }

    /// Where the model is cut, if that was said.
    fn cut(&self) -> String {
        let CameIn::Model { pipeline, .. } = self.came_in else { return String::new() };
        let schema = self.plan.schema();
        let order = lower::order_of_classes(pipeline, schema).ok();
        let second = order.and_then(|order| order.places().get(1).copied()).unwrap_or(1);
        self.cut.summary(schema.target(), second)
    }

    fn remarks(&self) -> String {
        let schema = self.plan.schema();
        let (order, classes_named) = match self.came_in {
            CameIn::Model { pipeline, classes_named, .. } => {
                (lower::order_of_classes(pipeline, schema), *classes_named)
            }
            CameIn::BlackBox { classes_named, .. } => {
                (lower::order_of(None, mindrel::model::Model::n_scores(self.plan.model()), schema), *classes_named)
            }
        };
        let mut text = String::new();
        if let (Ok(order), false) = (order, classes_named) {
            let classes: Vec<&str> =
                order.places().iter().map(|place| schema.target().classes[*place].as_str()).collect();
            text += &format!(
                "The file does not name its classes. They are assumed to be {}, in this order; otherwise use \
                 --classes.\n",
                classes.join(", ")
            );
        }
        if let Some(unused) = self.unused() {
            text += &format!("Note: the model does not use {unused}; leave them out of the plan with --ignore.\n");
        }
        text
    }

    fn accuracy(&self) -> String {
        let (plan, kept) = (self.plan, self.kept);
        let mut text =
            format!("Labels:    correct for {} of {} rows", percent(Quality::of(plan, kept).accuracy), kept.len());
        if !self.held_out.is_empty() {
            let accuracy = Quality::of(plan, self.held_out).accuracy;
            text += &format!(" and for {} of the {} held out", percent(accuracy), self.held_out.len());
        }
        text + "\n"
    }

    /// Questions that the model has no column for.
    fn unused(&self) -> Option<String> {
        let CameIn::Model { pipeline, .. } = self.came_in else { return None };
        let matched = lower::match_inputs(&pipeline.inputs, self.plan.schema()).ok()?;
        let schema = self.plan.schema();
        let unused: Vec<_> = schema.ids().filter(|id| !matched.contains(id)).collect();
        (!unused.is_empty()).then(|| words::names(schema, unused.into_iter()))
    }
}

fn columns(pipeline: &Pipeline) -> String {
    let inputs = &pipeline.inputs;
    let categories = inputs.iter().filter(|input| input.levels.is_some()).count();
    let categories = if categories == 0 { String::new() } else { format!(", {categories} of them categories") };
    format!("{}{categories}, giving {} features", inputs.len(), pipeline.all_features().count())
}

/// The kinds of steps in front of the predictor.
fn folded(pipeline: &Pipeline) -> String {
    type Wanted = fn(&FeatureStep) -> bool;
    let kinds: [(&str, Wanted); 6] = [
        ("scaling", |step| {
            matches!(step, FeatureStep::Add { .. } | FeatureStep::Multiply { .. } | FeatureStep::Divide { .. })
        }),
        ("clipping", |step| matches!(step, FeatureStep::Clip { .. })),
        ("imputation of missing values", |step| matches!(step, FeatureStep::Impute { .. })),
        ("one-hot encoding", |step| matches!(step, FeatureStep::Indicator { .. })),
        ("ordinal encoding", |step| matches!(step, FeatureStep::Code { .. })),
        ("rounding to single precision", |step| matches!(step, FeatureStep::Single)),
    ];
    let has = |wanted: Wanted| pipeline.all_features().any(|feature| feature.steps.iter().any(wanted));
    let found: Vec<&str> = kinds.iter().filter(|(_, wanted)| has(*wanted)).map(|(name, _)| *name).collect();
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
}
