//! Turns a step into a request to one of the services. Compares nothing.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use libros_conformance::implementation::profile::{Credentials, Interface};
use libros_conformance::oracle::totp;
use serde_json::{Value, json};

use super::memory::{Memory, PEOPLE, latest};
use super::pair::Ask;
use super::step::{Act, BookId, Device, Forgery, Password, RequestHeaders, Step, Tag, Token, Who};

/// The data from which a request is made.
pub(crate) struct Player<'a> {
    pub(crate) credentials: &'a Credentials,
    pub(crate) memory: &'a Memory,
    /// The time of both services.
    pub(crate) now_ms: i64,
    /// The service, 0 or 1.
    pub(crate) side: usize,
}

impl Player<'_> {
    /// The request; `None` for a step that sends none.
    pub(crate) fn ask(&self, step: &Step) -> Option<Ask> {
        let ask = match &step.act {
            Act::Wait(_) => return None,
            Act::List(query) => self.catalogue("GET", &format!("/libros{query}")),
            Act::Book { method, id, tail, body } => {
                let path = match id {
                    BookId::Text(text) => format!("/libros/{text}{tail}"),
                    BookId::Known(back) => {
                        let id = latest(&self.memory.books, *back).copied().unwrap_or(1 + *back as u64 % 5);
                        format!("/libros/{id}{tail}")
                    }
                };
                with_body(self.catalogue(method, &path), body.clone(), step.request_headers.is_json)
            }
            Act::Register { email, role, nombre } => {
                let (email, password) = PEOPLE[email % PEOPLE.len()];
                let mut body = json!({ "email": email, "password": password });
                for (name, value) in [("nombre", nombre), ("role", role)] {
                    if let Some(value) = value {
                        body[name] = serde_json::from_str(value).unwrap_or_default();
                    }
                }
                self.catalogue("POST", "/auth/registro").json(body.to_string())
            }
            Act::Login { email, password } => {
                let mut body = self.password(*email, *password);
                body["email"] = PEOPLE[email % PEOPLE.len()].0.into();
                self.catalogue("POST", "/auth/login").json(body.to_string())
            }
            Act::Verify { pending, token, trust } => self.verify(*pending, *token, trust.as_deref()),
            Act::Enable(password) => self.managed("/2fa/enable", *password, step.who),
            Act::Disable(password) => self.managed("/2fa/disable", *password, step.who),
            Act::Regenerate(password) => self.managed("/2fa/regenerate-backup-codes", *password, step.who),
            Act::Forget(device) => {
                let id = match device {
                    Device::Known(back) => latest(&self.memory.devices, *back).map_or("0", |both| &both[self.side]),
                    Device::Text(text) => text,
                };
                self.catalogue("DELETE", &format!("/2fa/trusted-devices/{id}"))
            }
            Act::Plain { interface, method, path, body, user } => {
                let id = latest(&self.memory.users, *user).map_or("1", |both| &both[self.side]);
                let body = body.as_ref().map(|body| body.replace('§', id));
                with_body(Ask::new(*interface, method, path.replace('§', id)), body, step.request_headers.is_json)
            }
        };
        let ask = match ask.interface {
            Interface::Catalogue => self.with_credential(ask, step.who),
            _ => ask,
        };
        Some(self.with_request_headers(ask, &step.request_headers))
    }

    /// The e-mail that owns the tokens, secrets and codes of the reply.
    pub(crate) fn owner(&self, step: &Step) -> Option<usize> {
        match &step.act {
            Act::Login { email, .. } => Some(email % PEOPLE.len()),
            Act::Verify { pending, .. } => latest(&self.memory.pendings, *pending).map(|(email, _)| *email),
            Act::Enable(_) | Act::Regenerate(_) => self.user(step.who),
            _ => None,
        }
    }

    /// The user of a valid credential.
    fn user(&self, who: Who) -> Option<usize> {
        match who {
            Who::Session(back) => latest(&self.memory.sessions, back).map(|(email, _)| *email),
            Who::Jwt(back) => latest(&self.memory.jwts, back).map(|(email, _)| *email),
            Who::Forged(email, _) => Some(email % PEOPLE.len()),
            _ => None,
        }
    }

    fn catalogue(&self, method: &'static str, path: &str) -> Ask {
        Ask::new(Interface::Catalogue, method, path)
    }

    fn password(&self, email: usize, password: Password) -> Value {
        match password {
            Password::Right => json!({ "password": PEOPLE[email % PEOPLE.len()].1 }),
            Password::Wrong => json!({ "password": "wrong" }),
            Password::Number => json!({ "password": 5 }),
            Password::Absent => json!({}),
        }
    }

    fn managed(&self, path: &str, password: Password, who: Who) -> Ask {
        let body = self.password(self.user(who).unwrap_or(0), password);
        self.catalogue("POST", path).json(body.to_string())
    }

    fn verify(&self, pending: usize, token: Token, trust: Option<&str>) -> Ask {
        let mut body = json!({});
        let waiting = latest(&self.memory.pendings, pending);
        body["sessionId"] = waiting.map_or("0", |(_, both)| both[self.side].as_str()).into();
        let email = waiting.map_or(0, |(email, _)| *email);
        let token = match token {
            Token::Absent => None,
            Token::Code(steps) => Some(self.code(email, 0, steps)),
            Token::FormerCode => Some(self.code(email, 1, 0)),
            Token::Backup(at) => latest(self.memory.codes(email), at).map(|both| both[self.side].as_str().into()),
            Token::BackupInSmall(at) => {
                // A code without letters is the same in lower case.
                let lettered = |code: &String| code.bytes().any(|byte| byte.is_ascii_alphabetic());
                let code = latest(self.memory.codes(email), at).filter(|both| both.iter().all(lettered));
                code.map(|both| both[self.side].to_lowercase().into())
            }
            Token::AnyBackup(at) => {
                let any = latest(&self.memory.codes, at).and_then(|(_, codes)| latest(codes, at));
                any.map(|both| both[self.side].as_str().into())
            }
            Token::Json(text) => serde_json::from_str(text).ok(),
        };
        if let Some(token) = token {
            body["token"] = token;
        }
        if let Some(trust) = trust {
            body["trustDevice"] = serde_json::from_str(trust).unwrap_or_default();
        }
        self.catalogue("POST", "/auth/verify-2fa").json(body.to_string())
    }

    fn code(&self, email: usize, former: usize, steps: i64) -> Value {
        let secret = self.memory.secret(email, former).map_or("00", |both| &both[self.side]);
        let key = hex::decode(secret).unwrap_or_default();
        totp::code(&key, totp::step_at(self.now_ms) + steps).into()
    }

    fn with_credential(&self, ask: Ask, who: Who) -> Ask {
        let side = self.side;
        let session = |back| latest(&self.memory.sessions, back).map_or("0", |(_, both)| &both[side]);
        let jwt = |back| latest(&self.memory.jwts, back).map_or("0.0.0", |(_, both)| &both[side]);
        match who {
            Who::Nobody => ask,
            Who::AdminClient => ask.header("X-API-Key", &self.credentials.admin_key),
            Who::TestClient => ask.header("X-API-Key", &self.credentials.test_key),
            Who::CreatedClient(back) => {
                ask.header("X-API-Key", latest(&self.memory.clients, back).map_or("ak_0", |both| &both[side]))
            }
            Who::Session(back) => ask.header("Authorization", &format!("Bearer {}", session(back))),
            Who::Jwt(back) => ask.header("Authorization", &format!("JWT {}", jwt(back))),
            Who::Forged(email, how) => ask.header("Authorization", &format!("JWT {}", self.forged(email, how))),
            Who::Mistaken(back) if back % 2 == 0 => ask.header("Authorization", &format!("JWT {}", session(back))),
            Who::Mistaken(back) => ask.header("Authorization", &format!("Bearer {}", jwt(back))),
            Who::Text(text) => ask.header("Authorization", text),
            Who::KeyAndSession(key, back) => {
                ask.header("X-API-Key", key).header("Authorization", &format!("Bearer {}", session(back)))
            }
        }
    }

    /// A token that anyone can write, since the documents check no signature.
    fn forged(&self, email: usize, how: Forgery) -> String {
        let mut payload = json!({ "email": PEOPLE[email % PEOPLE.len()].0 });
        match how {
            Forgery::EndsIn(seconds) => payload["exp"] = (self.now_ms / 1_000 + seconds).into(),
            Forgery::OddEnd(text) => payload["exp"] = serde_json::from_str(text).unwrap_or_default(),
            Forgery::ClaimsMore => payload["permissions"] = json!(["read:libros", "write:libros", "manage:api_keys"]),
            Forgery::NotAnObject => payload = json!(["email"]),
            _ => {}
        }
        let header = if matches!(how, Forgery::BadHeader) { "?" } else { "e30=" };
        let payload = match how {
            Forgery::UrlSafe => URL_SAFE_NO_PAD.encode(payload.to_string()),
            _ => STANDARD.encode(payload.to_string()),
        };
        match how {
            Forgery::TwoSegments => format!("{header}.{payload}"),
            Forgery::FourSegments => format!("{header}.{payload}.x.y"),
            _ => format!("{header}.{payload}.x"),
        }
    }

    fn with_request_headers(&self, mut ask: Ask, request_headers: &RequestHeaders) -> Ask {
        let others = [
            ("X-API-Version", request_headers.version),
            ("User-Agent", request_headers.agent),
            ("Accept-Language", request_headers.language),
        ];
        for (name, value) in others.iter().filter_map(|(name, value)| value.map(|value| (*name, value))) {
            ask = ask.header(name, value);
        }
        if let Some((name, value)) = request_headers.more {
            ask = ask.header(name, value);
        }
        let path = ask.path.clone();
        let earlier = |back| self.memory.tag(&path, back).map_or("0", |both| &both[self.side]);
        match request_headers.tag {
            None => ask,
            Some(Tag::Earlier(back)) => ask.header("If-None-Match", earlier(back)),
            Some(Tag::Quoted(back)) => ask.header("If-None-Match", &format!("\"{}\"", earlier(back))),
            Some(Tag::Weak(back)) => ask.header("If-None-Match", &format!("W/\"{}\"", earlier(back))),
            Some(Tag::Text(text)) => ask.header("If-None-Match", text),
        }
    }
}

fn with_body(mut ask: Ask, body: Option<String>, is_json: bool) -> Ask {
    match body {
        Some(body) if is_json => ask.json(body),
        Some(body) => {
            ask.body = Some(body.into_bytes());
            ask
        }
        None => ask,
    }
}
