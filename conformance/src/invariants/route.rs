//! The routes of the documents and the statuses that each may answer; finds the route and the credential of a request.
//!
//! Reads only method, path and headers; sends nothing.

use std::fmt;

use libros_conformance_kit::worded;

use crate::http::exchange::Sent;
use crate::implementation::profile::Interface;

/// Declares the routes: name in reports, interface, the statuses that it may answer with, and the rule of its success.
macro_rules! routes {
    ($($route:ident: $name:literal of $interface:ident [$($status:literal),+] $(succeeds by $rule:literal)?;)+) => {
        /// An operation of the documents, or a kind of request that is none.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Route {
            $(#[doc = concat!("`", $name, "`.")] $route,)+
        }

        /// Every class of answers that the documents name: a route, and the statuses that it may answer with.
        pub const CLASSES: &[(Route, &[u16])] = &[$((Route::$route, &[$($status),+])),+];

        impl Route {
            pub fn name(self) -> &'static str {
                [$($name),+][self as usize]
            }

            pub fn interface(self) -> Interface {
                [$(Interface::$interface),+][self as usize]
            }

            /// The rule about the status of a success.
            pub fn success_rule(self) -> Option<&'static str> {
                match self {
                    $($(Self::$route => Some($rule),)?)+
                    _ => None,
                }
            }
        }
    };
}

// In the documents' order: those of books come before those of /auth and /2fa, then other paths, then the other interfaces.
routes! {
    ListBooks: "GET /libros" of Catalogue [200, 304, 401] succeeds by "books/list-shape";
    CreateBook: "POST /libros" of Catalogue [201, 400, 401] succeeds by "books/create-status";
    ReadBook: "GET /libros/<id>" of Catalogue [200, 304, 401, 404] succeeds by "books/read";
    ReplaceBook: "PUT /libros/<id>" of Catalogue [200, 400, 401, 404] succeeds by "books/replace";
    DeleteBook: "DELETE /libros/<id>" of Catalogue [204, 401, 404] succeeds by "books/delete-status";
    BookIdMisplaced: "POST, PUT, DELETE with an id too many or too few" of Catalogue [400, 401];
    BookMethod: "another method on /libros" of Catalogue [405];
    Register: "POST /auth/registro" of Catalogue [201, 400] succeeds by "registration/created";
    Login: "POST /auth/login" of Catalogue [200, 400] succeeds by "login/success";
    Verify: "POST /auth/verify-2fa" of Catalogue [200, 400] succeeds by "verification/shape";
    VerifyMethod: "another method on /auth/verify-2fa" of Catalogue [405];
    CreateKey: "POST /auth/api-keys" of Catalogue [201, 400, 401] succeeds by "api-keys/created";
    ListKeys: "GET /auth/api-keys" of Catalogue [200, 401] succeeds by "api-keys/list";
    AuthElsewhere: "another path under /auth" of Catalogue [404];
    Enable: "POST /2fa/enable" of Catalogue [200, 400, 401] succeeds by "two-factor/enable-shape";
    Disable: "POST /2fa/disable" of Catalogue [200, 400, 401] succeeds by "two-factor/disable-shape";
    Status: "GET /2fa/status" of Catalogue [200, 400, 401] succeeds by "two-factor/status-shape";
    Regenerate: "POST /2fa/regenerate-backup-codes" of Catalogue [200, 400, 401] succeeds by "two-factor/regenerate-shape";
    ListDevices: "GET /2fa/trusted-devices" of Catalogue [200, 400, 401] succeeds by "devices/list-shape";
    RemoveDevice: "DELETE /2fa/trusted-devices/<deviceId>" of Catalogue [200, 400, 401] succeeds by "devices/remove-shape";
    TwoFactorElsewhere: "another path under /2fa/" of Catalogue [404];
    Elsewhere: "another path" of Catalogue [404];
    Preflight: "OPTIONS" of Catalogue [200] succeeds by "routing/options-status";
    ListUsers: "GET /users" of Users [200] succeeds by "users/list-array";
    ReadUser: "GET /users/<id>" of Users [200, 404] succeeds by "users/read-status";
    ListPosts: "GET /users/<id>/posts" of Users [200, 404] succeeds by "posts/shape";
    CreateUser: "POST /users" of Users [201, 400] succeeds by "users/create-body";
    UsersElsewhere: "another path of the users interface" of Users [404];
    UsersPreflight: "OPTIONS of the users interface" of Users [204] succeeds by "users/options-status";
    Graphql: "POST /graphql" of Graphql [200] succeeds by "graphql/data";
    Reduced: "POST /graphql (reduced)" of GraphqlReduced [200, 400] succeeds by "graphql-reduced/users-list";
    ReducedElsewhere: "another path or method of /graphql (reduced)" of GraphqlReduced [404];
    ReducedPreflight: "OPTIONS /graphql (reduced)" of GraphqlReduced [204] succeeds by "graphql-reduced/options-status";
    SignUp: "POST /api/users/register" of Registration [201, 400] succeeds by "signup/success";
    ListEntries: "GET /posts" of Blog [200] succeeds by "blog/list";
}

impl Route {
    /// The route of a request; `None` if no sentence of the documents names it.
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

    /// A known path with a trailing slash, or in another letter case, is open.
    fn of_auth(method: &str, path: &str) -> Option<Self> {
        let named = format!("{method} {path}");
        if let Some((route, _)) = CLASSES.iter().find(|(route, _)| route.name() == named) {
            return Some(*route);
        }
        let device = path.strip_prefix("/2fa/trusted-devices/").unwrap_or_default();
        Some(match path {
            "/auth/verify-2fa" => Self::VerifyMethod,
            _ if method == "DELETE" && !device.is_empty() => Self::RemoveDevice,
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

    /// Whether its answers depend on a credential.
    pub fn is_protected(self) -> bool {
        use Route as R;
        let is_open =
            matches!(self, R::BookMethod | R::Register | R::Login | R::Verify | R::VerifyMethod | R::AuthElsewhere);
        !is_open && (self < R::Elsewhere)
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

worded! {
    /// The kind of credential that a request carries.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Credential by word {
        /// `X-API-Key`, with or without other credentials.
        Key = "key",
        /// `Authorization: Bearer`.
        Session = "session",
        /// `Authorization: JWT`.
        Jwt = "jwt",
        None = "none",
    }
}

impl Credential {
    /// The credential of a request; `None` if the documents leave it open: empty, in several lines, oddly spaced.
    pub fn of(sent: &Sent) -> Option<Self> {
        let is_word = |value: &[u8]| !value.is_empty() && value.iter().all(u8::is_ascii_graphic);
        match (&sent.values("X-API-Key")[..], &sent.values("Authorization")[..]) {
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
}
