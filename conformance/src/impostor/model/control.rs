//! The control protocol: reset, and a clock that can be moved ahead. On a listener of its own.

use serde_json::{Value, json};

use super::clock::iso;
use super::world::World;
use crate::impostor::http::{Reply, Request};

/// Answers a request of the control protocol.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let json = |status: u16, body: &Value| Reply::json(status, "application/json", body);
    match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/reset") => {
            world.reset();
            Reply::bare(204)
        }
        ("POST", "/clock/advance") => {
            let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            let Some(seconds) = body["seconds"].as_f64().filter(|seconds| *seconds >= 0.0) else {
                return json(400, &json!({"error": "seconds must be a number, 0 or more"}));
            };
            world.clock.advance(seconds);
            json(200, &json!({"now": iso(world.clock.now())}))
        }
        ("GET", "/clock") => json(200, &json!({"now": iso(world.clock.now())})),
        _ => json(404, &json!({"error": "the control protocol has no such call"})),
    }
}
