//! The traits of simulated threads and sockets, which replace the system's in a simulation. Simulates nothing itself.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::DuplexStream;

pub(super) type Opening = Pin<Box<dyn Future<Output = DuplexStream> + Send>>;

pub(super) trait Network: Send + Sync {
    /// A stream to a host; one that has ended where it is not reached.
    fn connect(&self, host: &str) -> Opening;
}

pub(super) trait Thread {
    fn spawn(&self, work: Box<dyn FnOnce() + Send>);

    fn sleep(&self, pause: Duration);

    /// Lets others run until `future` is ready.
    fn wait(&self, future: Pin<&mut dyn Future<Output = ()>>);

    fn network(&self) -> Arc<dyn Network>;
}

thread_local! {
    pub(super) static CURRENT: RefCell<Option<Arc<dyn Thread>>> = const { RefCell::new(None) };
}

/// This thread, if it is simulated.
pub(super) fn current() -> Option<Arc<dyn Thread>> {
    CURRENT.with_borrow(Clone::clone)
}
