//! The first questions of a plan as a drawn tree.

use mindrel::inspect::{Branch, Inspection, QuestionNode};
use mindrel_plot::{Colour, Hue, NodeShape, TreeDiagram, TreeNode};

/// The colours of the classes, repeated if there are more.
const HUES: [Hue; 6] = [Hue::Vermillion, Hue::Blue, Hue::Green, Hue::Purple, Hue::Orange, Hue::Violet];

/// The first questions of a plan as a tree.
#[must_use]
pub fn question_tree(inspection: &Inspection) -> TreeDiagram {
    let rules = &inspection.rules;
    let title = format!("First questions at delta {}, {}", rules.delta, rules.selector);
    let description = format!(
        "{} {} A range holds the numbers that lead to the same next step; what follows later is shown for a typical \
         one.",
        inspection.target.prompt,
        public_line(inspection)
    );
    TreeDiagram::new(title, description.trim(), node(inspection, &inspection.tree))
}

fn node(inspection: &Inspection, from: &QuestionNode) -> TreeNode {
    match from {
        QuestionNode::Ask { question, reason, branches, other_levels } => {
            let asked = TreeNode::new(question, NodeShape::Framed)
                .told(format!("{}: asked because {reason}", prompt(inspection, question)));
            let drawn = branches
                .iter()
                .fold(asked, |drawn, branch| drawn.branch(branch.label(), node(inspection, &branch.then)));
            match other_levels {
                0 => drawn,
                others => drawn.branch("", TreeNode::new(other_answers(branches, *others), NodeShape::Faint)),
            }
        }
        QuestionNode::Settled { class, guarantee, asked } => {
            let colour = Colour::new(HUES[class_place(inspection, class) % HUES.len()]);
            let class = inspection.target.words.of(class);
            let told = format!("{class}: {} after {asked} questions", guarantee.name());
            TreeNode::new(class, NodeShape::Outcome(colour)).note(guarantee.name()).told(told)
        }
        QuestionNode::More { question } => {
            TreeNode::new(format!("… {question}"), NodeShape::Faint).told(format!("continues with {question}"))
        }
    }
}

fn prompt<'a>(inspection: &'a Inspection, name: &'a str) -> &'a str {
    let found = inspection.questions.iter().find(|facts| facts.question.name == name);
    found.map_or(name, |facts| &facts.question.prompt)
}

fn class_place(inspection: &Inspection, class: &str) -> usize {
    inspection.target.classes.iter().position(|other| other == class).unwrap_or(0)
}

/// The public values of the person whose path is shown.
#[must_use]
pub fn public_line(inspection: &Inspection) -> String {
    let values = |given: bool| -> String {
        let values = inspection.public.iter().filter(|value| value.given == given);
        values.map(|value| format!("{}={}", value.question, value.value)).collect::<Vec<_>>().join(", ")
    };
    match (values(true), values(false)) {
        (given, expected) if given.is_empty() && expected.is_empty() => String::new(),
        (given, expected) if expected.is_empty() => format!("Public values given: {given}."),
        (given, expected) if given.is_empty() => format!("Expected public values: {expected}."),
        (given, expected) => format!("Public values given: {given}; expected: {expected}."),
    }
}

/// What is not shown of a question: levels are counted, and of numbers there are many.
#[must_use]
pub fn other_answers(branches: &[Branch], count: usize) -> String {
    match (branches.iter().any(|branch| branch.range.is_some()), count) {
        (true, _) => "other numbers".to_owned(),
        (false, 1) => "1 other answer".to_owned(),
        (false, count) => format!("{count} other answers"),
    }
}
