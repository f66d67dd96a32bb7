//! Fuzzes both GraphQL endpoints: a query, or a whole body, is answered or refused, and never breaks the service.

use std::sync::{Arc, LazyLock};

use libros_server::app::graphql_endpoints;
use libros_server::message::Interface;
use serde_json::json;

use super::{answer, request};

static ENDPOINTS: LazyLock<[Arc<dyn Interface>; 2]> = LazyLock::new(graphql_endpoints);

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let query = || json!({ "query": String::from_utf8_lossy(rest) }).to_string().into_bytes();
    let body = if kind % 4 == 0 { rest.to_vec() } else { query() };
    let request = request("POST /graphql", &[("content-type", b"application/json")], &body).expect("a request");
    for endpoint in &*ENDPOINTS {
        super::json(&answer(&**endpoint, &request));
    }
}
