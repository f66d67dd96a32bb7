//! A GraphQL query text, parsed. Bounds its bytes; how deep and rich it may be is the library's to bound. Knows no schema.

use juniper::parser::{ParseError, SourcePosition, parse_document_source};
use juniper::{DefaultScalarValue, Definition, SchemaType};

/// Bytes a query may have. Errors repeat names of the query: what they take grows with the square of its length.
pub(super) const TEXT_BYTES_MAX: usize = 256 * 1024;

/// Why a text is not taken as a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QueryError {
    pub(super) text: String,
    pub(super) place: Option<SourcePosition>,
}

/// Parses a query text, within the limits of the schema.
pub(super) fn parse<'t>(
    text: &'t str,
    schema: &SchemaType<DefaultScalarValue>,
) -> Result<Vec<Definition<'t, DefaultScalarValue>>, QueryError> {
    // rule: graphql/limits
    if text.len() > TEXT_BYTES_MAX {
        let text = format!("The query has {} bytes; at most {TEXT_BYTES_MAX} are taken", text.len());
        return Err(QueryError { text, place: None });
    }
    // The library takes the indent of a text of three quotes off by bytes, and panics within a space of several bytes.
    if text.lines().any(|line| !line[..line.len() - line.trim_start().len()].is_ascii()) {
        let text = "A line begins with a space that GraphQL does not know".to_owned();
        return Err(QueryError { text, place: None });
    }
    // rule: graphql/query-text
    parse_document_source(text, schema)
        .map_err(|error| QueryError { text: message(&error.item), place: Some(error.start()) })
}

fn message(error: &ParseError) -> String {
    match error {
        // The library misses a type for such a number.
        ParseError::ExpectedScalarError(_) => "No argument takes a number with a fraction".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::graphql::schema::schema;
    use crate::demo::users_store::UsersStore;
    use libros_server_system::clock::Clock;

    fn refusal(text: &str) -> Option<String> {
        let schema = schema(&UsersStore::initial().into(), Clock::new()).schema;
        parse(text, &schema).err().map(|error| error.text)
    }

    #[test]
    fn an_indent_of_wide_spaces_is_refused_where_the_library_would_panic() {
        let with = |lines: &str| format!("{{a(b:\"\"\"{lines}\"\"\")}}");
        for lines in ["\n  c\n\u{2003}d\n e", "\n  c\n\u{2003}\n e", "\n  c\n\u{2003}", "\r\n  c\r\n \u{3000}"] {
            assert!(refusal(&with(lines)).is_some_and(|text| text.contains("space")), "{lines:?}");
        }
        for lines in ["\n  c\n  d", "\u{2003}c\n  d", "\n  c\u{2003}\n  \n \td"] {
            assert_eq!(refusal(&with(lines)), None, "{lines:?}");
        }
    }
}
