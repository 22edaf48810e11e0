//! Deciding about one person: our rules next to the paper's Monte Carlo, in one run.
//!
//! Sizes: generated people of 40 numeric columns, 15 of them sensitive, two classes; 2,000 people a pass (20 for the
//! Monte Carlo with T = 100 draws). Data and plans are built outside the loop. Throughput is people per second on one
//! core.
//!
//! Also: reading a plan file of these 40 columns.
//!
//! Run with `cargo bench -p mindrel-audit --bench decide`.

mod generated;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use generated::{PEOPLE, people, plan};
use mindrel::session::Walk;
use mindrel::{Rules, Selector};
use mindrel_io::plan_file;
use mindrel_train::Believer;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

fn decide(criterion: &mut Criterion) {
    let mut random = Pcg64Mcg::seed_from_u64(2023);
    let people = people(&mut random);
    let plan = plan(&people, &Believer::Gaussian, &mut random);
    for delta in [0.0, 0.1] {
        let mut group = criterion.benchmark_group(format!("decide/40 columns/15 sensitive/delta {delta}"));
        for selector in Selector::ALL {
            let n_people = if selector == Selector::FScoreMc { 20 } else { PEOPLE };
            let rules = Rules { delta, selector, ..Rules::default() };
            let plan = plan.with_rules(rules).expect("the rules can be followed");
            let mut walk = Walk::new(&plan);
            group.throughput(Throughput::Elements(n_people as u64));
            group.bench_function(selector.name(), |bencher| {
                bencher.iter(|| {
                    for person in people.iter().take(n_people) {
                        black_box(walk.decide(person.columns, person.line));
                    }
                });
            });
        }
        group.finish();
    }
}

fn load(criterion: &mut Criterion) {
    let mut random = Pcg64Mcg::seed_from_u64(2023);
    let people = people(&mut random);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("forty.plan");
    plan_file::write(&path, &plan(&people, &Believer::Gaussian, &mut random)).expect("the folder can be written to");
    criterion.bench_function("read a plan file/40 columns", |bencher| {
        bencher.iter(|| plan_file::read(black_box(&path)).expect("it was written whole"));
    });
}

criterion_group!(benches, decide, load);
criterion_main!(benches);
