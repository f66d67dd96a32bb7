//! HTTP/1.1 as the impostor speaks it: a request read whole, a reply written whole. Knows no path and no book.

mod edit;
mod read;
mod serve;
mod write;

use std::net::IpAddr;
use std::time::Instant;

use serde_json::Value;

pub(crate) use edit::drop_key;
pub(crate) use serve::Listener;

use crate::impostor::model::js;

/// A request, read whole.
#[derive(Clone)]
pub(crate) struct Request {
    /// As sent; letter case counts.
    pub(crate) method: String,
    /// Without the query string, not decoded.
    pub(crate) path: String,
    /// What follows the question mark, or nothing.
    pub(crate) query: String,
    /// Names as sent; values as Latin-1 text.
    pub(crate) headers: Vec<(String, String)>,
    /// Without its framing.
    pub(crate) body: Vec<u8>,
    /// Whether the target was sent in absolute form.
    pub(crate) absolute: bool,
    /// Where the connection comes from.
    pub(crate) peer: IpAddr,
    /// And from which port there.
    pub(crate) port: u16,
    /// When the head was there, and the body perhaps not yet.
    pub(crate) begun: Instant,
    /// Where in the body one piece of it ended and the next began, as they came.
    pub(crate) seams: Vec<usize>,
}

impl Request {
    /// The value of a header in any letter case of its name; several lines are joined with a comma.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Removes a header if it is there.
    pub(crate) fn remove(&mut self, name: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    }
}

/// A reply before it is framed.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// The status code.
    pub(crate) status: u16,
    /// In the order they are sent; values as Latin-1 text.
    pub(crate) headers: Vec<(String, String)>,
    /// Empty where there is none.
    pub(crate) body: Vec<u8>,
    /// How the body is framed.
    pub(crate) framing: Framing,
}

/// How a body is framed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Framing {
    /// Content-Length counts its bytes.
    Length,
    /// Content-Length says this instead, and the connection ends.
    WrongLength(usize),
    /// Content-Length and a body where HTTP allows none; the connection ends.
    Forced,
    /// Chunks.
    Chunked,
}

impl Reply {
    /// A reply with nothing in it.
    pub(crate) fn bare(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), framing: Framing::Length }
    }

    /// A reply with a JSON body and no header but this Content-Type.
    pub(crate) fn json(status: u16, content_type: &str, body: &Value) -> Self {
        let mut reply = Self::bare(status);
        reply.set("Content-Type", content_type);
        reply.body = js::stringify(body).into_bytes();
        reply
    }

    /// A reply in plain text.
    pub(crate) fn plain(status: u16, text: &str) -> Self {
        let mut reply = Self::bare(status);
        reply.set("Content-Type", "text/plain; charset=utf-8");
        reply.body = text.as_bytes().to_vec();
        reply
    }

    /// The body as JSON; null when it is none.
    pub(crate) fn json_body(&self) -> Value {
        js::parse(&self.body).unwrap_or_default()
    }

    /// Changes the JSON body; a body that is none stays as it is.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Value)) {
        if let Ok(mut body) = js::parse(&self.body) {
            change(&mut body);
            self.body = js::stringify(&body).into_bytes();
        }
    }

    /// The value of a header in any letter case of its name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// Whether there is a header of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.header(name).is_some()
    }

    /// Sets a header; a header of that name set before is replaced.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    /// Removes a header if it is there.
    pub(crate) fn remove(&mut self, name: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    }
}
