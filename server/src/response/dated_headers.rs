//! Headers with the time of the answer among them, laid out once a second: in between they are only copied.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use http::HeaderMap;

use crate::clock::Timestamp;

/// Keeps the headers of the last second.
#[derive(Debug, Default)]
pub(super) struct DatedHeaders {
    /// A second since 1970, and the headers of answers in it.
    last: ArcSwapOption<(i64, HeaderMap)>,
}

impl DatedHeaders {
    /// The headers at a moment; `lay_out` makes them where those kept are of another second.
    pub(super) fn at(&self, now: Timestamp, lay_out: impl FnOnce() -> HeaderMap) -> HeaderMap {
        if let Some((second, headers)) = self.last.load().as_deref()
            && *second == now.seconds()
        {
            return headers.clone();
        }
        let made = lay_out();
        self.last.store(Some(Arc::new((now.seconds(), made.clone()))));
        made
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::AGE;

    use super::*;

    #[test]
    fn they_are_laid_out_once_a_second() {
        let (dated, mut made) = (DatedHeaders::default(), 0);
        for (moment_ms, expected) in [(5000, 1), (5999, 1), (6000, 2), (5999, 3)] {
            let headers = dated.at(Timestamp(moment_ms), || {
                made += 1;
                HeaderMap::from_iter([(AGE, HeaderValue::from(made))])
            });
            assert_eq!(headers[AGE], HeaderValue::from(expected), "{moment_ms}");
        }
    }
}
