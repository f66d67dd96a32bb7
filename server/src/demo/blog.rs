//! The blog outline: `/posts`, with entries `{ id, title, content }`. The document names only the routes; the
//! shapes are this server's choice.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::StatusCode;
use serde_json::json;

use super::body;
use super::failure::Failure;
use super::reply;
use super::users_store::json_list;
use crate::message::Reply;
use libros_server_query::json;

#[derive(Debug, Default)]
pub(super) struct Blog {
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    /// JSON texts by number, so in order of creation.
    texts: BTreeMap<u64, String>,
    /// The number of the latest entry, deleted or not; 0 for none.
    latest: u64,
}

struct Draft {
    title: String,
    content: String,
}

impl Blog {
    /// `GET /posts`.
    pub(super) fn list(&self) -> Reply {
        // rule: blog/list
        reply::json(StatusCode::OK, json_list(self.entries().texts.values()))
    }

    /// `GET /posts/<id>`.
    pub(super) fn read(&self, id: &str) -> Result<Reply, Failure> {
        let entries = self.entries();
        let text = number(id).and_then(|number| entries.texts.get(&number)).ok_or(Failure::EntryUnknown)?;
        // rule: blog/read, blog/listed-is-read
        Ok(reply::json(StatusCode::OK, text.clone()))
    }

    /// `POST /posts`.
    pub(super) fn create(&self, body: &[u8]) -> Result<Reply, Failure> {
        let draft = Draft::read(body)?;
        let mut entries = self.entries();
        entries.latest += 1;
        let number = entries.latest;
        let text = draft.entry(number);
        entries.texts.insert(number, text.clone());
        // rule: blog/create
        Ok(reply::json(StatusCode::CREATED, text))
    }

    /// `PUT /posts/<id>`.
    pub(super) fn replace(&self, id: &str, body: &[u8]) -> Result<Reply, Failure> {
        let mut entries = self.entries();
        let number = number(id).ok_or(Failure::EntryUnknown)?;
        let kept = entries.texts.get_mut(&number).ok_or(Failure::EntryUnknown)?;
        let text = Draft::read(body)?.entry(number);
        kept.clone_from(&text);
        // rule: blog/replace
        Ok(reply::json(StatusCode::OK, text))
    }

    /// `DELETE /posts/<id>`.
    pub(super) fn delete(&self, id: &str) -> Result<Reply, Failure> {
        let number = number(id).ok_or(Failure::EntryUnknown)?;
        // rule: blog/deleted-is-gone
        self.entries().texts.remove(&number).ok_or(Failure::EntryUnknown)?;
        // rule: blog/delete
        Ok(reply::no_content())
    }

    pub(super) fn reset(&self) {
        *self.entries() = Entries::default();
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of an id; only its plain spelling counts.
fn number(id: &str) -> Option<u64> {
    id.parse().ok().filter(|number: &u64| number.to_string() == id)
}

impl Draft {
    fn read(body: &[u8]) -> Result<Self, Failure> {
        let fields = body::object(body)?;
        // rule: blog/invalid
        let title = body::text(&fields, "title")?;
        if title.is_empty() {
            return Err(Failure::FieldEmpty("title"));
        }
        let content = body::optional_text(&fields, "content")?.unwrap_or_default();
        Ok(Self { title, content })
    }

    fn entry(&self, number: u64) -> String {
        let Self { title, content } = self;
        json::write(&json!({ "id": number.to_string(), "title": title, "content": content }))
    }
}
