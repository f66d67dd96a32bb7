//! What holds the time of the answer, to the second, is made once a second: in between it is only copied.

use std::sync::Arc;

use arc_swap::ArcSwapOption;

use libros_server_system::clock::Timestamp;

/// Keeps the last value it made.
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

#[cfg(test)]
mod tests {
    use http::header::AGE;
    use http::{HeaderMap, HeaderValue};

    use super::*;

    #[test]
    fn headers_are_laid_out_once_a_second() {
        let (dated, mut made) = (OnceASecond::default(), 0);
        for (moment_ms, expected) in [(5000, 1), (5999, 1), (6000, 2), (5999, 3)] {
            let headers = dated.at(Timestamp(moment_ms), || {
                made += 1;
                HeaderMap::from_iter([(AGE, HeaderValue::from(made))])
            });
            assert_eq!(headers[AGE], HeaderValue::from(expected), "{moment_ms}");
        }
    }
}
