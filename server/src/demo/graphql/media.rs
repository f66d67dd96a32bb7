//! Selects the media type of an answer by the request's Accept, as GraphQL over HTTP says.

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};

use crate::json_body;

/// The media type of an answer, and how it reports that a query was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Media {
    /// `application/graphql-response+json`: the status says whether the query was refused.
    GraphqlResponse,
    /// `application/json`, because the client names nothing, or everything.
    Json,
    /// `application/json`, because the client names it: an older client, which reads errors from a 200.
    JsonByName,
}

impl Media {
    /// The media type that a request's Accept prefers. If it names neither, JSON: an answer is more useful than a 406.
    pub(super) fn wanted(headers: &HeaderMap) -> Self {
        let values = headers.get_all(ACCEPT).iter().map(|value| value.to_str().unwrap_or_default());
        let weighed = values.flat_map(|value| value.split(',')).filter_map(weigh).filter(|(_, quality)| *quality > 0.0);
        // The first of equals wins, so the client's order counts.
        let best = weighed.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or(Self::Json, |(media, _)| media)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::GraphqlResponse => "application/graphql-response+json",
            Self::Json | Self::JsonByName => "application/json",
        }
    }

    /// The status of an answer to a query that does not parse, does not fit the schema or is too large.
    pub(super) fn refused(self) -> StatusCode {
        // rule: graphql/query-error
        match self {
            Self::GraphqlResponse | Self::Json => StatusCode::BAD_REQUEST,
            Self::JsonByName => StatusCode::OK,
        }
    }
}

/// The media type of a range, if it is one of these, and its `q`.
fn weigh(range: &str) -> Option<(Media, f64)> {
    let mut parts = range.split(';').map(str::trim);
    let media = match parts.next()?.to_ascii_lowercase().as_str() {
        "application/graphql-response+json" => Media::GraphqlResponse,
        "application/json" => Media::JsonByName,
        "*/*" | "application/*" => Media::Json,
        _ => return None,
    };
    let quality = parts.find_map(|parameter| parameter.strip_prefix(['q', 'Q'])?.strip_prefix('='));
    Some((media, quality.map_or(1.0, |text| text.parse().unwrap_or(0.0))))
}

/// Whether a body has the one media type that the endpoint reads: JSON in UTF-8.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).filter(|value| json_body::is_json(value)) else { return false };
    let Ok(text) = value.to_str() else { return false };
    let mut parameters = text.split(';').skip(1).filter_map(|parameter| parameter.trim().split_once('='));
    let charset = parameters.find(|(name, _)| name.eq_ignore_ascii_case("charset"));
    charset.is_none_or(|(_, charset)| charset.trim_matches('"').eq_ignore_ascii_case("utf-8"))
}
