//! The keys of the API.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use crate::problem::Problem;

/// The keys of the API, of which only digests are kept.
pub struct ApiKeys {
    digests: Vec<[u8; 32]>,
}

impl ApiKeys {
    /// Reads keys, one on each line. Empty lines and lines that start with `#` are ignored. Returns `None` if there is
    /// no key.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let digests: Vec<[u8; 32]> = lines.map(digest).collect();
        (!digests.is_empty()).then_some(ApiKeys { digests })
    }

    /// Whether a key is one of them, in constant time.
    #[must_use]
    pub fn contain(&self, key: &str) -> bool {
        let key = digest(key);
        let same = |found: Choice, own: &[u8; 32]| found | own.ct_eq(&key);
        self.digests.iter().fold(Choice::from(0), same).into()
    }
}

fn digest(key: &str) -> [u8; 32] {
    Sha256::digest(key).into()
}

/// Refuses requests without a valid key.
pub(super) async fn require_key(
    State(keys): State<Arc<ApiKeys>>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    if bearer(request.headers()).is_some_and(|key| keys.contain(key)) {
        Ok(next.run(request).await)
    } else {
        Err(Problem::Unauthorized)
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(key.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_keys_are_keys() {
        let keys = ApiKeys::parse("# for the desk\nfirst-key\n\n  second-key  \n").unwrap();
        assert!(keys.contain("first-key") && keys.contain("second-key"));
        assert!(!keys.contain("first") && !keys.contain("") && !keys.contain("# for the desk"));
        assert!(ApiKeys::parse("\n# none\n").is_none());
    }
}
