//! debug
mod common;
use common::*;
use mindrel::selector::Selector;
use mindrel::session::*;
#[test]
fn debug() {
    use mindrel::math::orthant::*;
    use mindrel::Label;
    let recipe = Recipe { n_classes: 5, questions: vec![(Shape::OneHot(3), false),(Shape::Number,false)], weights: Weights::Normal, sample: 22, seed: 8088445234727026546 };
    let mut case = recipe.build();
    let m = case.plan.model().clone();
    let b = case.plan.belief().clone();
    let ms: Vec<(Vec<f64>, f64)> = rivals(&m, Label::new(3)).iter().map(|r| margin(&m, Label::new(3), *r)).collect();
    let mean: Vec<f64> = ms.iter().map(|(w,i)| i + w.iter().zip(b.mean()).map(|(a,b)| a*b).sum::<f64>()).collect();
    let n = b.n_columns();
    let cov: Vec<f64> = ms.iter().flat_map(|(l,_)| { let b=&b; ms.iter().map(move |(r,_)| { let mut t=0.0; for i in 0..n { for j in 0..n { t += l[i]*r[j]*b.covariance().at(i,j);} } t }) }).collect();
    println!("mean {mean:?} cov {cov:?}");
    for points in [1021, 2039, 4093, 8191, 16381, 32749, 65521, 262139] { println!("{points} {}", orthant_probability_with(&mean, &cov, 4, points)); }
    let root = square_root(&nalgebra::DMatrix::from_row_slice(4,4,&cov));
    let mut hits = 0; let total = 4_000_000;
    for _ in 0..total { let z = nalgebra::DVector::from_fn(4, |_,_| normal(case.random())); let x = &root * z; hits += usize::from((0..4).all(|i| x[i]+mean[i] >= 0.0)); }
    println!("mc {}", hits as f64 / total as f64);
    let _ = (Selector::ALL, Next::Undecided(Outlook{label: Label::new(0), probability: 0.0}));
}
