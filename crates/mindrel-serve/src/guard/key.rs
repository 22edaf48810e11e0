//! Keys of the API.

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use super::Guard;
use crate::problem::Problem;

/// The keys of the API, of which only digests are kept.
pub struct ApiKeys {
    digests: Vec<[u8; 32]>,
}

impl ApiKeys {
    /// Keys, one on each line; lines that start with `#` are left out. Nothing where there are none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let digests: Vec<[u8; 32]> = lines.map(digest).collect();
        (!digests.is_empty()).then_some(ApiKeys { digests })
    }

    /// Whether a key is one of them; it takes the same time for every key.
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

impl Guard {
    /// Lets in who has a key, where keys are asked for.
    pub(super) fn check_key(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(keys) = &self.options.keys else { return Ok(()) };
        let stated = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let key = stated.and_then(|value| {
            let (scheme, key) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(key.trim())
        });
        if key.is_some_and(|key| keys.contain(key)) { Ok(()) } else { Err(Problem::Unauthorized) }
    }
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
