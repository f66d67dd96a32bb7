//! Sockets and HTTP: turns bytes into requests and replies into bytes. The only room of this crate that uses hyper and tokio.
//!
//! A request is read whole, within limits, before an interface sees it. Decides nothing about what is answered.

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};

use self::admission::Admission;
use self::descriptors::Shares;
use self::listener::{Listener, Shared};
use self::overload::Turnstile;
use crate::message::Interface;

mod admission;
mod body;
mod connection;
mod descriptors;
mod head_deadline;
mod listener;
mod overload;
mod stream;

pub use admission::Limits;

/// How long requests under way may take to finish once the service stops.
const STOP_WITHIN: Duration = Duration::from_secs(10);

/// Stack of a serving thread: an answer of GraphQL recurses level by level. Only touched pages take memory.
pub(crate) const STACK_BYTES: usize = 16 << 20;

/// Runs a future to its end on a runtime of `threads` threads. Fails when the operating system gives no thread.
pub fn block_on<T>(threads: NonZeroUsize, future: impl Future<Output = T>) -> io::Result<T> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(threads.get()).thread_stack_size(STACK_BYTES).enable_all().build()?;
    Ok(runtime.block_on(future))
}

/// Listeners, and the connections they have accepted.
#[derive(Debug)]
pub struct Transport {
    shared: Shared,
    stop: watch::Sender<bool>,
    ended: mpsc::Receiver<()>,
}

impl Transport {
    /// Makes a transport without listeners. Call it on the runtime.
    pub fn new(limits: Limits) -> Self {
        let (alive, ended) = mpsc::channel(1);
        let Shares { served, answered } = descriptors::enough_for(limits.connections_max.get());
        let (admission, turnstile) = (Admission::new(served, limits.bytes_max), Turnstile::new(answered));
        let stop = watch::Sender::new(false);
        Self { shared: Shared { limits, admission, turnstile, stop: stop.subscribe(), alive }, stop, ended }
    }

    /// Starts to serve `interface`; returns the address, with the port that was chosen for 0. Fails when it cannot be listened on.
    pub async fn open(&self, address: SocketAddr, interface: Arc<dyn Interface>) -> io::Result<SocketAddr> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        let listener = Listener { socket, interface, shared: self.shared.clone() };
        tokio::spawn(listener.accept_until_stopped());
        Ok(address)
    }

    /// Serves until SIGINT or SIGTERM; then accepts no more, finishes the requests under way and returns. A second signal, or ten seconds,
    /// ends the wait for them. Calls `ready` once it listens for signals: an earlier one ends the process. Fails if it cannot listen.
    pub async fn serve_until_signalled(mut self, ready: impl FnOnce()) -> io::Result<()> {
        // From now on the signals no longer end the process by themselves.
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let mut signalled = async || tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} };
        ready();
        signalled().await;
        tracing::info!("stopping: requests under way are finished");
        self.stop.send_replace(true);
        drop(self.shared);
        tokio::select! {
            _ = self.ended.recv() => {}
            () = signalled() => tracing::warn!("stopped at once by a second signal"),
            () = tokio::time::sleep(STOP_WITHIN) => tracing::warn!("stopped before all requests were finished"),
        }
        Ok(())
    }
}
