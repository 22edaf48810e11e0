//! The socket: listening, TLS, slow clients, and an end that finishes what is in flight.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::ServiceExt;
use axum::extract::Request;
use axum::response::Response;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use hyper::body::Incoming;
use hyper_util::rt::TokioTimer;
use rustls::ServerConfig;
use tower::Service;

/// How long a client may take to send the head of a request, a kept-alive connection's next one included.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The head of a request may be this long.
const LONGEST_HEAD: usize = 16 * 1024;
/// And have this many fields.
const MOST_FIELDS: usize = 64;
/// How long an end waits for what is in flight.
const GRACE: Duration = Duration::from_secs(30);

/// Certificate and key of a server, as PEM files.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The chain of certificates.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// What can be put on a socket: [the service](crate::app()), or any router.
pub trait Served:
    Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
{
}

impl<S> Served for S where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// Serves until told to stop, and then finishes what is in flight.
///
/// # Errors
/// When the certificate or the key cannot be used, or the socket fails.
pub async fn serve(
    service: impl Served,
    listener: TcpListener,
    tls: Option<TlsFiles>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let handle = Handle::new();
    let stopping = handle.clone();
    tokio::spawn(async move {
        stop.await;
        stopping.graceful_shutdown(Some(GRACE));
    });
    listener.set_nonblocking(true)?;
    let make_service = service.into_make_service_with_connect_info::<SocketAddr>();
    macro_rules! serve {
        ($server:expr) => {{
            // The limits are HTTP/1's; HTTP/2 would come around them.
            let mut server = $server.handle(handle).http1_only();
            let mut http = server.http_builder().http1();
            http.timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(LONGEST_HEAD)
                .max_headers(MOST_FIELDS);
            server.serve(make_service).await
        }};
    }
    match tls {
        None => serve!(axum_server::from_tcp(listener)?),
        Some(files) => {
            // Whoever embeds the service may have chosen a provider before.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let config = RustlsConfig::from_pem_file(&files.certificate, &files.key).await?.get_inner();
            let mut config: ServerConfig = (*config).clone();
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            serve!(axum_server::from_tcp_rustls(listener, RustlsConfig::from_config(Arc::new(config)))?)
        }
    }
}
