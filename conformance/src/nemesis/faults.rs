//! Draws faults from the seed, and runs the profile's commands that begin and heal them. Judges nothing.

use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use proptest::prelude::Rng as _;
use proptest::test_runner::TestRng;

use crate::generate::inputs::dice;
use crate::implementation::profile::Nemesis;
use crate::nemesis::attack::LOOK;

const LASTS_MIN_MS: u32 = 500;
/// A command that takes longer failed.
const COMMAND_MAX: Duration = Duration::from_secs(300);

#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) name: String,
    /// Index among the nodes of the attack.
    pub(super) node: usize,
    /// Whether the command names no node: it harms all.
    pub(super) is_of_all: bool,
    pub(super) lasts: Duration,
    /// The only replica that clients write to while the fault lasts.
    pub(super) writer: Option<usize>,
    begin: String,
    heal: Option<String>,
}

/// Draws faults: each once, in any order, before one comes again.
pub(super) struct Faults<'a> {
    nemesis: &'a Nemesis,
    nodes: &'a [String],
    replicas: usize,
    left: Vec<&'a str>,
    dice: TestRng,
}

impl<'a> Faults<'a> {
    pub(super) fn new(nemesis: &'a Nemesis, nodes: &'a [String], replicas: usize, seed: u64) -> Self {
        Self { nemesis, nodes, replicas, left: Vec::new(), dice: dice(seed, "faults") }
    }

    pub(super) fn draw(&mut self) -> Fault {
        if self.left.is_empty() {
            self.left.extend(self.nemesis.faults());
        }
        let mut drawn = |below: u32| self.dice.next_u32() % below.max(1);
        let name = self.left.swap_remove(drawn(u32::try_from(self.left.len()).unwrap_or(1)) as usize);
        let node = drawn(u32::try_from(self.nodes.len()).unwrap_or(1)) as usize;
        let writer = drawn(u32::try_from(self.replicas).unwrap_or(1)) as usize;
        let most_ms = self.nemesis.lasts_s.saturating_mul(1000);
        let lasts_ms = LASTS_MIN_MS + drawn(most_ms.saturating_sub(LASTS_MIN_MS) + 1);
        let begin = &self.nemesis.commands[name];
        let filled = |line: &str| {
            let number = (node + 1).to_string();
            let values = [("{node}", &self.nodes[node]), ("{number}", &number), ("{fault}", &name.to_owned())];
            let line = values.into_iter().fold(line.to_owned(), |line, (mark, value)| line.replace(mark, value));
            line.replace("{writer}", &(writer + 1).to_string())
        };
        Fault {
            name: name.to_owned(),
            node,
            is_of_all: !begin.contains("{node}") && !begin.contains("{number}"),
            lasts: Duration::from_millis(lasts_ms.into()),
            writer: begin.contains("{writer}").then_some(writer),
            begin: filled(begin),
            heal: self.nemesis.healing(name).map(filled),
        }
    }
}

impl Fault {
    pub(super) fn begin(&self) -> Result<(), String> {
        run(&self.name, &self.begin)
    }

    pub(super) fn heal(&self) -> Result<(), String> {
        self.heal.as_ref().map_or(Ok(()), |line| run(&format!("what heals `{}`", self.name), line))
    }
}

/// Runs a shell line in a process group of its own, which an interrupt from the keyboard does not reach.
fn run(what: &str, line: &str) -> Result<(), String> {
    let failed = |why: String| format!("[nemesis] {what}: {why}: {line}");
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(line).stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let started = crate::clock::stopwatch();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(failed(status.to_string())),
            Err(error) => return Err(failed(error.to_string())),
            Ok(None) if started.elapsed() > COMMAND_MAX => {
                _ = child.kill();
                _ = child.wait();
                return Err(failed(format!("still running after {} s", COMMAND_MAX.as_secs())));
            }
            Ok(None) => std::thread::sleep(LOOK),
        }
    }
}
