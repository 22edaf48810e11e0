//! The service on real sockets: slow, malformed and greedy clients, and an end that finishes what is in flight.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{service_with, sqlite};
use mindrel_serve::server::TlsFiles;
use mindrel_serve::token::Keys;
use mindrel_serve::{HttpOptions, app, server};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tokio::sync::oneshot;

struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: Option<std::thread::JoinHandle<()>>,
    _folder: tempfile::TempDir,
}

impl Running {
    fn start(options: HttpOptions) -> Self {
        Running::start_with(options, None)
    }

    fn start_with(options: HttpOptions, tls: Option<TlsFiles>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let service = service_with(sqlite(folder.path()), &Keys::random_text(), || 1_000_000);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let ended = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            let stop = async { drop(stopped.await) };
            runtime.block_on(server::serve(app(service, options), listener, tls, stop)).unwrap();
        });
        Running { address, stop: Some(stop), ended: Some(ended), _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes as they are and reads until the other end closes.
    fn say(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that has had enough may close before everything is sent.
        let _ = stream.write_all(bytes);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }

    fn is_well(&self) -> bool {
        self.say(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").starts_with("HTTP/1.1 200")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(ended) = self.ended.take() {
            ended.join().unwrap();
        }
    }
}

/// A certificate for this machine, written where a server finds it.
fn certificate(folder: &Path) -> (rcgen::CertifiedKey<rcgen::KeyPair>, TlsFiles) {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let files = TlsFiles { certificate: folder.join("certificate.pem"), key: folder.join("key.pem") };
    std::fs::write(&files.certificate, own.cert.pem()).unwrap();
    std::fs::write(&files.key, own.signing_key.serialize_pem()).unwrap();
    (own, files)
}

#[test]
fn a_client_over_tls_is_served_and_offered_no_http_2_which_would_come_around_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let (own, files) = certificate(folder.path());
    let running = Running::start_with(HttpOptions::default(), Some(files));
    let mut roots = RootCertStore::empty();
    roots.add(own.cert.der().clone()).unwrap();
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let client = ClientConnection::new(Arc::new(config), "localhost".try_into().unwrap()).unwrap();
    let mut stream = StreamOwned::new(client, running.connect());
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    assert_eq!(stream.conn.alpn_protocol(), Some(b"http/1.1".as_slice()));
    // Without TLS there is nothing to be had.
    assert!(!running.is_well());
}

#[test]
fn http_2_by_prior_knowledge_is_refused() {
    let running = Running::start(HttpOptions::default());
    let reply = running.say(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00");
    assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{reply}");
    assert!(running.is_well());
}

#[test]
fn malformed_requests_are_refused_and_others_are_served() {
    let running = Running::start(HttpOptions::default());
    for bytes in [
        b"\x16\x03\x01\x02\x00\x01\x00".as_slice(),
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"POST /v1/sessions/resume HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/sessions/resume HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let reply = running.say(bytes);
        assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{reply}");
        assert!(running.is_well());
    }
    let long = format!("GET / HTTP/1.1\r\nhost: x\r\nx-long: {}\r\n\r\n", "a".repeat(40_000));
    assert!(running.say(long.as_bytes()).starts_with("HTTP/1.1 431"));
    let many = "x: y\r\n".repeat(200);
    assert!(running.say(format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n").as_bytes()).starts_with("HTTP/1.1 431"));
    assert!(running.is_well());
}

#[test]
fn a_body_in_pieces_is_read_whole_and_one_without_end_is_refused() {
    let running = Running::start(HttpOptions::default());
    let say_in_pieces = |body: &str| {
        let head = "POST /v1/plans/loan/sessions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                    content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
        let pieces: String = body.chars().map(|letter| format!("1\r\n{letter}\r\n")).collect();
        running.say(format!("{head}{pieces}0\r\n\r\n").as_bytes())
    };
    let body = r#"{"public": {"amount": 5000}}"#;
    let reply = say_in_pieces(body);
    assert!(reply.starts_with("HTTP/1.1 201") && reply.contains("token"), "{reply}");
    let reply = say_in_pieces(&" ".repeat(mindrel_serve::LONGEST_BODY + 1));
    assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 413"), "{reply}");
    let longest = " ".repeat(mindrel_serve::LONGEST_BODY - body.len());
    assert!(say_in_pieces(&format!("{body}{longest}")).starts_with("HTTP/1.1 201"));
    assert!(running.is_well());
}

/// Many clients that begin a request and never end it: others are served all the while.
#[test]
fn clients_that_dawdle_do_not_stop_others() {
    let options = HttpOptions { timeout: Duration::from_millis(300), ..HttpOptions::default() };
    let running = Running::start(options);
    let head = b"POST /v1/sessions/resume HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                 content-length: 100\r\n\r\n{";
    let dawdling: Vec<TcpStream> = (0..200)
        .map(|place| {
            let mut stream = running.connect();
            let part = if place % 2 == 0 { &head[..20] } else { &head[..] };
            stream.write_all(part).unwrap();
            stream
        })
        .collect();
    assert!((0..20).all(|_| running.is_well()));
    // Whoever has sent a head and not the body is told that it took too long.
    let mut stream = &dawdling[1];
    let mut reply = [0; 12];
    stream.read_exact(&mut reply).unwrap();
    assert_eq!(&reply, b"HTTP/1.1 408");
}

#[test]
fn a_client_that_asks_too_often_is_told_to_wait_and_watchers_are_not() {
    let running = Running::start(HttpOptions { requests_per_second: Some(1), ..HttpOptions::default() });
    let get =
        |path: &str| running.say(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes());
    let replies: Vec<String> = (0..8).map(|_| get("/v1/plans")).collect();
    let refused = replies.iter().find(|reply| reply.starts_with("HTTP/1.1 429")).expect("a burst is four");
    assert!(refused.contains("retry-after: ") && refused.contains("too-many-requests"), "{refused}");
    assert!(running.is_well());
}

/// Told to stop while a request is on its way, the service answers it first.
#[test]
fn an_end_finishes_what_is_in_flight() {
    let mut running = Running::start(HttpOptions::default());
    let mut stream = running.connect();
    let body = br#"{"public": {"amount": 5000}}"#;
    let head = format!(
        "POST /v1/plans/loan/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body[..10]).unwrap();
    // The head must have been read before the end begins.
    std::thread::sleep(Duration::from_millis(200));
    running.stop.take();
    std::thread::sleep(Duration::from_millis(200));
    assert!(TcpStream::connect(running.address).is_err(), "nobody new is let in");
    stream.write_all(&body[10..]).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 201"), "{reply}");
}
