//! The socket: listening, TLS, limits on slow clients, and a graceful shutdown.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use hyper_util::rt::TokioTimer;
use rustls::ServerConfig;

/// How long a client may take to send the head of a request, including the next one on a kept-alive connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;
/// The most fields in a head.
const MOST_FIELDS: usize = 64;
/// How long a shutdown waits for requests in flight.
const GRACE: Duration = Duration::from_secs(30);

/// The PEM files of a server's certificate and key.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate chain.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// Serves until `stop` completes, and then finishes the requests in flight.
///
/// # Errors
/// When the certificate or the key cannot be used, or the socket fails.
pub async fn serve(
    app: Router,
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
    let make_service = app.into_make_service_with_connect_info::<SocketAddr>();
    macro_rules! serve {
        ($server:expr) => {{
            // The limits below are those of HTTP/1; HTTP/2 would evade them.
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
            // An application that embeds the service may have installed a provider already.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let config = RustlsConfig::from_pem_file(&files.certificate, &files.key).await?.get_inner();
            let mut config: ServerConfig = (*config).clone();
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            serve!(axum_server::from_tcp_rustls(listener, RustlsConfig::from_config(Arc::new(config)))?)
        }
    }
}
