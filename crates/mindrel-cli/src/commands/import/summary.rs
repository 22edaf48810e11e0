//! What came in, in words.

use std::path::Path;

use mindrel::schema::Visibility;
use mindrel::{People, Plan};
use mindrel_import::pipeline::{Feature, Step};
use mindrel_import::{Format, Pipeline, lower};

use crate::commands::fit::accuracy;
use crate::terminal::words::{self, percent};

/// What came in.
pub struct Summary<'a> {
    pub format: Format,
    pub pipeline: &'a Pipeline,
    pub plan: &'a Plan,
    pub kept: &'a People,
    pub held_out: &'a People,
}

impl Summary<'_> {
    /// A few lines; `named` says whether the classes were given by name.
    pub fn text(&self, named: bool, output: &Path) -> String {
        let (schema, plan) = (self.plan.schema(), self.plan);
        let names = |visibility| {
            let names = words::names(schema, schema.ids_with(visibility));
            if names.is_empty() { "none".to_owned() } else { names }
        };
        let mut text = format!("Brought in from {}: {}.\n", self.format, plan.model().describe());
        text += &format!("Columns:   {}\n", self.columns());
        text += &format!("Folded in: {}\n", self.folded());
        text += &self.accuracy();
        text += &format!("Belief:    {}\n", plan.belief().describe());
        text += &format!("Public:    {}\n", names(Visibility::Public));
        text += &format!("Sensitive: {}\n", names(Visibility::Sensitive));
        if !named {
            let order = lower::order_of_classes(self.pipeline, schema);
            let places = order.map(|order| order.places().to_vec()).unwrap_or_default();
            let classes: Vec<&str> = places.iter().map(|place| schema.target().classes[*place].as_str()).collect();
            text += &format!(
                "The file does not name the classes: they were taken to be {}, in this order. Give --classes if they are not.\n",
                classes.join(", ")
            );
        }
        if let Some(unused) = self.unused() {
            text += &format!(
                "Note: the model does not look at {unused}; leave them out with --ignore to keep them out of the plan.\n"
            );
        }
        text += &format!("Plan written to {} ({}).\n", output.display(), plan.fingerprint());
        text += &format!("Next: mindrel audit {} TABLE, or mindrel ask {}\n", output.display(), output.display());
        text
    }

    fn accuracy(&self) -> String {
        let (plan, kept) = (self.plan, self.kept);
        let mut text =
            format!("Labels:    {} of {} rows as the table has them", percent(accuracy(plan, kept)), kept.len());
        if !self.held_out.is_empty() {
            text +=
                &format!(", and {} of the {} held out", percent(accuracy(plan, self.held_out)), self.held_out.len());
        }
        text + "\n"
    }

    fn columns(&self) -> String {
        let inputs = &self.pipeline.inputs;
        let categories = inputs.iter().filter(|input| input.levels.is_some()).count();
        let features = self.pipeline.features.len();
        let categories = if categories == 0 { String::new() } else { format!(", {categories} of them categories") };
        format!("{}{categories}, as {features} features", inputs.len())
    }

    /// The kinds of steps in front of the predictor.
    fn folded(&self) -> String {
        let has = |wanted: fn(&Step) -> bool| {
            self.pipeline.features.iter().any(|feature: &Feature| feature.steps.iter().any(wanted))
        };
        let mut kinds = Vec::new();
        if has(|step| matches!(step, Step::Add { .. } | Step::Multiply { .. } | Step::Divide { .. })) {
            kinds.push("scaling");
        }
        if has(|step| matches!(step, Step::Clip { .. })) {
            kinds.push("clipping");
        }
        if has(|step| matches!(step, Step::Impute { .. })) {
            kinds.push("stand-ins for missing values");
        }
        if has(|step| matches!(step, Step::Indicator { .. })) {
            kinds.push("one-hot encoding");
        }
        if has(|step| matches!(step, Step::Code { .. })) {
            kinds.push("categories by number");
        }
        if has(|step| matches!(step, Step::Single)) {
            kinds.push("rounding to single precision");
        }
        if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") }
    }

    /// Questions that the model has no column for.
    fn unused(&self) -> Option<String> {
        let matched = lower::match_inputs(&self.pipeline.inputs, self.plan.schema()).ok()?;
        let schema = self.plan.schema();
        let unused: Vec<_> = schema.ids().filter(|id| !matched.contains(id)).collect();
        (!unused.is_empty()).then(|| words::names(schema, unused.into_iter()))
    }
}
