//! A query text cut where its selections are deep, parsed a piece at a time and put together again: the parser itself takes
//! no more than 64 levels, and descends a bracket at a time.
//!
//! What is cut out leaves a field behind that names its piece. Positions are those in the whole text.

use std::ops::Range;

use async_graphql_parser::types::{Directive, DocumentOperations, ExecutableDocument, Selection, SelectionSet};
use async_graphql_parser::{Error, Pos, Positioned, parse_query};

/// Levels of selections a piece has.
pub(super) const LEVELS: usize = 32;

/// A part of the text that begins and ends with the braces of a selection, or all of it; what lies deeper is cut out.
struct Piece {
    text: String,
    /// Where its text ends by now.
    end: Pos,
    /// From each place in it on, the place in the whole text.
    breaks: Vec<(Pos, Pos)>,
}

/// Why a text could not be parsed, and where that shows.
pub(super) struct Failed {
    pub(super) text: String,
    pub(super) place: Option<Pos>,
}

impl Piece {
    fn starting(place: Pos) -> Self {
        Self { text: String::new(), end: FIRST, breaks: vec![(FIRST, place)] }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.end = after(self.end, text);
    }

    /// The place in the whole text.
    fn origin(&self, place: Pos) -> Pos {
        let index = self.breaks.partition_point(|(here, _)| *here <= place).saturating_sub(1);
        let (here, there) = self.breaks[index];
        if place.line == here.line {
            return Pos { line: there.line, column: there.column + place.column - here.column };
        }
        Pos { line: there.line + place.line - here.line, column: place.column }
    }
}

const FIRST: Pos = Pos { line: 1, column: 1 };

/// Where one is after a text, as the parser counts.
fn after(from: Pos, text: &str) -> Pos {
    text.chars().fold(from, |at, sign| match sign {
        '\n' => Pos { line: at.line + 1, column: 1 },
        '\r' => Pos { column: 1, ..at },
        _ => Pos { column: at.column + 1, ..at },
    })
}

/// Parses a text. `cuts` are the selections to be cut out, braces included, in the order they begin; each is at the level
/// after the last of the piece that holds it.
pub(super) fn parse(text: &str, cuts: &[Range<usize>]) -> Result<ExecutableDocument, Failed> {
    let pieces = cut(text, cuts);
    let mut parsed: Vec<Option<Positioned<SelectionSet>>> = Vec::new();
    parsed.resize_with(pieces.len(), || None);
    // A piece is begun after the one that holds it, so from the last to the first each finds its own parsed.
    for (index, piece) in pieces.iter().enumerate().rev() {
        let mut document = parse_query(&piece.text).map_err(|error| Failed::to_parse(&error, piece))?;
        if index == 0 {
            if !cuts.is_empty() {
                settle_all(&mut document, piece, &mut parsed)?;
            }
            return Ok(document);
        }
        let DocumentOperations::Single(operation) = document.operations else {
            return Err(Failed::unlike());
        };
        let mut set = operation.node.selection_set;
        settle(&mut set, 1, piece, &mut parsed)?;
        parsed[index] = Some(set);
    }
    Err(Failed::unlike())
}

impl Failed {
    fn to_parse(error: &Error, piece: &Piece) -> Self {
        Self { text: error.to_string(), place: error.positions().next().map(|place| piece.origin(place)) }
    }

    /// The parser has read something else than what the cuts were chosen by.
    fn unlike() -> Self {
        Self { text: "misplaced brackets".to_owned(), place: None }
    }
}

fn cut(text: &str, cuts: &[Range<usize>]) -> Vec<Piece> {
    let mut pieces = vec![Piece::starting(FIRST)];
    // The pieces that are open, outermost first, and where each ends; the last takes what comes.
    let mut open = vec![(0, text.len())];
    let (mut from, mut place) = (0, FIRST);
    let mut cuts = cuts.iter().peekable();
    while let Some(&(index, end)) = open.last() {
        let begins = cuts.next_if(|cut| cut.start < end);
        let to = begins.map_or(end, |cut| cut.start);
        pieces[index].push(&text[from..to]);
        place = after(place, &text[from..to]);
        from = to;
        if let Some(cut) = begins {
            let name = pieces.len();
            pieces[index].push(&format!("{{_{name}}}"));
            pieces.push(Piece::starting(place));
            open.push((name, cut.end));
            continue;
        }
        open.pop();
        if let Some(&(outer, _)) = open.last() {
            let here = pieces[outer].end;
            pieces[outer].breaks.push((here, place));
        }
    }
    pieces
}

type Parsed = [Option<Positioned<SelectionSet>>];

#[expect(clippy::iter_over_hash_type, reason = "each is settled by itself")]
fn settle_all(document: &mut ExecutableDocument, piece: &Piece, parsed: &mut Parsed) -> Result<(), Failed> {
    let operations: Vec<_> = match &mut document.operations {
        DocumentOperations::Single(operation) => vec![operation],
        DocumentOperations::Multiple(operations) => operations.values_mut().collect(),
    };
    for operation in operations {
        piece.settle(operation);
        for variable in &mut operation.node.variable_definitions {
            piece.settle(variable);
            piece.settle(&mut variable.node.name);
            piece.settle(&mut variable.node.var_type);
            variable.node.default_value.iter_mut().for_each(|value| piece.settle(value));
            piece.settle_directives(&mut variable.node.directives);
        }
        piece.settle_directives(&mut operation.node.directives);
        settle(&mut operation.node.selection_set, 1, piece, parsed)?;
    }
    for fragment in document.fragments.values_mut() {
        piece.settle(fragment);
        piece.settle(&mut fragment.node.type_condition);
        piece.settle(&mut fragment.node.type_condition.node.on);
        piece.settle_directives(&mut fragment.node.directives);
        settle(&mut fragment.node.selection_set, 1, piece, parsed)?;
    }
    Ok(())
}

/// Puts back what was cut out, and every position where it is in the whole text.
fn settle(set: &mut Positioned<SelectionSet>, level: usize, piece: &Piece, parsed: &mut Parsed) -> Result<(), Failed> {
    if set.node.items.is_empty() {
        return Ok(());
    }
    if level > LEVELS {
        *set = cut_out(set, parsed).ok_or_else(Failed::unlike)?;
        return Ok(());
    }
    piece.settle(set);
    for selection in &mut set.node.items {
        piece.settle(selection);
        piece.settle_directives(selection.node.directives_mut());
        match &mut selection.node {
            Selection::Field(field) => {
                piece.settle(field);
                piece.settle(&mut field.node.name);
                field.node.alias.iter_mut().for_each(|alias| piece.settle(alias));
                piece.settle_arguments(&mut field.node.arguments);
                settle(&mut field.node.selection_set, level + 1, piece, parsed)?;
            }
            Selection::InlineFragment(fragment) => {
                piece.settle(fragment);
                if let Some(condition) = &mut fragment.node.type_condition {
                    piece.settle(condition);
                    piece.settle(&mut condition.node.on);
                }
                settle(&mut fragment.node.selection_set, level + 1, piece, parsed)?;
            }
            Selection::FragmentSpread(spread) => {
                piece.settle(spread);
                piece.settle(&mut spread.node.fragment_name);
            }
        }
    }
    Ok(())
}

impl Piece {
    fn settle<T: ?Sized>(&self, at: &mut Positioned<T>) {
        at.pos = self.origin(at.pos);
    }

    fn settle_arguments<N, V>(&self, arguments: &mut [(Positioned<N>, Positioned<V>)]) {
        for (name, value) in arguments {
            self.settle(name);
            self.settle(value);
        }
    }

    fn settle_directives(&self, directives: &mut [Positioned<Directive>]) {
        for directive in directives {
            self.settle(directive);
            self.settle(&mut directive.node.name);
            self.settle_arguments(&mut directive.node.arguments);
        }
    }
}

/// What the one field of a selection stands for.
fn cut_out(set: &Positioned<SelectionSet>, parsed: &mut Parsed) -> Option<Positioned<SelectionSet>> {
    let [Positioned { node: Selection::Field(field), .. }] = set.node.items.as_slice() else {
        return None;
    };
    let index: usize = field.node.name.node.strip_prefix('_')?.parse().ok()?;
    parsed.get_mut(index)?.take()
}
