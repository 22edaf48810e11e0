//! Standard output and error. Everything that is shown passes through here.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::data_remedy::remedy;

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on, remarks, summaries of files written and progress are left out.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether remarks and progress are left out.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Where a conversation is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// On standard output.
    Output,
    /// On standard error, because standard output is read by a program.
    Error,
}

impl Channel {
    /// Writes text. A closed pipe is not an error.
    pub fn say(self, text: &str) -> anyhow::Result<()> {
        let text = printable(text, self.is_colourful());
        let written = match self {
            Channel::Output => write_all(&mut io::stdout().lock(), &text),
            Channel::Error => write_all(&mut io::stderr().lock(), &text),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => Ok(result?),
        }
    }

    /// Writes one line.
    pub fn say_line(self, text: &str) -> anyhow::Result<()> {
        self.say(&format!("{text}\n"))
    }

    /// Makes text bold on a terminal.
    pub fn bold(self, text: &str) -> String {
        styled(text, BOLD, self.is_colourful())
    }

    /// Makes text faint on a terminal.
    pub fn faint(self, text: &str) -> String {
        styled(text, FAINT, self.is_colourful())
    }

    /// Whether it is a terminal that supports colours.
    fn is_colourful(self) -> bool {
        let is_terminal = match self {
            Channel::Output => io::stdout().is_terminal(),
            Channel::Error => io::stderr().is_terminal(),
        };
        is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
    }
}

/// Writes text to standard output. A closed pipe is not an error.
pub fn say(text: &str) -> anyhow::Result<()> {
    Channel::Output.say(text)
}

/// Writes one line to standard output.
pub fn say_line(text: &str) -> anyhow::Result<()> {
    Channel::Output.say_line(text)
}

/// Writes an error, with its causes and what to do about it, to standard error.
pub fn say_error(error: &anyhow::Error) {
    let heading = styled("error:", BOLD_RED, Channel::Error.is_colourful());
    // Nothing is left to do if this fails too.
    let _ = Channel::Error.say_line(&format!("{heading} {error:#}"));
    if let Some(remedy) = error.chain().find_map(|cause| cause.downcast_ref()).and_then(remedy) {
        let _ = Channel::Error.say_line(&remedy);
    }
}

/// Writes a warning to standard error.
pub fn warn(text: &str) {
    let _ = Channel::Error.say_line(&format!("warning: {text}"));
}

/// Writes a remark to standard error, unless `--quiet` is given.
pub fn remark(text: &str) {
    if !is_quiet() {
        let _ = Channel::Error.say_line(text);
    }
}

/// Writes what a command has to say about the file it wrote, unless `--quiet` is given.
pub fn summarise(text: &str) -> anyhow::Result<()> {
    if is_quiet() { Ok(()) } else { say(text) }
}

/// Whether standard output is a terminal that supports colours.
pub fn is_colourful() -> bool {
    Channel::Output.is_colourful()
}

/// Makes text bold on a terminal.
pub fn bold(text: &str) -> String {
    Channel::Output.bold(text)
}

/// Makes text faint on a terminal.
pub fn faint(text: &str) -> String {
    Channel::Output.faint(text)
}

const BOLD: &str = "\x1b[1m";
const FAINT: &str = "\x1b[2m";
const BOLD_RED: &str = "\x1b[1;31m";
const PLAIN: &str = "\x1b[0m";

fn styled(text: &str, style: &str, colourful: bool) -> String {
    if colourful { format!("{style}{text}{PLAIN}") } else { text.to_owned() }
}

fn write_all(output: &mut impl Write, text: &str) -> io::Result<()> {
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// Text that cannot steer a terminal: control characters, and those that turn the direction of what follows, are
/// written as in JSON (`\u001b`), so that JSON stays JSON. Where styles may be used, ours pass.
///
/// Names come from tables and files of others: columns, levels, classes, paths.
pub fn printable(text: &str, with_styles: bool) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let style = [BOLD, FAINT, BOLD_RED, PLAIN].into_iter().find(|style| with_styles && rest.starts_with(style));
        let taken = style.map_or(character.len_utf8(), str::len);
        if style.is_none() && steers(character) {
            write!(shown, "\\u{:04x}", u32::from(character)).expect("writing to a string");
        } else {
            shown.push_str(&rest[..taken]);
        }
        rest = &rest[taken..];
    }
    Cow::Owned(shown)
}

fn steers(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (character.is_control() && !matches!(character, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::{BOLD, PLAIN, printable};

    #[test]
    fn only_our_own_styles_reach_a_terminal() {
        let name = "inco\x1b]0;title\x07me\u{9b}31m\r\u{202e}";
        let safe = "inco\\u001b]0;title\\u0007me\\u009b31m\\u000d\\u202e";
        assert_eq!(printable(name, true), safe);
        assert_eq!(printable(&format!("{BOLD}{name}{PLAIN}\n\tü"), true), format!("{BOLD}{safe}{PLAIN}\n\tü"));
        assert_eq!(printable(BOLD, false), "\\u001b[1m");
        assert_eq!(printable("\x1b[8mhidden", true), "\\u001b[8mhidden");
    }
}
