//! Parses the text of a GraphQL query, and limits its bytes. The library limits its depth and size. Knows no schema.

use juniper::parser::{ParseError, SourcePosition, parse_document_source};
use juniper::{DefaultScalarValue, Definition, SchemaType};

/// Most bytes of a query. Errors repeat names of the query, so their length grows with the square of its length.
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
    // The library removes the indent of a block string by bytes, and panics within a space of several bytes.
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
