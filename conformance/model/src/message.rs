//! A request, read whole, and a reply before it is framed.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use serde_json::Value;

use crate::js;

/// The interfaces of the service, each with an address of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// Books, authentication, two-factor.
    Catalogue,
    /// Users and posts over REST, registration, blog.
    Users,
    Graphql,
    GraphqlReduced,
}

#[derive(Clone, Debug)]
pub struct Request {
    pub interface: Interface,
    /// As sent; letter case counts.
    pub method: String,
    /// Without the query string, not decoded.
    pub path: String,
    /// What follows the question mark, or nothing.
    pub query: String,
    /// Names as sent; values as Latin-1 text.
    pub headers: Vec<(String, String)>,
    /// Without its framing.
    pub body: Vec<u8>,
    /// Whether the target was sent in absolute form.
    pub absolute: bool,
    /// Where the connection comes from.
    pub peer: IpAddr,
    pub port: u16,
    /// The service's time, in milliseconds since 1970.
    pub now: i64,
    /// When the head had arrived; the body may have arrived later.
    pub begun: Instant,
    /// Offsets in the body at which one received piece ended and the next began.
    pub seams: Vec<usize>,
}

impl Request {
    /// A request without headers and body, from this machine.
    pub fn new(interface: Interface, method: &str, path: &str) -> Self {
        Self {
            interface,
            method: method.to_owned(),
            path: path.to_owned(),
            query: String::new(),
            headers: Vec::new(),
            body: Vec::new(),
            absolute: false,
            peer: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            now: 0,
            begun: Instant::now(),
            seams: Vec::new(),
        }
    }

    pub fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }

    /// The value of a header in any letter case of its name; several lines are joined with a comma.
    pub fn header(&self, name: &str) -> Option<String> {
        let lines = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let values: Vec<&str> = lines.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Sets a header; replaces any of that name.
    pub fn set(&mut self, name: &str, value: &str) {
        set(&mut self.headers, name, value);
    }

    pub fn remove(&mut self, name: &str) {
        remove(&mut self.headers, name);
    }

    pub fn json_body(&self) -> Value {
        js::parse(&self.body).unwrap_or_default()
    }

    /// Changes the JSON object of its body; any other body stays as it is.
    pub fn edit(&mut self, change: impl FnOnce(&mut Value)) {
        let mut body = self.json_body();
        if body.is_object() {
            change(&mut body);
            self.body = js::stringify(&body).into_bytes();
        }
    }
}

/// A reply before it is framed.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    /// In the order they are sent; values as Latin-1 text.
    pub headers: Vec<(String, String)>,
    /// Empty where there is none.
    pub body: Vec<u8>,
    pub framing: Framing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Framing {
    /// Content-Length counts the body's bytes.
    Length,
    /// Content-Length has this value instead, and the connection ends.
    WrongLength(usize),
    /// Content-Length and a body where HTTP allows none; the connection ends.
    Forced,
    Chunked,
}

impl Reply {
    pub fn bare(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), framing: Framing::Length }
    }

    /// A reply with a JSON body and no header but `Content-Type: application/json`.
    pub fn json(status: u16, body: &Value) -> Self {
        let mut reply = Self::bare(status);
        reply.set("Content-Type", "application/json");
        reply.body = js::stringify(body).into_bytes();
        reply
    }

    pub fn plain(status: u16, text: &str) -> Self {
        let mut reply = Self::bare(status);
        reply.set("Content-Type", "text/plain; charset=utf-8");
        reply.body = text.as_bytes().to_vec();
        reply
    }

    pub fn json_body(&self) -> Value {
        js::parse(&self.body).unwrap_or_default()
    }

    /// Changes the JSON body; a body that is not JSON stays as it is.
    pub fn edit(&mut self, change: impl FnOnce(&mut Value)) {
        if let Ok(mut body) = js::parse(&self.body) {
            change(&mut body);
            self.body = js::stringify(&body).into_bytes();
        }
    }

    /// The value of a header in any letter case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    pub fn has(&self, name: &str) -> bool {
        self.header(name).is_some()
    }

    pub fn set(&mut self, name: &str, value: &str) {
        set(&mut self.headers, name, value);
    }

    pub fn remove(&mut self, name: &str) {
        remove(&mut self.headers, name);
    }

    /// Whether it refuses with this text: `{ error: <text> }`, or a 401 with this `mensaje`.
    pub fn refuses_with(&self, text: &str) -> bool {
        let error = |body: Value| body["error"] == text || body["error"]["mensaje"] == text;
        self.status >= 400 && error(self.json_body())
    }

    pub fn is_denied_as(&self, code: &str) -> bool {
        self.status == 401 && self.json_body()["error"]["codigo"] == code
    }

    pub fn deny_as(&mut self, code: &str) {
        self.edit(|body| body["error"]["codigo"] = code.into());
    }

    /// Sets the status, and turns the error of a 401 into `{ error: <text> }`.
    pub fn refuse(&mut self, status: u16) {
        self.status = status;
        self.edit(|body| {
            let text = body["error"]["mensaje"].take();
            if text.is_string() {
                body["error"] = text;
            }
        });
    }
}

fn set(headers: &mut Vec<(String, String)>, name: &str, value: &str) {
    remove(headers, name);
    headers.push((name.to_owned(), value.to_owned()));
}

fn remove(headers: &mut Vec<(String, String)>, name: &str) {
    headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
}

pub fn drop_key(body: &mut Value, key: &str) {
    if let Value::Object(fields) = body {
        fields.shift_remove(key);
    }
}
