//! `mindrel import`: a plan for a model trained elsewhere.

mod model;
mod summary;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use mindrel::Schema;
use mindrel::model::Classifier;
use mindrel::plan::Training;
use mindrel_import::pipeline::{Cut, CutError, Response};
use mindrel_import::{Format, Pipeline, ReadError, adapt, lower};
use mindrel_io::plan_file;
use mindrel_io::table::Table;

use model::ModelSource;
use summary::CameIn;

use super::cut::CutArguments;
use super::fit::{BeliefArguments, QuestionArguments, divide, plan_around, read_people};
use super::onnx_runtime;
use super::tables::{ReadingArguments, SplitArguments, WritingArguments};
use crate::exit_code::ExitCode;
use crate::terminal::output::summarise;

/// Make a plan for a model trained elsewhere (ONNX, XGBoost, LightGBM, CatBoost).
///
/// Reads ONNX from scikit-learn and PyTorch, XGBoost's JSON and UBJSON, LightGBM's text format,
/// and CatBoost's JSON and cbm.
///
/// The table is the one the model was trained on, or a similar one: it defines which answers are possible, and the
/// belief is fitted to it. Scalers and encoders in front of the model become part of the plan, so each question is
/// still a column of the table. The model is imported exactly and is not trained further.
///
/// Any other ONNX graph with numeric inputs is run as a black box, about which nothing can be proved. This needs a
/// build with the feature onnx-runtime.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel import model.onnx --table people.csv --label outcome --sensitive income,health -o people.plan
  mindrel import model.json --table people.csv --label outcome --public age -o people.plan
  mindrel import model.txt --table people.csv --schema people.toml --classes no,yes -o people.plan")]
pub struct Import {
    /// Model file; the format is detected from its content.
    model: PathBuf,
    /// Table with a header line, such as a CSV file; `-` for standard input.
    #[arg(long, value_name = "TRAIN.csv")]
    table: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    questions: QuestionArguments,
    /// The model's classes in its own order, if the file does not name them [default: the label's classes, sorted].
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    classes: Option<Vec<String>>,
    #[command(flatten)]
    cut: CutArguments,
    #[command(flatten)]
    belief: BeliefArguments,
    #[command(flatten)]
    split: SplitArguments,
    /// Plan file to write.
    #[arg(short, long, value_name = "PLAN")]
    output: PathBuf,
    #[command(flatten)]
    writing: WritingArguments,
}

impl Import {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let believer = self.belief.believer(self.split.seed)?;
        let inputs = [Some(&self.model), Some(&self.table), self.questions.schema()].into_iter().flatten();
        self.writing.check(&self.output, &inputs.map(PathBuf::as_path).collect::<Vec<&Path>>())?;
        let source = model::read(&self.model)?;
        let table = self.reading.table(&self.table)?;
        let split = self.split.of(table)?;
        let (schema, classifier, came_in) = match source {
            ModelSource::Known(format, pipeline) => self.known(format, pipeline, table, &split)?,
            ModelSource::Graph { bytes, why } => self.graph(&bytes, &why, table, &split)?,
        };
        let people = read_people(table, &schema, &split)?;
        let (kept, held_out, training) = divide(&people, split);
        let plan =
            plan_around(&schema, classifier, &kept, &believer, training).with_context(|| table.name().to_owned())?;
        plan_file::write(&self.output, &plan)?;
        let (kept, held_out) = (&kept, &held_out);
        let summary = summary::Summary { came_in: &came_in, plan: &plan, kept, held_out, cut: &self.cut };
        summarise(&summary.text(&self.output))?;
        Ok(ExitCode::SUCCESS)
    }

    /// A model of a family about which decisions can be proved.
    fn known(
        &self,
        format: Format,
        mut pipeline: Pipeline,
        table: &Table,
        split: &Training,
    ) -> anyhow::Result<(Schema, Classifier, CameIn)> {
        let classes_named = pipeline.classes.is_some() || self.classes.is_some();
        if self.classes.is_some() {
            pipeline.classes.clone_from(&self.classes);
        }
        let schema = self.find_schema(table, split, &mut pipeline)?;
        let pipeline = self.cut(pipeline, &schema)?;
        let classifier = lower(&pipeline, &schema).with_context(|| self.model.display().to_string())?;
        Ok((schema, classifier, CameIn::Model { format, pipeline, classes_named }))
    }

    /// The model, cut at the threshold or by the costs of errors, if they are given.
    fn cut(&self, pipeline: Pipeline, schema: &Schema) -> anyhow::Result<Pipeline> {
        let Some(option) = self.cut.option() else { return Ok(pipeline) };
        let context = || format!("{}: {option}", self.model.display());
        let order = lower::order_of_classes(&pipeline, schema).with_context(context)?;
        let [first, second] = order.places() else { return Err(CutError::MoreClasses).with_context(context) };
        let costs = self.cut.costs(schema.target(), *second)?.expect("an option was given");
        let threshold = costs[*first] / (costs[*first] + costs[*second]);
        let cut = Cut { response: Response::Probability, threshold, of_second: true };
        pipeline.cut(cut).with_context(context)
    }

    /// A graph that can only be run.
    fn graph(
        &self,
        bytes: &[u8],
        why: &ReadError,
        table: &Table,
        split: &Training,
    ) -> anyhow::Result<(Schema, Classifier, CameIn)> {
        if let Some(option) = self.cut.option() {
            bail!("{option} needs a model whose structure is known, and this is a black box; leave it out");
        }
        let schema = self.questions.find_schema(table, split)?;
        let classifier = onnx_runtime::black_box(bytes, self.classes.as_deref(), &schema);
        let classifier = classifier.with_context(|| format!("{}: {why}", self.model.display()))?;
        Ok((schema, classifier, CameIn::BlackBox { why: why.to_string(), classes_named: self.classes.is_some() }))
    }

    /// The schema, fitted to the model unless it comes from a file. Columns without names get those of the table.
    fn find_schema(&self, table: &Table, split: &Training, pipeline: &mut Pipeline) -> anyhow::Result<Schema> {
        let takes = |schema: &Schema| lower::match_inputs(&pipeline.inputs, schema).is_ok();
        let schema = self.questions.find_schema_for(table, split, takes)?;
        let header = table.open()?.header().to_vec();
        model::name_inputs(pipeline, &header, &schema).with_context(|| self.model.display().to_string())?;
        if self.questions.schema().is_some() {
            return Ok(schema);
        }
        adapt(pipeline, &schema).with_context(|| self.model.display().to_string())
    }
}
