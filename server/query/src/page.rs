//! Pagination: which window of the matching books is shown, and the figures that describe it.

use std::ops::Range;

use super::number;
use crate::json;

const LIMIT_DEFAULT: f64 = 10.0;
const LIMIT_MAX: f64 = 100.0;

/// One page of a list: its books as JSON text, and the pagination figures. Source: catalogue-service, "Pagination object".
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The JSON text of the array of books, `[...]`, as `JSON.stringify` prints it; the ETag is made of it.
    pub datos: String,
    /// How many books passed the filters.
    pub total: usize,
    /// The page asked for, at least 1; a whole, finite number, possibly far beyond `pages` (a JavaScript double).
    pub page: f64,
    /// Books on a full page, 1 to 100.
    pub limit: usize,
    /// Pages in all; 0 when nothing matches.
    pub pages: usize,
    /// Whether a later book exists.
    pub has_next: bool,
    /// Whether the page is greater than 1.
    pub has_prev: bool,
}

impl Page {
    /// The JSON text of the pagination object.
    pub fn paginacion(&self) -> String {
        let Page { total, limit, pages, .. } = *self;
        let mut text = String::with_capacity(96);
        // rule: paging/object-keys
        let numbers = [
            ("{\"page\":", self.page),
            (",\"limit\":", limit as f64),
            (",\"total\":", total as f64),
            (",\"pages\":", pages as f64),
        ];
        for (key, number) in numbers {
            text.push_str(key);
            json::write_number_to(&mut text, number);
        }
        for (key, truth) in [(",\"hasNext\":", self.has_next), (",\"hasPrev\":", self.has_prev)] {
            text.push_str(key);
            text.push_str(if truth { "true" } else { "false" });
        }
        text.push('}');
        text
    }
}

/// The page and limit a query asks for, already within their bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PageSpec {
    page: f64,
    limit: usize,
}

impl PageSpec {
    /// Reads the values of both parameters; of several the first counts.
    pub(super) fn parse(page: &[impl AsRef<str>], limit: &[impl AsRef<str>]) -> PageSpec {
        // rule: paging/page-default, paging/page-unparsable, paging/page-minimum
        let page = whole(page).unwrap_or(1.0).max(1.0);
        // rule: paging/limit-default, paging/limit-unparsable, paging/limit-zero
        let limit = whole(limit).filter(|limit| *limit != 0.0).unwrap_or(LIMIT_DEFAULT);
        // rule: paging/limit-exact, paging/limit-maximum, paging/limit-huge, paging/limit-negative
        let limit = limit.clamp(1.0, LIMIT_MAX) as usize;
        PageSpec { page, limit }
    }

    /// The positions of this page's books among `total` matching ones, and the page without its books.
    pub(super) fn over(self, total: usize) -> (Range<usize>, Page) {
        let PageSpec { page, limit } = self;
        // rule: paging/page-slice, paging/page-beyond-end, paging/page-huge
        // The cast saturates: a page beyond any collection is beyond this one.
        let before = (page - 1.0) as usize;
        let start = before.saturating_mul(limit).min(total);
        let end = start.saturating_add(limit).min(total);
        let page = Page {
            datos: String::new(),
            // rule: paging/object-total
            total,
            // rule: paging/object-page
            page,
            // rule: paging/object-limit
            limit,
            // rule: paging/object-pages, paging/object-pages-empty
            pages: total.div_ceil(limit),
            // rule: paging/object-has-next
            has_next: end < total,
            // rule: paging/object-has-prev
            has_prev: page > 1.0,
        };
        (start..end, page)
    }
}

/// The integer at the start of the first value; `None` if there is none, or it is not finite.
fn whole(values: &[impl AsRef<str>]) -> Option<f64> {
    // rule: paging/number-repeated
    let text = values.first()?.as_ref();
    // rule: paging/number-fraction, paging/number-trailing-text
    let number = number::parse_int(text)?;
    // rule: paging/number-beyond-finite
    number.is_finite().then_some(number)
}
