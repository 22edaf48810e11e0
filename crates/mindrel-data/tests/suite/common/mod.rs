//! What these tests share: a server on this machine, archives, and a set small enough to write down.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;

use mindrel_data::{DataError, DataFolder, DataSet, DataSource, FetchMethod, Fetched, SourceLayout, fetch};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A small set in the common form, and the archive of its source.
pub const COMMON: &str = "job,age,label\ncook,31,no\n\"baker, cook\",44,yes\n";
pub const SOURCE: &str = "\"ID\";\"job\";\"y\";\"age\"\r\n1;\"cook\";\"no\";31\r\n2;\"baker, cook\";\"yes\";44\r\n";

/// A set whose source is at `address`.
pub fn small_set(address: String) -> DataSet {
    let sha256 = sha256(COMMON.as_bytes());
    DataSet {
        name: "small",
        bytes: COMMON.len() as u64,
        sha256: sha256.leak(),
        source: DataSource {
            address: address.leak(),
            inner: Some("inner.zip"),
            members: &["small.csv"],
            layout: SourceLayout::Table { delimiter: b';', identifier: Some("ID"), label: "y" },
        },
        ..DataSet::named("bank").expect("a set").clone()
    }
}

/// The archive of the small set, as its publisher offers it.
pub fn small_archive() -> Vec<u8> {
    let inner = zipped(&[("other.txt", b"something else"), ("folder/small.csv", SOURCE.as_bytes())]);
    zipped(&[("readme.txt", b"read me"), ("inner.zip", &inner)])
}

pub fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a new file");
        writer.write_all(content).expect("writing to memory");
    }
    writer.finish().expect("writing to memory").into_inner()
}

pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Starts a server on this machine that answers every request by `answer`, given the path, and returns its address.
pub fn serve(answer: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.expect("a connection");
            let path = requested_path(&connection);
            // A client that goes away, as one does that has had enough, is no failure of the server's.
            let _ = answer(&path, &mut connection);
        }
    });
    address
}

fn requested_path(connection: &TcpStream) -> String {
    let mut lines = BufReader::new(connection).lines().map_while(Result::ok);
    let path = lines.next().and_then(|line| line.split(' ').nth(1).map(str::to_owned)).unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    path
}

/// A server that answers every request in one way.
pub fn serve_always(status: &str, headers: &str, body: impl Into<Vec<u8>>) -> String {
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n{headers}\r\n");
    let body = body.into();
    serve(move |_, connection| {
        connection.write_all(head.as_bytes())?;
        connection.write_all(&body)
    })
}

/// A server that has this file, whatever it is asked for.
pub fn serve_file(content: impl Into<Vec<u8>>) -> String {
    let content = content.into();
    serve_always("200 OK", &format!("Content-Length: {}\r\n", content.len()), content)
}

/// A port of this machine that nobody listens at.
pub fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}", listener.local_addr().expect("it is bound"))
}

/// A data folder of its own.
pub struct Shelf {
    folder: TempDir,
}

impl Shelf {
    pub fn new() -> Self {
        Shelf { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// The data folder, which does not exist yet.
    pub fn data(&self) -> DataFolder {
        DataFolder::find(Some(&self.folder.path().join("deep/data")))
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        std::fs::write(&path, content).expect("the folder may be written to");
        path
    }

    /// Every file and folder here, with what is in it.
    pub fn inventory(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the folder can be read") {
                let path = entry.expect("the folder can be read").path();
                found.insert(path.clone(), std::fs::read(&path).ok());
                folders.extend(path.is_dir().then_some(path));
            }
        }
        found
    }

    pub fn fetch(&self, set: &DataSet, way: FetchMethod<'_>) -> Result<Fetched, DataError> {
        fetch(set, &self.data(), way, false, &mut |_| {})
    }

    /// Fetches in vain: the error says all of `parts`, and everything here is as it was, even by force.
    pub fn cannot_fetch(&self, set: &DataSet, way: FetchMethod<'_>, parts: &[&str]) -> String {
        let before = self.inventory();
        let error =
            fetch(set, &self.data(), way, true, &mut |_| {}).expect_err("there is nothing to fetch").to_string();
        for part in parts.iter().chain(&[set.name]) {
            assert!(error.contains(part), "{part:?} is missing from: {error}");
        }
        assert!(self.inventory() == before, "files were made or changed by a fetch that failed: {error}");
        error
    }
}
