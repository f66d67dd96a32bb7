//! A server process on free ports, with a data folder of its own.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::{env, fs, process};

use tempfile::TempDir;

use crate::wire::Address;

/// A data folder that does not exist yet; removed with the test.
pub(crate) struct Folder(pub(crate) PathBuf, #[expect(dead_code, reason = "dropped with the folder")] TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let kept = tempfile::tempdir().expect("a folder");
        Self(kept.path().join("data"), kept)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }

    /// Names of the files in it, without those that SQLite makes and removes.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| !name.ends_with("-wal"))
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn setting(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// A running server; killed when dropped.
pub(crate) struct Server {
    child: Child,
    urls: HashMap<String, String>,
}

/// The command, without addresses and without variables of the environment.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_libros-server"));
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("LIBROS_") {
            command.env_remove(name);
        }
    }
    command.env("LIBROS_PASSWORD_COST", "8,1,1").args(arguments);
    command
}

/// Runs a command to its end.
pub(crate) fn output(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program runs")
}

/// Panics unless a command ended with this code and said `words` on standard error.
pub(crate) fn assert_refused(ended: &Output, code: i32, words: &str) {
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.code() == Some(code) && errors.contains(words), "{:?}: {errors}", ended.status);
}

/// Panics unless a server refuses to start on this database and says these words.
pub(crate) fn assert_no_start(url: &str, words: &str) {
    let mut start = command(&["catalogue", "--catalogue-addr", "127.0.0.1:0", "--store", url]);
    let ended = start.env("LIBROS_SECRET", "the secret of the tests").output().expect("the program runs");
    assert_refused(&ended, 1, words);
}

impl Server {
    pub(crate) fn ephemeral(arguments: &[&str]) -> Self {
        Self::start(&[&["--ephemeral"], arguments].concat())
    }

    pub(crate) fn with_descriptors(limit: usize) -> Self {
        let mut shell = Command::new("/bin/sh");
        let script = format!("ulimit -n {limit} && exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_libros-server"), "--ephemeral"]).stderr(Stdio::null());
        Self::spawn(shell).expect("it starts")
    }

    pub(crate) fn over(folder: &Folder) -> Self {
        Self::start(&["--data", folder.path()])
    }

    /// Starts on disk with a preloaded library and its variables; `None` if it ends before it is ready. Its log goes to `errors`.
    pub(crate) fn preloaded(
        folder: &Folder,
        library: &Path,
        variables: &[(&str, String)],
        errors: impl Into<Stdio>,
    ) -> Option<Self> {
        let mut command = command(&["--data", folder.path()]);
        command.env("LD_PRELOAD", library).env("TORN_FOLDER", &folder.0).stderr(errors);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        Self::spawn(command).ok()
    }

    pub(crate) fn replica(url: &str) -> Self {
        let mut secret = env::temp_dir();
        secret.push(format!("libros-secret-{}", process::id()));
        fs::write(&secret, "the secret of the tests").expect("written");
        Self::start(&["--store", url, "--secret-file", secret.to_str().expect("a plain path")])
    }

    fn start(arguments: &[&str]) -> Self {
        let mut command = command(arguments);
        command.stderr(Stdio::piped());
        Self::spawn(command).unwrap_or_else(|mut ended| {
            let status = ended.wait().expect("it has ended");
            panic!("{status}: {}", errors(&mut ended))
        })
    }

    /// The server once it is ready, or the child that ended before.
    fn spawn(mut command: Command) -> Result<Self, Child> {
        for listener in ["catalogue", "users", "graphql", "graphql-reduced", "control"] {
            command.arg(format!("--{listener}-addr")).arg("127.0.0.1:0");
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let Some(pairs) = line.strip_prefix("ready ") else {
            child.wait().expect("it has ended");
            return Err(child);
        };
        let pairs = pairs.split_whitespace().map(|pair| pair.split_once('=').expect("name=url"));
        Ok(Self { child, urls: pairs.map(|(name, url)| (name.to_owned(), url.to_owned())).collect() })
    }

    pub(crate) fn catalogue(&self) -> Address {
        Address(self.address("catalogue"))
    }

    pub(crate) fn address(&self, name: &str) -> SocketAddr {
        let url = self.urls[name].strip_prefix("http://").expect("an http URL");
        let authority = url.split('/').next().expect("never empty");
        authority.parse().expect("an address")
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Stops the server in order; returns its status and its log.
    pub(crate) fn stopped(self) -> (ExitStatus, String) {
        self.signal("TERM");
        self.ended()
    }

    /// Waits for the end; returns the status and the log.
    pub(crate) fn ended(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("it has ended");
        (status, errors(&mut self.child))
    }

    /// Its resident memory in MiB; `None` where the system has no /proc.
    pub(crate) fn memory_mib(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn errors(child: &mut Child) -> String {
    let mut text = String::new();
    if let Some(stderr) = &mut child.stderr {
        stderr.read_to_string(&mut text).expect("text");
    }
    text
}
