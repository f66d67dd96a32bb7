//! Reads the output of a started command to its end, and keeps it in a file or its tail in memory. Parses only the line
//! `ready`.

use std::fs::File;
use std::io::{Read, Write as _};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use crate::printable::Printable;

const TAIL_BYTES: usize = 16 * 1024;
const LINE_BYTES: usize = 64 * 1024;
const LAST_LINES: usize = 12;

#[derive(Debug, Default)]
struct Kept {
    tail: Vec<u8>,
    file: Option<File>,
}

/// The output of a command, both streams.
#[derive(Debug, Clone, Default)]
pub(super) struct Output(Arc<Mutex<Kept>>);

impl Output {
    /// Also written to this file, if there is one.
    pub(super) fn new(file: Option<File>) -> Self {
        Self(Arc::new(Mutex::new(Kept { tail: Vec::new(), file })))
    }

    /// Reads a stream to its end and sends the rest of its `ready` line to `ready`.
    pub(super) fn read(&self, mut stream: impl Read + Send + 'static, ready: Option<Sender<String>>) {
        let output = self.clone();
        // On a thread and to the end, so that the command never blocks on a full pipe.
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            let mut line = Vec::new();
            while let Ok(read @ 1..) = stream.read(&mut piece) {
                output.keep(&piece[..read]);
                for byte in &piece[..read] {
                    if *byte == b'\n' {
                        tell(&line, ready.as_ref());
                        line.clear();
                    } else if line.len() < LINE_BYTES {
                        line.push(*byte);
                    }
                }
            }
        });
    }

    /// The last lines, each after ` | `.
    pub(super) fn last_lines(&self) -> Printable {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept.tail);
        let lines: Vec<&str> = text.lines().collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].iter();
        last.fold(Printable::default(), |said, line| said.and_line(format!("| {line}")))
    }

    fn keep(&self, piece: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &mut kept.file {
            // A full disk must not stop the command.
            _ = file.write_all(piece);
        }
        kept.tail.extend_from_slice(piece);
        let surplus = kept.tail.len().saturating_sub(TAIL_BYTES);
        kept.tail.drain(..surplus);
    }
}

fn tell(line: &[u8], ready: Option<&Sender<String>>) {
    if let (Some(rest), Some(ready)) = (line.strip_prefix(b"ready"), ready)
        && (rest.is_empty() || rest[0].is_ascii_whitespace())
    {
        // Only the first such line counts.
        _ = ready.send(String::from_utf8_lossy(rest).trim().to_owned());
    }
}
