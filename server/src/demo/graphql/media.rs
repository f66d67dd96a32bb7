//! Which media type an answer of the GraphQL endpoint has, by the request's Accept, as GraphQL over HTTP says.

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};

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
    /// What the Accept of a request asks for. Asking for neither type gets JSON, since an answer serves better than a 406.
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

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset =
        parts.find_map(|parameter| parameter.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case("charset")));
    essence.eq_ignore_ascii_case("application/json")
        && charset.is_none_or(|(_, name)| name.trim_matches('"').eq_ignore_ascii_case("utf-8"))
}
