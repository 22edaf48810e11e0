use std::fmt::Write as _;

use mindrel::Schema;
use mindrel::schema::{Answer, AnswerSet, Holes, QuestionId};
use proptest::prelude::*;

use super::{FoundRules, SUPPORT, find_rules};
use crate::schema_file::{parse, rule_text, to_text};
use crate::table::{InferOptions, Table, infer};

/// A table with a label that says nothing.
fn table(header: &str, rows: impl IntoIterator<Item = String>) -> Table {
    let mut text = format!("{header},label\n");
    for (place, row) in rows.into_iter().enumerate() {
        writeln!(text, "{row},{}", ["bad", "good"][place % 2]).expect("writing to a string");
    }
    Table::embedded("table.csv", text.as_bytes())
}

fn found_with(table: &Table, options: &InferOptions, most: usize) -> (Schema, FoundRules) {
    let schema = infer(table, options, |_| true).expect("the table makes questions").schema;
    let found = find_rules(table, &schema, most, |_| true).expect("the table can be read again");
    (schema, found)
}

fn found(header: &str, rows: impl IntoIterator<Item = String>) -> (Schema, FoundRules) {
    found_with(&table(header, rows), &InferOptions::of("label"), 50)
}

fn in_words(found: &FoundRules) -> Vec<String> {
    found.rules.iter().map(|rule| rule.implication.to_string()).collect()
}

/// Numbers that look random, the same each time.
fn scattered(row: u64) -> u64 {
    mindrel::math::mix::mix(row)
}

#[test]
fn a_rule_that_one_row_breaks_is_not_proposed() {
    let row = |row: u64| format!("{},{}", ["cat", "dog"][(row % 2) as usize], ["meow", "bark"][(row % 2) as usize]);
    let (_, held) = found("pet,says", (0..100).map(row));
    assert_eq!(
        in_words(&held),
        ["if pet is \"cat\", then says is \"meow\"", "if pet is \"dog\", then says is \"bark\""]
    );
    assert_eq!((held.rules[0].n_meeting, held.rules[0].n_lacking["says"]), (50, 50));
    let (_, broken) = found("pet,says", (0..100).map(row).chain(["cat,bark".to_owned()]));
    assert_eq!(in_words(&broken), ["if pet is \"dog\", then says is \"bark\""]);
}

#[test]
fn a_rule_needs_support_on_both_sides() {
    let rows = |n_cats: u64| (0..400).map(move |row| if row < n_cats { "cat,meow" } else { "dog,bark" }.to_owned());
    assert_eq!(found("pet,says", rows(SUPPORT)).1.rules.len(), 2);
    assert_eq!(found("pet,says", rows(SUPPORT - 1)).1.rules.len(), 0);
}

/// Of 20 × 20 rows, 1 would be expected to have both rare levels.
#[test]
fn what_chance_explains_is_not_proposed() {
    let row = |row: u64| format!("{},{}", ["a", "b"][usize::from(row < 20)], ["c", "d"][usize::from(row >= 380)]);
    assert_eq!(in_words(&found("first,second", (0..400).map(row)).1), Vec::<String>::new());
    let random = |row: u64| {
        let draw = |place: u64, of: u64| scattered(row * 8 + place) % of;
        format!("t{},{},{},w{}", draw(0, 40), draw(1, 60), draw(2, 10_000), draw(3, 7))
    };
    assert_eq!(in_words(&found("town,age,income,work", (0..3000).map(random)).1), Vec::<String>::new());
}

#[test]
fn what_other_rules_imply_is_left_out() {
    let names = ["a", "b", "c"];
    let row = |row: u64| {
        let place = (scattered(row) % 3) as usize;
        format!("{},x{},y{}", names[place], names[place], usize::from(place == 0))
    };
    let (_, found) = found("first,second,third", (0..600).map(row));
    // Three levels each way once, and what one of them says about the third question.
    let n_consequences = found.rules.iter().map(|rule| rule.implication.then.len()).sum::<usize>();
    assert_eq!(n_consequences, 5, "{:#?}", in_words(&found));
}

#[test]
fn numbers_that_mean_the_same_as_levels_come_out_compactly() {
    let row = |row: u64| match scattered(row) % 4 {
        0 => format!("{},{},failure", 1 + row % 900, 1 + row % 9),
        1 => format!("{},{},success", 1 + row % 900, 1 + row % 9),
        _ => "-1,0,unknown".to_owned(),
    };
    let (_, found) = found("pdays,previous,poutcome", (0..4000).map(row));
    let expected = [
        "if pdays is -1, then poutcome is \"unknown\" and previous is 0",
        "if previous is 0, then pdays is -1",
        "if poutcome is \"unknown\", then pdays is -1",
    ];
    assert_eq!(in_words(&found), expected);
}

#[test]
fn bounds_give_nobody_away() {
    // One married person is 19, one 20 and one 21; of the others, all are older.
    let row = |row: u64| {
        let age = 14 + scattered(row) % 50;
        let married = age > 21 && scattered(row + 7).is_multiple_of(2) || [12, 55, 77].contains(&row);
        let age = match row {
            12 => 19,
            55 => 20,
            77 => 21,
            _ => age,
        };
        format!("{age},{}", if married { "married" } else { "single" })
    };
    let (_, found) = found("age,marital", (0..3000).map(row));
    assert_eq!(in_words(&found), ["if age is 18 or less, then marital is \"single\""]);
}

#[test]
fn a_missing_number_may_follow_from_a_level() {
    let row = |row: u64| match scattered(row) % 3 {
        0 => "no,".to_owned(),
        _ => format!("yes,{}", 10 + scattered(row + 9) % 80),
    };
    let rows = table("has a car,age of the car", (0..900).map(row));
    let options = InferOptions { holes: Holes::Answer, ..InferOptions::of("label") };
    let (_, found) = found_with(&rows, &options, 50);
    let words = in_words(&found);
    assert!(words.contains(&"if has a car is no, then age of the car is missing".to_owned()), "{words:#?}");
}

#[test]
fn further_rules_are_counted_and_rows_held_out_do_not_count() {
    let rows = table(
        "a,b,c,d",
        (0..400).map(|row| format!("{0},x{0},{1},y{1}", ["l", "r"][row % 2], ["t", "u", "v"][row % 3])),
    );
    let (schema, found) = found_with(&rows, &InferOptions::of("label"), 1);
    assert_eq!((found.rules.len(), found.n_more), (1, 4));
    let few = find_rules(&rows, &schema, 50, |line| line < 20).unwrap();
    assert!(few.rules.is_empty());
}

/// Whether an answer lies in a set.
fn is_in(schema: &Schema, id: QuestionId, answer: &Answer, set: &AnswerSet) -> bool {
    match (answer, set) {
        (Answer::Boolean(value), AnswerSet::Boolean(wanted)) => value == wanted,
        (Answer::Level(level), AnswerSet::Levels(levels)) => {
            levels.contains(&schema.question(id).levels().expect("a category has levels")[*level])
        }
        (Answer::Number(value), AnswerSet::Numbers(numbers)) => numbers.contains(*value),
        (Answer::Missing, AnswerSet::Numbers(numbers)) => numbers.missing,
        _ => panic!("the set is of another kind"),
    }
}

fn check_by_brute_force(header: &str, rows: &[Vec<String>], options: &InferOptions) {
    let lines = rows.iter().map(|row| row.join(","));
    let (schema, found) = found_with(&table(header, lines), options, 1000);
    let answers = |row: &Vec<String>| -> Vec<Answer> {
        schema
            .ids()
            .map(|id| {
                let place = header.split(',').position(|name| name == schema.question(id).name).expect("a column");
                schema.parse_cell(id, &row[place]).expect("it fits")
            })
            .collect()
    };
    let people: Vec<Vec<Answer>> = rows.iter().map(answers).collect();
    for rule in &found.rules {
        let holds = |person: &Vec<Answer>, name: &str, set: &AnswerSet| {
            let id = schema.find(name).expect("a question");
            is_in(&schema, id, &person[id.index()], set)
        };
        let implication = &rule.implication;
        let meets = |person: &&Vec<Answer>| implication.when.iter().all(|(name, set)| holds(person, name, set));
        let meeting: Vec<&Vec<Answer>> = people.iter().filter(meets).collect();
        assert_eq!(meeting.len() as u64, rule.n_meeting, "{implication}");
        assert!(rule.n_meeting >= SUPPORT, "{implication}");
        for (name, set) in &implication.then {
            assert!(meeting.iter().all(|person| holds(person, name, set)), "{implication}");
            let n_lacking = people.iter().filter(|person| !holds(person, name, set)).count() as u64;
            assert_eq!(n_lacking, rule.n_lacking[name], "{implication}");
            assert!(n_lacking >= SUPPORT, "{implication}");
        }
    }
    let rules = found.rules.iter().map(|rule| format!("\n{}", rule_text(&rule.implication)));
    let text = to_text(&schema, &[]) + &rules.collect::<String>();
    let read = parse(std::path::Path::new("some.toml"), &text).expect("proposed rules can be followed");
    assert_eq!(read.implications().len(), found.rules.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Columns depend on each other by cells, thresholds and chance, with exceptions, in tables of up to 400 rows.
    #[test]
    fn every_proposed_rule_holds_in_every_row_and_has_support(
        seed in any::<u64>(),
        n_rows in 60..400_u64,
        n_levels in 2..6_u64,
        is_ordinal in any::<bool>(),
        exceptions in 0..3_u64,
    ) {
        let rows: Vec<Vec<String>> = (0..n_rows).map(|row| {
            let draw = |place: u64, of: u64| scattered(seed ^ (row * 16 + place)) % of;
            let group = draw(0, n_levels);
            let age = 15 + draw(1, 60);
            let married = age > 20 + group && draw(2, 2) == 0 || row < exceptions;
            let income = if married { draw(3, 90_000) as f64 / 100.0 } else { (draw(3, 3) * 100) as f64 };
            let visits = if group == 0 { String::new() } else { (draw(4, 4) + group).to_string() };
            vec![
                format!("g{group}"),
                age.to_string(),
                if married { "yes" } else { "no" }.to_owned(),
                income.to_string(),
                visits,
                format!("{}", draw(5, 3) + 10 * group),
            ]
        }).collect();
        let encoding = if is_ordinal { mindrel::schema::Encoding::Ordinal } else { mindrel::schema::Encoding::Onehot };
        let holes = if seed % 2 == 0 { Holes::Answer } else { Holes::Mean };
        let options = InferOptions { encoding, holes, ..InferOptions::of("label") };
        check_by_brute_force("group,age,married,income,visits,code", &rows, &options);
    }
}
