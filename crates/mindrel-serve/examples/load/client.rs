//! A client that does as little as it can: it shares the machine with the server.

use std::io::{ErrorKind, Read, Result, Write};
use std::net::{SocketAddr, TcpStream};

use memchr::memmem::Finder;

/// No reply is longer.
const MOST_BYTES: usize = 64 * 1024;

/// One connection that is kept.
pub struct Connection {
    stream: TcpStream,
    request: Vec<u8>,
    reply: Vec<u8>,
    end_of_head: Finder<'static>,
    length: Finder<'static>,
}

/// Something that stands between two others in a text.
pub struct Field {
    before: Finder<'static>,
    after: u8,
}

impl Connection {
    pub fn new(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Connection {
            stream,
            request: Vec::new(),
            reply: vec![0; MOST_BYTES],
            end_of_head: Finder::new(b"\r\n\r\n"),
            length: Finder::new(b"\r\ncontent-length: "),
        })
    }

    /// Sends a body, and returns that of the reply.
    pub fn post(&mut self, path: &str, body: &[u8]) -> Result<&[u8]> {
        self.request.clear();
        for part in ["POST ", path, " HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: "] {
            self.request.extend_from_slice(part.as_bytes());
        }
        write!(self.request, "{}\r\n\r\n", body.len())?;
        self.request.extend_from_slice(body);
        self.stream.write_all(&self.request)?;
        let mut read = 0;
        loop {
            let more = self.stream.read(&mut self.reply[read..])?;
            read += more;
            if let Some((start, end)) = self.body_of(read)
                && read >= end
            {
                return Ok(&self.reply[start..end]);
            }
            if more == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Where the body of a reply starts and ends, once its head is among the bytes read.
    fn body_of(&self, read: usize) -> Option<(usize, usize)> {
        let head = &self.reply[..self.end_of_head.find(&self.reply[..read])?];
        let digits = head[self.length.find(head)? + self.length.needle().len()..].iter();
        let digits = digits.take_while(|letter| letter.is_ascii_digit());
        let length = digits.fold(0, |length, digit| 10 * length + usize::from(digit - b'0'));
        let start = head.len() + 4;
        Some((start, start + length))
    }
}

impl Field {
    pub fn new(before: &'static str, after: u8) -> Self {
        Field { before: Finder::new(before), after }
    }

    pub fn of<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        let rest = &text[self.before.find(text)? + self.before.needle().len()..];
        memchr::memchr(self.after, rest).map(|end| &rest[..end])
    }
}
