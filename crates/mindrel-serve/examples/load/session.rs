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
    echo: Field,
}

impl Fields {
    pub fn new() -> Self {
        Fields {
            stage: Field::new(r#""stage":""#, b'"'),
            token: Field::new(r#""token":""#, b'"'),
            question: Field::new(r#""question":{"name":""#, b'"'),
            echo: Field::new(r#""question":""#, b'"'),
        }
    }

    /// A whole session of somebody who says 0.1 to everything.
    pub fn session(&self, client: &mut Client<'_>) -> Result<usize, Failure> {
        let (mut path, mut body) = ("/v1/plans/load/sessions", br#"{"public":{"q0":-0.2}}"#.to_vec());
        for steps in 1.. {
            let Some((token, question)) = self.asked(client.post(path, &body)?)? else { return Ok(steps) };
            path = "/v1/sessions/answer";
            body.clear();
            for part in [br#"{"token":""#, token, br#"","question":""#, question, br#"","answer":0.1}"#] {
                body.extend_from_slice(part);
            }
        }
        unreachable!("a session ends")
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

    /// Whether a reply is the request again, with its question.
    pub fn is_echo(&self, reply: &[u8], question: &[u8]) -> bool {
        self.echo.of(reply) == Some(question)
    }
}
