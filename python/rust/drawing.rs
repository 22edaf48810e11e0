//! Drawings as SVG.

use mindrel::inspect::Inspection;
use mindrel_plot::{Colour, Hue, NodeShape, TreeDiagram, TreeNode};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;
use crate::plan::PyPlan;
use crate::python_answers;
use crate::work::Work;

/// The questions that led to a decision, each with what became of it, and the decision. It shows no answers.
#[pyfunction]
pub fn path_drawing(title: &str, steps: Vec<(String, String)>, label: &str, guarantee: &str) -> String {
    let end = TreeNode::new(label, NodeShape::Outcome(Colour::new(Hue::Blue))).note(guarantee);
    let path = steps
        .into_iter()
        .rev()
        .fold(end, |then, (question, became)| TreeNode::new(question, NodeShape::Framed).branch(became, then));
    TreeDiagram::new(title, "The questions in the order they were asked.", path).to_svg()
}

/// The first questions of a plan as a tree, for a person with some public answers: its title and the drawing.
#[pyfunction]
pub fn question_tree(
    py: Python<'_>,
    plan: &PyPlan,
    public: &Bound<'_, PyDict>,
    depth: usize,
    work: Work,
) -> PyResult<(String, String)> {
    let public = python_answers::answers(plan.plan.schema(), public)?;
    let inspection = work.alone().run(py, |_| Inspection::of(&plan.plan, &public, depth));
    plan.check()?;
    let tree = mindrel_report::question_tree(&inspection?.map_err(value_error)?);
    Ok((tree.title.clone(), tree.to_svg()))
}
