//! Sockets and HTTP: turns bytes into requests and replies into bytes. With `main`, the only place that knows hyper and tokio.
//!
//! A request is read whole, within limits, before an interface sees it. Decides nothing about what is answered.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

use crate::message::Interface;

mod body;
mod connection;
mod signals;
mod unwind;

/// How long requests under way may take to finish once the service stops.
const STOP_WITHIN: Duration = Duration::from_secs(10);

/// How long to wait before accepting again after the system had no descriptor or memory left for a connection.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// What a request may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest body, in bytes.
    pub body_max: usize,
    /// How long the head of a request may take, idle time before it included.
    pub head_within: Duration,
    /// How long the body of a request may take.
    pub body_within: Duration,
}

/// Stack of a thread that serves: an answer of GraphQL descends level by level. Only what is touched is ever taken.
pub(crate) const STACK_BYTES: usize = 16 << 20;

/// Runs a future to its end on a runtime of `threads` threads.
///
/// # Errors
/// When the operating system gives no thread.
pub fn block_on<T>(threads: NonZeroUsize, future: impl Future<Output = T>) -> io::Result<T> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(threads.get()).thread_stack_size(STACK_BYTES).enable_all().build()?;
    Ok(runtime.block_on(future))
}

/// Listeners, and the connections they have accepted.
#[derive(Debug)]
pub struct Transport {
    limits: Limits,
    stop: watch::Sender<bool>,
    /// Held by every task; closed once all of them have ended.
    alive: mpsc::Sender<()>,
    ended: mpsc::Receiver<()>,
}

impl Transport {
    /// No listener yet. Call it on the runtime.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let (alive, ended) = mpsc::channel(1);
        Self { limits, stop: watch::Sender::new(false), alive, ended }
    }

    /// Starts to serve `interface` and returns the address, with the port chosen where `address` says 0.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub async fn open<I: Interface>(&self, address: SocketAddr, interface: Arc<I>) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let door = Door { interface, limits: self.limits, stop: self.stop.subscribe(), alive: self.alive.clone() };
        tokio::spawn(door.accept_until_stopped(listener));
        Ok(address)
    }

    /// Serves until SIGINT or SIGTERM; then accepts no more, finishes the requests under way and returns.
    ///
    /// A second signal, or ten seconds, ends the wait for them.
    ///
    /// # Errors
    /// When signals cannot be listened for.
    pub async fn serve_until_signalled(mut self) -> io::Result<()> {
        let mut signals = signals::Signals::listen()?;
        signals.next().await;
        tracing::info!("stopping: requests under way are finished");
        self.stop.send_replace(true);
        drop(self.alive);
        tokio::select! {
            _ = self.ended.recv() => {}
            () = signals.next() => tracing::warn!("stopped at once by a second signal"),
            () = tokio::time::sleep(STOP_WITHIN) => tracing::warn!("stopped before all requests were finished"),
        }
        Ok(())
    }
}

/// One listener and what it serves.
struct Door<I> {
    interface: Arc<I>,
    limits: Limits,
    stop: watch::Receiver<bool>,
    alive: mpsc::Sender<()>,
}

impl<I: Interface> Door<I> {
    async fn accept_until_stopped(self, listener: TcpListener) {
        let mut stop = self.stop.clone();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stop.wait_for(|stop| *stop) => return,
            };
            match accepted {
                Ok((stream, peer)) => self.serve(stream, peer.ip()),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_AGAIN_AFTER).await;
                }
            }
        }
    }

    fn serve(&self, stream: TcpStream, peer: IpAddr) {
        let interface = Arc::clone(&self.interface);
        let (limits, stop, alive) = (self.limits, self.stop.clone(), self.alive.clone());
        tokio::spawn(async move {
            connection::serve(stream, peer, interface, limits, stop).await;
            drop(alive);
        });
    }
}
