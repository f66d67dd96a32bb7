//! Starts the command of an implementation, reads its output to the end, waits for its line `ready <name>=<url> ...`, and stops it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::clock;
use crate::implementation::process_group::ProcessGroup;
use crate::mutex::locked;
use crate::printable::Printable;

/// An implementation started by the suite; dropping it stops it with everything it started.
#[derive(Debug)]
pub struct Launched {
    group: ProcessGroup,
    output: Output,
    /// The URLs of its `ready` line: name to URL.
    pub urls: BTreeMap<String, String>,
}

impl Launched {
    /// Starts a shell command line, and writes its output to `log` if there is one.
    pub fn command_line(line: &str, log: Option<File>) -> Result<Self, Printable> {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(line);
        Self::start(command, log)
    }

    pub fn start(mut command: Command, log: Option<File>) -> Result<Self, Printable> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group = ProcessGroup::start(&mut command);
        let mut group = group.map_err(|error| format!("cannot start {:?}: {error}", command.get_program()))?;
        let output = Output(Arc::new(Mutex::new(OutputTail { tail: Vec::new(), file: log })));
        if let Some(stderr) = group.leader.stderr.take() {
            output.read(stderr, None);
        }
        Ok(Self { group, output, urls: BTreeMap::new() })
    }

    /// Reads its output without waiting for a `ready` line, since the URLs are known.
    #[must_use]
    pub fn at_known_urls(mut self) -> Self {
        if let Some(stdout) = self.group.leader.stdout.take() {
            self.output.read(stdout, None);
        }
        self
    }

    /// Waits for its line `ready <name>=<url> ...` on standard output.
    pub fn ready(mut self, wait: Duration) -> Result<Self, Printable> {
        const PAUSE: Duration = Duration::from_millis(20);
        let (sender, receiver) = mpsc::channel();
        if let Some(stdout) = self.group.leader.stdout.take() {
            self.output.read(stdout, Some(sender));
        }
        let started = clock::stopwatch();
        let line = loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(line) => break line,
                // It closed its output, and may be about to end.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(PAUSE),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(why) = self.ended() {
                return Err(why);
            }
            if started.elapsed() >= wait {
                let why = format!(
                    "the target printed no line `ready <name>=<url> ...` within {} s; without one, name its URLs in a profile (--profile), under [urls]",
                    wait.as_secs()
                );
                return Err(Printable::from(why).and(self.last_lines()));
            }
        };
        let pairs = line.split_whitespace().filter_map(|pair| pair.split_once('='));
        self.urls = pairs.map(|(name, url)| (name.to_owned(), url.to_owned())).collect();
        if self.urls.is_empty() {
            let why =
                format!("the target printed `ready {line}`, which names no URL; want `ready catalogue=http://...`");
            return Err(why.into());
        }
        Ok(self)
    }

    /// How it ended, or else its last lines. A process that was just killed may take a moment to end.
    pub fn end_or_last_lines(&mut self) -> Printable {
        const EXIT_POLLS_MAX: u32 = 10;
        for _ in 0..EXIT_POLLS_MAX {
            if let Some(why) = self.ended() {
                return why;
            }
            std::thread::sleep(EXIT_POLL);
        }
        self.last_lines()
    }

    /// How the process ended, with its last lines; `None` while it runs.
    pub fn ended(&mut self) -> Option<Printable> {
        self.ended_after("")
    }

    /// As [`Self::ended`]; `after` follows the exit status: ` after GET /libros`.
    pub fn ended_after(&mut self, after: &str) -> Option<Printable> {
        let status = self.group.ended()?;
        self.output.wait_for_end();
        Some(Printable::from(format!("the started command ended with {status}{after}")).and(self.last_lines()))
    }

    pub fn last_lines(&self) -> Printable {
        self.output.last_lines()
    }

    pub fn shorten_patience(&mut self) {
        self.group.shorten_patience();
    }

    pub fn kill(mut self) {
        self.group.kill();
    }
}

/// How long to wait between two looks at the exit status.
const EXIT_POLL: Duration = Duration::from_millis(30);
/// How long to wait for the output's end: what the command started may keep it open.
const DRAIN_MAX: Duration = Duration::from_secs(1);
const TAIL_BYTES: usize = 16 * 1024;
const LINE_BYTES: usize = 64 * 1024;
const LAST_LINES: usize = 12;

#[derive(Debug)]
struct OutputTail {
    tail: Vec<u8>,
    file: Option<File>,
}

#[derive(Debug, Clone)]
struct Output(Arc<Mutex<OutputTail>>);

impl Output {
    /// Reads a stream to its end and sends the rest of its `ready` line to `ready`.
    fn read(&self, mut stream: impl Read + Send + 'static, ready: Option<Sender<String>>) {
        let output = self.clone();
        // On a thread and to the end, so that the command never blocks on a full pipe.
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            let mut line = Vec::new();
            while let Ok(read @ 1..) = stream.read(&mut piece) {
                output.keep(&piece[..read]);
                for byte in &piece[..read] {
                    if *byte != b'\n' {
                        line.extend((line.len() < LINE_BYTES).then_some(*byte));
                        continue;
                    }
                    let rest = line.strip_prefix(b"ready");
                    let rest = rest.filter(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
                    if let (Some(rest), Some(ready)) = (rest, &ready) {
                        // Only the first such line counts.
                        _ = ready.send(String::from_utf8_lossy(rest).trim().to_owned());
                    }
                    line.clear();
                }
            }
        });
    }

    /// Waits until the pipes are read to their end: each reader holds a clone.
    fn wait_for_end(&self) {
        let started = clock::stopwatch();
        while Arc::strong_count(&self.0) > 1 && started.elapsed() < DRAIN_MAX {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn last_lines(&self) -> Printable {
        let output = locked(&self.0);
        let text = String::from_utf8_lossy(&output.tail);
        let mut lines: Vec<&str> = text.lines().collect();
        // One frame of a stack stands for all: the error is above them.
        let is_frame = |line: &str| line.starts_with([' ', '\t']) && line.trim_start().starts_with("at ");
        lines.dedup_by(|line, before| is_frame(line) && is_frame(before));
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].iter();
        last.fold(Printable::default(), |said, line| said.and_line(format!("| {line}")))
    }

    fn keep(&self, piece: &[u8]) {
        let mut output = locked(&self.0);
        if let Some(file) = &mut output.file {
            // A full disk must not stop the command.
            _ = file.write_all(piece);
        }
        output.tail.extend_from_slice(piece);
        let surplus = output.tail.len().saturating_sub(TAIL_BYTES);
        output.tail.drain(..surplus);
    }
}
