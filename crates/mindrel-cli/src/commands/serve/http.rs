//! The options of `mindrel serve` that concern HTTP.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use mindrel_io::input::read_text;
use mindrel_serve::{ApiKeys, HttpOptions};

#[derive(Debug, Args)]
pub struct HttpArguments {
    /// Requests per second that each client may make on average, with bursts of four times as many. 0 means no limit.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    rate: u32,
    /// Take the client's address from X-Forwarded-For, for the rate limit. Only if clients cannot bypass the proxy.
    #[arg(long)]
    behind_proxy: bool,
    /// File with keys of the API, one on each line. Clients send Authorization: Bearer KEY. The form needs no key.
    #[arg(long, value_name = "FILE")]
    api_keys: Option<PathBuf>,
    /// Serve the API only, without the form.
    #[arg(long)]
    no_form: bool,
    /// Log the method, route, status and time of each request, but no client address and no value.
    #[arg(long)]
    access_log: bool,
}

impl HttpArguments {
    pub fn options(&self) -> anyhow::Result<HttpOptions> {
        let keys = self.api_keys.as_ref().map(|path| {
            ApiKeys::parse(&read_text(path)?)
                .with_context(|| format!("{}: there is no key in it; write one on each line", path.display()))
        });
        Ok(HttpOptions {
            requests_per_second: (self.rate > 0).then_some(self.rate),
            behind_proxy: self.behind_proxy,
            keys: keys.transpose()?,
            timeout: Duration::from_secs(20),
            form: !self.no_form,
            access_log: self.access_log,
        })
    }

    /// Starts the log of errors and, if wanted, of requests, on standard error.
    pub fn start_log(&self) {
        let level = if self.access_log { tracing::Level::INFO } else { tracing::Level::WARN };
        let log = tracing_subscriber::fmt().with_max_level(level).with_target(false);
        let log = log.with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
        // It fails if a log was started before, which nothing does.
        let _ = log.try_init();
    }
}
