//! A channel as `std::sync::mpsc` has it, of which every step is one that `shuttle` may interrupt.
//!
//! Needed because the channel of `shuttle` keeps messages whose receiver is gone. The channel of `std` drops them, and the journal
//! relies on that when it stops.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError};
use std::time::Duration;

use shuttle::sync::{Condvar, Mutex};

struct Queue<T> {
    waiting: VecDeque<T>,
    has_receiver: bool,
    senders: usize,
}

struct Shared<T> {
    queue: Mutex<Queue<T>>,
    changed: Condvar,
}

pub(super) struct Sender<T>(Arc<Shared<T>>);

pub(super) struct Receiver<T>(Arc<Shared<T>>);

pub(super) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let queue = Mutex::new(Queue { waiting: VecDeque::new(), has_receiver: true, senders: 1 });
    let shared = Arc::new(Shared { queue, changed: Condvar::new() });
    (Sender(Arc::clone(&shared)), Receiver(shared))
}

impl<T> Shared<T> {
    fn change<R>(&self, how: impl FnOnce(&mut Queue<T>) -> R) -> R {
        let outcome = how(&mut self.queue.lock().expect("no panic"));
        self.changed.notify_all();
        outcome
    }
}

impl<T> Sender<T> {
    pub(super) fn send(&self, item: T) -> Result<(), SendError<T>> {
        self.0.change(|queue| {
            if !queue.has_receiver {
                return Err(SendError(item));
            }
            queue.waiting.push_back(item);
            Ok(())
        })
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.0.change(|queue| queue.senders += 1);
        Self(Arc::clone(&self.0))
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.change(|queue| queue.senders -= 1);
    }
}

impl<T> Receiver<T> {
    pub(super) fn recv(&self) -> Result<T, RecvError> {
        let mut queue = self.0.queue.lock().expect("no panic");
        loop {
            match queue.waiting.pop_front() {
                Some(item) => return Ok(item),
                None if queue.senders == 0 => return Err(RecvError),
                None => queue = self.0.changed.wait(queue).expect("no panic"),
            }
        }
    }

    /// Never gives up: only a journal that others share waits with a limit.
    pub(super) fn recv_timeout(&self, _: Duration) -> Result<T, RecvTimeoutError> {
        self.recv().map_err(|RecvError| RecvTimeoutError::Disconnected)
    }

    pub(super) fn try_recv(&self) -> Result<T, TryRecvError> {
        let mut queue = self.0.queue.lock().expect("no panic");
        let is_over = queue.senders == 0;
        queue.waiting.pop_front().ok_or(if is_over { TryRecvError::Disconnected } else { TryRecvError::Empty })
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let dropped = self.0.change(|queue| {
            queue.has_receiver = false;
            std::mem::take(&mut queue.waiting)
        });
        drop(dropped);
    }
}
