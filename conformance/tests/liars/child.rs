//! Runs the suite as a process: its exit code, output and peak memory.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use libros_conformance::selftest::in_parallel;

use crate::program::PROGRAM;

/// Most memory the suite may use, whatever a target answers.
const BYTES_MAX: u64 = 256 << 20;
/// A longer run counts as one that does not end.
const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if it had to be killed.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) complaint: String,
    peak_bytes: u64,
}

pub(crate) fn suite(arguments: &[&str]) -> Ended {
    suite_meanwhile(arguments, |_| {})
}

/// As [`suite`], and calls `act` with the process.
pub(crate) fn suite_meanwhile(arguments: &[&str], act: impl FnOnce(&Child)) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let mut child = Command::new(PROGRAM)
        .arg("run")
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(File::create(file("out")).unwrap())
        .stderr(File::create(file("err")).unwrap())
        .spawn()
        .unwrap();
    act(&child);
    let (code, peak_bytes) = watched(&mut child);
    let text = |name: &str| String::from_utf8_lossy(&std::fs::read(file(name)).unwrap()).into_owned();
    Ended { code, out: text("out"), complaint: text("err"), peak_bytes }
}

/// Waits for the process and watches its memory.
fn watched(child: &mut Child) -> (Option<i32>, u64) {
    let begun = Instant::now();
    let mut peak_bytes = 0;
    loop {
        // At first it shares the memory of this process, for a moment.
        std::thread::sleep(Duration::from_millis(20));
        peak_bytes = peak_bytes.max(peak_of(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), peak_bytes);
        }
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return (None, peak_bytes);
        }
    }
}

/// Peak memory of a process; `None` if the system does not report it.
fn peak_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

impl Ended {
    /// Why a run against a liar is wrong; `None` if it is right.
    pub(crate) fn complaint_about(&self, name: &str, codes: &[i32]) -> Option<String> {
        let last = self.out.lines().last().unwrap_or_default();
        let is_shown = match self.code {
            Some(1) => matches!(last, "not-conformant" | "undecided"),
            Some(2) => self.complaint.starts_with("libros-conformance: ") && self.complaint.lines().count() <= 3,
            Some(3) => last == "unreachable" || self.complaint.starts_with("libros-conformance: "),
            _ => false,
        };
        let is_panic = self.complaint.contains("panicked") || self.out.contains("panicked");
        let is_right = self.code.is_some_and(|code| codes.contains(&code)) && is_shown && !is_panic;
        let is_small = self.peak_bytes < BYTES_MAX;
        (!is_right || !is_small).then(|| {
            let end: Vec<&str> = self.out.lines().rev().take(3).collect();
            let (code, megabytes) = (self.code, self.peak_bytes >> 20);
            format!("{name}: ended with {code:?}, want {codes:?}; {megabytes} MB; {end:?}; {}", self.complaint)
        })
    }
}

/// Writes a profile of these tables and the reference's credentials; returns its path.
pub(crate) fn profile(folder: &Path, tables: &str) -> String {
    let reference = include_str!("../../../fixtures/targets/reference.toml");
    let credentials = reference.split_once("[credentials]").unwrap().1.split("\n[").next().unwrap();
    let path = folder.join("profile.toml");
    std::fs::write(&path, format!("{tables}[credentials]{credentials}")).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Tries all rows, six at a time; returns the failures.
pub(crate) fn each<T: Sync>(table: &[T], attempt: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    in_parallel(table, 6, attempt).into_iter().flatten().collect()
}
