//! Puts whatever a reader makes onto schemas it may fit.

use mindrel::Schema;
use mindrel::schema::{Question, Target};
use mindrel_import::{Pipeline, lower};

pub fn lower_it(pipeline: &Pipeline) {
    for n_columns in [3, 4] {
        for n_classes in [2, 3] {
            let mut questions = ["a", "b", "c"].map(|name| Question::number(name, -5.0, 5.0)).to_vec();
            if n_columns == 4 {
                questions.push(Question::category("colour", ["red", "green", "blue"]));
            }
            let classes = (0..n_classes).map(|class: usize| class.to_string()).collect();
            let target = Target::new("label", "?", classes);
            let schema = Schema::new(target, questions).expect("sound");
            let _ = lower(pipeline, &schema);
        }
    }
}
