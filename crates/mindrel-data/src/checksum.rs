//! Is a file the one meant?

use std::io::Read;

use sha2::{Digest, Sha256};

/// What a file's checksum says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checksum {
    /// It is the catalogued file.
    Right,
    /// It is another one.
    Differs {
        /// Its sha256, in hexadecimal.
        found: String,
    },
}

impl Checksum {
    pub(crate) fn compare(found: String, expected: &str) -> Self {
        if found == expected { Checksum::Right } else { Checksum::Differs { found } }
    }
}

/// The sha256 of some bytes, in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The sha256 of all that a reader holds, in hexadecimal.
pub(crate) fn sha256_of_reader(mut reader: impl Read) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match reader.read(&mut block)? {
            0 => return Ok(hex::encode(hash.finalize())),
            read => hash.update(&block[..read]),
        }
    }
}
