//! Starts a target and stops it again: the reference behind `--reference`, or any command behind `--spawn`.
//!
//! The only file that may name the server crate, and even it reaches the server by URL alone: the reference runs as a process of
//! its own, this same program under another name, and says `ready <name>=<url> ...` on its standard output like any other.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// The hidden subcommand under which this program is the reference server.
pub const REFERENCE_COMMAND: &str = "reference-server";

/// What the reference's profile says besides its URLs, which are known once it is ready.
pub const REFERENCE_PROFILE: &str = include_str!("../../../fixtures/targets/reference.toml");

/// A process started by the suite, stopped when dropped.
#[derive(Debug)]
pub struct Launched {
    child: Child,
    /// What its `ready` line told: name to URL.
    pub urls: BTreeMap<String, String>,
}

impl Launched {
    /// Starts the reference on free ports, in memory, with a cheap password hash.
    ///
    /// # Errors
    /// A sentence saying why it did not start.
    pub fn reference(wait: Duration) -> Result<Self, String> {
        let own = std::env::current_exe();
        let own = own.map_err(|error| format!("cannot find this program's own file: {error}"))?;
        Self::reference_in(&own, wait)
    }

    /// The same, from another file of this program: tests are programs of their own.
    ///
    /// # Errors
    /// As [`Self::reference`].
    pub fn reference_in(program: &Path, wait: Duration) -> Result<Self, String> {
        Self::reference_with(program, &[], wait)
    }

    /// The same, with further options of the server.
    ///
    /// # Errors
    /// As [`Self::reference`].
    pub fn reference_with(program: &Path, options: &[&str], wait: Duration) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.arg(REFERENCE_COMMAND).arg("--ephemeral").args(["--password-cost", "8,1,1"]).args(options);
        for listener in ["catalogue", "users", "graphql", "graphql-reduced", "control"] {
            command.arg(format!("--{listener}-addr")).arg("127.0.0.1:0");
        }
        Self::start(command, wait, true)
    }

    /// Starts a command given as one line, split as a POSIX shell would split it; waits for its `ready` line if its URLs are
    /// to come from there.
    ///
    /// # Errors
    /// A sentence saying why it did not start or was not ready in time.
    pub fn command_line(line: &str, wait: Duration, needs_urls: bool) -> Result<Self, String> {
        let mut command = Command::new("/bin/sh");
        // `exec`, so that stopping the child stops the command and not a shell above it.
        command.arg("-c").arg(format!("exec {line}"));
        Self::start(command, wait, needs_urls)
    }

    fn start(mut command: Command, wait: Duration, needs_urls: bool) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {:?}: {error}", command.get_program()))?;
        let Some(stdout) = child.stdout.take() else {
            return Err("its output cannot be read".into());
        };
        let mut launched = Self { child, urls: BTreeMap::new() };
        let (sender, receiver) = mpsc::channel();
        // Reads on to the end, so that the target never blocks on a full pipe.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some(rest) = line.strip_prefix("ready ") {
                    _ = sender.send(rest.to_owned());
                }
            }
        });
        if !needs_urls {
            return Ok(launched);
        }
        let line = receiver.recv_timeout(wait).map_err(|_| launched.why_not_ready(wait))?;
        launched.urls = line
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, url)| (name.to_owned(), url.to_owned()))
            .collect();
        Ok(launched)
    }

    fn why_not_ready(&mut self, wait: Duration) -> String {
        match self.child.try_wait() {
            Ok(Some(status)) => format!("the target ended with {status} before it was ready"),
            _ => format!("the target said no `ready <name>=<url> ...` line within {} s", wait.as_secs()),
        }
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Runs the reference server in this process, with the server's own options; its exit code.
#[cfg(feature = "reference")]
pub fn be_the_reference(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    libros_server::run(arguments)
}

/// This program was built without the reference server.
#[cfg(not(feature = "reference"))]
pub fn be_the_reference(_: impl Iterator<Item = OsString>) -> ExitCode {
    ExitCode::from(70)
}
