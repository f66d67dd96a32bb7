//! A value that holds the time of the answer, to the second: made once a second, and copied in between.

use std::sync::Arc;

use arc_swap::ArcSwapOption;

use libros_server_system::clock::Timestamp;

#[derive(Debug)]
pub(super) struct OnceASecond<T> {
    /// A second since 1970, and its value.
    last: ArcSwapOption<(i64, T)>,
}

impl<T> Default for OnceASecond<T> {
    fn default() -> Self {
        Self { last: ArcSwapOption::empty() }
    }
}

impl<T: Clone> OnceASecond<T> {
    /// The value of a moment; calls `make` when the kept one is of another second.
    pub(super) fn at(&self, now: Timestamp, make: impl FnOnce() -> T) -> T {
        if let Some((second, kept)) = self.last.load().as_deref()
            && *second == now.seconds()
        {
            return kept.clone();
        }
        let made = make();
        self.last.store(Some(Arc::new((now.seconds(), made.clone()))));
        made
    }
}
