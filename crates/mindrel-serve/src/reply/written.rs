//! Replies as they are sent.

use std::io::Write;

use mindrel::schema::QuestionId;
use mindrel::selector::Reason;
use mindrel::session::{Decision, Next};
use serde::Serialize;

use super::Reply;
use crate::service::Standing;
use crate::words;

/// Few replies that ask are longer, in bytes.
const USUAL_LENGTH: usize = 1000;
/// Few that decide are.
const WITH_CERTIFICATE: usize = 3000;

/// What a client is told of where a session stands, in JSON.
///
/// All but the rare end without a decision is put together from [fragments](super::Fragments), to the same text as the [views](Reply) make.
pub(crate) fn written(standing: &Standing) -> Vec<u8> {
    let text = match standing.session.next() {
        Next::Ask { question, reason } => Text::about(standing, USUAL_LENGTH).ask(standing, question, reason),
        Next::Done(decision) => Text::about(standing, WITH_CERTIFICATE).decide(standing, &decision),
        Next::Undecided(_) => Text(Vec::with_capacity(USUAL_LENGTH)).json(&Reply::new(standing)),
    };
    text.0
}

struct Text(Vec<u8>);

impl Text {
    /// What is said at every stage.
    fn about(standing: &Standing, length: usize) -> Self {
        let (session, fragments) = (&standing.session, &standing.offer.fragments);
        let outlook = session.outlook();
        // The letters of tokens stand for themselves.
        Text(Vec::with_capacity(length))
            .put(&[r#"{"token":""#, &standing.token, r#"","expires":"#])
            .json(&standing.expires)
            .put(&[r#","plan":"#, &fragments.plan, r#","delta":"#])
            .json(&session.plan().rules().delta)
            .put(&[r#","questions":"#, &fragments.n_questions, r#","answered":["#])
            .list(&fragments.names, session.revealed())
            .put(&[r#"],"declined":["#])
            .list(&fragments.names, session.declined().iter().copied())
            .put(&[r#"],"outlook":{"class":"#, &fragments.classes[outlook.label.index()], r#","probability":"#])
            .json(&outlook.probability)
    }

    fn ask(self, standing: &Standing, question: QuestionId, reason: Reason) -> Self {
        let question = &standing.offer.fragments.questions[question.index()];
        let mut text = self.put(&[r#"},"stage":"asking","question":"#, question, r#","reason":""#]);
        // The letters of reasons stand for themselves, too.
        write!(text.0, r#"{reason}"}}"#).expect("there is room");
        text
    }

    fn decide(self, standing: &Standing, decision: &Decision) -> Self {
        let (session, fragments) = (&standing.session, &standing.offer.fragments);
        let class = &fragments.classes[decision.label.index()];
        self.put(&[r#"},"stage":"decided","class":"#, class, r#","guarantee":""#, decision.guarantee.name()])
            .put(&[r#"","words":"#])
            .json(&words::guarantee(session, decision))
            .put(&[r#","never_asked":["#])
            .list(&fragments.names, session.never_asked())
            .put(&[r#"],"certificate":"#])
            .json(&session.certificate())
            .put(&[r#","receipt":"#])
            .json(&standing.receipt)
            .put(&["}"])
    }

    fn put(mut self, parts: &[&str]) -> Self {
        parts.iter().for_each(|part| self.0.extend_from_slice(part.as_bytes()));
        self
    }

    fn json(mut self, value: &impl Serialize) -> Self {
        serde_json::to_writer(&mut self.0, value).expect("plain data with finite numbers");
        self
    }

    fn list(self, names: &[String], questions: impl Iterator<Item = QuestionId>) -> Self {
        let joined = |text: Self, (place, question): (usize, QuestionId)| {
            text.put(&[if place == 0 { "" } else { "," }, &names[question.index()]])
        };
        questions.enumerate().fold(self, joined)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mindrel::belief::GaussianBelief;
    use mindrel::model::LinearModel;
    use mindrel::schema::{Answer, Question, Target};
    use mindrel::session::Answers;
    use mindrel::{Plan, Rules, Schema};
    use proptest::prelude::*;

    use super::*;
    use crate::conversation::Conversation;
    use crate::ledger::Receipt;
    use crate::plans::Offer;

    /// A plan whose texts must not stand in JSON as they are.
    fn offer() -> Arc<Offer> {
        let named = ["public \"one\"", "back\\slash", "new\nline", "ümlaut", "yes?"];
        let mut questions: Vec<Question> = named.iter().map(|name| Question::number(*name, -1.0, 1.5)).collect();
        questions[0] = questions[0].clone().public();
        questions[4] = Question::boolean(named[4]);
        questions.push(Question::category("which?", ["\"first\"", "second"]));
        let classes = vec!["\"no\"".into(), "yes\u{7}".into()];
        let target = Target { name: "y".into(), prompt: "y?".into(), classes };
        let schema = Schema::new(target, questions).unwrap();
        let n_columns = schema.n_columns();
        let model = LinearModel::new(n_columns, (1..=n_columns).map(|place| 1.0 / place as f64).collect(), vec![0.1]);
        let covariance = (0..n_columns * n_columns).map(|place| f64::from(place % (n_columns + 1) == 0)).collect();
        let belief = GaussianBelief::new(vec![0.0; n_columns], covariance).unwrap();
        let plan = Plan::new(schema, model.unwrap(), belief, Rules::default()).unwrap();
        Arc::new(Offer::new("a-plan", plan))
    }

    proptest! {
        /// Some number for every question that is asked, or none where it is declined; there are fewer questions, so that every session ends.
        #[test]
        fn fragments_make_the_text_the_views_make(
            said in prop::collection::vec(prop::option::weighted(0.8, -1.0..1.5), 6),
            delta in prop::sample::select(vec![0.0, 0.2]),
        ) {
            let offer = offer();
            let mut public = Answers::new();
            public.insert(QuestionId::new(0), Answer::Number(0.25));
            let mut conversation = Conversation::new(&offer.plan, Some(delta), &public, 0);
            for said in said {
                let mut standing = Standing::new(&offer, conversation.clone(), 1_700_000_600).unwrap();
                standing.token = "a-token_".to_owned();
                standing.receipt = Some(Receipt { entry: 7, hash: "0123abcd".to_owned() });
                prop_assert_eq!(written(&standing), serde_json::to_vec(&Reply::new(&standing)).unwrap());
                let Next::Ask { question, .. } = standing.session.next() else { break };
                let answer: Option<Answer> = said.map(|said: f64| match question.index() {
                    4 => Answer::Boolean(said > 0.0),
                    5 => Answer::Level(usize::from(said > 0.0)),
                    _ => Answer::Number(said),
                });
                conversation.push(question, answer.as_ref());
            }
        }
    }
}
