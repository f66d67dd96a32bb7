//! Polls a future only when it was woken for its own sake: what a connection waits for besides its requests is not asked at each
//! of them. Decides nothing.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

struct Bell {
    has_rung: AtomicBool,
    task: Waker,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.has_rung.store(true, Ordering::Release);
        self.task.wake_by_ref();
    }
}

/// As the future itself, but polled only the first time, after it was woken, and when another task polls.
pub(super) fn poll_when_woken<T>(mut future: Pin<&mut impl Future<Output = T>>) -> impl Future<Output = T> {
    let mut bell: Option<Arc<Bell>> = None;
    poll_fn(move |context| {
        let of_this_task = bell.take().filter(|bell| bell.task.will_wake(context.waker()));
        let bell = bell.insert(
            of_this_task
                .unwrap_or_else(|| Arc::new(Bell { has_rung: AtomicBool::new(true), task: context.waker().clone() })),
        );
        if !bell.has_rung.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        // Before the poll: what rings during it is not lost.
        bell.has_rung.store(false, Ordering::Release);
        future.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::clone(bell))))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::pin::pin;

    use super::*;

    #[tokio::test]
    async fn only_its_own_waker_or_another_task_has_it_polled_again() {
        let (polls, waker) = (Cell::new(0), RefCell::new(Waker::noop().clone()));
        let future = pin!(poll_fn(|context: &mut Context<'_>| {
            polls.set(polls.get() + 1);
            waker.replace(context.waker().clone());
            if polls.get() == 3 { Poll::Ready(()) } else { Poll::Pending }
        }));
        let mut polled = pin!(poll_when_woken(future));
        poll_fn(|context| {
            let mut poll = || polled.as_mut().poll(context).is_ready();
            assert!(!poll() && !poll());
            assert_eq!(polls.get(), 1);
            waker.borrow().wake_by_ref();
            assert!(!poll() && !poll());
            assert_eq!(polls.get(), 2);
            Poll::Ready(())
        })
        .await;
        assert!(polled.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }
}
