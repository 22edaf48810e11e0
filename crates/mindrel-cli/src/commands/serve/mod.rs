//! `mindrel serve`: plans as an HTTP service with a form.

mod http;
mod keys;

use std::net::{SocketAddr, TcpListener};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail, ensure};
use clap::Args;
use mindrel_serve::ledger::{self, Ledger};
use mindrel_serve::served_plans::{ServedPlan, ServedPlans};
use mindrel_serve::server::{self, TlsFiles};
use mindrel_serve::token::{Keys, Sealer};
use mindrel_serve::{Metrics, Service, Workers, app};

use super::plans;
use crate::exit_code::ExitCode;
use crate::terminal::output::remark;
use http::HttpArguments;
pub use keys::KeysCommand;

/// Serve plans over HTTP: a JSON API under /v1, and a form that asks one question at a time.
///
/// Answers are not stored: a session travels with the client as an encrypted token. Before a decision is given, a
/// ledger records which questions were asked and how well the decision is supported. /openapi.json describes the API;
/// /healthz, /readyz and /metrics are for monitoring.
#[derive(Args)]
#[command(after_help = "\
Examples:
  mindrel serve people.plan                              then open http://127.0.0.1:8080/
  mindrel keys new keys.txt                              a key that several replicas can share
  mindrel serve people.plan --key-file keys.txt --ledger postgres://mindrel@db/ledger --behind-proxy
  mindrel serve people.plan --tls-cert cert.pem --tls-key key.pem --listen 0.0.0.0:8443")]
pub struct Serve {
    /// Plan files. Each plan is offered under its file name without the extension.
    #[arg(required = true)]
    plans: Vec<PathBuf>,
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Where decisions are recorded: sqlite:FILE, or postgres://USER@HOST/DATABASE for several replicas.
    #[arg(long, value_name = "ADDRESS", default_value = "sqlite:mindrel-ledger.db")]
    ledger: String,
    /// Key file from `mindrel keys new`, to encrypt sessions. Without one, a temporary key is used and sessions end
    /// with the service.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Minutes that a person may take for one question.
    #[arg(long, value_name = "MINUTES", default_value_t = 30)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=60 * 24))]
    token_life: u64,
    /// Largest delta a client may ask for [default: each plan's own].
    #[arg(long, value_name = "DELTA", allow_hyphen_values = true)]
    most_delta: Option<f64>,
    /// Steps of networks and tree ensembles computed at the same time [default: one for each core].
    #[arg(long, value_name = "NUMBER")]
    workers: Option<NonZero<usize>>,
    /// Requests that may wait for a worker; further ones are told to try again (503).
    #[arg(long, value_name = "NUMBER", default_value_t = 64)]
    queue: usize,
    /// TLS certificate chain in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// TLS private key in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    #[command(flatten)]
    http: HttpArguments,
}

impl Serve {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let service = Arc::new(self.service()?);
        let options = self.http.options()?;
        let listener = TcpListener::bind(self.listen)
            .with_context(|| format!("cannot listen on {}; choose another with --listen", self.listen))?;
        let address = listener.local_addr()?;
        let tls = self.tls_cert.clone().zip(self.tls_key.clone());
        let tls = tls.map(|(certificate, key)| TlsFiles { certificate, key });
        let scheme = if tls.is_some() { "https" } else { "http" };
        self.http.start_log();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let stop = stop_signal()?;
            if self.key_file.is_none() {
                remark("No --key-file: a temporary key encrypts sessions, so they end when the service stops.");
            }
            remark(&format!("Listening on {scheme}://{address}/ - stop with Ctrl-C."));
            server::serve(app(Arc::clone(&service), options), listener, tls, stop).await?;
            anyhow::Ok(())
        })?;
        // Dropping the service waits for the ledger's writer.
        drop(runtime);
        drop(service);
        remark("Stopped. Every decision is recorded.");
        Ok(ExitCode::SUCCESS)
    }

    fn service(&self) -> anyhow::Result<Service> {
        let plans =
            self.plans.iter().map(|path| self.served_plan(path)).collect::<anyhow::Result<Vec<ServedPlan>>>()?;
        let keys = match &self.key_file {
            Some(path) => keys::read(path)?,
            None => Keys::random(),
        };
        Ok(Service {
            plans: ServedPlans::new(plans)?,
            sealer: Sealer::new(keys),
            ledger: Ledger::new(ledger::open(&self.ledger)?),
            metrics: Metrics::new(),
            workers: self.workers(),
            token_life: Duration::from_secs(60 * self.token_life),
            clock: seconds_since_1970,
        })
    }

    fn workers(&self) -> Workers {
        let cores = || available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Workers::new(self.workers.unwrap_or_else(cores), self.queue)
    }

    fn served_plan(&self, path: &Path) -> anyhow::Result<ServedPlan> {
        let plan = plans::read(path)?;
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else {
            bail!("{}: a plan is offered under its file name, and this one is not valid text", path.display());
        };
        let mut served = ServedPlan::new(name, plan);
        if let Some(most) = self.most_delta {
            ensure!((0.0..1.0).contains(&most), "--most-delta must be at least 0 and less than 1");
            served.most_delta = most.max(served.most_delta);
        }
        Ok(served)
    }
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Completes on Ctrl-C or SIGTERM.
fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        drop(tokio::signal::ctrl_c().await);
    })
}
