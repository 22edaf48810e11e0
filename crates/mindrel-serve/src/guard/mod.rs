//! What stands between the network and the service.

mod guarded;
mod key;
mod rate;
mod watch;

pub use guarded::{Guarded, Passing};
pub use key::ApiKeys;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;

use crate::problem::Problem;
use crate::service::Service;
use rate::Rates;

/// Where the service is watched over from.
pub(crate) const WATCHED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// How the service is guarded.
pub struct GuardOptions {
    /// Requests each client may make in a second, averaged; a burst may have four times as many. Without, there is no limit.
    pub requests_per_second: Option<u32>,
    /// Whether a proxy in front says who the client is, in the last entry of `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// The keys of the API; without, anybody may use it.
    pub keys: Option<ApiKeys>,
    /// How long a request may take to arrive and be served.
    pub timeout: Duration,
    /// Whether the form is served.
    pub form: bool,
    /// Whether each request is logged: its method, route, status and time, and nothing else.
    pub access_log: bool,
}

impl Default for GuardOptions {
    fn default() -> Self {
        GuardOptions {
            requests_per_second: None,
            behind_proxy: false,
            keys: None,
            timeout: Duration::from_secs(20),
            form: true,
            access_log: false,
        }
    }
}

/// The guard of a service.
pub(crate) struct Guard {
    service: Arc<Service>,
    options: GuardOptions,
    rates: Option<Rates>,
    /// What requests are counted by.
    routes: matchit::Router<&'static str>,
}

impl Guard {
    /// The guard of a service that is reached under some routes.
    pub fn new(service: Arc<Service>, options: GuardOptions, routes: matchit::Router<&'static str>) -> Self {
        let rates = options.requests_per_second.and_then(Rates::new);
        Guard { service, options, rates, routes }
    }

    /// Lets a request in, or says why not. Whoever watches over the service is let in however busy it is.
    fn admit(&self, request: &Request) -> Result<(), Problem> {
        let path = request.uri().path();
        if WATCHED.contains(&path) {
            return Ok(());
        }
        self.check_rate(request)?;
        if path.starts_with("/v1/") { self.check_key(request.headers()) } else { Ok(()) }
    }
}
