//! Starts the reference server behind `--reference`.
//!
//! The only file that may name the server crate, and even here the server is judged by URL: the reference is a process
//! of its own, this program under another name, that prints `ready <name>=<url> ...` like any other.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use crate::implementation::process::Launched;
use crate::implementation::profile::Target;
use crate::printable::Printable;

pub const REFERENCE_COMMAND: &str = "reference-server";

/// The reference's profile; its URLs are known once it is ready.
pub const REFERENCE_PROFILE: &str = include_str!("../../../fixtures/targets/reference.toml");

/// A target with the reference's credentials at these URLs: interface key, or `control`, to URL.
pub fn target(urls: &BTreeMap<String, String>) -> Result<Target, String> {
    let mut target = Target::parse(REFERENCE_PROFILE)?;
    target.place_only(urls)?;
    Ok(target)
}

/// A target with the reference's credentials that offers the catalogue alone.
pub fn catalogue_at(url: &str) -> Result<Target, String> {
    target(&[("catalogue".to_owned(), url.to_owned())].into())
}

/// Starts the reference on free ports, in memory, with a cheap password hash.
pub fn start(wait: Duration) -> Result<Launched, Printable> {
    let own = std::env::current_exe();
    let own = own.map_err(|error| format!("cannot find this program's own file: {error}"))?;
    start_with(&own, &["--ephemeral"], wait)
}

/// Starts the reference from another program file, with these server options, for tests.
pub fn start_with(program: &Path, options: &[&str], wait: Duration) -> Result<Launched, Printable> {
    let mut command = Command::new(program);
    command.arg(REFERENCE_COMMAND).args(["--password-cost", "8,1,1"]).args(options);
    // Its options can come from the environment: those are meant for another server.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LIBROS_")) {
        command.env_remove(name);
    }
    for listener in ["catalogue", "users", "graphql", "graphql-reduced", "control"] {
        command.arg(format!("--{listener}-addr")).arg("127.0.0.1:0");
    }
    Launched::start(command, None)?.ready(wait)
}

/// Runs the reference server in this process with the server's own options; returns its exit code.
#[cfg(feature = "reference")]
pub fn run_in_this_process(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    libros_server::run(arguments)
}

/// This program was built without the reference server.
#[cfg(not(feature = "reference"))]
pub fn run_in_this_process(_: impl Iterator<Item = OsString>) -> ExitCode {
    ExitCode::from(70)
}

pub fn reference_command_line() -> Option<clap::Command> {
    #[cfg(feature = "reference")]
    return Some(libros_server::command_line());
    #[cfg(not(feature = "reference"))]
    None
}
