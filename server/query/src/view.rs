//! A segment as one query sees it, with a column for each field that the query names; and the rows that the query keeps.

use std::ops::Deref;

use super::book::FieldName;
use super::column::Column;
use super::hits::Hits;
use super::segment::Segment;

#[derive(Debug)]
pub(super) struct View<'a> {
    segment: &'a Segment,
    /// Columns made for this query, of fields without one in the segment.
    made: Vec<(FieldName, Column)>,
}

/// The rows of one segment that a query keeps, before they are sorted and cut into a page.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) segment: &'a View<'a>,
    pub(super) hits: Hits<'a>,
}

impl<'a> View<'a> {
    pub(super) fn new<'n>(segment: &'a Segment, names: impl Iterator<Item = &'n FieldName>) -> View<'a> {
        let mut made = Vec::<(FieldName, Column)>::new();
        for name in names {
            if made.iter().all(|(known, _)| known != name) {
                made.extend(segment.make_column(name).map(|column| (name.clone(), column)));
            }
        }
        View { segment, made }
    }

    pub(super) fn column(&self, name: &FieldName) -> Option<&Column> {
        let made = || self.made.iter().find(|(made, _)| made == name);
        self.segment.column(name).or_else(|| Some(&made()?.1))
    }
}

impl Deref for View<'_> {
    type Target = Segment;

    fn deref(&self) -> &Segment {
        self.segment
    }
}
