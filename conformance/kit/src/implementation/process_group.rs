//! A process group for a started command and everything it starts, to signal them all. Reads none of its output.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{self, Pid, Signal, WaitOptions, kill_process_group, test_kill_process_group};

use crate::clock;

const PATIENCE: Duration = Duration::from_secs(3);
/// Like [`PATIENCE`], while the user waits.
const PATIENCE_SHORT: Duration = Duration::from_millis(300);
const PAUSE: Duration = Duration::from_millis(20);

/// The guard's script. If its input ends, because the suite has, it stops the group. A line of input ends the guard alone.
const GUARD: &str = r#"read line || { kill -TERM "-$1"; sleep 3; kill -KILL "-$1"; } 2>/dev/null"#;

/// A process group, stopped when dropped, and by its guard when the suite itself is killed.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) leader: Child,
    group: Option<Pid>,
    guard: Option<Child>,
    patience: Duration,
}

impl ProcessGroup {
    pub(super) fn start(command: &mut Command) -> std::io::Result<Self> {
        use std::os::unix::process::CommandExt as _;
        // Whoever outlives the leader becomes the suite's child: the first process of a container may take seconds to wait for it, or never does.
        #[cfg(target_os = "linux")]
        let _ = process::set_child_subreaper(Some(process::getpid()));
        let leader = command.process_group(0).spawn()?;
        let group = i32::try_from(leader.id()).ok().and_then(Pid::from_raw);
        let guard = Command::new("/bin/sh")
            .args(["-c", GUARD, "guard", &leader.id().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        // Without a guard, the group still ends with every orderly end of the suite.
        Ok(Self { leader, group, guard: guard.ok(), patience: PATIENCE })
    }

    pub(super) fn ended(&mut self) -> Option<String> {
        let status = self.leader.try_wait().ok()??;
        (!self.is_alive()).then(|| status.code().map_or_else(|| status.to_string(), |code| format!("exit {code}")))
    }

    fn is_alive(&mut self) -> bool {
        // A process that ended stays in its group until its parent waits for it: the leader first, whose status is kept.
        let has_ended = matches!(self.leader.try_wait(), Ok(Some(_)));
        self.group.is_some_and(|group| {
            while has_ended && matches!(process::waitpgid(group, WaitOptions::NOHANG), Ok(Some(_))) {}
            test_kill_process_group(group).is_ok()
        })
    }

    pub(super) fn shorten_patience(&mut self) {
        self.patience = PATIENCE_SHORT;
    }

    pub(super) fn kill(&mut self) {
        self.signal(Signal::KILL);
        _ = self.leader.wait();
    }

    fn signal(&self, signal: Signal) {
        // A group that is gone already needs no signal.
        _ = self.group.map(|group| kill_process_group(group, signal));
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.signal(Signal::TERM);
        let asked = clock::stopwatch();
        while self.is_alive() {
            if asked.elapsed() >= self.patience {
                self.kill();
                break;
            }
            std::thread::sleep(PAUSE);
        }
        if let Some(mut guard) = self.guard.take() {
            if let Some(input) = &mut guard.stdin {
                _ = input.write_all(b"done\n");
            }
            _ = guard.wait();
        }
    }
}
