//! The service over HTTP: the router, and the layers around it.

mod api_keys;
mod app;
mod headers;
mod observe;
mod rate_limit;

pub use api_keys::ApiKeys;
pub use app::{LONGEST_BODY, app};

use std::time::Duration;

/// How the service is reached over HTTP.
pub struct HttpOptions {
    /// Requests per second that each client may make on average; a burst may be four times as long. `None` means no
    /// limit.
    pub requests_per_second: Option<u32>,
    /// Whether a proxy in front of the service names the client in the last entry of `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// The keys of the API. `None` means that anyone may use it.
    pub keys: Option<ApiKeys>,
    /// How long a request may take to arrive and be served.
    pub timeout: Duration,
    /// Whether the form is served.
    pub form: bool,
    /// Whether each request is logged: its method, route, status and time, and nothing else.
    pub access_log: bool,
}

impl Default for HttpOptions {
    fn default() -> Self {
        HttpOptions {
            requests_per_second: None,
            behind_proxy: false,
            keys: None,
            timeout: Duration::from_secs(20),
            form: true,
            access_log: false,
        }
    }
}
