//! A GraphQL query text, looked over and parsed. What is too large is refused before the parser sees it: the parser descends
//! once a bracket, so unbounded nesting would be unbounded stack. Knows no schema.

use async_graphql_parser::types::ExecutableDocument;
use async_graphql_parser::{Pos, parse_query};

/// Bytes a query may have.
pub(super) const TEXT_BYTES_MAX: usize = 256 * 1024;
/// Brackets of any kind that may stand within each other. The parser itself allows 64 levels of braces.
pub(super) const NESTING_MAX: usize = 64;
/// Fields that may be given another name.
pub(super) const ALIASES_MAX: usize = 500;
/// Names, numbers, texts and signs a query may consist of.
pub(super) const TOKENS_MAX: usize = 20_000;

/// Why a text is not taken as a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// What is wrong, in words.
    pub(super) text: String,
    /// Where, if anywhere.
    pub(super) place: Option<Pos>,
}

/// Reads a query text.
///
/// # Errors
/// [`Unreadable`] when it is above a limit or is not GraphQL.
pub(super) fn parse(text: &str) -> Result<ExecutableDocument, Unreadable> {
    // rule: graphql/limits
    look_over(text).map_err(|text| Unreadable { text, place: None })?;
    parse_query(text).map_err(|error| Unreadable { text: plain(&error.to_string()), place: error.positions().next() })
}

/// The parser's message without the drawing of the line it found fault with, which may be the whole query.
fn plain(message: &str) -> String {
    let last = message.lines().last().unwrap_or_default();
    let said = last.trim_start().trim_start_matches("= ");
    format!("Syntax error: {said}")
}

/// Counts what a text holds, by its signs alone.
fn look_over(text: &str) -> Result<(), String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("The query has {} bytes; at most {TEXT_BYTES_MAX} are taken", text.len()));
    }
    let mut seen = Seen::default();
    let mut rest = text.as_bytes();
    while let Some(&first) = rest.first() {
        let length = match first {
            b'#' => rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len()),
            b'"' => string_length(rest),
            b'_' | b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
            }
            _ => 1,
        };
        seen.token(first)?;
        rest = &rest[length..];
    }
    Ok(())
}

fn is_word(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'+' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z')
}

/// Bytes of the text literal at the start of `rest`, quotes included; all of it when it never ends.
fn string_length(rest: &[u8]) -> usize {
    let quote: &[u8] = if rest.starts_with(br#"""""#) { br#"""""# } else { b"\"" };
    let mut at = quote.len();
    while at < rest.len() {
        if rest[at..].starts_with(quote) {
            return at + quote.len();
        }
        // In a block only a backslash before three quotes escapes; skipping one sign more does no harm to the count.
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    rest.len()
}

/// What has been met so far.
#[derive(Default)]
struct Seen {
    tokens: usize,
    nesting: usize,
    parentheses: usize,
    aliases: usize,
}

impl Seen {
    fn token(&mut self, first: u8) -> Result<(), String> {
        match first {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b'#' => return Ok(()),
            b'{' | b'[' | b'(' => self.nesting += 1,
            b'}' | b']' | b')' => self.nesting = self.nesting.saturating_sub(1),
            // Inside parentheses a colon follows the name of an argument or a variable.
            b':' if self.parentheses == 0 => self.aliases += 1,
            _ => {}
        }
        match first {
            b'(' => self.parentheses += 1,
            b')' => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
        self.tokens += 1;
        if self.nesting > NESTING_MAX {
            return Err(format!("The query is nested more than {NESTING_MAX} deep"));
        }
        if self.aliases > ALIASES_MAX {
            return Err(format!("The query has more than {ALIASES_MAX} aliases"));
        }
        if self.tokens > TOKENS_MAX {
            return Err(format!("The query has more than {TOKENS_MAX} tokens"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse(text).expect_err("refused").text
    }

    #[test]
    fn nesting_is_counted_over_all_brackets() {
        let nested = |depth: usize| format!("{}{{a}}{}", "{a".repeat(depth - 1), "}".repeat(depth - 1));
        assert!(parse(&nested(NESTING_MAX)).is_ok());
        assert_eq!(refusal(&nested(NESTING_MAX + 1)), "The query is nested more than 64 deep");
        assert_eq!(refusal(&"{a".repeat(10_000)), "The query is nested more than 64 deep");
        assert_eq!(refusal(&format!("{{a(b:{}", "[".repeat(100_000))), "The query is nested more than 64 deep");
    }

    #[test]
    fn aliases_are_counted_and_arguments_are_not() {
        let with = |count: usize| {
            let fields: Vec<String> = (0..count).map(|number| format!("a{number}:a(b:{{c:1}})")).collect();
            format!("{{{}}}", fields.join(" "))
        };
        assert!(parse(&with(ALIASES_MAX)).is_ok());
        assert_eq!(refusal(&with(ALIASES_MAX + 1)), "The query has more than 500 aliases");
    }

    #[test]
    fn size_and_tokens_are_bounded() {
        assert_eq!(refusal(&" ".repeat(1 << 20)), "The query has 1048576 bytes; at most 262144 are taken");
        assert_eq!(refusal(&format!("{{{}}}", "a ".repeat(TOKENS_MAX))), "The query has more than 20000 tokens");
    }

    #[test]
    fn texts_and_comments_are_one_token_or_none() {
        let brackets = "{".repeat(100);
        assert!(parse(&format!("{{ a(b: \"{brackets}\") # {brackets}\n }}")).is_ok());
        assert!(parse(&format!("{{ a(b: \"\\\"{brackets}\") }}")).is_ok());
        assert!(parse(&format!("{{ a(b: \"\"\"\\\"\"\" \" {brackets}\"\"\") }}")).is_ok());
        assert!(parse("{ a(b: \"").is_err());
    }

    #[test]
    fn a_syntax_error_says_what_was_expected_and_where() {
        let error = parse("{\n  user(").expect_err("not GraphQL");
        assert_eq!(error.text, "Syntax error: expected name");
        assert_eq!(error.place, Some(Pos { line: 2, column: 8 }));
    }
}
