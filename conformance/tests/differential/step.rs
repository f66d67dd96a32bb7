//! The steps of a history. A step refers to earlier values by how many steps ago they were received, so that any step
//! can be left out.

use libros_conformance::implementation::profile::Interface;

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) who: Who,
    pub(crate) request_headers: RequestHeaders,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct RequestHeaders {
    pub(crate) version: Option<&'static str>,
    pub(crate) agent: Option<&'static str>,
    pub(crate) language: Option<&'static str>,
    pub(crate) tag: Option<Tag>,
    pub(crate) more: Option<(&'static str, &'static str)>,
    pub(crate) is_json: bool,
}

/// The value of `If-None-Match`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tag {
    Earlier(usize),
    Quoted(usize),
    Weak(usize),
    Text(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Who {
    Nobody,
    AdminClient,
    TestClient,
    CreatedClient(usize),
    Session(usize),
    Jwt(usize),
    /// A forged token for that e-mail.
    Forged(usize, Forgery),
    /// A session token after `JWT`, or a JWT after `Bearer`.
    Mistaken(usize),
    /// A fixed Authorization header.
    Text(&'static str),
    /// A fixed API key, beside a session.
    KeyAndSession(&'static str, usize),
}

/// The form of a forged token.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Forgery {
    Bare,
    EndsIn(i64),
    OddEnd(&'static str),
    UrlSafe,
    TwoSegments,
    FourSegments,
    ClaimsMore,
    NotAnObject,
    BadHeader,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Password {
    Right,
    Wrong,
    Absent,
    Number,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Token {
    /// The code this many steps from now.
    Code(i64),
    /// The code of the secret before the last.
    FormerCode,
    /// A backup code of the last issue.
    Backup(usize),
    /// A backup code of any issue and user.
    AnyBackup(usize),
    BackupInSmall(usize),
    /// A JSON text.
    Json(&'static str),
    Absent,
}

#[derive(Debug, Clone)]
pub(crate) enum Act {
    List(&'static str),
    Book {
        method: &'static str,
        id: BookId,
        tail: &'static str,
        body: Option<String>,
    },
    Register {
        email: usize,
        role: Option<String>,
        nombre: Option<String>,
    },
    Login {
        email: usize,
        password: Password,
    },
    Verify {
        pending: usize,
        token: Token,
        trust: Option<String>,
    },
    Enable(Password),
    Disable(Password),
    Regenerate(Password),
    Forget(Device),
    /// `§` in path or body is replaced by the id of a demonstration user created earlier.
    Plain {
        interface: Interface,
        method: &'static str,
        path: String,
        body: Option<String>,
        user: usize,
    },
    /// Moves both clocks.
    Wait(f64),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum BookId {
    /// A created book, or one of the first five.
    Known(usize),
    Text(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Device {
    Known(usize),
    Text(&'static str),
}
