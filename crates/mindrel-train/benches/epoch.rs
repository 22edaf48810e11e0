//! One epoch in batches of 32 on 31,000 rows of 16 columns, with the set-up before it and the loss of the whole set
//! after it: plain gradient descent against Adam, and the paper's network [TF23, App. D] against wider and deeper ones.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mindrel_train::TrainingSet;
use mindrel_train::mlp::{self, Method, MlpOptions};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const ROWS: usize = 31_000;
const COLUMNS: usize = 16;

/// Normal columns, and classes that follow the product of the first two and some noise.
fn set(n_classes: usize) -> TrainingSet {
    let mut random = Pcg64Mcg::seed_from_u64(2023);
    let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
    let rows: Vec<f64> = (0..ROWS * COLUMNS).map(|_| 0.3 * normal()).collect();
    let class =
        |row: &[f64]| (((row[0] * row[1] * 20.0 + 0.5 * normal()).tanh() + 1.0) / 2.0 * n_classes as f64) as usize;
    let labels = rows.chunks_exact(COLUMNS).map(class).map(|class| class.min(n_classes - 1)).collect();
    TrainingSet::new(rows, COLUMNS, labels, n_classes).expect("normal numbers are finite")
}

fn epoch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one epoch/31000 rows/16 columns/batches of 32");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(20);
    let adam = Method::Adam { weight_decay: 0.0 };
    let cases = [
        ("10-10-1, gradient descent", vec![10, 10], 2, Method::Sgd),
        ("10-10-1, Adam", vec![10, 10], 2, adam),
        ("10-10-4, Adam", vec![10, 10], 4, adam),
        ("64-64-1, Adam", vec![64, 64], 2, adam),
        ("10-10-10-10-1, Adam", vec![10; 4], 2, adam),
    ];
    for (name, hidden, n_classes, method) in cases {
        let set = set(n_classes);
        let options = MlpOptions { hidden, method, epochs: 1, ..MlpOptions::paper() };
        group.bench_function(name, |bencher| {
            bencher.iter(|| mlp::fit(black_box(&set), &options, &mut |_| ()).expect("one epoch does not diverge"));
        });
    }
    group.finish();
}

criterion_group!(benches, epoch);
criterion_main!(benches);
