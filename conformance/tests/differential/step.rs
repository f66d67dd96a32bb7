//! The steps a history is made of. A step names what earlier ones gave by how far back it was given, so that any step may be
//! left out and the others still mean something. Draws nothing, sends nothing.

use libros_conformance::implementation::profile::Interface;

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) who: Who,
    pub(crate) request_headers: RequestHeaders,
}

/// Headers beside the credential.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestHeaders {
    pub(crate) version: Option<&'static str>,
    pub(crate) agent: Option<&'static str>,
    pub(crate) language: Option<&'static str>,
    pub(crate) tag: Option<Tag>,
    /// Any other header.
    pub(crate) more: Option<(&'static str, &'static str)>,
    pub(crate) is_json: bool,
}

/// What If-None-Match says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tag {
    Earlier(usize),
    Quoted(usize),
    Weak(usize),
    Text(&'static str),
}

/// Which credential is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who {
    Nobody,
    AdminClient,
    TestClient,
    CreatedClient(usize),
    Session(usize),
    Jwt(usize),
    /// A token of that shape for that e-mail, written by nobody.
    Forged(usize, Forgery),
    /// A session token behind `JWT`, a JWT behind `Bearer`.
    Mistaken(usize),
    /// A fixed Authorization header.
    Text(&'static str),
    /// A fixed API key, beside a session.
    KeyAndSession(&'static str, usize),
}

/// How a token was written.
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

/// Which password is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Password {
    Right,
    Wrong,
    Absent,
    Number,
}

/// Which second factor is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Token {
    /// The code of so many steps from now.
    Code(i64),
    /// The code of the secret before the last.
    FormerCode,
    /// A backup code of the last issue.
    Backup(usize),
    /// One of any issue of any user.
    AnyBackup(usize),
    BackupInSmall(usize),
    /// A JSON text.
    Json(&'static str),
    Absent,
}

/// What is done.
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
    /// `§` in path or body stands for the id of a demonstration user created earlier.
    Plain {
        interface: Interface,
        method: &'static str,
        path: String,
        body: Option<String>,
        user: usize,
    },
    /// Both clocks move.
    Wait(f64),
}

/// The id in a book's path.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BookId {
    /// One of those created, or of the first five.
    Known(usize),
    Text(&'static str),
}

/// Which device is forgotten.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Device {
    Known(usize),
    Text(&'static str),
}
