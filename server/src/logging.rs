//! Structured logs on standard error. Quiet unless something is wrong; never shows a credential.

use std::io::{IsTerminal as _, stderr};

use tracing_subscriber::EnvFilter;

/// Starts logging at the level that `LIBROS_LOG` or `RUST_LOG` names (`info`, `libros_server=debug`, ...), else `warn`.
///
/// Does nothing where the program around has already set up logging of its own.
pub(crate) fn start() {
    let chosen = ["LIBROS_LOG", "RUST_LOG"].into_iter().find_map(|name| std::env::var(name).ok());
    let filter = EnvFilter::new(chosen.as_deref().unwrap_or("warn"));
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .try_init();
    if let Err(error) = started {
        tracing::debug!(error, "logging is set up already");
    }
}
