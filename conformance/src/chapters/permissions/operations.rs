//! The operations that take a permission, the credentials to try them with, and the sets of permissions that are held.

use crate::chapters::prelude::*;

pub(crate) const ALL: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

pub(crate) const MODERATOR: &[&str] = &["read:libros", "write:libros", "delete:libros"];

/// The permissions of a user of role `user`, or of a role outside the table.
pub(crate) const USER: &[&str] = &["read:libros"];

/// The permissions of the initial admin and of the initial admin client.
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

/// For preparations: blocks the case unless each held permission lets in.
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

pub(super) struct Operation {
    pub(super) rule: &'static str,
    pub(super) permission: &'static str,
    /// `METHOD path`; `<id>` stands for the id of a book.
    pub(super) name: &'static str,
}

/// Tries every operation on a new book; returns each with its answer.
pub(super) fn tried(cx: &CaseContext<'_>, by: &Credential) -> CaseResult<Vec<(&'static Operation, Reply)>> {
    let book = books::create(cx, &json!({}))?;
    OPERATIONS.iter().map(|operation| Ok((operation, operation.send(cx, by, &book)?))).collect()
}

impl Operation {
    /// Sends the operation; replaces `<id>` by the id of this book.
    fn send(&self, cx: &CaseContext<'_>, by: &Credential, book: &MadeBook) -> CaseResult<Reply> {
        let (method, path) = self.name.split_once(' ').unwrap_or_default();
        let body = match path {
            "/auth/api-keys" => json!({ "nombre": cx.unique("cliente") }),
            _ => json!({ "titulo": "La vorágine", "autor": "José Eustasio Rivera" }),
        };
        let request = cx.request(method, &path.replace("<id>", &book.id.to_string()));
        let reply = by.on(request).json_where_due(&body).send()?;
        Ok(if self.rule == "permissions/create" { books::adopt(cx, reply) } else { reply })
    }
}

const fn operation(rule: &'static str, permission: &'static str, name: &'static str) -> Operation {
    Operation { rule, permission, name }
}

/// Every operation that needs a permission; the delete comes last.
static OPERATIONS: [Operation; 7] = {
    let [read, write, delete, _, manage_keys] = ALL;
    [
        operation("permissions/list", read, "GET /libros"),
        operation("permissions/read", read, "GET /libros/<id>"),
        operation("permissions/create", write, "POST /libros"),
        operation("permissions/replace", write, "PUT /libros/<id>"),
        operation("permissions/create-key", manage_keys, "POST /auth/api-keys"),
        operation("permissions/list-keys", manage_keys, "GET /auth/api-keys"),
        operation("permissions/delete", delete, "DELETE /libros/<id>"),
    ]
};
