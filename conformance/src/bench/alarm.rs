//! Wakes a thread of a load at a moment; on Linux more finely than `mio`, whose milliseconds would hide the shortest latencies.

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

pub(super) struct Alarm {
    #[cfg(target_os = "linux")]
    timer: OwnedFd,
}

#[cfg(target_os = "linux")]
impl Alarm {
    /// A new alarm; `token` names its events.
    pub(super) fn new(registry: &Registry, token: Token) -> io::Result<Self> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        registry.register(&mut SourceFd(&timer.as_raw_fd()), token, Interest::READABLE)?;
        Ok(Self { timer })
    }

    /// Goes off once after `within`; returns the longest time to wait for other events.
    pub(super) fn set(&self, within: Duration) -> io::Result<Duration> {
        // Zero would switch it off.
        let it_value = Timespec::try_from(within.max(Duration::from_nanos(1))).map_err(io::Error::other)?;
        let once = Itimerspec { it_interval: Timespec::default(), it_value };
        timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once)?;
        Ok(Duration::MAX)
    }
}

#[cfg(not(target_os = "linux"))]
impl Alarm {
    pub(super) fn new(_: &Registry, _: Token) -> io::Result<Self> {
        Ok(Self {})
    }

    pub(super) fn set(&self, within: Duration) -> io::Result<Duration> {
        Ok(within)
    }
}
