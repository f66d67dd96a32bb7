//! Pagination: which window of the matching books is shown, and the figures that describe it.

use std::ops::Range;

const LIMIT_DEFAULT: f64 = 10.0;
const LIMIT_MAX: f64 = 100.0;

/// One page of a list: its books as JSON text, and the pagination figures.
/// Source: catalogue-service, "Pagination object".
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
    pub(super) fn new(datos: String, window: &Window) -> Page {
        Page {
            datos,
            total: window.total,
            page: window.page,
            limit: window.limit,
            pages: window.total.div_ceil(window.limit),
            has_next: window.items.end < window.total,
            has_prev: window.page > 1.0,
        }
    }
}

/// The page and limit a query asks for, already within their bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PageSpec {
    page: f64,
    limit: usize,
}

/// A page specification applied to a number of matching books.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Window {
    /// Positions of the books shown, among those that match.
    pub(super) items: Range<usize>,
    total: usize,
    page: f64,
    limit: usize,
}

impl PageSpec {
    /// Reads both parameters; absent ones take their defaults.
    pub(super) fn parse(page: Option<&str>, limit: Option<&str>) -> PageSpec {
        let page = page
            .and_then(parse_int)
            .filter(|page| page.is_finite())
            .unwrap_or(1.0)
            .max(1.0);
        let limit = limit
            .and_then(parse_int)
            .filter(|limit| *limit != 0.0)
            .unwrap_or(LIMIT_DEFAULT);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to 1..=100 first"
        )]
        let limit = limit.clamp(1.0, LIMIT_MAX) as usize;
        PageSpec { page, limit }
    }

    /// The window this page opens on `total` matching books; empty beyond their end.
    pub(super) fn over(self, total: usize) -> Window {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float cast saturates"
        )]
        let before = (self.page - 1.0) as usize;
        let start = before.saturating_mul(self.limit).min(total);
        let end = start.saturating_add(self.limit).min(total);
        Window {
            items: start..end,
            total,
            page: self.page,
            limit: self.limit,
        }
    }
}

/// `parseInt(text, 10)`: leading white space, a sign, then digits up to the first other character; `None` for NaN.
fn parse_int(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(is_js_space);
    let (sign, text) = match text.as_bytes().first() {
        Some(b'-') => (-1.0, &text[1..]),
        Some(b'+') => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .map_or(text, |end| &text[..end]);
    digits.parse::<f64>().ok().map(|number| sign * number)
}

/// White space as JavaScript's number readers skip it.
fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}
