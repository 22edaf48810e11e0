//! A client that does as little as it can: it shares the machine with the server.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{SocketAddr, TcpStream};

use memchr::memmem;

/// No reply is longer.
const MOST_BYTES: usize = 64 * 1024;

/// One connection that is kept.
pub struct Connection {
    stream: TcpStream,
    request: Vec<u8>,
    reply: Vec<u8>,
}

impl Connection {
    pub fn new(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, request: Vec::new(), reply: vec![0; MOST_BYTES] })
    }

    /// Sends a body, and returns that of the reply.
    pub fn post(&mut self, path: &str, body: &str) -> Result<&str> {
        self.request.clear();
        write!(
            self.request,
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        self.stream.write_all(&self.request)?;
        let mut read = 0;
        loop {
            let more = self.stream.read(&mut self.reply[read..])?;
            read += more;
            if let Some((start, end)) = body_of(&self.reply[..read])
                && read >= end
            {
                let body = &self.reply[start..end];
                return std::str::from_utf8(body).map_err(|error| Error::new(ErrorKind::InvalidData, error));
            }
            if more == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

/// Where the body of a reply starts and ends, once its head is there.
fn body_of(reply: &[u8]) -> Option<(usize, usize)> {
    let head = &reply[..memmem::find(reply, b"\r\n\r\n")?];
    let length = text_after(std::str::from_utf8(head).ok()?, "\r\ncontent-length: ", '\r')?;
    let start = head.len() + 4;
    Some((start, start + length.parse::<usize>().ok()?))
}

/// What stands between a beginning and the next of an ending.
pub fn text_after<'a>(text: &'a str, beginning: &str, ending: char) -> Option<&'a str> {
    let rest = &text[memmem::find(text.as_bytes(), beginning.as_bytes())? + beginning.len()..];
    rest.split(ending).next()
}
