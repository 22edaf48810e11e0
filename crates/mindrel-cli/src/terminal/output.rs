//! Standard output and error.

use std::io::{self, IsTerminal, Write};

use super::data_remedy::remedy;

/// Writes text to standard output. A closed pipe is not an error.
pub fn say(text: &str) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Writes one line to standard output.
pub fn say_line(text: &str) -> anyhow::Result<()> {
    say(&format!("{text}\n"))
}

/// Writes an error, with its causes and what to do about it, to standard error.
pub fn say_error(error: &anyhow::Error) {
    // Nothing is left to do if this fails too.
    let _ = writeln!(io::stderr().lock(), "{} {error:#}", bold_red("error:"));
    if let Some(remedy) = error.chain().find_map(|cause| cause.downcast_ref()).and_then(remedy) {
        remark(&remedy);
    }
}

/// Writes a remark to standard error.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether standard output is a terminal that supports colours.
pub fn is_colourful() -> bool {
    io::stdout().is_terminal() && wants_colour()
}

/// Makes text bold on a terminal.
pub fn bold(text: &str) -> String {
    styled(text, "1", is_colourful())
}

/// Makes text faint on a terminal.
pub fn faint(text: &str) -> String {
    styled(text, "2", is_colourful())
}

fn bold_red(text: &str) -> String {
    styled(text, "1;31", io::stderr().is_terminal() && wants_colour())
}

fn styled(text: &str, code: &str, colourful: bool) -> String {
    if colourful { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
