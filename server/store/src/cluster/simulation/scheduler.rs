//! Threads of simulated processes. One runs at a time, until it waits, in the order in which they were woken. All wait on one runtime, whose
//! time advances when no thread and no task can run.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use libros_server_system::clock::{Reading, simulate};
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use crate::cluster::defect::{Defect, PUT_BACK};
use crate::cluster::simulated::{self, CURRENT, Network};
use crate::cluster::threads::locked;

/// The wall time at which each simulation begins.
pub(super) const BEGIN: Duration = Duration::from_secs(1_800_000_000);

/// What a killed process unwinds with.
struct Killed;

struct Thread(Arc<Place>);

/// Where a thread waits until it may run.
struct Place {
    may_run: Mutex<Receiver<()>>,
    let_run: Sender<()>,
    is_woken: AtomicBool,
    has_ended: AtomicBool,
    process: Arc<Process>,
}

impl Wake for Place {
    fn wake(self: Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::Relaxed) {
            let woken = self.process.scheduler.woken.clone();
            _ = woken.send(self);
        }
    }
}

pub(super) struct Process {
    scheduler: Arc<Scheduler>,
    network: Arc<dyn Network>,
    threads: Mutex<Vec<Arc<Place>>>,
    is_killed: AtomicBool,
    is_stopped: AtomicBool,
    wall_ahead_ms: Arc<AtomicI64>,
    /// Notified whenever another than its first thread has done something.
    pub(super) active: Notify,
}

pub(super) struct Scheduler {
    runtime: Handle,
    pub(super) begun: Instant,
    woken: mpsc::UnboundedSender<Arc<Place>>,
    waits: Sender<()>,
    pub(super) running: AtomicUsize,
    pub(super) panics: Mutex<Vec<String>>,
    defect: Option<Defect>,
}

impl Scheduler {
    /// Begins to run threads on the current runtime.
    pub(super) fn start(defect: Option<Defect>) -> Arc<Self> {
        let (woken, mut next) = mpsc::unbounded_channel::<Arc<Place>>();
        let (waits, waiting) = channel();
        let (runtime, begun) = (Handle::current(), Instant::now());
        tokio::spawn(async move {
            while let Some(place) = next.recv().await {
                if place.process.is_stopped.load(Ordering::Relaxed) && !place.process.is_killed() {
                    continue;
                }
                place.is_woken.store(false, Ordering::Relaxed);
                if !place.has_ended.load(Ordering::Relaxed) && place.let_run.send(()).is_ok() {
                    _ = waiting.recv();
                }
                let first = locked(&place.process.threads).first().map(Arc::as_ptr);
                if first != Some(Arc::as_ptr(&place)) {
                    place.process.active.notify_one();
                }
            }
        });
        Arc::new(Self { runtime, begun, woken, waits, running: AtomicUsize::new(0), panics: Mutex::default(), defect })
    }

    pub(super) fn process(self: &Arc<Self>, network: Arc<dyn Network>, wall_ahead_ms: Arc<AtomicI64>) -> Arc<Process> {
        Arc::new(Process {
            scheduler: Arc::clone(self),
            network,
            threads: Mutex::default(),
            is_killed: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
            wall_ahead_ms,
            active: Notify::new(),
        })
    }
}

impl Process {
    pub(super) fn spawn(self: &Arc<Self>, work: impl FnOnce() + Send + 'static) {
        let (let_run, may_run) = channel();
        let place = Arc::new(Place {
            may_run: Mutex::new(may_run),
            let_run,
            is_woken: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            process: Arc::clone(self),
        });
        locked(&self.threads).push(Arc::clone(&place));
        self.scheduler.running.fetch_add(1, Ordering::Relaxed);
        let thread = Thread(Arc::clone(&place));
        thread::spawn(move || thread.run(work));
        place.wake();
    }

    /// Ends all threads where they are.
    pub(super) fn kill(&self) {
        self.is_killed.store(true, Ordering::Relaxed);
        self.wake_all();
    }

    pub(super) fn set_stopped(&self, is_stopped: bool) {
        if self.is_stopped.swap(is_stopped, Ordering::Relaxed) && !is_stopped {
            self.wake_all();
        }
    }

    fn wake_all(&self) {
        for place in locked(&self.threads).iter() {
            place.is_woken.store(false, Ordering::Relaxed);
            Arc::clone(place).wake();
        }
    }

    fn is_killed(&self) -> bool {
        self.is_killed.load(Ordering::Relaxed)
    }
}

impl Thread {
    fn run(self, work: impl FnOnce()) {
        let Place { may_run, has_ended, process, .. } = &*self.0;
        _ = locked(may_run).recv();
        let scheduler = Arc::clone(&process.scheduler);
        let _runtime = scheduler.runtime.enter();
        let (begun, ahead_ms) = (scheduler.begun, Arc::clone(&process.wall_ahead_ms));
        simulate(move || {
            let ticks = begun.elapsed();
            let wall = UNIX_EPOCH + BEGIN + ticks;
            let ahead_ms = ahead_ms.load(Ordering::Relaxed);
            let ahead = Duration::from_millis(ahead_ms.unsigned_abs());
            Reading { ticks, wall: if ahead_ms < 0 { wall - ahead } else { wall + ahead } }
        });
        PUT_BACK.set(scheduler.defect);
        CURRENT.set(Some(Arc::new(Self(Arc::clone(&self.0)))));
        if let Err(cause) = catch_unwind(AssertUnwindSafe(work))
            && !cause.is::<Killed>()
        {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(ToString::to_string));
            locked(&scheduler.panics).push(text.unwrap_or_default());
        }
        CURRENT.set(None);
        has_ended.store(true, Ordering::Relaxed);
        scheduler.running.fetch_sub(1, Ordering::Relaxed);
        _ = scheduler.waits.send(());
    }
}

impl simulated::Thread for Thread {
    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        self.0.process.spawn(work);
    }

    fn sleep(&self, pause: Duration) {
        // Made only when it is polled: there is a runtime then.
        self.wait(pin!(async move { tokio::time::sleep(pause).await }));
    }

    fn wait(&self, mut future: Pin<&mut dyn Future<Output = ()>>) {
        let Place { may_run, process, .. } = &*self.0;
        let waker = Waker::from(Arc::clone(&self.0));
        loop {
            if process.is_killed() && !thread::panicking() {
                resume_unwind(Box::new(Killed));
            }
            if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                return;
            }
            _ = process.scheduler.waits.send(());
            _ = locked(may_run).recv();
        }
    }

    fn network(&self) -> Arc<dyn Network> {
        Arc::clone(&self.0.process.network)
    }
}
