//! x
#![allow(clippy::print_stdout)]
use std::collections::BTreeMap;
use std::time::Instant;
use mindrel_experiment::*;
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let reps: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let people: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let only = std::env::args().nth(4);
    let design = Design::named(&name).unwrap();
    let folder = std::env::var("MINDREL_DATA").unwrap();
    let people = if people == 0 { None } else { Some(people) };
    for data in design.data_sets {
        if only.as_ref().is_some_and(|o| o != data) { continue; }
        let start = Instant::now();
        let prepared = Prepared::read(std::path::Path::new(&format!("{folder}/{data}.csv")), Recipe::of(data)).unwrap();
        println!("{data} {} features, read {:?}", prepared.n_features(), start.elapsed());
        let start = Instant::now();
        let cells: Vec<_> = (0..reps).map(|place| measure(design, &prepared, &Repetition { place, seed: 0, people }, &|_| ()).unwrap()).collect();
        println!("{:?} for {reps}", start.elapsed());
        let mut sums: BTreeMap<String, (f64, f64, f64, f64)> = BTreeMap::new();
        for cell in cells.iter().flatten() {
            let entry = sums.entry(format!("{:>2} {:20} {:30} {}", cell.setting.sensitive, cell.setting.rule, cell.setting.belief, cell.setting.delta)).or_default();
            entry.0 += cell.leakage / reps as f64;
            entry.1 += cell.accuracy / reps as f64;
            entry.2 += cell.flips / reps as f64;
            entry.3 += cell.time.map_or(0.0, |t| t.deciding) / reps as f64;
        }
        for (key, value) in sums { println!("{key} {value:.4?}"); }
    }
}
