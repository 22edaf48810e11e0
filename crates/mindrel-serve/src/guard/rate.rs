//! How often one client may ask.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::Guard;
use crate::problem::Problem;

/// Requests counted by client.
pub(super) struct Rates {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Rates {
    pub fn new(per_second: u32) -> Option<Self> {
        let per_second = NonZeroU32::new(per_second)?;
        let quota = Quota::per_second(per_second).allow_burst(per_second.saturating_mul(NonZeroU32::new(4)?));
        Some(Rates { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default() })
    }

    /// Takes one request of a client, or says how long to wait.
    pub fn take(&self, client: IpAddr) -> Result<(), Duration> {
        let taken = self.limiter.check_key(&client);
        taken.map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }

    /// Forgets clients that have not been here for long.
    pub fn tidy(&self) {
        self.limiter.retain_recent();
    }
}

impl Guard {
    /// Lets a request in, unless its client has had too many.
    pub(super) fn check_rate(&self, request: &Request) -> Result<(), Problem> {
        let Some(rates) = &self.rates else { return Ok(()) };
        let Some(client) = client(request, self.options.behind_proxy) else { return Ok(()) };
        rates.take(client).map_err(|wait| Problem::TooManyRequests { seconds: wait.as_secs() + 1 })
    }
}

/// Who asks: the other end of the connection or, behind a proxy, who the proxy says. A network of IPv6 addresses is one client.
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
        let rates = Rates::new(1).unwrap();
        let (first, second) = ("127.0.0.1".parse().unwrap(), "127.0.0.2".parse().unwrap());
        assert!((0..4).all(|_| rates.take(first).is_ok()));
        assert!(rates.take(first).is_err());
        assert!(rates.take(second).is_ok());
    }

    #[test]
    fn a_proxy_is_believed_only_where_there_is_one() {
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
