//! Routes and classes of answers: which operation of the documents a request asks for, with what credential, and what it answers.
//!
//! Reads method, path and headers alone; sends nothing.

use std::fmt;

use crate::http::exchange::Sent;
use crate::implementation::profile::Interface;

/// An operation of the documents, or what they say of requests that are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// `GET /libros`, also with a segment that counts as no id.
    ListBooks,
    /// `POST /libros`.
    CreateBook,
    /// `GET /libros/<id>`.
    ReadBook,
    /// `PUT /libros/<id>`.
    ReplaceBook,
    /// `DELETE /libros/<id>`.
    DeleteBook,
    /// `POST /libros/<id>`, `PUT /libros`, `DELETE /libros`: an id too many or too few.
    BookIdMisplaced,
    /// Another method on a book path.
    BookMethod,
    /// `POST /auth/registro`.
    Register,
    /// `POST /auth/login`.
    Login,
    /// `POST /auth/verify-2fa`.
    Verify,
    /// Another method on `/auth/verify-2fa`.
    VerifyMethod,
    /// `POST /auth/api-keys`.
    CreateKey,
    /// `GET /auth/api-keys`.
    ListKeys,
    /// Any other path under `/auth`.
    AuthElsewhere,
    /// `POST /2fa/enable`.
    Enable,
    /// `POST /2fa/disable`.
    Disable,
    /// `GET /2fa/status`.
    Status,
    /// `POST /2fa/regenerate-backup-codes`.
    Regenerate,
    /// `GET /2fa/trusted-devices`.
    ListDevices,
    /// `DELETE /2fa/trusted-devices/<deviceId>`.
    RemoveDevice,
    /// Any other path under `/2fa/`.
    TwoFactorElsewhere,
    /// Any other path of the catalogue.
    Elsewhere,
    /// `OPTIONS` on any path of the catalogue.
    Preflight,
    /// `GET /users`.
    ListUsers,
    /// `GET /users/<id>`.
    ReadUser,
    /// `GET /users/<id>/posts`.
    ListPosts,
    /// `POST /users`.
    CreateUser,
    /// Any other path of the users interface.
    UsersElsewhere,
    /// `OPTIONS` on any path of the users interface.
    UsersPreflight,
    /// `POST` to the full GraphQL endpoint.
    Graphql,
    /// `POST` to the reduced GraphQL endpoint.
    Reduced,
    /// Another method or path of the reduced GraphQL endpoint.
    ReducedElsewhere,
    /// `OPTIONS` on the reduced GraphQL endpoint.
    ReducedPreflight,
    /// `POST /api/users/register`.
    SignUp,
    /// `GET /posts` of the blog.
    ListEntries,
}

/// Every class of answers that the documents name: a route, and the statuses that it may answer with.
pub const CLASSES: &[(Route, &[u16])] = &[
    (Route::ListBooks, &[200, 304, 401]),
    (Route::CreateBook, &[201, 400, 401]),
    (Route::ReadBook, &[200, 304, 401, 404]),
    (Route::ReplaceBook, &[200, 400, 401, 404]),
    (Route::DeleteBook, &[204, 401, 404]),
    (Route::BookIdMisplaced, &[400, 401]),
    (Route::BookMethod, &[405]),
    (Route::Register, &[201, 400]),
    (Route::Login, &[200, 400]),
    (Route::Verify, &[200, 400]),
    (Route::VerifyMethod, &[405]),
    (Route::CreateKey, &[201, 400, 401]),
    (Route::ListKeys, &[200, 401]),
    (Route::AuthElsewhere, &[404]),
    (Route::Enable, &[200, 400, 401]),
    (Route::Disable, &[200, 400, 401]),
    (Route::Status, &[200, 400, 401]),
    (Route::Regenerate, &[200, 400, 401]),
    (Route::ListDevices, &[200, 400, 401]),
    (Route::RemoveDevice, &[200, 400, 401]),
    (Route::TwoFactorElsewhere, &[404]),
    (Route::Elsewhere, &[404]),
    (Route::Preflight, &[200]),
    (Route::ListUsers, &[200]),
    (Route::ReadUser, &[200, 404]),
    (Route::ListPosts, &[200, 404]),
    (Route::CreateUser, &[201, 400]),
    (Route::UsersElsewhere, &[404]),
    (Route::UsersPreflight, &[204]),
    (Route::Graphql, &[200]),
    (Route::Reduced, &[200, 400]),
    (Route::ReducedElsewhere, &[404]),
    (Route::ReducedPreflight, &[204]),
    (Route::SignUp, &[201, 400]),
    (Route::ListEntries, &[200]),
];

impl Route {
    /// The route of a request; `None` where no sentence says what it is.
    pub fn of(sent: &Sent) -> Option<Self> {
        let method = sent.method.as_str();
        let path = sent.path_below_prefix().split('?').next().unwrap_or_default();
        match sent.interface? {
            Interface::Catalogue => Self::of_catalogue(method, path),
            Interface::Users => Self::of_users(method, path),
            Interface::Graphql => (method == "POST" && path.is_empty()).then_some(Self::Graphql),
            Interface::GraphqlReduced => Some(match (method, path) {
                ("POST", "") => Self::Reduced,
                ("OPTIONS", "") => Self::ReducedPreflight,
                ("OPTIONS", _) => return None,
                _ if path.ends_with('/') => return None,
                _ => Self::ReducedElsewhere,
            }),
            Interface::Registration => (method == "POST" && path == "/api/users/register").then_some(Self::SignUp),
            Interface::Blog => (method == "GET" && path == "/posts").then_some(Self::ListEntries),
        }
    }

    fn of_catalogue(method: &str, path: &str) -> Option<Self> {
        if method == "OPTIONS" {
            return Some(Self::Preflight);
        }
        if path.starts_with("/libros") {
            return Self::of_books(method, path);
        }
        if path.starts_with("/auth") || path.starts_with("/2fa/") {
            return Self::of_auth(method, path);
        }
        Some(Self::Elsewhere)
    }

    /// The second segment decides; one that mixes digits with other characters is open.
    fn of_books(method: &str, path: &str) -> Option<Self> {
        let segment = path.split('/').nth(2).unwrap_or_default();
        let is_digits = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = segment.bytes().all(|byte| byte.is_ascii_alphabetic());
        let has_id = is_digits && segment.bytes().any(|byte| byte != b'0');
        if !(is_digits && segment.len() <= 9 || is_plain) {
            return None;
        }
        Some(match (method, has_id) {
            ("GET", false) => Self::ListBooks,
            ("GET", true) => Self::ReadBook,
            ("POST", false) => Self::CreateBook,
            ("PUT", true) => Self::ReplaceBook,
            ("DELETE", true) => Self::DeleteBook,
            ("POST" | "PUT" | "DELETE", _) => Self::BookIdMisplaced,
            _ => Self::BookMethod,
        })
    }

    /// A known path with a slash behind it, and one that is written in another letter case, are open.
    fn of_auth(method: &str, path: &str) -> Option<Self> {
        Some(match (method, path) {
            ("POST", "/auth/registro") => Self::Register,
            ("POST", "/auth/login") => Self::Login,
            ("POST", "/auth/verify-2fa") => Self::Verify,
            (_, "/auth/verify-2fa") => Self::VerifyMethod,
            ("POST", "/auth/api-keys") => Self::CreateKey,
            ("GET", "/auth/api-keys") => Self::ListKeys,
            ("POST", "/2fa/enable") => Self::Enable,
            ("POST", "/2fa/disable") => Self::Disable,
            ("GET", "/2fa/status") => Self::Status,
            ("POST", "/2fa/regenerate-backup-codes") => Self::Regenerate,
            ("GET", "/2fa/trusted-devices") => Self::ListDevices,
            ("DELETE", _)
                if path.starts_with("/2fa/trusted-devices/") && path.len() > "/2fa/trusted-devices/".len() =>
            {
                Self::RemoveDevice
            }
            _ if path.ends_with('/') || path.bytes().any(|byte| byte.is_ascii_uppercase()) => return None,
            _ if path.starts_with("/auth") => Self::AuthElsewhere,
            _ => Self::TwoFactorElsewhere,
        })
    }

    fn of_users(method: &str, path: &str) -> Option<Self> {
        if method == "OPTIONS" {
            return Some(Self::UsersPreflight);
        }
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        Some(match (method, segments.as_slice()) {
            ("GET", ["users"]) => Self::ListUsers,
            ("POST", ["users"]) => Self::CreateUser,
            ("GET", ["users", id]) if !id.is_empty() => Self::ReadUser,
            ("GET", ["users", id, "posts"]) if !id.is_empty() => Self::ListPosts,
            // Other methods and slashes are open there; blog and registration may share its address.
            (_, ["users" | "posts" | "api" | "graphql", ..]) => return None,
            _ => Self::UsersElsewhere,
        })
    }

    /// Whether it belongs to the catalogue: `/libros`, `/auth`, `/2fa` and other paths there, without OPTIONS.
    pub fn is_of_catalogue(self) -> bool {
        self < Self::Preflight
    }

    /// The interface that offers it.
    pub fn interface(self) -> Interface {
        match self {
            Self::ListUsers
            | Self::ReadUser
            | Self::ListPosts
            | Self::CreateUser
            | Self::UsersElsewhere
            | Self::UsersPreflight => Interface::Users,
            Self::Graphql => Interface::Graphql,
            Self::Reduced | Self::ReducedElsewhere | Self::ReducedPreflight => Interface::GraphqlReduced,
            Self::SignUp => Interface::Registration,
            Self::ListEntries => Interface::Blog,
            _ => Interface::Catalogue,
        }
    }

    /// Whether it looks at a credential; what the others answer does not depend on one.
    pub fn is_protected(self) -> bool {
        use Route as R;
        let is_open =
            matches!(self, R::BookMethod | R::Register | R::Login | R::Verify | R::VerifyMethod | R::AuthElsewhere);
        !is_open && (self < R::Elsewhere)
    }

    /// The rule that says with which status it succeeds.
    pub fn success_rule(self) -> Option<&'static str> {
        use Route as R;
        Some(match self {
            R::ListBooks => "books/list-shape",
            R::CreateBook => "books/create-status",
            R::ReadBook => "books/read",
            R::ReplaceBook => "books/replace",
            R::DeleteBook => "books/delete-status",
            R::Register => "registration/created",
            R::Login => "login/success",
            R::Verify => "verification/shape",
            R::CreateKey => "api-keys/created",
            R::ListKeys => "api-keys/list",
            R::Enable => "two-factor/enable-shape",
            R::Disable => "two-factor/disable-shape",
            R::Status => "two-factor/status-shape",
            R::Regenerate => "two-factor/regenerate-shape",
            R::ListDevices => "devices/list-shape",
            R::RemoveDevice => "devices/remove-shape",
            R::Preflight => "routing/options-status",
            R::ListUsers => "users/list-array",
            R::ReadUser => "users/read-status",
            R::ListPosts => "posts/shape",
            R::CreateUser => "users/create-body",
            R::UsersPreflight => "users/options-status",
            R::Graphql => "graphql/data",
            R::Reduced => "graphql-reduced/users-list",
            R::ReducedPreflight => "graphql-reduced/options-status",
            R::SignUp => "signup/success",
            R::ListEntries => "blog/list",
            _ => return None,
        })
    }

    /// Method and path, as reports name them.
    pub fn name(self) -> &'static str {
        match self {
            Self::ListBooks => "GET /libros",
            Self::CreateBook => "POST /libros",
            Self::ReadBook => "GET /libros/<id>",
            Self::ReplaceBook => "PUT /libros/<id>",
            Self::DeleteBook => "DELETE /libros/<id>",
            Self::BookIdMisplaced => "POST, PUT, DELETE with an id too many or too few",
            Self::BookMethod => "another method on /libros",
            Self::Register => "POST /auth/registro",
            Self::Login => "POST /auth/login",
            Self::Verify => "POST /auth/verify-2fa",
            Self::VerifyMethod => "another method on /auth/verify-2fa",
            Self::CreateKey => "POST /auth/api-keys",
            Self::ListKeys => "GET /auth/api-keys",
            Self::AuthElsewhere => "another path under /auth",
            Self::Enable => "POST /2fa/enable",
            Self::Disable => "POST /2fa/disable",
            Self::Status => "GET /2fa/status",
            Self::Regenerate => "POST /2fa/regenerate-backup-codes",
            Self::ListDevices => "GET /2fa/trusted-devices",
            Self::RemoveDevice => "DELETE /2fa/trusted-devices/<deviceId>",
            Self::TwoFactorElsewhere => "another path under /2fa/",
            Self::Elsewhere => "another path",
            Self::Preflight => "OPTIONS",
            Self::ListUsers => "GET /users",
            Self::ReadUser => "GET /users/<id>",
            Self::ListPosts => "GET /users/<id>/posts",
            Self::CreateUser => "POST /users",
            Self::UsersElsewhere => "another path of the users interface",
            Self::UsersPreflight => "OPTIONS of the users interface",
            Self::Graphql => "POST /graphql",
            Self::Reduced => "POST /graphql (reduced)",
            Self::ReducedElsewhere => "another path or method of /graphql (reduced)",
            Self::ReducedPreflight => "OPTIONS /graphql (reduced)",
            Self::SignUp => "POST /api/users/register",
            Self::ListEntries => "GET /posts",
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of credential that a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Credential {
    /// `X-API-Key`, with or without other credentials.
    Key,
    /// `Authorization: Bearer`.
    Session,
    /// `Authorization: JWT`.
    Jwt,
    /// None of these.
    None,
}

impl Credential {
    /// The credential of a request; `None` where it is one that the documents leave open: empty, in several lines, oddly spaced.
    pub fn of(sent: &Sent) -> Option<Self> {
        let values = |name: &str| -> Vec<&[u8]> {
            let lines = sent.headers.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name));
            lines.map(|(_, value)| value.as_slice()).collect()
        };
        let is_word = |value: &[u8]| !value.is_empty() && value.iter().all(u8::is_ascii_graphic);
        match (values("X-API-Key").as_slice(), values("Authorization").as_slice()) {
            ([key], _) => is_word(key).then_some(Self::Key),
            ([], []) => Some(Self::None),
            ([], [value]) => {
                let (scheme, rest) = value.split_at(value.iter().position(|byte| *byte == b' ')?);
                match scheme {
                    b"Bearer" if is_word(&rest[1..]) => Some(Self::Session),
                    b"JWT" if is_word(&rest[1..]) => Some(Self::Jwt),
                    _ if [b"bearer".as_slice(), b"jwt"].contains(&scheme.to_ascii_lowercase().as_slice()) => None,
                    _ => Some(Self::None),
                }
            }
            _ => None,
        }
    }

    /// Its word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Session => "session",
            Self::Jwt => "jwt",
            Self::None => "none",
        }
    }
}
