//! Ending on Ctrl-C or when told to, without leaving files behind.

use std::process::exit;

use mindrel_io::output::remove_unfinished;

/// From now on, an interrupted or terminated process first removes the files it has not finished. Its exit code is
/// the one that shells know: 128 and the number of the signal.
pub fn clean_up_when_stopped() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stopped = {
        let _context = runtime.enter();
        stop_code()?
    };
    std::thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        let code = runtime.block_on(stopped);
        remove_unfinished();
        exit(code)
    })?;
    Ok(())
}

/// Completes with the exit code once a signal arrives.
#[cfg(unix)]
fn stop_code() -> anyhow::Result<impl Future<Output = i32> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::terminate()];
    let [mut hangup, mut interrupt, mut terminate] = {
        let [hangup, interrupt, terminate] = kinds.map(signal);
        [hangup?, interrupt?, terminate?]
    };
    Ok(async move {
        let kind = tokio::select! {
            _ = hangup.recv() => kinds[0],
            _ = interrupt.recv() => kinds[1],
            _ = terminate.recv() => kinds[2],
        };
        128 + kind.as_raw_value()
    })
}

#[cfg(not(unix))]
fn stop_code() -> anyhow::Result<impl Future<Output = i32> + Send + 'static> {
    Ok(async {
        drop(tokio::signal::ctrl_c().await);
        130
    })
}
