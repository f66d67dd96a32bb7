//! What a query keeps of one segment: its rows before they are sorted and cut into a page.

use super::hits::Hits;
use super::view::View;

/// The rows of one segment that a query keeps.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) segment: &'a View<'a>,
    pub(super) hits: Hits<'a>,
}
