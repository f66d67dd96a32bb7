//! Changes of requests and of finished replies, for faults and readings before and after the model. Chooses none.

use serde_json::Value;

use super::{Reply, Request};
use crate::impostor::model::js;

impl Request {
    /// Whether it is of this method on this path.
    pub(crate) fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }

    /// The body as JSON; null when it is none.
    pub(crate) fn json_body(&self) -> Value {
        js::parse(&self.body).unwrap_or_default()
    }

    /// Changes the JSON object of its body; any other body stays as it is.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Value)) {
        let mut body = self.json_body();
        if body.is_object() {
            change(&mut body);
            self.body = js::stringify(&body).into_bytes();
        }
    }

    /// Sets a header; a header of that name set before is replaced.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.headers.push((name.to_owned(), value.to_owned()));
    }
}

impl Reply {
    /// Whether it is the refusal with this text: `{ error: <text> }`, or the 401 with this mensaje.
    pub(crate) fn refuses_with(&self, text: &str) -> bool {
        let error = &self.json_body()["error"];
        *error == text || error["mensaje"] == text
    }

    /// Whether it is the 401 of this codigo.
    pub(crate) fn is_denied_as(&self, code: &str) -> bool {
        self.status == 401 && self.json_body()["error"]["codigo"] == code
    }

    /// Gives a 401 another codigo.
    pub(crate) fn deny_as(&mut self, code: &str) {
        self.edit(|body| body["error"]["codigo"] = code.into());
    }

    /// Answers with `{ error: <text> }` of this status instead.
    pub(crate) fn refuse(&mut self, status: u16) {
        self.status = status;
        self.edit(|body| {
            let text = body["error"]["mensaje"].take();
            if text.is_string() {
                body["error"] = text;
            }
        });
    }
}

/// Takes a key away from an object.
pub(crate) fn drop_key(body: &mut Value, key: &str) {
    if let Value::Object(fields) = body {
        fields.shift_remove(key);
    }
}
