//! The date of an answer as a header value, made once a second.

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::HeaderValue;
use std::sync::Arc;

use crate::clock::Timestamp;

/// Keeps the last date it made.
#[derive(Debug, Default)]
pub(super) struct HttpDates {
    /// A second since 1970, and its date.
    last: ArcSwapOption<(i64, HeaderValue)>,
}

impl HttpDates {
    /// The date of a moment, to the second.
    pub(super) fn at(&self, now: Timestamp) -> HeaderValue {
        if let Some(last) = self.last.load().as_deref()
            && last.0 == now.seconds()
        {
            return last.1.clone();
        }
        let made = Bytes::from(now.http_date().into_bytes().into_boxed_slice());
        let made = HeaderValue::from_maybe_shared(made).unwrap_or(HeaderValue::from_static(""));
        self.last.store(Some(Arc::new((now.seconds(), made.clone()))));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_has_its_own_date_in_whatever_order_they_are_asked_for() {
        let dates = HttpDates::default();
        for (moment_ms, second) in
            [(1_767_323_045_000, "05"), (1_767_323_045_999, "05"), (1_767_323_046_000, "06"), (1_767_323_045_500, "05")]
        {
            assert_eq!(dates.at(Timestamp(moment_ms)), format!("Fri, 02 Jan 2026 03:04:{second} GMT").as_str());
        }
    }
}
