//! How a service is guarded, on the command line.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use mindrel_serve::{ApiKeys, GuardOptions};

#[derive(Debug, Args)]
pub struct GuardArguments {
    /// Requests each client may make in a second, averaged; bursts may have four times as many. 0 sets no limit.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    rate: u32,
    /// A proxy in front says who the client is in X-Forwarded-For. Only for services that nobody reaches around the
    /// proxy.
    #[arg(long)]
    behind_proxy: bool,
    /// Keys of the API, one on each line: clients send Authorization: Bearer KEY. The form needs none.
    #[arg(long, value_name = "FILE")]
    api_keys: Option<PathBuf>,
    /// Leave the form out: only the API is served.
    #[arg(long)]
    no_form: bool,
    /// Log each request: method, route, status and time; never an address or a value.
    #[arg(long)]
    access_log: bool,
}

impl GuardArguments {
    pub fn options(&self) -> anyhow::Result<GuardOptions> {
        let keys = self.api_keys.as_ref().map(|path| {
            let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
            ApiKeys::parse(&text).with_context(|| format!("{}: no key in it; write one on each line", path.display()))
        });
        Ok(GuardOptions {
            requests_per_second: (self.rate > 0).then_some(self.rate),
            behind_proxy: self.behind_proxy,
            keys: keys.transpose()?,
            timeout: Duration::from_secs(20),
            form: !self.no_form,
            access_log: self.access_log,
        })
    }

    /// Lines about what goes wrong, and where it is wanted about each request, go to standard error.
    pub fn start_log(&self) {
        let level = if self.access_log { tracing::Level::INFO } else { tracing::Level::WARN };
        let log = tracing_subscriber::fmt().with_max_level(level).with_target(false);
        let log = log.with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
        // Nobody else starts one.
        let _ = log.try_init();
    }
}
