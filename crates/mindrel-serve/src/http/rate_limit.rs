//! How often one client may send requests.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::problem::Problem;

/// Clients that have not been seen for a while are forgotten after this many requests.
const FORGET_EVERY: u64 = 4096;

/// Counts the requests of each client.
pub(super) struct RateLimit {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
    requests: AtomicU64,
    behind_proxy: bool,
}

impl RateLimit {
    /// Returns `None` for a rate of zero.
    pub fn new(per_second: u32, behind_proxy: bool) -> Option<Self> {
        let per_second = NonZeroU32::new(per_second)?;
        let quota = Quota::per_second(per_second).allow_burst(per_second.saturating_mul(NonZeroU32::new(4)?));
        let limiter = RateLimiter::keyed(quota);
        Some(RateLimit { limiter, clock: DefaultClock::default(), requests: AtomicU64::new(0), behind_proxy })
    }

    /// Counts a request of a client, or returns how long the client must wait.
    fn check(&self, client: IpAddr) -> Result<(), Duration> {
        if self.requests.fetch_add(1, Ordering::Relaxed).is_multiple_of(FORGET_EVERY) {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&client).map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}

/// Refuses the requests of a client that has sent too many.
pub(super) async fn limit_rate(
    State(limit): State<Arc<RateLimit>>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    if let Some(client) = client(&request, limit.behind_proxy) {
        limit.check(client).map_err(|wait| Problem::TooManyRequests { seconds: wait.as_secs() + 1 })?;
    }
    Ok(next.run(request).await)
}

/// The other end of the connection or, behind a proxy, the client it names. An IPv6 network counts as one client.
fn client(request: &Request, behind_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let last = request.headers().get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        last.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    };
    let direct = || request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let address = if behind_proxy { forwarded().or_else(direct) } else { direct() };
    address.map(|address| match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        four => four,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_beyond_its_burst_waits_and_others_do_not() {
        let limit = RateLimit::new(1, false).unwrap();
        let (first, second) = ("127.0.0.1".parse().unwrap(), "127.0.0.2".parse().unwrap());
        assert!((0..4).all(|_| limit.check(first).is_ok()));
        assert!(limit.check(first).is_err());
        assert!(limit.check(second).is_ok());
    }

    #[test]
    fn a_proxy_is_believed_only_if_there_is_one() {
        let request = |forwarded: &str| {
            let mut request =
                Request::builder().header("x-forwarded-for", forwarded).body(axum::body::Body::empty()).unwrap();
            request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 9], 1))));
            request
        };
        let shown = |forwarded, behind| client(&request(forwarded), behind).unwrap().to_string();
        assert_eq!(shown("192.0.2.1, 192.0.2.7", true), "192.0.2.7");
        assert_eq!(shown("192.0.2.1, 192.0.2.7", false), "127.0.0.9");
        assert_eq!(shown("nonsense", true), "127.0.0.9");
        assert_eq!(shown("2001:db8:1:2:3:4:5:6", true), "2001:db8:1:2::");
    }
}
