//! Laws of the frontier between accuracy and questions.

use mindrel::plan::Training;
use mindrel::schema::{Question, Schema, Target};
use mindrel::{Label, People};
use mindrel_experiment::frontier::{Frontier, FrontierError, FrontierOptions, Split, frontier, page};
use mindrel_plot::Figure;

fn schema(n_public: usize) -> Schema {
    let question = |place: usize| {
        let question = Question::number(format!("q{place}"), -1.0, 1.0);
        if place < n_public { question.public() } else { question }
    };
    let target = Target::new("class", "Which?", ["no", "yes"]);
    Schema::new(target, (0..4).map(question).collect()).expect("a sound schema")
}

/// People whose class depends on the first two columns, a little on the third and not on the last. Always the same.
fn people(count: u64) -> People {
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 * (-52f64).exp2() - 1.0
    };
    let mut people = People::new(4);
    for line in 2..count + 2 {
        let row: [f64; 4] = std::array::from_fn(|_| draw());
        people.push(line).copy_from_slice(&row);
        let score = row[0] + row[1] + 0.1 * row[2] + 0.3 * draw();
        people.set_label(Some(if score >= 0.0 { Label::POSITIVE } else { Label::NEGATIVE }));
    }
    people
}

fn training(holdout: f64) -> Training {
    Training { rows: 0, holdout, seed: 3, table: "a table".to_owned(), private_moments: None }
}

fn without_network() -> FrontierOptions {
    FrontierOptions { network: None, ..FrontierOptions::default() }
}

#[test]
fn everybody_is_in_one_part_and_held_out_people_are_cut_in_half() {
    let (people, training) = (people(2000), training(0.4));
    let split = Split::new(&people, &training, None);
    let lines = |part: &People| part.iter().map(|person| person.line).collect::<Vec<u64>>();
    let mut all = [lines(&split.kept), lines(&split.validation), lines(&split.test)].concat();
    all.sort_unstable();
    assert_eq!(all, lines(&people));
    assert!(lines(&split.kept).iter().all(|line| !training.is_held_out(*line)));
    // Five deviations of a binomial: 1 in 10⁶ by luck, and the split is always the same.
    let (validation, test) = (split.validation.len() as f64, split.test.len() as f64);
    assert!((validation - test).abs() < 5.0 * (validation + test).sqrt(), "{validation} {test}");
    assert_eq!(Split::new(&people, &training, Some(10)).test.len(), 10);
}

#[test]
fn what_moves_the_scores_least_is_left_out_first_and_the_report_comes_back_from_json() {
    let tell = |_: usize, _: usize, _: &str| ();
    let (report, plan) =
        frontier(&schema(0), &people(1500), &training(0.4), &without_network(), &tell).expect("a frontier");
    let left_out: Vec<&Vec<String>> =
        report.models.iter().map(|model| &model.left_out).filter(|left_out| !left_out.is_empty()).collect();
    assert_eq!(left_out.len(), 3, "without public questions one is kept");
    assert_eq!((left_out[0], &left_out[1][1..]), (&vec!["q3".to_owned()], &["q2".to_owned()][..]));
    for model in &report.models {
        assert_eq!(model.questions + model.left_out.len(), report.questions);
        let test = &model.test;
        assert!(
            test.lower <= test.accuracy && test.accuracy <= test.upper && test.mean_asked <= model.questions as f64
        );
    }
    assert_eq!(report.models[report.choice.chosen].plan, plan.fingerprint().to_string());
    let text = serde_json::to_string(&report).expect("plain data");
    let back: Frontier = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(back, report);
}

#[test]
fn a_frontier_needs_sensitive_questions_and_people_to_choose_by() {
    let tell = |_: usize, _: usize, _: &str| ();
    let fails = |schema: &Schema, holdout: f64| {
        frontier(schema, &people(200), &training(holdout), &without_network(), &tell).expect_err("there is none")
    };
    assert_eq!(fails(&schema(4), 0.4), FrontierError::NothingSensitive);
    assert_eq!(fails(&schema(1), 0.0), FrontierError::Nobody { what: "choose by" });
}

#[test]
fn a_page_keeps_hostile_names_as_text() {
    let figure = Figure::new("</figure><script>alert(1)</script>", "\" onload='x'");
    let rows = [vec!["</td><script>".to_owned()]];
    let page = page("<img src=x onerror=alert(1)><b>", &figure, &["<i>\"".to_owned()], &rows);
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>"), "{page}");
    let document = page.strip_prefix("<!doctype html>\n").expect("a page says what it is");
    assert!(roxmltree::Document::parse(document).is_ok());
}
