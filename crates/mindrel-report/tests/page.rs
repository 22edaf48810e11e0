//! The page as a reader meets it.

mod common;

use common::{Names, TRAINING_TABLE, Wanted, about, plan, report};
use mindrel_audit::{AuditOutcome, PromiseVerdict};
use mindrel_report::{ReportFacts, findings, page};
use proptest::prelude::*;
use roxmltree::{Document, ParsingOptions};

fn page_of(names: &Names, wanted: Wanted, about: &ReportFacts) -> String {
    let plan = plan(names);
    page(&report(&plan, names, wanted), &plan, about)
}

fn usual_page(wanted: Wanted) -> String {
    page_of(&Names::default(), wanted, &about())
}

fn parsed(html: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(html, options).unwrap_or_else(|error| panic!("{error}"))
}

/// The sections of a page, by their names.
fn sections(html: &str) -> Vec<String> {
    let document = parsed(html);
    let sections = document.descendants().filter(|node| node.tag_name().name() == "section");
    sections.filter_map(|node| node.attribute("id")).map(str::to_owned).collect()
}

/// All that is read, without the style sheets, with ordinary spaces.
fn text(html: &str) -> String {
    let document = parsed(html);
    let body = document.descendants().find(|node| node.tag_name().name() == "body").expect("a page has a body");
    let words: Vec<&str> = body.descendants().filter_map(|node| node.text()).flat_map(str::split_whitespace).collect();
    words.join(" ")
}

/// The rows of the tables of a section, those behind figures left out.
fn rows(html: &str, section: &str) -> Vec<Vec<String>> {
    let document = parsed(html);
    let section = document.descendants().find(|node| node.attribute("id") == Some(section)).expect("a section");
    let tables = section.descendants().filter(|node| node.attribute("class") == Some("report-table"));
    let rows = tables.flat_map(|table| table.descendants().filter(|node| node.tag_name().name() == "tr"));
    let cells = rows.map(|row| row.children().filter(|node| node.is_element()).map(|cell| read(&cell)).collect());
    cells.collect()
}

fn read(node: &roxmltree::Node<'_, '_>) -> String {
    let texts = node.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
    texts.flat_map(str::split_whitespace).collect::<Vec<&str>>().join(" ")
}

/// Every run with its own numbers, in the order of the audit.
#[test]
fn the_table_of_rules_holds_the_numbers_of_every_run() {
    let names = Names::default();
    let plan = plan(&names);
    let report = report(&plan, &names, Wanted::EVERYTHING);
    let rows = rows(&page(&report, &plan, &about()), "rules");
    assert_eq!(rows.len(), report.runs.len() + 1, "a head and a row for each run");
    for (row, run) in rows[1..].iter().zip(&report.runs) {
        assert!(row[0].starts_with(run.rule.name()), "{row:?}");
        assert_eq!(row[1], format!("{:.2}", run.mean_asked));
        for (cell, share) in row[2..5].iter().zip([run.leakage, 1.0 - run.flips, run.accuracy.expect("labels")]) {
            assert!(cell.ends_with('%') && (in_percent(cell) - 100.0 * share).abs() <= 0.0501, "{cell} of {share}");
        }
    }
}

fn in_percent(cell: &str) -> f64 {
    cell.trim_end_matches([' ', '%']).parse().expect("a number")
}

/// Which sections draw what, and that a page follows the reader's theme and can be printed.
#[test]
fn every_figure_is_in_its_section() {
    let html = usual_page(Wanted::EVERYTHING);
    let document = parsed(&html);
    let figures = |section: &roxmltree::Node<'_, '_>| {
        section.descendants().filter(|node| node.tag_name().name() == "figure").count()
    };
    let sections = document.descendants().filter(|node| node.tag_name().name() == "section");
    let drawn: Vec<(&str, usize)> = sections.map(|it| (it.attribute("id").unwrap_or(""), figures(&it))).collect();
    let expected = ["asked", "questions", "trade", "rules", "regret", "promise", "burden", "giveaway"];
    for (section, count) in drawn {
        assert_eq!(count > 0, expected.contains(&section), "{section} has {count} figures");
    }
    assert!(html.contains("prefers-color-scheme:dark") && html.contains("@media print"));
    assert_eq!(html, usual_page(Wanted::EVERYTHING), "the same audit gives the same bytes");
}

#[test]
fn everything_that_was_looked_at_has_its_section() {
    let all = [
        "audited",
        "guarantee",
        "asked",
        "questions",
        "trade",
        "rules",
        "regret",
        "promise",
        "burden",
        "giveaway",
        "limits",
        "repeat",
        "glossary",
    ];
    assert_eq!(sections(&usual_page(Wanted::EVERYTHING)), all);
    let little = ["audited", "guarantee", "asked", "questions", "trade", "rules", "limits", "repeat", "glossary"];
    assert_eq!(sections(&usual_page(Wanted::LITTLE)), little);
}

#[test]
fn what_was_not_looked_at_is_said() {
    let text = text(&usual_page(Wanted::LITTLE));
    for part in [
        "Not examined: how well unasked answers can be inferred.",
        "Not examined: whether some groups of people are asked more than others.",
        "The table has no labels",
        "not the whole of privacy",
    ] {
        assert!(text.contains(part), "{part:?} is missing");
    }
}

/// A page is read by people who never see the command line, but for the command that makes it again.
#[test]
fn no_option_of_the_command_line_is_named() {
    for wanted in [Wanted::EVERYTHING, Wanted::LITTLE] {
        let on_own = ReportFacts { digest: Some(TRAINING_TABLE.into()), command: String::new(), ..about() };
        let text = text(&page_of(&Names::default(), wanted, &on_own));
        assert!(!text.contains("--"), "{text}");
    }
}

/// A few flips in a hundred can all fall on one class.
#[test]
fn a_promise_kept_on_average_and_not_for_a_class_is_in_the_headline() {
    let names = Names::default();
    let plan = plan(&names);
    let mut report = report(&plan, &names, Wanted::EVERYTHING);
    let headline = |report: &AuditOutcome| findings(report, &plan, &about()).headline.replace('\u{a0}', " ");
    let chosen = &mut report.runs[0];
    chosen.calibration.as_mut().expect("δ > 0 promises").everybody.verdict = PromiseVerdict::Kept;
    chosen.promised_by_class.iter_mut().for_each(|class| class.flips.verdict = PromiseVerdict::Kept);
    assert!(!headline(&report).contains("kept"), "{}", headline(&report));
    let class = &mut report.runs[0].promised_by_class[0];
    (class.flips.verdict, class.flips.observed) = (PromiseVerdict::Broken, Some(0.2));
    let told = headline(&report);
    let expected = "At most 5 % of decisions may differ. This is kept on average, but 20.0 % differ among people \
                    decided “bad” from full data.";
    assert!(told.ends_with(expected), "{told}");
    assert!(text(&page(&report, &plan, &about())).contains(expected));
    report.runs[0].calibration.as_mut().expect("it promises").everybody.verdict = PromiseVerdict::Unclear;
    let unclear = text(&page(&report, &plan, &about()));
    assert!(unclear.contains("Whether the promise is kept is too close to tell."), "{unclear}");
}

#[test]
fn the_headline_and_the_cards_tell_the_chosen_run() {
    let names = Names::default();
    let plan = plan(&names);
    let report = report(&plan, &names, Wanted::EVERYTHING);
    for chosen in [0, 1, 3] {
        let run = &report.runs[chosen];
        let text = text(&page(&report, &plan, &ReportFacts { chosen, ..about() }));
        let headline = format!("Decided from {:.1} of 4 sensitive questions on average; ", run.mean_asked);
        assert!(text.contains(&headline), "{headline:?} is missing");
        assert!(text.contains(&format!("{:.2} of 4", run.mean_asked)));
        let ringed = format!("chosen: δ = {}", run.delta);
        assert!(text.contains(&ringed), "{ringed:?} is missing");
    }
}

#[test]
fn a_question_nobody_was_asked_is_named_with_what_that_does_not_prove() {
    let text = text(&usual_page(Wanted::EVERYTHING));
    assert!(text.contains("Nobody in this table was asked Shoes"), "{text}");
    assert!(text.contains("no proof that nobody ever is"));
}

#[test]
fn a_group_of_few_is_shown_and_said_to_be_too_few_to_tell() {
    let text = text(&usual_page(Wanted::EVERYTHING));
    assert!(text.contains("far east †"));
    assert!(text.contains("†: fewer than 30 people, too few to tell"));
    assert!(text.contains("no: too few people to tell"));
}

#[test]
fn an_audit_of_the_people_the_plan_was_fitted_on_warns_first_of_all() {
    let warning = "People the plan was fitted on are among those audited";
    let on_own = ReportFacts { digest: Some(TRAINING_TABLE.into()), ..about() };
    let held_out = ReportFacts { held_out: true, ..on_own.clone() };
    let page = |about: &ReportFacts| text(&page_of(&Names::default(), Wanted::LITTLE, about));
    assert!(page(&on_own).contains(warning));
    assert!(!page(&held_out).contains(warning));
    assert!(!page(&about()).contains(warning));
    let unknown = page(&ReportFacts { digest: None, ..about() });
    assert!(!unknown.contains(warning) && unknown.contains("is not known here"));
}

#[test]
fn the_guarantee_is_stated_as_what_it_is() {
    let proved = text(&usual_page(Wanted::LITTLE));
    assert!(proved.contains("No decision rests on a guess") && !proved.contains("the accuracy of the belief"));
    let probable = text(&usual_page(Wanted::EVERYTHING));
    assert!(
        probable.contains("only as accurate as that description") && !probable.contains("No decision rests on a guess")
    );
}

/// Nothing is fetched: no element that loads, no address but places on the page.
#[test]
fn a_page_asks_for_nothing_from_anywhere() {
    let html = usual_page(Wanted::EVERYTHING);
    for node in parsed(&html).descendants().filter(|node| node.is_element()) {
        let tag = node.tag_name().name();
        assert!(
            !["script", "link", "img", "image", "iframe", "object", "embed", "base", "use"].contains(&tag),
            "<{tag}>"
        );
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on") && name != "src" && name != "srcset" && name != "style", "{tag} {name}");
            assert!(name != "href" || value.starts_with('#'), "{tag} {name}={value}");
        }
    }
    assert!(!html.contains("url(") && !html.contains("@import"));
}

/// Every link leads somewhere, and every figure has its numbers.
#[test]
fn links_lead_to_sections_and_figures_have_their_numbers() {
    let html = usual_page(Wanted::EVERYTHING);
    let sections = sections(&html);
    let document = parsed(&html);
    let links: Vec<&str> = document.descendants().filter_map(|node| node.attribute("href")).collect();
    assert_eq!(links, sections.iter().map(|id| format!("#{id}")).collect::<Vec<String>>());
    for figure in document.descendants().filter(|node| node.tag_name().name() == "figure") {
        let has = |tag: &str| figure.descendants().any(|node| node.tag_name().name() == tag);
        assert!(has("svg") && has("table") && has("figcaption"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever things are called, the page consists of the same elements: names stay text. Seeded by proptest.
    #[test]
    fn no_name_can_break_out_of_the_page(hostile in "\\PC{0,12}", odd in prop::collection::vec(any::<char>(), 0..6)) {
        let odd: String = odd.into_iter().collect();
        let attack = format!("</style></td><script>alert('{hostile}')</script>\"'&amp;]]>{odd}\u{202e}\0");
        let name = |place: usize| format!("{attack} {place}");
        let names = Names {
            prompt: name(0),
            classes: [name(1), name(2)],
            questions: [3, 4, 5, 6, 7].map(name),
            column: name(8),
            levels: [9, 10, 11].map(name),
        };
        let said = ReportFacts { plan: name(12), table: name(13), command: name(14), when: name(15), ..about() };
        let html = page_of(&names, Wanted::EVERYTHING, &said);
        let tags = |html: &str| -> Vec<String> {
            // A command is cut into its words, and what is drawn depends on the width of names.
            let document = parsed(html);
            let is_drawn = |node: &roxmltree::Node<'_, '_>| {
                let is = |above: &roxmltree::Node<'_, '_>| {
                    above.tag_name().name() == "svg" || above.attribute("class") == Some("command")
                };
                node.ancestors().any(|above| is(&above))
            };
            let fixed = document.descendants().filter(|node| node.is_element() && !is_drawn(node));
            fixed.map(|node| node.tag_name().name().to_owned()).collect()
        };
        prop_assert_eq!(tags(&html), tags(&usual_page(Wanted::EVERYTHING)));
        let passed_on = html.contains("<script") || html.contains(['\0', '\u{202e}']);
        prop_assert!(!passed_on, "something of a name is more than text");
    }
}
