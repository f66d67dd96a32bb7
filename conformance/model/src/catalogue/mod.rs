//! The catalogue interface: books, authentication, two-factor. Routes by method and the beginning of the path.

mod api_keys;
mod books;
pub mod devices;
mod guard;
mod handler;
pub mod headers;
pub mod lockout;
mod login;
mod two_factor;
mod verify;

use crate::message::{Reply, Request};
use crate::state::State;
use crate::steps::Steps;
use handler::{Failure, Outcome, RequestContext};

pub(crate) fn answer(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    let mut cx = RequestContext { steps, state, request };
    let mut reply = route(&mut cx).unwrap_or_else(|failure| failure.render(&cx));
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

fn route(cx: &mut RequestContext<'_>) -> Outcome {
    let path = cx.request.path.as_str();
    match (cx.request.method.as_str(), path) {
        ("OPTIONS", _) => Ok(options(cx.request)),
        ("POST", "/auth/registro") => login::register(cx),
        ("POST", "/auth/login") => login::login(cx),
        ("POST", "/auth/verify-2fa") => verify::verify(cx),
        (_, "/auth/verify-2fa") => Err(Failure::NOT_ALLOWED),
        ("POST", "/auth/api-keys") => api_keys::create(cx),
        ("GET", "/auth/api-keys") => api_keys::list(cx),
        _ if path.starts_with("/2fa/") => two_factor::answer(cx, path),
        _ if path.starts_with("/libros") => books::answer(cx, path),
        _ => Err(Failure::UNKNOWN_PATH),
    }
}

/// 200 on any path, without a body, with the CORS, version and security groups.
fn options(request: &Request) -> Reply {
    let mut reply = Reply::bare(200);
    headers::add_group(&mut reply, headers::CORS);
    headers::version(request, &mut reply);
    headers::add_group(&mut reply, headers::SECURITY);
    reply
}
