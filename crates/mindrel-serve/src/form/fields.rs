//! What a page sent.

use axum::extract::{FromRequest, Request};

use super::pages::Failure;
use crate::api::{media_type_is, whole};
use crate::problem::Problem;

const FORM: &str = "application/x-www-form-urlencoded";

/// The fields of a form. It has no `Debug`: it holds answers.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    pub fn require(&self, name: &str) -> Result<&str, Failure> {
        self.get(name).ok_or(Failure::of(Problem::Form))
    }

    /// The fields whose names start so, without that start.
    pub fn with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let named = self.0.iter().filter_map(|(name, value)| Some((name.strip_prefix(prefix)?, value)));
        named.map(|(name, value)| (name.to_owned(), value.clone())).collect()
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        if !media_type_is(request.headers(), FORM) {
            return Err(Failure::of(Problem::MediaType { expected: FORM }));
        }
        let bytes = whole(request.into_body()).await?;
        Ok(Fields(form_urlencoded::parse(&bytes).into_owned().collect()))
    }
}
