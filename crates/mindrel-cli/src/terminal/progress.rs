//! Progress bars, on standard error and only where it is a terminal.

use std::borrow::Cow;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// A bar over a number of bytes: what is done, how far it is, what is left.
pub fn bytes(message: impl Into<Cow<'static, str>>, total: Option<u64>) -> ProgressBar {
    let Some(total) = total else {
        return spinner(message);
    };
    let template = "{msg} {bar:30} {percent:>3} %  {bytes}/{total_bytes}  {eta} left";
    styled(ProgressBar::new(total), template, message)
}

/// A sign of life for work of unknown length.
pub fn spinner(message: impl Into<Cow<'static, str>>) -> ProgressBar {
    styled(ProgressBar::new_spinner(), "{spinner} {msg} ({elapsed})", message)
}

fn styled(bar: ProgressBar, template: &str, message: impl Into<Cow<'static, str>>) -> ProgressBar {
    let bar = bar.with_finish(ProgressFinish::AndClear);
    bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
    bar.set_message(message);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
