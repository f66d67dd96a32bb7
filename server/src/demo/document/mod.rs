//! A GraphQL query text, looked over and parsed. What is too large is refused before the parser sees it: the parser descends
//! once a bracket, so unbounded nesting would be unbounded stack. Knows no schema.

use std::ops::Range;

use async_graphql_parser::Pos;
use async_graphql_parser::types::ExecutableDocument;

mod pieces;

/// Bytes a query may have.
pub(super) const TEXT_BYTES_MAX: usize = 256 * 1024;
/// Selections that may stand within each other where a text is read on any stack.
pub(super) const NESTING_PLAIN: usize = 64;
/// Lists and objects that may stand within each other in an argument, its parenthesis included.
const VALUES_NESTING_MAX: usize = 32;
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

/// Reads a query text whose selections stand at most `nesting_max` deep within each other.
///
/// # Errors
/// [`Unreadable`] when it is above a limit or is not GraphQL.
pub(super) fn parse(text: &str, nesting_max: usize) -> Result<ExecutableDocument, Unreadable> {
    // rule: graphql/limits, graphql/query-text
    let cuts = look_over(text, nesting_max).map_err(|text| Unreadable { text, place: None })?;
    pieces::parse(text, &cuts).map_err(|error| Unreadable { text: plain(&error.text), place: error.place })
}

/// The parser's message without the drawing of the line it found fault with, which may be the whole query.
fn plain(message: &str) -> String {
    let last = message.lines().last().unwrap_or_default();
    let said = last.trim_start().trim_start_matches("= ");
    format!("Syntax error: {said}")
}

/// Counts what a text holds, by its signs alone, and tells which selections the parser should be given by themselves.
fn look_over(text: &str, nesting_max: usize) -> Result<Vec<Range<usize>>, String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("The query has {} bytes; at most {TEXT_BYTES_MAX} are taken", text.len()));
    }
    let mut seen = Seen { nesting_max, ..Seen::default() };
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
        seen.token(first, text.len() - rest.len())?;
        rest = &rest[length..];
    }
    // What is never closed goes to the end, for the parser to find fault with.
    Ok(seen.cuts.into_iter().map(|cut| cut.start..cut.end.min(text.len())).collect())
}

fn is_word(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'+' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z')
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

/// What has been met so far.
#[derive(Default)]
struct Seen {
    nesting_max: usize,
    tokens: usize,
    /// Selections that are open: braces outside of parentheses.
    nesting: usize,
    /// Brackets that are open since the outermost parenthesis, which is one of them.
    values: usize,
    aliases: usize,
    /// Selections to be cut out; those still open end nowhere.
    cuts: Vec<Range<usize>>,
    /// The places in `cuts` of those that are open.
    open: Vec<usize>,
}

impl Seen {
    fn token(&mut self, first: u8, at: usize) -> Result<(), String> {
        match first {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b'#' => return Ok(()),
            b'{' if self.values == 0 => self.begin(at),
            b'}' if self.values == 0 => self.end(at),
            b'{' | b'[' | b'(' => self.values += 1,
            b'}' | b']' | b')' => self.values = self.values.saturating_sub(1),
            // Inside parentheses a colon follows the name of an argument or a variable.
            b':' if self.values == 0 => self.aliases += 1,
            _ => {}
        }
        self.tokens += 1;
        if self.nesting > self.nesting_max {
            return Err(format!("The query is nested more than {} deep", self.nesting_max));
        }
        if self.values > VALUES_NESTING_MAX {
            return Err(format!("A value of the query is nested more than {VALUES_NESTING_MAX} deep"));
        }
        if self.aliases > ALIASES_MAX {
            return Err(format!("The query has more than {ALIASES_MAX} aliases"));
        }
        if self.tokens > TOKENS_MAX {
            return Err(format!("The query has more than {TOKENS_MAX} tokens"));
        }
        Ok(())
    }

    fn begin(&mut self, at: usize) {
        if self.nesting > 0 && self.nesting.is_multiple_of(pieces::LEVELS) {
            self.open.push(self.cuts.len());
            self.cuts.push(at..usize::MAX);
        }
        self.nesting += 1;
    }

    fn end(&mut self, at: usize) {
        self.nesting = self.nesting.saturating_sub(1);
        if self.nesting > 0
            && self.nesting.is_multiple_of(pieces::LEVELS)
            && let Some(index) = self.open.pop()
        {
            self.cuts[index].end = at + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NESTING_MAX: usize = 200;

    fn parse(text: &str) -> Result<ExecutableDocument, Unreadable> {
        super::parse(text, NESTING_MAX)
    }

    fn refusal(text: &str) -> String {
        parse(text).expect_err("refused").text
    }

    fn nested(depth: usize) -> String {
        format!("{}{{a}}{}", "{a".repeat(depth - 1), "}".repeat(depth - 1))
    }

    #[test]
    fn nesting_is_bounded() {
        assert!(parse(&nested(NESTING_MAX)).is_ok());
        assert_eq!(refusal(&nested(NESTING_MAX + 1)), "The query is nested more than 200 deep");
        assert_eq!(refusal(&"{a".repeat(10_000)), "The query is nested more than 200 deep");
        let value = |depth: usize| format!("{{a(b:{}{})}}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&value(VALUES_NESTING_MAX - 1)).is_ok());
        assert_eq!(refusal(&value(VALUES_NESTING_MAX)), "A value of the query is nested more than 32 deep");
        assert_eq!(
            refusal(&format!("{{a(b:{}", "[".repeat(100_000))),
            "A value of the query is nested more than 32 deep"
        );
    }

    /// Selections nested as often, each level on a line of its own and with something beside the next.
    fn tall(depth: usize) -> String {
        let line = |level: usize| format!("b{level}: b(c: {{d: [1]}}) @e(f: \"ñ}}\") ... {{ g }} # {{\n a {{ ...F");
        let down: Vec<String> = (1..depth).map(line).collect();
        format!("query Q {{ {}\n{} }} fragment F on T {{ z }}", down.join("\n"), " h\n } i".repeat(depth - 1))
    }

    #[test]
    fn a_text_in_pieces_reads_as_one_at_once() {
        // 60 levels are as many as the parser itself takes, and one cut; positions count in the text that is told.
        for depth in [2, 31, 32, 33, 34, 60] {
            let text = tall(depth);
            let whole = async_graphql_parser::parse_query(&text).expect("GraphQL");
            let pieces = parse(&text).expect("GraphQL");
            assert_eq!(format!("{pieces:?}"), format!("{whole:?}"), "{depth} deep");
        }
    }

    #[test]
    fn every_level_is_there_however_many_pieces() {
        for depth in [64, 65, 96, 97, 128, 129, NESTING_MAX] {
            let told = format!("{:?}", parse(&tall(depth)).expect("GraphQL"));
            for level in 1..depth {
                assert!(told.contains(&format!("Name(\"b{level}\")")), "level {level} of {depth}");
            }
            assert_eq!(told.matches("Name(\"i\")").count(), depth - 1);
        }
    }

    #[test]
    fn a_fault_deep_down_is_told_where_it_is() {
        for depth in [10, 33, 34, 100] {
            let text = format!("{}\n  a(\n{}", "{ a\n".repeat(depth), "}".repeat(depth));
            let error = parse(&text).expect_err("not GraphQL");
            assert_eq!(error.place, Some(Pos { line: depth + 3, column: 1 }), "{depth}: {}", error.text);
        }
        for text in [nested(40).replace("{a}", "{}"), "{a".repeat(40), format!("{}}}", nested(40)), "{}".to_owned()] {
            assert!(refusal(&text).starts_with("Syntax error: "), "{text}: {}", refusal(&text));
        }
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
