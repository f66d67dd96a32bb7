//! The date of an answer as a header value, made once a second.

use bytes::Bytes;
use http::HeaderValue;

use super::once_a_second::OnceASecond;
use libros_server_system::clock::Timestamp;

/// Keeps the last date it made.
#[derive(Debug, Default)]
pub(super) struct HttpDates {
    last: OnceASecond<HeaderValue>,
}

impl HttpDates {
    /// The date of a moment, to the second.
    pub(super) fn at(&self, now: Timestamp) -> HeaderValue {
        self.last.at(now, || {
            let made = Bytes::from(now.http_date().into_bytes().into_boxed_slice());
            HeaderValue::from_maybe_shared(made).unwrap_or(HeaderValue::from_static(""))
        })
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
