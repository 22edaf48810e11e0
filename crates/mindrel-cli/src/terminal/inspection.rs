//! A plan as text and tables.

use mindrel::inspect::{AskedOf, Basis, GuaranteeFacts, Inspection, MostAsked, QuestionFacts, QuestionNode};
use mindrel::schema::{Kind, Target, Visibility};
use mindrel_report::{other_answers, public_line};

use super::output::bold;
use super::tables::{WIDTH, finish, new_table, wrapped};
use super::words::{grouped, quoted, short_percent};

/// Longer lists of levels are shown as their number.
const MOST_CHOICES: usize = 34;

/// The whole description of a plan.
pub fn inspection_text(inspection: &Inspection) -> String {
    let sections = [
        facts(inspection),
        questions(inspection),
        most_asked(inspection),
        typical_person(inspection),
        bold("First questions") + "\n" + &tree(&inspection.tree, &inspection.target, ""),
        guarantees(inspection),
    ];
    sections.join("\n")
}

fn facts(inspection: &Inspection) -> String {
    let Inspection { target, rules, model, belief, .. } = inspection;
    let classes: Vec<&str> = target.classes.iter().map(|class| target.words.of(class)).collect();
    let mut text = format!("{}   {}\n", bold(&target.prompt), classes.join(" / "));
    let parameters = grouped(model.parameters);
    let lines = [
        ("Model:", format!("{}; {} columns, {parameters} parameters", model.description, model.columns)),
        ("Belief:", belief.description.clone()),
        ("Rules:", format!("delta {}, selector {}, test {}", rules.delta, rules.selector, rules.test)),
        ("Trained:", training(inspection)),
        ("Plan:", inspection.plan.clone()),
    ];
    for (name, fact) in lines {
        text += &format!("{name:<9}{}\n", wrapped(&fact, WIDTH - 9).replace('\n', "\n         "));
    }
    text
}

fn training(inspection: &Inspection) -> String {
    let Some(training) = &inspection.training else {
        return "not trained by mindrel".to_owned();
    };
    let held_out = match training.holdout {
        0.0 => "none held out".to_owned(),
        share => format!("{} held out with seed {}", short_percent(share), training.seed),
    };
    let digest: String = training.table.chars().take(12).collect();
    let private = training.private_moments.map_or(String::new(), |private| {
        format!("; moments with ({}, {:e})-differential privacy", private.epsilon, private.delta)
    });
    format!("{} rows, {held_out}; table sha256:{digest}…{private}", grouped(training.rows))
}

/// One line for each question.
fn questions(inspection: &Inspection) -> String {
    let mut table = new_table(&["question", "role", "kind", "answers", "cost", "who is asked"]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(comfy_table::CellAlignment::Left);
    }
    for facts in &inspection.questions {
        let question = &facts.question;
        let known = match question.visibility {
            Visibility::Public => "public",
            Visibility::Sensitive => "sensitive",
        };
        let cells = [question.name.clone(), known.to_owned(), kind(&question.kind).to_owned(), choices(facts)];
        table.add_row(cells.into_iter().chain([question.cost.to_string(), need(facts).to_owned()]));
    }
    finish(table)
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Number { .. } => "number",
        Kind::Integer { .. } => "integer",
        Kind::Boolean => "no/yes",
        Kind::Category { .. } => "category",
    }
}

fn choices(facts: &QuestionFacts) -> String {
    let all = facts.question.choices();
    match &facts.question.kind {
        Kind::Category { levels, .. } if all.chars().count() > MOST_CHOICES => format!("one of {}", levels.len()),
        _ => all,
    }
}

fn need(facts: &QuestionFacts) -> &'static str {
    let Some(need) = facts.need else {
        return "-";
    };
    match (need.asked_of, need.never_matters) {
        (AskedOf::Nobody, _) => "no one (proved)",
        (AskedOf::Somebody, false) => "some people",
        (AskedOf::Unknown, false) => "not known",
        (AskedOf::Somebody, true) => "some people, though no decision depends on it (proved)",
        (AskedOf::Unknown, true) => "not known; no decision depends on it (proved)",
    }
}

fn most_asked(inspection: &Inspection) -> String {
    let MostAsked { at_most, reached, basis } = inspection.most_asked;
    let questions = inspection.questions.iter().filter(|facts| facts.need.is_some()).count();
    let bound = format!("No one is asked more than {at_most} of {questions} questions");
    let reach = if inspection.most_asked.is_exact() {
        "someone is asked that many, so this is exact".to_owned()
    } else {
        format!("this is an upper bound, and the most found by trying is {reached}")
    };
    let because = match basis {
        Basis::Everybody => "every possible person was tried",
        Basis::Sums => "proved from the weights and the declared ranges",
        Basis::Questions => "no question is asked twice",
    };
    let holds = "This holds for any public values, for people who answer every question within the declared ranges.";
    wrapped(&format!("{bound} ({because}); {reach}. {holds}"), WIDTH) + "\n"
}

fn typical_person(inspection: &Inspection) -> String {
    let typical = &inspection.typical_person;
    let mut text = bold("The average person") + "\n";
    let known = public_line(inspection);
    if !known.is_empty() {
        text += &(wrapped(&known, WIDTH) + "\n");
    }
    let names = typical.steps.iter().map(|step| step.question.chars().count());
    let width = names.max().unwrap_or(0);
    let answers = typical.steps.iter().map(|step| step.answer.chars().count()).max().unwrap_or(0);
    for (place, step) in typical.steps.iter().enumerate() {
        let number = place + 1;
        let start = format!("{number:>3}  {:<width$}  {:<answers$}  ", step.question, step.answer);
        let indent = start.chars().count();
        let reason = wrapped(&step.reason, WIDTH.saturating_sub(indent).max(30));
        text += &format!("{start}{}\n", reason.replace('\n', &format!("\n{}", " ".repeat(indent))));
    }
    let asked = typical.steps.len();
    let questions = inspection.questions.iter().filter(|facts| facts.need.is_some()).count();
    text += &format!(
        "  →  {}, {} after {asked} of {questions} questions\n",
        quoted(inspection.target.words.of(&typical.class)),
        typical.guarantee.name()
    );
    text
}

/// The tree, a line for each answer.
fn tree(node: &QuestionNode, target: &Target, indent: &str) -> String {
    match node {
        QuestionNode::Ask { question, branches, other_levels, .. } => {
            let mut text = if indent.is_empty() { format!("{question}?\n") } else { String::new() };
            let n_lines = branches.len() + usize::from(*other_levels > 0);
            for (place, branch) in branches.iter().enumerate() {
                let last = place + 1 == n_lines;
                let (tick, bar) = if last { ("└─", "   ") } else { ("├─", "│  ") };
                text += &format!("{indent}{tick} {} → {}\n", branch.label(), heading(&branch.then, target));
                text += &tree(&branch.then, target, &format!("{indent}{bar}"));
            }
            if *other_levels > 0 {
                text += &format!("{indent}└─ {}\n", other_answers(branches, *other_levels));
            }
            text
        }
        QuestionNode::Settled { .. } if indent.is_empty() => heading(node, target) + "\n",
        QuestionNode::Settled { .. } | QuestionNode::More { .. } => String::new(),
    }
}

fn heading(node: &QuestionNode, target: &Target) -> String {
    match node {
        QuestionNode::Ask { question, .. } => format!("{question}?"),
        QuestionNode::Settled { class, guarantee, .. } => {
            format!("{}, {}", bold(target.words.of(class)), guarantee.name())
        }
        QuestionNode::More { question } => format!("{question}? …"),
    }
}

fn guarantees(inspection: &Inspection) -> String {
    let mut text = bold("What decisions rest on") + "\n";
    for GuaranteeFacts { name, available, when, rests_on } in &inspection.guarantees {
        let said = match available {
            true => format!("{when}. Rests on {rests_on}."),
            false => format!("not available: {when}."),
        };
        let said = wrapped(&said, WIDTH - 13);
        for (place, line) in said.lines().enumerate() {
            let head = if place == 0 { name.as_str() } else { "" };
            text += &format!("  {head:<10} {line}\n");
        }
    }
    text
}
