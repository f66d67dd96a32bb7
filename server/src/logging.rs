//! Structured logs on standard error. Quiet unless something is wrong; never shows a credential.
//!
//! Never waits for the reader of standard error: a stopped terminal or a stuck collector would otherwise stop the service.

use std::io::{self, IsTerminal as _, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

/// Most lines that wait to be written. Further ones are left out, and a line says how many.
const WAITING_MAX: usize = 1024;

const LAST_LINES_WITHIN: Duration = Duration::from_secs(1);

/// Guards the logging; dropping it waits for the last lines.
pub(crate) struct Logging(Lines);

/// Logs at the level in `RUST_LOG` (`info`, `libros_server=debug`), else `warn`. Does nothing if the program has set up logging.
pub(crate) fn start() -> Logging {
    let filter = std::env::var("RUST_LOG").as_deref().unwrap_or("warn").parse();
    let levels = filter.as_ref().map_or_else(|_| Targets::new().with_default(LevelFilter::WARN), Targets::clone);
    let lines = Lines::to(stderr());
    let logging = Logging(lines.clone());
    let layer = fmt::layer().with_writer(move || lines.clone()).with_ansi(stderr().is_terminal());
    if let Err(error) = registry().with(layer).with(levels).try_init() {
        tracing::debug!(%error, "logging is set up already");
    }
    if let Err(error) = filter {
        tracing::warn!(%error, "the log level is not understood; using `warn`");
    }
    logging
}

impl Drop for Logging {
    fn drop(&mut self) {
        self.0.wait_until_written(LAST_LINES_WITHIN);
    }
}

enum Entry {
    Line(Vec<u8>),
    /// Acknowledged once every line before it is written.
    Mark(SyncSender<()>),
}

/// Sends lines to the thread that writes them; clones share the thread.
#[derive(Clone)]
struct Lines {
    entries: SyncSender<Entry>,
    left_out: Arc<AtomicU64>,
}

impl Lines {
    fn to(sink: impl Write + Send + 'static) -> Self {
        let (entries, waiting) = sync_channel(WAITING_MAX);
        let left_out = Arc::new(AtomicU64::new(0));
        let lines = Self { entries, left_out: Arc::clone(&left_out) };
        // If there is no thread, nothing is logged, but the service runs.
        _ = thread::Builder::new().name("log".to_owned()).spawn(move || write_all(&waiting, &left_out, sink));
        lines
    }

    fn wait_until_written(&self, within: Duration) {
        let (done, written) = sync_channel(1);
        if self.entries.try_send(Entry::Mark(done)).is_ok() {
            _ = written.recv_timeout(within);
        }
    }
}

/// The formatter writes each line in one call.
impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.entries.try_send(Entry::Line(line.to_vec())).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes lines until the last logger is gone. Nothing can be logged about a sink that fails.
fn write_all(waiting: &Receiver<Entry>, left_out: &AtomicU64, mut sink: impl Write) {
    while let Ok(entry) = waiting.recv() {
        match entry {
            Entry::Line(line) => _ = sink.write_all(&line),
            Entry::Mark(done) => _ = done.try_send(()),
        }
        let count = left_out.swap(0, Ordering::Relaxed);
        if count > 0 {
            _ = writeln!(sink, "{count} lines of the log were left out: they came faster than they could be written");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, pipe};

    use super::*;

    #[test]
    fn a_log_without_a_reader_delays_no_one_and_reports_what_it_left_out() {
        let (mut reader, writer) = pipe().unwrap();
        let mut lines = Lines::to(writer);
        // More than the queue and the pipe hold.
        let sent = WAITING_MAX + 1000;
        for number in 0..sent {
            lines.write_all(format!("line {number}{}\n", " ".repeat(200)).as_bytes()).unwrap();
        }
        lines.wait_until_written(Duration::from_millis(1));
        drop(lines);
        let mut taken = String::new();
        reader.read_to_string(&mut taken).unwrap();
        assert!(taken.starts_with("line 0 ") && taken.contains("\nline 1000 "), "{taken}");
        let count = |line: &str| line.strip_suffix("written")?.split(' ').next()?.parse::<usize>().ok();
        let written = taken.lines().filter(|line| line.starts_with("line ")).count();
        let left_out: usize = taken.lines().filter_map(count).sum();
        assert!(left_out > 0 && left_out + written == sent, "{left_out} left out, {written} written");
    }
}
