//! The fields that a page sent.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{FromRequest, Request};

use super::error_page::ErrorPage;
use crate::problem::Problem;

/// The fields of a form. It has no `Debug` because it holds answers.
pub(super) struct FormFields(Vec<(String, String)>);

impl FormFields {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    pub fn require(&self, name: &str) -> Result<&str, Problem> {
        self.get(name).ok_or(Problem::Form)
    }

    /// The fields whose names start with a prefix, without the prefix.
    pub fn with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let named = self.0.iter().filter_map(|(name, value)| Some((name.strip_prefix(prefix)?, value)));
        named.map(|(name, value)| (name.to_owned(), value.clone())).collect()
    }
}

impl<S: Send + Sync> FromRequest<S> for FormFields {
    type Rejection = ErrorPage;

    async fn from_request(request: Request, state: &S) -> Result<Self, ErrorPage> {
        match Form::from_request(request, state).await {
            Ok(Form(fields)) => Ok(FormFields(fields)),
            Err(FormRejection::InvalidFormContentType(_)) => {
                Err(Problem::MediaType { expected: "application/x-www-form-urlencoded" }.into())
            }
            Err(FormRejection::BytesRejection(error)) => Err(Problem::from(error).into()),
            Err(_) => Err(Problem::Form.into()),
        }
    }
}
