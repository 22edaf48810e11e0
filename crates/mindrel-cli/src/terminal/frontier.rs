//! Accuracy against questions asked, as a table and in words.

use mindrel_experiment::frontier::{Frontier, FrontierModel, Measure};

use super::output::bold;
use super::tables::{WIDTH, finish, new_table, wrapped};
use super::words::{grouped, percent};

/// The table and the conclusion.
pub fn frontier_text(found: &Frontier) -> String {
    let first = &found.models[0];
    let sizes = format!(
        "Trained on {} rows, chosen on {}, reported on {}; {} sensitive questions\n",
        grouped(found.training),
        grouped(first.validation.people as usize),
        grouped(first.test.people as usize),
        found.questions
    );
    let legend = "asked: average number of sensitive questions until the decision is proved (delta 0, decisive). \
                  right: decisions that are right, on the test part with the exact 95 % interval. valid.: on the \
                  validation part. *: on the frontier of the validation part, where no other model is as accurate and \
                  asks less.";
    let conclusion = wrapped(&conclusion(found), WIDTH);
    let (chosen, rest) = conclusion.split_once('\n').unwrap_or((&conclusion, ""));
    format!("{sizes}{}\n{}\n\n{}\n{rest}\n", models_table(found), wrapped(legend, WIDTH), bold(chosen))
        .trim_end()
        .to_owned()
        + "\n"
}

/// What a terminal has room for; the page has all figures.
fn models_table(found: &Frontier) -> String {
    let headings = ["model", "", "asked,\nvalid.", "right,\nvalid.", "asked,\ntest", "right, %\ntest"];
    let mut table = new_table(&headings);
    for (place, model) in found.models.iter().enumerate() {
        let FrontierModel { validation, test, .. } = model;
        let right = percent(test.accuracy).replace(" %", "");
        table.add_row([
            model.name.clone(),
            mark(found, place, model),
            format!("{:.2}", validation.mean_asked),
            percent(validation.accuracy),
            format!("{:.2}", test.mean_asked),
            format!("{right} ({:.1}–{:.1})", 100.0 * test.lower, 100.0 * test.upper),
        ]);
    }
    let out_of_budget = found.models.iter().map(|model| model.test.out_of_budget).fold(0.0, f64::max);
    let told = match out_of_budget {
        0.0 => String::new(),
        share => format!("Of some models a test ran out of budget for up to {} of people.\n", percent(share)),
    };
    finish(table) + &told
}

/// The headings, and a line for each model.
pub fn model_rows(found: &Frontier) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let has_run_out = found.models.iter().any(|model| model.validation.out_of_budget + model.test.out_of_budget > 0.0);
    let mut headings =
        vec!["model", "", "asked\nvalidation", "accuracy\nvalidation", "asked\ntest", "share\ntest", "accuracy\ntest"];
    if has_run_out {
        headings.push("out of budget\ntest");
    }
    let row = |(place, model): (usize, &FrontierModel)| {
        let mut cells = vec![
            model.name.clone(),
            mark(found, place, model),
            format!("{:.2}", model.validation.mean_asked),
            percent(model.validation.accuracy),
            format!("{:.2}", model.test.mean_asked),
            percent(model.test.share_asked),
            accuracy(&model.test),
        ];
        if has_run_out {
            cells.push(percent(model.test.out_of_budget));
        }
        cells
    };
    (headings, found.models.iter().enumerate().map(row).collect())
}

fn mark(found: &Frontier, place: usize, model: &FrontierModel) -> String {
    let star = if model.on_frontier { "*" } else { "" };
    let word = match (place == found.choice.chosen, place == found.choice.best) {
        (true, _) => "chosen ",
        (false, true) => "best ",
        (false, false) => "",
    };
    format!("{word}{star}").trim_end().to_owned()
}

fn accuracy(measure: &Measure) -> String {
    format!("{} ({:.1} to {:.1})", percent(measure.accuracy), 100.0 * measure.lower, 100.0 * measure.upper)
}

/// Which model was chosen, which questions it drops, and whether it is significantly less accurate.
pub fn conclusion(found: &Frontier) -> String {
    let choice = &found.choice;
    let (best, chosen) = (&found.models[choice.best], &found.models[choice.chosen]);
    let mut text = format!(
        "Chosen: {}. It asks least among the models whose accuracy on the validation part is within {} percentage \
         points of the best.",
        chosen.name,
        100.0 * choice.within
    );
    if !chosen.left_out.is_empty() {
        text += &format!(" It does not use {}.", chosen.left_out.join(", "));
    }
    text += &format!(
        " On the {} people of the test part it asks {:.2} questions per person and is right in {} of cases.",
        grouped(chosen.test.people as usize),
        chosen.test.mean_asked,
        percent(chosen.test.accuracy)
    );
    if choice.best == choice.chosen {
        return text + " It is also the most accurate on the validation part.";
    }
    let difference = &choice.difference;
    let (ahead, behind) =
        (grouped(difference.only_best_right as usize), grouped(difference.only_chosen_right as usize));
    let points = |share: f64| format!("{:+.1}", 100.0 * share);
    text += &format!(
        " The most accurate model there ({}) asks {:.2}. It alone is right about {ahead} of these people, and the \
         chosen model alone about {behind}: a difference of {} percentage points in accuracy in favour of the former \
         ({} to {})",
        best.name,
        best.test.mean_asked,
        points(difference.accuracy),
        points(difference.lower),
        points(difference.upper)
    );
    text += if difference.within_noise {
        ", which is not significant."
    } else if difference.accuracy > 0.0 {
        ", which is significant: the chosen model is less accurate."
    } else {
        ", which is significant: the chosen model is more accurate."
    };
    text
}
