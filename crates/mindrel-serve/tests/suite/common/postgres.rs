//! A PostgreSQL server of a test's own, on a socket in a temporary folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A running server, stopped when it is dropped.
pub struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    port: u16,
}

impl Server {
    /// Starts one; says so and gives nothing where PostgreSQL is not installed. With `CI` set, that is a failure.
    pub fn start(test: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(std::env::var_os("CI").is_none(), "PostgreSQL is not installed, and in CI it must be");
            mindrel_testing::skip(test, "PostgreSQL's initdb and pg_ctl are not installed");
            return None;
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
        let server = Server { folder, programs, port };
        server.hand_over();
        let data = server.data();
        server.run("initdb", &["-D", &data, "-U", "mindrel", "-A", "trust", "--no-sync"]);
        server.start_again();
        Some(server)
    }

    pub fn address(&self) -> String {
        format!("postgres://mindrel@127.0.0.1:{}/postgres", self.port)
    }

    pub fn start_again(&self) {
        let options = format!("-p {} -c listen_addresses=127.0.0.1 -k {}", self.port, self.folder.path().display());
        let log = self.folder.path().join("log").display().to_string();
        self.run("pg_ctl", &["-D", &self.data(), "-o", &options, "-l", &log, "-w", "start"]);
    }

    /// Stops it at once, as a crash would.
    pub fn crash(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
        std::thread::sleep(Duration::from_millis(50));
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    /// PostgreSQL refuses to run as root; then another user runs it.
    fn hand_over(&self) {
        if is_root() {
            let owned = Command::new("chown").arg("postgres").arg(self.folder.path()).status();
            assert!(
                owned.is_ok_and(|status| status.success()),
                "the user `postgres` runs PostgreSQL where root runs the tests"
            );
        }
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let path = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        let status = command.args(arguments).current_dir(self.folder.path()).stdout(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "{program} failed");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.crash();
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.starts_with(b"0"))
}

/// The folder of the programs: on the path, or where Debian puts them.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).collect::<Vec<PathBuf>>();
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = installed.map(|entry| entry.path().join("bin"));
    let has_both = |folder: &PathBuf| ["initdb", "pg_ctl"].iter().all(|name| Path::new(folder).join(name).exists());
    on_path.into_iter().chain(debian).find(has_both)
}
