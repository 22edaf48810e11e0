//! Whole sessions, and the empty handler's echo.

use crate::Failure;
use crate::client::Field;
use crate::drive::Client;

/// A token and a question.
type Asked<'a> = (&'a [u8], &'a [u8]);

/// What is looked for in replies, rather than parsing them.
pub struct Fields {
    stage: Field,
    token: Field,
    question: Field,
    echoed: Field,
}

impl Fields {
    pub fn new() -> Self {
        Fields {
            stage: Field::new(r#""stage":""#, b'"'),
            token: Field::new(r#""token":""#, b'"'),
            question: Field::new(r#""question":{"name":""#, b'"'),
            echoed: Field::new(r#""question":""#, b'"'),
        }
    }

    /// A whole session of somebody who says 0.1 to everything.
    pub fn session(&self, client: &mut Client<'_>) -> Result<usize, Failure> {
        let (mut path, mut body) = ("/v1/plans/load/sessions", br#"{"public":{"q0":-0.2}}"#.to_vec());
        for steps in 1.. {
            let Some(asked) = self.asked(client.post(path, &body)?)? else { return Ok(steps) };
            path = "/v1/sessions/answer";
            answer(asked, &mut body);
        }
        unreachable!("a session ends")
    }

    /// As many requests as some session has steps to a handler that sends back what it is sent; the client does with the replies what it does
    /// in a session.
    pub fn echoes(&self, client: &mut Client<'_>, steps: usize, token: &[u8]) -> Result<usize, Failure> {
        let mut body = Vec::new();
        answer((token, b"q1"), &mut body);
        for _ in 0..steps {
            let reply = client.post("/", &body)?;
            let token = self.token.of(reply).ok_or("no token")?;
            answer((token, self.echoed.of(reply).ok_or("no question")?), &mut body);
        }
        Ok(steps)
    }

    /// The token and the question of a reply that asks one; nothing of a decision.
    fn asked<'a>(&self, reply: &'a [u8]) -> Result<Option<Asked<'a>>, Failure> {
        match self.stage.of(reply) {
            Some(b"decided") => Ok(None),
            Some(b"asking") => {
                let token = self.token.of(reply).ok_or("no token")?;
                Ok(Some((token, self.question.of(reply).ok_or("no question")?)))
            }
            _ => Err("the session did not end".into()),
        }
    }
}

/// Writes the body that answers a question.
fn answer((token, question): Asked<'_>, body: &mut Vec<u8>) {
    body.clear();
    for part in [br#"{"token":""#, token, br#"","question":""#, question, br#"","answer":0.1}"#] {
        body.extend_from_slice(part);
    }
}
