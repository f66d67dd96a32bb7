//! What a query keeps of one segment: its rows before they are sorted and cut into a page.

use super::hits::Hits;
use super::view::View;

/// What a query keeps of one segment.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) segment: &'a View<'a>,
    pub(super) hits: Hits<'a>,
}
