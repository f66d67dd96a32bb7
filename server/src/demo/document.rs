//! A GraphQL query text, parsed. Bounds its size and how deep it is nested. Knows no schema.

use async_graphql_parser::types::ExecutableDocument;
use async_graphql_parser::{Error, Pos, parse_query};

/// Bytes a query may have.
pub(super) const TEXT_BYTES_MAX: usize = 256 * 1024;
/// Selections that the crate's parser takes within each other.
pub(super) const NESTING_MAX: usize = 65;
/// Brackets of any kind that may stand within each other. The crate bounds selections, but descends values to any depth.
const BRACKETS_MAX: usize = 128;

/// Why a text is not taken as a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QueryError {
    pub(super) text: String,
    pub(super) place: Option<Pos>,
}

/// Parses a query text.
pub(super) fn parse(text: &str) -> Result<ExecutableDocument, QueryError> {
    // rule: graphql/limits
    if text.len() > TEXT_BYTES_MAX {
        let text = format!("The query has {} bytes; at most {TEXT_BYTES_MAX} are taken", text.len());
        return Err(QueryError { text, place: None });
    }
    // The parser ends a comment at a line feed alone; GraphQL ends it at a carriage return, too.
    // rule: graphql/query-text
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if !nests_at_most(BRACKETS_MAX, text.as_bytes()) {
        return Err(QueryError { text: too_deep(), place: None });
    }
    parse_query(text).map_err(|error| QueryError { text: message(&error), place: error.positions().next() })
}

/// Whether brackets stand at most `most` deep within each other; those in texts and comments do not count.
fn nests_at_most(most: usize, mut rest: &[u8]) -> bool {
    let mut depth = 0_usize;
    while let Some(&first) = rest.first() {
        let length = match first {
            b'#' => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
            b'"' => string_length(rest),
            _ => 1,
        };
        match first {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > most {
            return false;
        }
        rest = &rest[length..];
    }
    true
}

/// Bytes of the text literal at the start of `rest`, quotes included; all of it when it never ends.
fn string_length(rest: &[u8]) -> usize {
    let quotes = br#"""""#;
    let is_block = rest.starts_with(quotes);
    let quote: &[u8] = if is_block { quotes } else { b"\"" };
    let mut at = quote.len();
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with(quote) {
            return at + quote.len();
        }
        // In a block only a backslash before three quotes escapes.
        at += match here {
            [b'\\', after @ ..] if is_block && after.starts_with(quotes) => 1 + quotes.len(),
            [b'\\', _, ..] if !is_block => 2,
            _ => 1,
        };
    }
    rest.len()
}

/// The parser's message without the drawing of the line it found fault with, which may be the whole query.
fn message(error: &Error) -> String {
    if matches!(error, Error::RecursionLimitExceeded) {
        return too_deep();
    }
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    let expected = last.trim_start().trim_start_matches("= ");
    format!("Syntax error: {expected}")
}

fn too_deep() -> String {
    format!("The query is nested too deep: at most {NESTING_MAX} selections are taken within each other")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse(text).expect_err("refused").text
    }

    #[test]
    fn nesting_is_bounded_by_the_parser() {
        let nested = |depth: usize| format!("{}{{a}}{}", "{a".repeat(depth - 1), "}".repeat(depth - 1));
        assert!(parse(&nested(NESTING_MAX)).is_ok());
        let too_deep = "The query is nested too deep: at most 65 selections are taken within each other";
        assert_eq!(refusal(&nested(NESTING_MAX + 1)), too_deep);
        assert_eq!(refusal(&nested(5_000)), too_deep);
    }

    #[test]
    fn texts_and_brackets_without_an_end_are_refused() {
        for opening in [
            "{a",
            "{a(b:[",
            "{a(b:{c:",
            "{a(b:\"",
            "{a@b(c:[",
            "query($a:[",
            "{...{",
            "fragment F on G{a",
            "{a(b:\"\"\"",
        ] {
            let endless = opening.to_owned() + &opening[1..].repeat(20_000);
            assert!(parse(&endless).is_err(), "{opening}");
        }
    }

    #[test]
    fn arguments_may_nest_up_to_a_bound() {
        let value = |depth: usize| format!("{{a(b:{}{})}}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&value(BRACKETS_MAX - 2)).is_ok());
        assert!(refusal(&value(BRACKETS_MAX - 1)).contains("nested too deep"));
    }

    #[test]
    fn size_is_bounded() {
        assert_eq!(refusal(&" ".repeat(1 << 20)), "The query has 1048576 bytes; at most 262144 are taken");
    }

    #[test]
    fn brackets_in_texts_and_comments_nest_nothing() {
        let brackets = "{".repeat(100);
        for text in [
            format!("{{ a(b: \"{brackets}\") # {brackets}\n }}"),
            format!("{{ a # {brackets}\r }}"),
            format!("{{ a(b: \"\\\"{brackets}\") }}"),
            format!("{{ a(b: \"\"\"\\\"\"\" \" {brackets}\"\"\") }}"),
        ] {
            assert!(parse(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_syntax_error_says_what_was_expected_and_where() {
        let error = parse("{\n  user(").expect_err("not GraphQL");
        assert_eq!(error.text, "Syntax error: expected name");
        assert_eq!(error.place, Some(Pos { line: 2, column: 8 }));
    }
}
