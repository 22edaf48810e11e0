//! Downloads: bounded in size and in time, over [`Address`]es alone.

use std::io::Read;
use std::time::Duration;

use ureq::http::{Response, header};
use ureq::{Agent, Body};

use crate::address::Address;
use crate::{DataError, DataSet};

const CONNECT: Duration = Duration::from_secs(20);
/// The longest a server may say nothing.
const SILENCE: Duration = Duration::from_secs(30);
/// The longest a download may take, however steadily it drips.
const WHOLE: Duration = Duration::from_secs(15 * 60);
const MOST_REDIRECTS: u32 = 5;

/// How far a download is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadProgress {
    /// Bytes received.
    pub received: u64,
    /// All there will be, where the server says so.
    pub total: Option<u64>,
}

/// Loads a file of at most `limit` bytes into memory.
pub(crate) fn download(
    set: &DataSet,
    address: &str,
    limit: u64,
    progress: &mut dyn FnMut(DownloadProgress),
) -> Result<Vec<u8>, DataError> {
    let refused = |address: &str, reason| DataError::Address { name: set.name, address: address.to_owned(), reason };
    let address = Address::new(address).map_err(|reason| refused(address, reason))?;
    let response = agent(&address).get(address.uri().clone()).call().map_err(|error| match error {
        ureq::Error::RequireHttpsOnly(elsewhere) => {
            refused(&elsewhere, "the server leads on to it, and it is not https://")
        }
        ureq::Error::TooManyRedirects => {
            refused(&address.uri().to_string(), "the server leads on and on, and never to the file")
        }
        error => {
            DataError::Unreachable { name: set.name, host: address.authority().to_owned(), cause: in_words(&error) }
        }
    })?;
    if response.status().is_success() {
        body(set, &address, response, limit, progress)
    } else {
        Err(unwelcome(set, &address, &response))
    }
}

/// Over HTTPS redirects are followed, to HTTPS alone. This machine is asked directly: no proxy knows what it means by
/// itself, and no redirect leads away from it.
fn agent(address: &Address) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .user_agent(concat!("mindrel/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(CONNECT))
        .timeout_recv_response(Some(SILENCE))
        .timeout_per_read(Some(SILENCE))
        .timeout_global(Some(WHOLE));
    if address.is_https() {
        config.https_only(true).max_redirects(MOST_REDIRECTS).build().new_agent()
    } else {
        config.proxy(None).max_redirects(0).build().new_agent()
    }
}

fn in_words(error: &ureq::Error) -> String {
    let text = match error {
        ureq::Error::Io(error) => error.to_string(),
        error => error.to_string(),
    };
    match error {
        ureq::Error::Timeout(_) => "it did not answer in time".to_owned(),
        ureq::Error::HostNotFound => "its name is not found; is there a network?".to_owned(),
        // The system's own words for it are longer and say less.
        _ if text.contains("lookup address") => in_words(&ureq::Error::HostNotFound),
        _ if text.contains("certificate") => format!("{text}; perhaps something on the way reads along"),
        _ => text,
    }
}

fn unwelcome(set: &DataSet, address: &Address, response: &Response<Body>) -> DataError {
    DataError::Status { name: set.name, host: address.authority().to_owned(), status: response.status().to_string() }
}

fn body(
    set: &DataSet,
    address: &Address,
    response: Response<Body>,
    limit: u64,
    progress: &mut dyn FnMut(DownloadProgress),
) -> Result<Vec<u8>, DataError> {
    let host = address.authority().to_owned();
    let total = response.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let too_large = || DataError::TooLarge { name: set.name, what: format!("the file at {host}"), limit };
    if total.is_some_and(|total: u64| total > limit) {
        return Err(too_large());
    }
    let mut reader = response.into_body().into_reader();
    let mut content = Vec::new();
    let mut block = vec![0; 1 << 16];
    loop {
        let cut_off = |received, cause| DataError::CutOff { name: set.name, host: host.clone(), received, cause };
        let received = content.len() as u64;
        progress(DownloadProgress { received, total });
        match reader.read(&mut block) {
            Ok(0) if total.is_some_and(|total| total != received) => {
                return Err(cut_off(received, "the server promised more".to_owned()));
            }
            Ok(0) => return Ok(content),
            Ok(read) if received + read as u64 > limit => return Err(too_large()),
            Ok(read) => content.extend_from_slice(&block[..read]),
            Err(error) => return Err(cut_off(received, error.to_string())),
        }
    }
}
