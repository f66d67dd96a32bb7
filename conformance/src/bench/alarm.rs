//! Wakes a thread of a load at a moment: what it waits with counts in milliseconds, which the shortest latencies would drown in.
//! Elsewhere than on Linux milliseconds must do.

use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::time::Duration;

#[cfg(target_os = "linux")]
use mio::{Interest, unix::SourceFd};
use mio::{Registry, Token};
#[cfg(target_os = "linux")]
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};

/// An alarm of one thread.
pub(super) struct Alarm {
    #[cfg(target_os = "linux")]
    timer: OwnedFd,
}

#[cfg(target_os = "linux")]
impl Alarm {
    /// An alarm that is not set; `token` names it when it goes off.
    pub(super) fn new(registry: &Registry, token: Token) -> io::Result<Self> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        registry.register(&mut SourceFd(&timer.as_raw_fd()), token, Interest::READABLE)?;
        Ok(Self { timer })
    }

    /// Goes off once, after so long; how long to wait at most for anything else.
    pub(super) fn set(&self, within: Duration) -> io::Result<Duration> {
        // Nothing at all would switch it off.
        let it_value = Timespec::try_from(within.max(Duration::from_nanos(1))).map_err(io::Error::other)?;
        let once = Itimerspec { it_interval: Timespec::default(), it_value };
        timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once)?;
        Ok(Duration::MAX)
    }
}

#[cfg(not(target_os = "linux"))]
impl Alarm {
    /// An alarm that is not set.
    pub(super) fn new(_: &Registry, _: Token) -> io::Result<Self> {
        Ok(Self {})
    }

    /// How long to wait at most.
    pub(super) fn set(&self, within: Duration) -> io::Result<Duration> {
        Ok(within)
    }
}
