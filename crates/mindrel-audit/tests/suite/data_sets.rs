//! What must hold on every data set of the evaluation, and on the embedded one.

use std::path::{Path, PathBuf};

use mindrel::model::Model;
use mindrel::optimal::smallest_core_set;
use mindrel::schema::Encoding;
use mindrel::session::Walk;
use mindrel::{Plan, Rules, Selector};
use mindrel_audit::{AuditOutcome, Run, audit};
use mindrel_testing::{DATA_SETS, Trained, data_folder};

/// People of each data set that are looked at one by one.
const PEOPLE: usize = 250;

/// Fewer where each takes a while: the Monte Carlo with 100 draws, and the f-score of four classes.
const FEW_PEOPLE: usize = 25;

fn embedded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mindrel-cli/data/loan.csv")
}

/// The embedded table, and those of the evaluation where they are.
fn tables(test: &str) -> Vec<PathBuf> {
    let evaluation = data_folder(test).into_iter();
    let evaluation = evaluation.flat_map(|folder| DATA_SETS.map(|name| folder.join(name).with_extension("csv")));
    std::iter::once(embedded()).chain(evaluation).collect()
}

fn asking(plan: &Plan, selector: Selector) -> Plan {
    plan.with_rules(Rules { selector, ..Rules::default() }).expect("the rules can be followed")
}

/// At δ = 0 nobody within the domain is flipped, and nobody reveals less than the optimum, whatever the selector, the
/// encoding and the data set. Domains are those of the whole table, so that everybody lies within.
#[test]
fn at_delta_zero_nobody_is_flipped_and_nobody_reveals_less_than_the_optimum() {
    for table in tables("at_delta_zero_nobody_is_flipped_and_nobody_reveals_less_than_the_optimum") {
        for encoding in [Encoding::Ordinal, Encoding::Onehot] {
            let trained = Trained::on(&table, encoding, 1);
            let n_questions = trained.plan.schema().questions().len();
            let plan = trained.with_sensitive((n_questions * 3).div_ceil(4), 7);
            let slow = plan.model().n_scores() > 1;
            for selector in Selector::ALL {
                let plan = asking(&plan, selector);
                let few = selector == Selector::FScoreMc || (slow && selector == Selector::FScore);
                let mut walk = Walk::new(&plan);
                for person in trained.held_out.iter().take(if few { FEW_PEOPLE } else { PEOPLE }) {
                    let (label, _) = walk.decide(person.columns, person.line);
                    assert_eq!(label, plan.model().label(person.columns), "{} {selector}", table.display());
                    let smallest = smallest_core_set(&plan, person.columns);
                    assert!(smallest.len() <= walk.n_revealed(), "{} {selector}", table.display());
                }
            }
        }
    }
}

fn report(plan: &Plan, trained: &Trained, n_parts: usize) -> AuditOutcome {
    let mut runs: Vec<Run> = [0.0, 0.05]
        .into_iter()
        .flat_map(|delta| {
            [Selector::Decisive, Selector::Random].map(|selector| Rules { delta, selector, ..Rules::default() })
        })
        .map(|rules| Run::asking(plan, rules).expect("the rules can be followed"))
        .collect();
    runs.extend([Run::optimal(plan), Run::all(plan)]);
    let size = trained.held_out.len().div_ceil(n_parts) as u64;
    let parts = (0..n_parts as u64).map(|part| {
        let first = trained.held_out.person((part * size) as usize).line;
        let last = trained.held_out.person((((part + 1) * size).min(trained.held_out.len() as u64) - 1) as usize).line;
        Ok::<_, ()>(trained.held_out.filter(|person| (first..=last).contains(&person.line)))
    });
    let mut report = audit(plan, &runs, parts, Ok).expect("nothing can fail");
    report.seconds_reading = 0.0;
    report.runs.iter_mut().for_each(|run| run.seconds = 0.0);
    report
}

#[test]
fn an_audit_does_not_depend_on_how_people_fall_into_blocks() {
    let trained = Trained::on(&embedded(), Encoding::Onehot, 3);
    let plan = trained.with_sensitive(8, 3);
    assert_eq!(report(&plan, &trained, 1), report(&plan, &trained, 7));
}

#[test]
fn the_counts_of_an_audit_add_up() {
    let trained = Trained::on(&embedded(), Encoding::Onehot, 3);
    let plan = trained.with_sensitive(8, 3);
    let report = report(&plan, &trained, 2);
    assert_eq!(report.people as usize, trained.held_out.len());
    for run in &report.runs {
        assert_eq!(run.histogram.iter().sum::<u64>(), report.people);
        let asked: f64 = run.asked.values().sum();
        assert!((asked - run.mean_asked).abs() < 1e-9, "shares and mean are the same count");
        let shares = run.guarantees.proved + run.guarantees.probable + run.guarantees.complete;
        assert!((shares - 1.0).abs() < 1e-9, "every decision rests on something");
        if run.delta == 0.0 {
            assert_eq!((run.flips, run.guarantees.probable), (0.0, 0.0), "nothing is called proved that is not");
        }
    }
    let leakage = |selector: &str| {
        let run = report.runs.iter().find(|run| run.rule.name() == selector && run.delta == 0.0);
        run.expect("the run is there").leakage
    };
    assert!(leakage("optimal") <= leakage("decisive") && leakage("decisive") < leakage("random"));
    assert_eq!(leakage("all"), 1.0);
}

/// With several errors in several blocks, the first in the table is told, however the blocks fall to the cores.
#[test]
fn the_first_error_in_the_order_of_the_table_wins() {
    let trained = Trained::on(&embedded(), Encoding::Onehot, 3);
    let runs = [Run::all(&trained.plan)];
    for first in [0u32, 3, 11] {
        let decode = |block: u32| if block >= first { Err(block) } else { Ok(trained.held_out.clone()) };
        assert_eq!(audit(&trained.plan, &runs, (0..12u32).map(Ok), decode).unwrap_err(), first);
    }
}
