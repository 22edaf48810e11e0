//! Rules between questions: what `mindrel schema` proposes for a table, and rules written by hand.

use std::fmt::Write as _;

use crate::common::Desk;

const SCHEMA: [&str; 4] = ["schema", "people.csv", "--label", "outcome"];

/// 240 people, half of whom have a phone; who has none makes no calls. In the south there is one town.
fn desk() -> Desk {
    let mut text = "phone,calls,region,town,outcome\n".to_owned();
    for row in 0..240 {
        let (phone, calls) = if row % 2 == 0 { ("no", 0) } else { ("yes", 3 + row * 7 % 37) };
        let place = ["north,Delft", "south,\"Bern,\ncity\"", "north,Oslo"][row / 2 % 3];
        writeln!(text, "{phone},{calls},{place},{}", ["good", "bad"][row / 3 % 2]).expect("writing to a string");
    }
    let desk = Desk::new();
    desk.write("people.csv", text);
    desk
}

/// The schema with its commented rules made active.
fn uncommented(schema: &str) -> String {
    let line = |line: &str| match line.strip_prefix('#') {
        Some(rest) if !rest.is_empty() && !rest.starts_with(' ') => format!("{rest}\n"),
        _ => format!("{line}\n"),
    };
    schema.lines().map(line).collect()
}

#[test]
fn rules_that_hold_in_every_row_are_proposed_as_comments_with_their_counts() {
    let desk = desk();
    let proposed = desk.run(SCHEMA).succeeded();
    assert!(proposed.err.contains("rules between questions that hold in every row"), "{}", proposed.err);
    let expected = "\n# Holds in all 120 rows where phone is no; of the others, 120 have another calls.\n\
                    #[[rule]]\n#when = { phone = false }\n#then = { calls = { from = 0, to = 0 } }\n";
    assert!(proposed.out.contains(expected), "{}", proposed.out);
    assert!(!proposed.out.lines().any(|line| line.starts_with("[[rule]]")));
}

#[test]
fn accepted_rules_are_those_that_are_proposed_and_can_be_followed() {
    let desk = desk();
    let proposed = desk.run(SCHEMA).succeeded().out;
    let accepted = desk.run(SCHEMA.into_iter().chain(["--rules", "accept"])).succeeded();
    assert!(
        accepted.out.contains("\nwhen = { region = [\"south\"] }\nthen = { town = [\"\"\"\nBern,\ncity\"\"\"] }\n"),
        "{}",
        accepted.out
    );
    let rules = |text: &str| text.split("\n[[rule]]\n").skip(1).map(str::to_owned).collect::<Vec<String>>();
    assert!(!rules(&accepted.out).is_empty());
    assert_eq!(rules(&uncommented(&proposed)), rules(&accepted.out));
    desk.write("people.toml", &accepted.out);
    desk.run(["fit", "people.csv", "--schema", "people.toml", "-o", "people.plan"]).succeeded();
    assert!(desk.read("people.plan").contains("\"implications\""));
}

#[test]
fn rules_are_left_out_on_demand_and_not_looked_for_in_rows_held_out() {
    let desk = desk();
    let without = desk.run(SCHEMA.into_iter().chain(["--rules", "none"])).succeeded();
    assert!(!without.out.contains("#[[rule]]") && without.err.is_empty(), "{}\n{}", without.out, without.err);
    let held_out = desk.run(SCHEMA.into_iter().chain(["--holdout", "0.9"])).succeeded();
    assert!(!held_out.out.contains("#[[rule]]"), "some 24 people are too few:\n{}", held_out.out);
    desk.refuses(SCHEMA.into_iter().chain(["--rules", "some"]), &["propose, accept, none"]);
    desk.refuses(["schema", "people.csv", "--check", "people.toml", "--rules", "none"], &["cannot be used with"]);
}

#[test]
fn a_rule_that_cannot_be_followed_is_refused_with_its_line() {
    let desk = desk();
    let schema = desk.run(SCHEMA.into_iter().chain(["--rules", "none"])).succeeded().out;
    let line = schema.lines().count() + 1;
    for (rule, said) in [
        ("when = { fone = false }\nthen = { calls = { to = 0 } }", "there is no question `fone`"),
        ("when = { town = [\"Paris\"] }\nthen = { phone = true }", "`town` has no level \"Paris\"; correct the name"),
        (
            "when = { phone = false }\nthen = { calls = { from = 500 } }",
            "no answer to `calls` lies in the set; widen it",
        ),
        ("when = { phone = 1 }\nthen = { calls = { to = 0 } }", "yes or no as true or false"),
    ] {
        desk.write("people.toml", format!("{schema}[[rule]]\n{rule}\n"));
        let refused =
            desk.refuses(["fit", "people.csv", "--schema", "people.toml", "-o", "p.plan"], &["people.toml", said]);
        let places = [format!("people.toml:{line}: rule 1: "), format!("line {}", line + 1)];
        assert!(places.iter().any(|place| refused.err.contains(place)), "{}", refused.err);
    }
}
