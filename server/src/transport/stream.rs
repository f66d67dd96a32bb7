//! The socket of a connection, with an eye on what its client takes: nothing for too long is an error.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::head_deadline::HeadDeadline;

/// A socket that is written to in time or not at all.
#[derive(Debug)]
pub(super) struct Stream<'a> {
    socket: TcpStream,
    /// How long the client may take nothing.
    write_within: Duration,
    /// There only while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    head: &'a HeadDeadline,
}

impl<'a> Stream<'a> {
    pub(super) fn new(socket: TcpStream, write_within: Duration, head: &'a HeadDeadline) -> Self {
        Self { socket, write_within, stalled: None, head }
    }

    /// What came of a write; an error where it has waited for too long.
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
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream<'_> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.timed(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, bytes);
        self.timed(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
