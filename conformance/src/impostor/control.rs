//! The control protocol: reset, and a clock that can be moved ahead. On a listener of its own, which never obeys a web page.

use std::net::{IpAddr, SocketAddr};

use libros_conformance_model::clock::iso;
use libros_conformance_model::message::{Reply, Request};
use serde_json::{Value, json};

use super::world::World;

pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let now = || Reply::json(200, &json!({"now": iso(world.clock.now())}));
    let refused = |status: u16, why: &str| Reply::json(status, &json!({"error": why}));
    if let Some((status, why)) = refusal(request) {
        return refused(status, why);
    }
    match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/reset") => {
            world.reset();
            Reply::bare(204)
        }
        ("POST", "/clock/advance") => {
            let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            let Some(seconds) = body["seconds"].as_f64().filter(|seconds| *seconds >= 0.0) else {
                return refused(400, "seconds must be a number, 0 or more");
            };
            world.clock.advance(seconds);
            now()
        }
        ("GET", "/clock") => now(),
        _ => refused(404, "the control protocol has no such call"),
    }
}

/// Refuses requests that a browser could send: from a page of another origin, to a name that leads here, or as a form.
fn refusal(request: &Request) -> Option<(u16, &'static str)> {
    if request.header("Origin").is_some() {
        return Some((403, "no web page may use the control listener: send no Origin"));
    }
    let host = request.header("Host").unwrap_or_default().to_ascii_lowercase();
    let address = host.parse().map(|socket: SocketAddr| socket.ip());
    let address = address.or_else(|_| host.trim_matches(['[', ']']).parse());
    if host.split(':').next() != Some("localhost") && !address.is_ok_and(|ip: IpAddr| ip.is_loopback()) {
        return Some((403, "the Host must be localhost or a loopback address"));
    }
    let media = request.header("Content-Type").unwrap_or_default().to_ascii_lowercase();
    let is_json = media.split(';').next().is_some_and(|essence| essence.trim() == "application/json");
    (request.method == "POST" && !is_json).then_some((415, "a POST needs Content-Type: application/json"))
}
