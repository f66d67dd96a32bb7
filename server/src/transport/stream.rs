//! The socket of a connection: writing fails if its client reads nothing for too long. Knows no HTTP but the interim answer.

use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::head_deadline::HeadDeadline;
use crate::message::{Connection, Presence};

/// An interim answer, which every client of HTTP/1.1 skips while it waits for a reply.
const INTERIM: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// A socket that its connection's task reads and writes. Meanwhile others may ask whether its client is there.
#[derive(Debug)]
pub(super) struct Socket(Mutex<Open>);

#[derive(Debug)]
struct Open {
    stream: TcpStream,
    /// Whether everything is written, so that no reply is half sent.
    is_flushed: bool,
    /// Whether it has sent something only to test whether the client is there.
    is_probed: bool,
    /// Whether the connection was seen to have ended: an error is reported once.
    is_reset: bool,
}

impl Socket {
    pub(super) fn new(stream: TcpStream) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Open { stream, is_flushed: true, is_probed: false, is_reset: false })))
    }

    fn write(&self, write: impl FnOnce(Pin<&mut TcpStream>) -> Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let mut open = self.lock();
        open.is_flushed = false;
        write(Pin::new(&mut open.stream))
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection for Socket {
    /// A client that closed only its sending half still reads; one that closed the connection answers with a reset.
    fn presence(&self) -> Presence {
        let mut open = self.lock();
        let state = pin!(open.stream.ready(Interest::READABLE)).poll(&mut Context::from_waker(Waker::noop()));
        if !matches!(state, Poll::Ready(Ok(ready)) if ready.is_read_closed()) {
            return Presence::There;
        }
        if open.is_flushed && !open.is_probed {
            open.is_probed = true;
            open.is_reset = match open.stream.try_write(INTERIM) {
                // No reply can follow half of it.
                Ok(sent) => sent < INTERIM.len(),
                // Also a reset that came earlier, which `take_error` then no longer has.
                Err(error) => error.kind() != io::ErrorKind::WouldBlock,
            };
        }
        open.is_reset |= !matches!(open.stream.take_error(), Ok(None));
        if open.is_reset { Presence::Gone } else { Presence::Doubtful }
    }
}

/// A socket whose writes fail if they take too long.
#[derive(Debug)]
pub(super) struct Stream<'a> {
    socket: Arc<Socket>,
    write_within: Duration,
    /// `Some` while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    head: &'a HeadDeadline,
}

impl<'a> Stream<'a> {
    pub(super) fn new(socket: Arc<Socket>, write_within: Duration, head: &'a HeadDeadline) -> Self {
        Self { socket, write_within, stalled: None, head }
    }

    /// The outcome of a write; an error if it waited too long.
    fn timed(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            self.head.written();
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(self.write_within)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Stream<'_> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket.lock().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream<'_> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.socket.write(|stream| stream.poll_write(context, bytes));
        self.timed(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.socket.write(|stream| stream.poll_write_vectored(context, bytes));
        self.timed(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.lock().stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The library calls this once it has written everything.
        let mut open = self.socket.lock();
        open.is_flushed = true;
        Pin::new(&mut open.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket.lock().stream).poll_shutdown(context)
    }
}
