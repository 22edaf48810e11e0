//! Where may be loaded from: over HTTPS, or from this machine itself.

use ureq::http::Uri;
use ureq::http::uri::Scheme;

/// An address that may be loaded from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address(Uri);

/// Why an address may not be loaded from.
type RefusalReason = &'static str;

impl Address {
    /// Accepts `https://…`, and `http://…` of a loopback address.
    pub(crate) fn new(text: &str) -> Result<Self, RefusalReason> {
        let uri: Uri = text.parse().map_err(|_| "it is not a web address, such as https://example.org/data")?;
        if uri.host().is_none_or(str::is_empty) {
            return Err("it names no server; a web address is like https://example.org/data");
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err("it holds a user name or password, which would show up in messages; use an address without");
        }
        let address = Address(uri);
        if address.is_https() || (address.0.scheme() == Some(&Scheme::HTTP) && address.is_loopback()) {
            Ok(address)
        } else {
            Err("it is not https://; plain http:// is used with this machine itself only (127.0.0.1, localhost)")
        }
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.0
    }

    /// The server, with its port where it is a special one.
    pub(crate) fn authority(&self) -> &str {
        self.0.authority().map_or("", |authority| authority.as_str())
    }

    pub(crate) fn is_https(&self) -> bool {
        self.0.scheme() == Some(&Scheme::HTTPS)
    }

    /// Whether the server is this machine, by its address or as `localhost`.
    fn is_loopback(&self) -> bool {
        let host = self.0.host().unwrap_or("").trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_and_this_machine_are_loaded_from_and_nothing_else() {
        let good =
            ["https://example.org/a+b.zip", "http://127.0.0.1:8000/x", "http://[::1]:80/x", "http://localhost/x"];
        for text in good {
            Address::new(text).unwrap_or_else(|reason| panic!("{text}: {reason}"));
        }
        let bad = [
            "",
            "bank.csv",
            "/data/bank.csv",
            "http://example.org/x",
            "http://127.0.0.1.example.org/x",
            "http://localhost.example.org/x",
            "http://127.0.0.1@example.org/x",
            "https://user:secret@example.org/x",
            "ftp://127.0.0.1/x",
            "file:///etc/passwd",
            "https:///x",
        ];
        for text in bad {
            assert!(Address::new(text).is_err(), "{text}");
        }
    }
}
