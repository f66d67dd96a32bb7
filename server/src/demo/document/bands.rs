//! A query text parsed a band of levels at a time: the parser itself takes no more than 64 levels, and descends a bracket at a
//! time.
//!
//! The text of a band is the whole text with blanks for whatever is not of the band, so that every position is that in the whole
//! text, and by their positions the bands find together again.

use std::collections::HashMap;
use std::ops::Range;

use async_graphql_parser::types::{DocumentOperations, ExecutableDocument, Selection, SelectionSet};
use async_graphql_parser::{Error, Pos, Positioned, parse_query};

/// Levels of selections a band has.
pub(super) const LEVELS: usize = 48;

/// A selection, braces included, that begins a band of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    /// The band it begins; what no cut begins is band 0.
    pub(super) band: usize,
    /// Where it is in the text.
    pub(super) range: Range<usize>,
}

/// Parses a text whose lines end in line feeds. `cuts` stand in the order they begin.
pub(super) fn parse(text: &str, cuts: &[Cut]) -> Result<ExecutableDocument, Error> {
    let deepest = cuts.iter().map(|cut| cut.band).max().unwrap_or(0);
    let mut below = HashMap::new();
    for band in (1..=deepest).rev() {
        let own: Vec<_> = cuts.iter().filter(|cut| cut.band == band).map(|cut| cut.range.clone()).collect();
        let mut parsed = parse_query(wrapped(text, cuts, band, &own))?;
        join(&mut parsed, &mut below);
        below = sets_within(parsed);
    }
    if deepest == 0 {
        return parse_query(text);
    }
    let mut document = parse_query(hollowed(text, cuts, 0, 0..text.len()))?;
    join(&mut document, &mut below);
    Ok(document)
}

type Sets = HashMap<Pos, Positioned<SelectionSet>>;

/// The selections of a band as those of fields `_` of one query.
fn wrapped(text: &str, cuts: &[Cut], band: usize, own: &[Range<usize>]) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut at = 0;
    for range in own {
        // Before each stands at least the name it belongs to, and before the first the brace of level 1, too.
        wrapped.push_str(&blank(&text[at..range.start], (at == 0).then_some('{'), Some('_')));
        wrapped.push_str(&hollowed(text, cuts, band, range.clone()));
        at = range.end;
    }
    wrapped.push_str(&blank(&text[at..], None, Some('}')));
    wrapped
}

/// A part of the text with nothing but a field `_` in the selections that begin the next band.
fn hollowed(text: &str, cuts: &[Cut], band: usize, part: Range<usize>) -> String {
    let mut hollowed = String::with_capacity(part.len());
    let mut at = part.start;
    let within = cuts.partition_point(|cut| cut.range.start < part.start);
    let within = cuts[within..].iter().take_while(|cut| cut.range.start < part.end);
    for cut in within.filter(|cut| cut.band == band + 1) {
        hollowed.push_str(&text[at..=cut.range.start]);
        at = cut.range.end - 1;
        hollowed.push_str(&blank(&text[cut.range.start + 1..at], Some('_'), None));
    }
    hollowed.push_str(&text[at..part.end]);
    hollowed
}

/// As many blanks and the same line feeds, with a sign for the first blank and one for the last where they are given.
fn blank(text: &str, first: Option<char>, last: Option<char>) -> String {
    let mut signs: Vec<char> = text.chars().map(|sign| if sign == '\n' { sign } else { ' ' }).collect();
    if let (Some(place), Some(sign)) = (signs.iter_mut().find(|sign| **sign == ' '), first) {
        *place = sign;
    }
    if let (Some(place), Some(sign)) = (signs.iter_mut().rfind(|sign| **sign == ' '), last) {
        *place = sign;
    }
    signs.into_iter().collect()
}

/// The selections of the fields of the one query, by their places.
fn sets_within(document: ExecutableDocument) -> Sets {
    let DocumentOperations::Single(operation) = document.operations else {
        return Sets::new();
    };
    let fields = operation.node.selection_set.node.items.into_iter().filter_map(|selection| match selection.node {
        Selection::Field(field) => Some(field.node.selection_set),
        _ => None,
    });
    fields.map(|set| (set.pos, set)).collect()
}

#[expect(clippy::iter_over_hash_type, reason = "each is joined by itself")]
fn join(document: &mut ExecutableDocument, below: &mut Sets) {
    match &mut document.operations {
        DocumentOperations::Single(operation) => join_set(&mut operation.node.selection_set, below),
        DocumentOperations::Multiple(operations) => {
            operations.values_mut().for_each(|operation| join_set(&mut operation.node.selection_set, below));
        }
    }
    for fragment in document.fragments.values_mut() {
        join_set(&mut fragment.node.selection_set, below);
    }
}

/// Puts the selections of the next band where they were cut out.
fn join_set(set: &mut Positioned<SelectionSet>, below: &mut Sets) {
    if let Some(whole) = below.remove(&set.pos) {
        *set = whole;
        return;
    }
    for selection in &mut set.node.items {
        match &mut selection.node {
            Selection::Field(field) => join_set(&mut field.node.selection_set, below),
            Selection::InlineFragment(fragment) => join_set(&mut fragment.node.selection_set, below),
            Selection::FragmentSpread(_) => {}
        }
    }
}
