//! The program `mindrel`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mindrel_cli::run(std::env::args_os()))
}
