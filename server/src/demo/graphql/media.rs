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
    /// `application/json`, because the client names it: a client of the older custom, which reads errors from a 200.
    JsonByName,
}

impl Media {
    /// What the Accept of a request asks for. Asking for neither type gets JSON, since an answer serves better than a 406.
    pub(super) fn wanted(headers: &HeaderMap) -> Self {
        let mut best = (0.0, Self::Json);
        for value in headers.get_all(ACCEPT) {
            for range in value.to_str().unwrap_or_default().split(',') {
                let (media, quality) = weigh(range);
                // The first of equals wins, so the client's order counts.
                if let Some(media) = media
                    && quality > best.0
                {
                    best = (quality, media);
                }
            }
        }
        best.1
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

/// The media type of a range, and its `q`.
fn weigh(range: &str) -> (Option<Media>, f64) {
    let mut parts = range.split(';').map(str::trim);
    let media = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
        "application/graphql-response+json" => Some(Media::GraphqlResponse),
        "application/json" => Some(Media::JsonByName),
        "*/*" | "application/*" => Some(Media::Json),
        _ => None,
    };
    let quality = parts
        .find_map(|parameter| parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q=")))
        .map_or(Some(1.0), |text| text.parse().ok())
        .unwrap_or(0.0);
    (media, quality)
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset =
        parts.find_map(|parameter| parameter.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case("charset")));
    essence.eq_ignore_ascii_case("application/json")
        && charset.is_none_or(|(_, name)| name.trim_matches('"').eq_ignore_ascii_case("utf-8"))
}
