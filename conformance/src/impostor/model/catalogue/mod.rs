//! The catalogue interface: books, authentication, two-factor. Routes by the letters a path starts with.

mod api_keys;
mod auth;
mod body;
mod books;
mod codes;
mod conditional;
mod create;
mod devices;
mod failure;
mod guard;
mod headers;
mod jwt;
mod login;
mod read;
mod record;
mod replace;
mod two_factor;
mod verify;

use std::sync::MutexGuard;
use std::time::Instant;

use super::js;
use super::list::query::percent_decode;
use super::state::State;
use super::world::World;
use crate::impostor::http::{Reply, Request};
use crate::impostor::policy::Policy;
use failure::Failure;
use headers::{Cache, Dress};

/// The service's name: realm of WWW-Authenticate and issuer of otpauth URLs.
const SERVICE: &str = "LibraryCatalogueService";

/// The JSON key of the principal in login and API-key answers, as the documents print it.
const SERVICE_KEY: &str = "the service";

/// What a handler comes to.
type Outcome = Result<Reply, Failure>;

/// One request in its world.
struct Exchange<'a> {
    world: &'a World,
    request: &'a Request,
}

/// The four parts of the interface, by path.
#[derive(Clone, Copy, PartialEq)]
enum Area {
    Books,
    Auth,
    TwoFactor,
    Elsewhere,
}

impl<'a> Exchange<'a> {
    fn on(&self, fault: &str) -> bool {
        self.world.faults.on(fault)
    }

    fn pick<T>(&self, fault: &str, wrong: T, right: T) -> T {
        self.world.faults.pick(fault, wrong, right)
    }

    fn reads(&self, reading: &str) -> bool {
        self.world.faults.reads(reading)
    }

    fn policy(&self) -> &'a Policy {
        self.world.faults.policy()
    }

    fn now(&self) -> i64 {
        self.world.clock.now()
    }

    fn lock(&self) -> MutexGuard<'a, State> {
        self.world.lock()
    }

    fn path(&self) -> String {
        if self.on("paths-ignore-case") {
            return self.request.path.to_lowercase();
        }
        if self.on("version-segment-accepted") {
            return self.request.path.strip_prefix("/v1").unwrap_or(&self.request.path).to_owned();
        }
        if self.on("api-segment-accepted") {
            return self.request.path.strip_prefix("/api").unwrap_or(&self.request.path).to_owned();
        }
        if self.on("books-under-any-segment") {
            let at = self.request.path.find("/libros").unwrap_or(0);
            return self.request.path[at..].to_owned();
        }
        if self.reads("paths-decoded") {
            return percent_decode(&self.request.path).0;
        }
        if self.reads("paths-normalised") {
            return self.request.path.replace("/./", "/").replace("//", "/");
        }
        self.request.path.clone()
    }

    /// A reply of the common builder.
    fn dress(&self, status: u16) -> Dress<'_> {
        Dress::new(self, status)
    }
}

/// Answers a request of the catalogue interface.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let exchange = Exchange { world, request };
    let sessions = exchange.on("failed-uses-extend-nothing").then(|| exchange.lock().sessions.clone());
    let mut reply = route(&exchange).unwrap_or_else(|failure| failure.render(&exchange));
    if create::SLOW.iter().chain(&replace::SLOW).any(|fault| exchange.on(fault)) {
        let mut state = exchange.lock();
        let books = state.books.clone();
        state.versions.push((Instant::now(), books));
    }
    if let Some(sessions) = sessions.filter(|_| reply.status >= 400) {
        exchange.lock().sessions = sessions;
    }
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

fn route(exchange: &Exchange<'_>) -> Outcome {
    let request = exchange.request;
    let path = exchange.path();
    let shouted = |(name, _): &(String, String)| name.len() > 4 && *name == name.to_uppercase();
    if exchange.on("request-names-in-capitals-unread") && request.headers.iter().any(shouted) {
        return Err(Failure::denied("NO_AUTENTICADO", "Authentication required"));
    }
    if request.absolute && exchange.reads("absolute-form-unknown") {
        return Err(Failure::unknown_path());
    }
    if request.method == "OPTIONS" {
        return options(exchange);
    }
    if exchange.on("accept-refused")
        && request.header("accept").is_some_and(|accept| !accept.contains("json") && !accept.contains('*'))
    {
        return Err(Failure::new(406, "this media type cannot be had"));
    }
    if exchange.on("version-validated") && !version_known(exchange) {
        return Err(Failure::new(400, "unknown API version"));
    }
    let two_factor_prefix = exchange.pick("two-factor-prefix-without-slash", "/2fa", "/2fa/");
    match area(&path) {
        Area::Auth => auth::answer(exchange, &path),
        _ if path.starts_with(two_factor_prefix) => two_factor::answer(exchange, &path),
        Area::Books
            if exchange.on("books-prefix-needs-slash") && !path.starts_with("/libros/") && path != "/libros" =>
        {
            Err(Failure::unknown_path())
        }
        Area::Books if path == "/libros/" && exchange.on("trailing-slash-unknown") => Err(Failure::unknown_path()),
        Area::Books => books::answer(exchange, &path),
        _ if path == "/" && exchange.on("root-is-a-greeting") => {
            Ok(exchange.dress(200).body(&serde_json::json!({"service": SERVICE})).done())
        }
        _ if path == "/health" && exchange.on("health-is-told") => {
            Ok(exchange.dress(200).body(&serde_json::json!({"status": "ok"})).done())
        }
        _ if path == "/favicon.ico" && exchange.on("browsers-get-an-icon") => Ok(Reply::bare(204)),
        _ if exchange.on("unknown-path-needs-credential") => {
            guard::guard(exchange, None)?;
            Err(Failure::unknown_path())
        }
        _ if request.method == "HEAD" && exchange.reads("head-elsewhere-is-405") => Err(Failure::not_allowed()),
        _ if exchange.on("unknown-path-405-unless-get") && request.method != "GET" => Err(Failure::not_allowed()),
        _ => Err(Failure::unknown_path()),
    }
}

/// Which part of the interface a path belongs to.
fn area(path: &str) -> Area {
    if path.starts_with("/auth") {
        Area::Auth
    } else if path.starts_with("/2fa/") {
        Area::TwoFactor
    } else if path.starts_with("/libros") {
        Area::Books
    } else {
        Area::Elsewhere
    }
}

fn version_known(exchange: &Exchange<'_>) -> bool {
    exchange
        .request
        .header("x-api-version")
        .is_none_or(|label| label.is_empty() || label.split('.').all(|part| js::parse_int(part).is_some()))
}

/// 200 on any path, without a body, with the CORS, version and security groups.
fn options(exchange: &Exchange<'_>) -> Outcome {
    let path = exchange.path();
    if exchange.on("options-needs-credential") {
        guard::guard(exchange, None)?;
    }
    if exchange.on("options-unknown-path-is-404") && area(&path) == Area::Elsewhere {
        return Err(Failure::unknown_path());
    }
    if exchange.on("options-two-factor-is-404") && area(&path) == Area::TwoFactor {
        return Err(Failure::unknown_path());
    }
    let status = exchange.pick("options-is-204", 204, 200);
    let mut reply = Reply::bare(status);
    let without_origin = exchange.request.header("origin").is_none();
    if !(exchange.on("options-lacks-cors") || exchange.on("options-cors-needs-origin") && without_origin) {
        headers::cors(exchange, &mut reply);
    }
    if !exchange.on("options-lacks-version") {
        headers::version(exchange, &mut reply);
    }
    if exchange.on("options-says-default-version") {
        reply.set("X-API-Version", "1.0.0");
    }
    if exchange.on("options-cors-of-books-only") && area(&path) != Area::Books {
        reply.remove("Access-Control-Allow-Methods");
    }
    if !exchange.on("options-lacks-security") {
        headers::security(exchange, &mut reply);
    }
    if exchange.on("options-has-content-type") {
        reply.set("Content-Type", "application/json; charset=utf-8");
    }
    if exchange.on("options-has-base") {
        reply.set("X-Frame-Options", "DENY");
    }
    if exchange.on("options-has-cache") {
        headers::cache(exchange, &mut reply, Cache::No);
    }
    if exchange.on("options-has-body") {
        reply.body = b"{}".to_vec();
    }
    Ok(reply)
}
