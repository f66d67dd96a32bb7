//! The operations that take a permission, the credentials to try them with, and the sets of permissions that are held.

use crate::chapters::prelude::*;

/// Every permission there is.
pub(crate) const ALL: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

/// What a registered user of role `moderator` holds.
pub(crate) const MODERATOR: &[&str] = &["read:libros", "write:libros", "delete:libros"];

/// What a user of role `user`, or of a role outside the table, holds.
pub(crate) const USER: &[&str] = &["read:libros"];

/// What the initial admin holds, and the initial admin client.
pub(crate) const INITIAL_ADMIN: &[&str] = &["read:libros", "write:libros", "delete:libros", "manage:users"];

/// Whether a JSON list has exactly these permissions, each once, in any order.
pub(crate) fn are_exactly(held: &Value, wanted: &[&str]) -> bool {
    held.as_array().is_some_and(|held| {
        held.len() == wanted.len() && wanted.iter().all(|wanted| held.iter().any(|held| held == wanted))
    })
}

#[derive(Debug, Clone)]
pub(crate) enum Credential {
    Key(String),
    Session(String),
    Jwt(String),
}

impl Credential {
    pub(crate) fn both(tokens: &Tokens) -> [Self; 2] {
        [Self::Session(tokens.session.clone()), Self::Jwt(tokens.jwt.clone())]
    }

    pub(crate) fn on<'t>(&self, request: Request<'t>) -> Request<'t> {
        match self {
            Self::Key(key) => request.key(key),
            Self::Session(token) => request.bearer(token),
            Self::Jwt(token) => request.jwt(token),
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Key(_) => "an API key",
            Self::Session(_) => "a session",
            Self::Jwt(_) => "a JWT",
        }
    }
}

/// For preparations: what is held must let in, else the case is blocked.
pub(super) fn admitted(reply: &Reply) -> CaseResult {
    let why = format!("want to be let in, got 401 {}", reply.received().text());
    CaseError::blocked_unless(!reply.is(401), "using a permission that is held", why)
}

/// Who tries the operations.
#[derive(Debug)]
pub(super) struct Subject {
    /// In words: `a moderator`.
    pub(super) who: String,
    pub(super) credential: Credential,
    pub(super) holds: Vec<&'static str>,
}

/// Tries an operation, on that book where it takes one.
type Send = fn(&CaseContext<'_>, &Credential, &MadeBook) -> CaseResult<Reply>;

pub(super) struct Operation {
    pub(super) rule: &'static str,
    pub(super) permission: &'static str,
    pub(super) name: &'static str,
    pub(super) send: Send,
}

const READ: &str = ALL[0];
const WRITE: &str = ALL[1];
const DELETE: &str = ALL[2];
const MANAGE_KEYS: &str = ALL[4];

/// An operation that takes a permission: its rule, the permission, its name, how it is tried.
const fn operation(rule: &'static str, permission: &'static str, name: &'static str, send: Send) -> Operation {
    Operation { rule, permission, name, send }
}

/// Every operation that takes a permission; the one that uses the book up comes last.
pub(super) const OPERATIONS: [Operation; 7] = [
    operation("permissions/list", READ, "GET /libros", |cx, by, _| by.on(cx.get("/libros?limit=1")).send()),
    operation("permissions/read", READ, "GET /libros/<id>", |cx, by, book| by.on(cx.get(&book.path())).send()),
    operation("permissions/create", WRITE, "POST /libros", |cx, by, _| {
        let book = json!({ "titulo": "La vorágine", "autor": "José Eustasio Rivera" });
        Ok(books::adopt(cx, by.on(cx.post("/libros")).json(&book).send()?))
    }),
    operation("permissions/replace", WRITE, "PUT /libros/<id>", |cx, by, book| {
        let fields = json!({ "titulo": "Doña Bárbara", "autor": "Rómulo Gallegos" });
        by.on(cx.put(&book.path())).json(&fields).send()
    }),
    operation("permissions/create-key", MANAGE_KEYS, "POST /auth/api-keys", |cx, by, _| {
        by.on(cx.post("/auth/api-keys")).json(&json!({ "nombre": cx.unique("cliente") })).send()
    }),
    operation("permissions/list-keys", MANAGE_KEYS, "GET /auth/api-keys", |cx, by, _| {
        by.on(cx.get("/auth/api-keys")).send()
    }),
    operation("permissions/delete", DELETE, "DELETE /libros/<id>", |cx, by, book| {
        by.on(cx.delete(&book.path())).send()
    }),
];
