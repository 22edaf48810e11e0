//! Progress bars, on standard error and only if it is a terminal.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use super::output::{is_quiet, printable, remark};

const SPINNER: &str = "{spinner} {msg} ({elapsed})";

/// A bar over a number of bytes.
pub fn bytes(message: impl Into<Cow<'static, str>>, total: Option<u64>) -> ProgressBar {
    let Some(total) = total else {
        return spinner(message);
    };
    let template = "{msg} {bar:30} {percent:>3} %  {bytes}/{total_bytes}  {eta} left";
    styled(ProgressBar::new(total), template, message)
}

/// A bar over a known number of decisions, which may end before the last.
pub fn decisions(message: &'static str, total: u64) -> ProgressBar {
    styled(ProgressBar::new(total), "{msg} {bar:30} {percent:>3} %  at most {eta} left", message)
}

/// A bar over work of several kinds, showing the latest.
pub fn parts() -> ProgressBar {
    styled(ProgressBar::new(0), "{bar:30} {percent:>3} %  {eta} left  {msg}", "")
}

/// A bar over the epochs of training, which may end before the last.
pub fn epochs(total: u64, may_end_early: bool) -> ProgressBar {
    let left = if may_end_early { "at most {eta} left" } else { "{eta} left" };
    let template = format!("{{msg}} {{bar:20}} epoch {{pos}} of {{len}}  {left}");
    styled(ProgressBar::new(total), &template, "training")
}

/// Turns a bar into one over training epochs.
pub fn restyle_as_epochs(bar: &ProgressBar, total: u64) {
    let template = "{msg} {bar:20} epoch {pos} of {len}  {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
    bar.set_length(total);
    bar.reset();
}

/// A bar over the decisions of an audit, one for each person and run.
///
/// The number of people is not known before the table ends, so it is estimated from the bytes read so far.
pub struct DecisionBar {
    bar: ProgressBar,
    n_runs: usize,
    size: Option<u64>,
    limit: Option<usize>,
    /// Bytes read and people found in them.
    seen: Mutex<(u64, u64)>,
}

impl DecisionBar {
    /// A bar for runs over a table of `size` bytes, limited to `limit` people.
    pub fn new(n_runs: usize, size: Option<u64>, limit: Option<usize>) -> Self {
        let template = "{msg} {bar:30} {percent:>3} %  {eta} left";
        let bar = match size {
            // The length is corrected once the first people are read.
            Some(size) => styled(ProgressBar::new(size), template, "auditing"),
            None => spinner("auditing"),
        };
        DecisionBar { bar, n_runs, size, limit, seen: Mutex::new((0, 0)) }
    }

    /// Counts bytes read and the people in them.
    pub fn read(&self, bytes: usize, people: usize) {
        let Some(size) = self.size else {
            return;
        };
        let mut seen = self.seen.lock().expect("no thread that counts panics");
        *seen = (seen.0 + bytes as u64, seen.1 + people as u64);
        let expected = seen.1 as f64 * (size as f64 / seen.0.max(1) as f64).max(1.0);
        let people = self.limit.map_or(expected, |limit| expected.min(limit as f64));
        self.bar.set_length((people * self.n_runs as f64).round() as u64);
    }

    /// Counts decisions made.
    pub fn decided(&self, decisions: usize) {
        self.bar.inc(decisions as u64);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A wait longer than this is explained.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does some work, and says so on standard error if it takes longer than a second.
pub fn patiently<T>(message: &'static str, work: impl FnOnce() -> T) -> T {
    let (working, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if end.recv_timeout(PATIENCE) != Err(mpsc::RecvTimeoutError::Timeout) {
                return;
            }
            let bar = std::io::stderr().is_terminal().then(|| spinner(message));
            if bar.is_none() {
                remark(&format!("{message} …"));
            }
            let _ = end.recv();
        });
        let done = work();
        drop(working);
        done
    })
}

/// A spinner for work of unknown length.
pub fn spinner(message: impl Into<Cow<'static, str>>) -> ProgressBar {
    styled(ProgressBar::new_spinner(), SPINNER, message)
}

fn styled(bar: ProgressBar, template: &str, message: impl Into<Cow<'static, str>>) -> ProgressBar {
    let bar = bar.with_finish(ProgressFinish::AndClear);
    if is_quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
    bar.set_message(printable(&message.into(), false).into_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
