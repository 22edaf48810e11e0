//! Times reading and lowering a boosted ensemble of 100 trees, about 5 MB of XGBoost's JSON, made up here.
//!
//! ```text
//! cargo run --release -p mindrel-import --example import_time
//! ```
#![allow(clippy::print_stdout)]

use std::fmt::Write;
use std::time::Instant;

use mindrel::Schema;
use mindrel::schema::{Question, Target};
use mindrel_import::{lower, read};

const N_TREES: usize = 100;
const N_COLUMNS: usize = 16;
/// A complete tree of depth 9.
const N_NODES: usize = (1 << 10) - 1;

/// A number that looks arbitrary, always the same for the same seed.
fn drawn(seed: usize) -> f64 {
    let mixed = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as f64 / (1u64 << 24) as f64 - 0.5
}

fn tree(place: usize) -> String {
    let list = |value: &dyn Fn(usize) -> String| (0..N_NODES).map(value).collect::<Vec<String>>().join(",");
    let is_leaf = |node: usize| 2 * node + 2 >= N_NODES;
    let child = |node: usize, side: usize| if is_leaf(node) { "-1".to_owned() } else { (2 * node + side).to_string() };
    let mut text = String::new();
    write!(
        text,
        r#"{{"tree_param":{{"size_leaf_vector":"1"}},"left_children":[{}],"right_children":[{}],"split_indices":[{}],"split_conditions":[{}],"default_left":[{}],"base_weights":[{}]}}"#,
        list(&|node| child(node, 1)),
        list(&|node| child(node, 2)),
        list(&|node| ((node * 7 + place) % N_COLUMNS).to_string()),
        list(&|node| format!("{}", drawn(place * N_NODES + node) as f32)),
        list(&|_| "0".to_owned()),
        list(&|node| format!("{:.16}", drawn(node))),
    )
    .expect("a text can always be written to");
    text
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trees: Vec<String> = (0..N_TREES).map(tree).collect();
    let classes = vec!["0"; N_TREES].join(",");
    let text = format!(
        r#"{{"learner":{{"learner_model_param":{{"num_feature":"{N_COLUMNS}","num_class":"0","base_score":"5E-1"}},"objective":{{"name":"binary:logistic"}},"gradient_booster":{{"name":"gbtree","model":{{"trees":[{}],"tree_info":[{classes}]}}}}}}}}"#,
        trees.join(",")
    );
    let questions = (0..N_COLUMNS).map(|place| Question::number(format!("q{place}"), -1.0, 1.0)).collect();
    let target = Target::new("label", "?", ["no", "yes"]);
    let schema = Schema::new(target, questions)?;
    let start = Instant::now();
    let (_, pipeline) = read(text.as_bytes())?;
    let reading = start.elapsed();
    let classifier = lower(&pipeline, &schema)?;
    let megabytes = text.len() as f64 / 1e6;
    println!("{}, {megabytes:.1} MB of JSON, {N_TREES} trees of {N_NODES} nodes", classifier.describe());
    println!(
        "read in {:.0} ms, lowered in {:.0} ms",
        reading.as_secs_f64() * 1e3,
        (start.elapsed() - reading).as_secs_f64() * 1e3
    );
    Ok(())
}
