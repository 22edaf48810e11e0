//! Deciding about one person under each belief, in one run.
//!
//! Sizes: generated people of 40 numeric columns, 15 of them sensitive, two classes, a linear model; 2,000 people a
//! pass (20 for the f-score, which looks one answer ahead). Data and plans are built outside the loop. Throughput is
//! people per second on one core.
//!
//! Run with `cargo bench -p mindrel-audit --bench beliefs`.

mod generated;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use generated::{PEOPLE, people, plan};
use mindrel::session::Walk;
use mindrel::{Rules, Selector};
use mindrel_train::Believer;
use mindrel_train::bayes::BayesOptions;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

/// People for whom an f-score that looks ahead is worked out.
const FEW: usize = 20;

fn believers() -> Vec<Believer> {
    // What networks predict with does not depend on how long they were trained.
    let network = BayesOptions { epochs: 3, ..BayesOptions::amortised() };
    vec![Believer::Gaussian, Believer::BayesNn(network), Believer::Copula]
}

fn decide(criterion: &mut Criterion) {
    let people = people(&mut Pcg64Mcg::seed_from_u64(2023));
    for believer in believers() {
        let plan = plan(&people, &believer, &mut Pcg64Mcg::seed_from_u64(7));
        let mut group = criterion.benchmark_group(format!("decide/40 columns/15 sensitive/{}", plan.belief().name()));
        for (delta, selector) in [(0.0, Selector::Decisive), (0.1, Selector::Decisive), (0.1, Selector::FScore)] {
            let n_people = if selector == Selector::FScore { FEW } else { PEOPLE };
            let plan =
                plan.with_rules(Rules { delta, selector, ..Rules::default() }).expect("the rules can be followed");
            let mut walk = Walk::new(&plan);
            group.throughput(Throughput::Elements(n_people as u64));
            group.sample_size(10);
            group.bench_function(format!("delta {delta}/{selector}"), |bencher| {
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

criterion_group!(benches, decide);
criterion_main!(benches);
