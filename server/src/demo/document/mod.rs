//! A GraphQL query text, looked over and parsed. What is too large is refused before the parser sees it: the parser descends
//! once a bracket, so unbounded nesting would be unbounded stack. Knows no schema.

use async_graphql_parser::Pos;
use async_graphql_parser::types::ExecutableDocument;

use self::bands::Cut;

mod bands;

/// Bytes a query may have.
pub(super) const TEXT_BYTES_MAX: usize = 256 * 1024;
/// Selections that may stand within each other where a text is read on any stack.
pub(super) const NESTING_PLAIN: usize = 64;
/// Lists and objects that may stand within each other in an argument, its parenthesis included.
const VALUES_NESTING_MAX: usize = 32;

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
    if text.len() > TEXT_BYTES_MAX {
        let text = format!("The query has {} bytes; at most {TEXT_BYTES_MAX} are taken", text.len());
        return Err(Unreadable { text, place: None });
    }
    // However a line ends, it is one line.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let cuts = look_over(&text, nesting_max).map_err(|text| Unreadable { text, place: None })?;
    bands::parse(&text, &cuts)
        .map_err(|error| Unreadable { text: plain(&error.to_string()), place: error.positions().next() })
}

/// The parser's message without the drawing of the line it found fault with, which may be the whole query.
fn plain(message: &str) -> String {
    let last = message.lines().last().unwrap_or_default();
    let said = last.trim_start().trim_start_matches("= ");
    format!("Syntax error: {said}")
}

/// Follows the brackets of a text, and tells where selections get so deep that the parser is given them by themselves.
fn look_over(text: &str, nesting_max: usize) -> Result<Vec<Cut>, String> {
    let mut seen = Seen::default();
    let mut rest = text.as_bytes();
    while let Some(&first) = rest.first() {
        let length = match first {
            b'#' => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
            b'"' => string_length(rest),
            bracket => {
                seen.bracket(bracket, text.len() - rest.len());
                1
            }
        };
        if seen.nesting > nesting_max {
            return Err(format!("The query is nested more than {nesting_max} deep"));
        }
        if seen.values > VALUES_NESTING_MAX {
            return Err(format!("A value of the query is nested more than {VALUES_NESTING_MAX} deep"));
        }
        rest = &rest[length..];
    }
    if seen.open.is_empty() { Ok(seen.cuts) } else { Err("Syntax error: a brace is never closed".to_owned()) }
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

/// What is open, and the cuts so far.
#[derive(Default)]
struct Seen {
    /// Selections that are open: braces outside of parentheses.
    nesting: usize,
    /// Brackets that are open since the outermost parenthesis, which is one of them.
    values: usize,
    cuts: Vec<Cut>,
    /// The places in `cuts` of those that are open.
    open: Vec<usize>,
}

impl Seen {
    fn bracket(&mut self, sign: u8, at: usize) {
        match sign {
            b'{' if self.values == 0 => self.begin(at),
            b'}' if self.values == 0 => self.end(at),
            b'{' | b'[' | b'(' => self.values += 1,
            b'}' | b']' | b')' => self.values = self.values.saturating_sub(1),
            _ => {}
        }
    }

    fn begin(&mut self, at: usize) {
        if self.nesting > 0 && self.nesting.is_multiple_of(bands::LEVELS) {
            self.open.push(self.cuts.len());
            self.cuts.push(Cut { band: self.nesting / bands::LEVELS, range: at..at });
        }
        self.nesting += 1;
    }

    fn end(&mut self, at: usize) {
        self.nesting = self.nesting.saturating_sub(1);
        if self.nesting > 0
            && self.nesting.is_multiple_of(bands::LEVELS)
            && let Some(index) = self.open.pop()
        {
            self.cuts[index].range.end = at + 1;
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
    fn a_text_in_bands_reads_as_one_at_once() {
        // 60 levels are as many as the parser itself takes, and one cut; positions count in the text that is told.
        for depth in [2, 47, 48, 49, 50, 60] {
            let text = tall(depth);
            let whole = async_graphql_parser::parse_query(&text).expect("GraphQL");
            let bands = parse(&text).expect("GraphQL");
            assert_eq!(format!("{bands:?}"), format!("{whole:?}"), "{depth} deep");
        }
    }

    #[test]
    fn every_level_is_there_however_many_bands() {
        for depth in [64, 65, 96, 97, 144, 145, NESTING_MAX] {
            let told = format!("{:?}", parse(&tall(depth)).expect("GraphQL"));
            for level in 1..depth {
                assert!(told.contains(&format!("Name(\"b{level}\")")), "level {level} of {depth}");
            }
            assert_eq!(told.matches("Name(\"i\")").count(), depth - 1);
        }
    }

    #[test]
    fn a_fault_deep_down_is_told_where_it_is() {
        for depth in [10, 46, 47, 48, 49, 100] {
            let text = format!("{}\n  a(\n{}", "{ a\n".repeat(depth), "}".repeat(depth));
            let error = parse(&text).expect_err("not GraphQL");
            assert_eq!(error.place, Some(Pos { line: depth + 3, column: 1 }), "{depth}: {}", error.text);
        }
        for text in [nested(40).replace("{a}", "{}"), "{a".repeat(40), format!("{}}}", nested(40)), "{}".to_owned()] {
            assert!(refusal(&text).starts_with("Syntax error: "), "{text}: {}", refusal(&text));
        }
    }

    #[test]
    fn size_is_bounded() {
        assert_eq!(refusal(&" ".repeat(1 << 20)), "The query has 1048576 bytes; at most 262144 are taken");
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
