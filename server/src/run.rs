//! The program: reads the command line, and serves until a signal stops it.

use std::ffi::OsString;
use std::io::Write as _;
use std::iter;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory as _, Parser};

use crate::app::{self, Addresses};
use crate::config::Config;
use crate::logging;
use crate::opening::open_catalogue;
#[cfg(feature = "sqlite")]
use crate::transfer::Transfer;
use crate::transport::Limits;
use libros_server_system::clock::Clock;

/// Runs the server with these arguments (without the program's own name) until a signal stops it.
///
/// Returns 0 when it was stopped by a signal, 1 when it could not serve, and 2 for arguments it does not understand.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(feature = "sqlite")]
    if arguments.first().is_some_and(|first| first == "export" || first == "import") {
        return run_parsed(arguments, Transfer::run);
    }
    run_parsed(arguments, serve)
}

/// The command line, for its manual page and shell completions.
pub fn command_line() -> clap::Command {
    Config::command()
}

fn run_parsed<C: Parser>(arguments: Vec<OsString>, run: impl FnOnce(&C) -> anyhow::Result<()>) -> ExitCode {
    let own_name = iter::once(OsString::from("libros-server"));
    let command = match C::try_parse_from(own_name.chain(arguments)) {
        Ok(command) => command,
        Err(error) => {
            // The exit code stays the same if the terminal is closed.
            _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let logging = logging::start();
    let ended = run(&command);
    // The last line is printed after everything logged.
    drop(logging);
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            _ = writeln!(std::io::stderr(), "libros-server: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn serve(config: &Config) -> anyhow::Result<()> {
    let addresses = config.addresses();
    warn_of_exposure(config, &addresses);
    let clock = Clock::default();
    let catalogue = addresses.catalogue.map(|_| open_catalogue(config, &clock).map(Arc::new)).transpose()?;
    let limits = Limits {
        body_max: config.max_body,
        connections_max: config.max_connections,
        bytes_max: config.max_bytes_in_flight,
        ..Limits::default()
    };
    // This clone makes the catalogue drop on this thread, after its last use.
    let _held = catalogue.clone();
    app::serve(addresses, limits, config.serving_threads(), clock, catalogue)
}

/// Warns when other machines can reach a catalogue whose operator gave no secret.
fn warn_of_exposure(config: &Config, addresses: &Addresses) {
    if let Some(address) = addresses.catalogue.filter(|address| !address.ip().is_loopback())
        && config.secret_file.is_none()
        && config.secret.is_none()
    {
        tracing::warn!(
            %address,
            "OTHER MACHINES CAN REACH THIS SERVICE, and you gave it no secret: give one with --secret-file or LIBROS_SECRET. The \
             initial users and API keys are public knowledge, too."
        );
    }
}
