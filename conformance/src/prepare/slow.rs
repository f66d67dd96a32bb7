//! Requests whose body comes in two pieces, with time between them: what a slow connection makes of any large one.

use std::sync::mpsc;
use std::time::Duration;

use crate::case::Stop;
use crate::exchange::Exchange;
use crate::expect::Reply;
use crate::now;
use crate::request::Request;
use crate::wire::Connection;

/// Long enough for a target to see the first piece by itself.
const PAUSE: Duration = Duration::from_millis(60);
/// How long the second piece waits for what is done meanwhile. A target that serves one connection after the other does
/// that only afterwards, which is its right.
const PATIENCE: Duration = Duration::from_millis(1_500);

impl Request<'_, '_> {
    /// Sends the head and half of the body, does something else, sends the rest; both outcomes. A body with letters beyond
    /// ASCII is cut within the first of them.
    ///
    /// # Errors
    /// As [`Self::send`], or what was done meanwhile stopped.
    pub fn send_slowly<T: Send>(self, meanwhile: impl FnOnce() -> Result<T, Stop> + Send) -> Result<(Reply, T), Stop> {
        let trial = self.trial();
        let timeout = trial.setting().timeout;
        let sent = self.into_sent()?;
        let body = sent.body.as_deref().unwrap_or_default();
        let first = body.iter().position(|byte| !byte.is_ascii()).map_or(body.len() / 2, |letter| letter + 1);
        let (started, sent_at_ms) = (now::stopwatch(), now::unix_ms());
        let (received, done) = std::thread::scope(|scope| {
            let mut thread = None;
            let received = trial.letting_go(&sent, || {
                let mut connection = Connection::open(&sent.address.authority, timeout)?;
                connection.exchange_in_pieces(&sent, first, timeout, || {
                    std::thread::sleep(PAUSE);
                    let (end, ended) = mpsc::channel();
                    thread = Some(scope.spawn(move || {
                        let done = meanwhile();
                        _ = end.send(());
                        done
                    }));
                    _ = ended.recv_timeout(PATIENCE);
                })
            });
            let done = thread.map(|thread| {
                thread.join().unwrap_or_else(|_| Err(Stop::Broken("a thread of the case panicked".into())))
            });
            (received, done)
        });
        let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let received = received.map_err(|error: std::io::Error| error.to_string());
        let exchange = Exchange { sent, received, duration_ms, sent_at_ms };
        trial.record(exchange.clone());
        let reply = Reply::of(exchange, trial)?;
        let done = done.unwrap_or_else(|| Err(Stop::Broken("nothing was done between the pieces of a body".into())))?;
        Ok((reply, done))
    }
}
