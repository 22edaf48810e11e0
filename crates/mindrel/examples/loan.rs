//! The paper's motivating example: two people, the same rule, different questions.
//!
//! A loan is granted when `1.0 Job − 0.5 Loc + 0.5 Inc ≥ 0`. `Job` is public. User A (Job = 1.0) is settled with
//! nothing asked; user B (Job = −0.9, Loc = 1.0) after one question. Prints what each is asked and why.
//!
//! Run with `cargo run --example loan -p mindrel`.

use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::schema::{Answer, Question, Target};
use mindrel::session::{Answers, Next};
use mindrel::{Plan, Rules, Schema, Session};

fn plan() -> Result<Plan, Box<dyn std::error::Error>> {
    let number = |name: &str| Question::number(name, -1.0, 1.0);
    let questions = vec![number("Job").public(), number("Loc"), number("Inc")];
    let classes = vec!["refused".to_owned(), "granted".to_owned()];
    let target = Target::new("loan", "Is the loan granted?", classes);
    let model = LinearModel::new(3, vec![1.0, -0.5, 0.5], vec![0.0])?;
    let belief = GaussianBelief::new(vec![0.0; 3], vec![0.2, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.2])?;
    Ok(Plan::new(Schema::new(target, questions)?, model, belief, Rules::default())?)
}

#[expect(clippy::print_stdout, reason = "an example prints what it finds")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plan = plan()?;
    for (user, job, location) in [("A", "1.0", 0.3), ("B", "-0.9", 1.0)] {
        let mut session = Session::start(&plan, &Answers::parse(&plan, [("Job", job)])?)?;
        while let Next::Ask { question, reason } = session.next() {
            println!("User {user} is asked for {}: {reason}.", plan.schema().question(question).name);
            session.answer(question, Answer::Number(location))?;
        }
        let outlook = session.outlook();
        let never: Vec<&str> = session.never_asked().map(|id| plan.schema().question(id).name.as_str()).collect();
        println!("User {user}: {}. Never asked: {}.", plan.schema().class(outlook.label), never.join(", "));
    }
    Ok(())
}
