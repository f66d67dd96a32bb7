//! The blog outline: `/posts`, entries `{ id, title, content }`. The document names only the routes; this server chose the shapes.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::StatusCode;
use serde_json::json;

use super::{failure::Failure, users_store::json_list};
use crate::json_body::{filled_text, object, optional_text};
use crate::message::Reply;
use libros_server_query::json;

#[derive(Debug, Default)]
pub(super) struct Blog(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    /// JSON texts by number, which is the order of creation.
    texts: BTreeMap<u64, String>,
    /// The number of the latest entry, deleted or not; 0 for none.
    latest: u64,
}

impl Blog {
    pub(super) fn list(&self) -> Reply {
        // rule: blog/list
        Reply::json(StatusCode::OK, json_list(self.entries().texts.values().map(String::as_str)))
    }

    pub(super) fn read(&self, id: &str) -> Result<Reply, Failure> {
        let text = self.entries().texts.get(&number(id)?).cloned().ok_or(Failure::EntryUnknown)?;
        // rule: blog/read, blog/listed-is-read
        Ok(Reply::json(StatusCode::OK, text))
    }

    pub(super) fn create(&self, body: &[u8]) -> Result<Reply, Failure> {
        let mut entries = self.entries();
        let number = entries.latest + 1;
        let text = entry(number, body)?;
        entries.latest = number;
        entries.texts.insert(number, text.clone());
        // rule: blog/create
        Ok(Reply::json(StatusCode::CREATED, text))
    }

    pub(super) fn replace(&self, id: &str, body: &[u8]) -> Result<Reply, Failure> {
        let mut entries = self.entries();
        let number = number(id)?;
        let kept = entries.texts.get_mut(&number).ok_or(Failure::EntryUnknown)?;
        *kept = entry(number, body)?;
        // rule: blog/replace
        Ok(Reply::json(StatusCode::OK, kept.clone()))
    }

    pub(super) fn delete(&self, id: &str) -> Result<Reply, Failure> {
        let number = number(id)?;
        // rule: blog/deleted-is-gone
        self.entries().texts.remove(&number).ok_or(Failure::EntryUnknown)?;
        // rule: blog/delete
        Ok(Reply::empty(StatusCode::NO_CONTENT))
    }

    pub(super) fn reset(&self) {
        *self.entries() = Entries::default();
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of an id. Fails for any spelling but the plain one, which no entry has.
fn number(id: &str) -> Result<u64, Failure> {
    id.parse().ok().filter(|number: &u64| number.to_string() == id).ok_or(Failure::EntryUnknown)
}

fn entry(number: u64, body: &[u8]) -> Result<String, Failure> {
    let mut fields = object(body)?;
    // rule: blog/invalid
    let title = filled_text(&mut fields, "title")?;
    let content = optional_text(&mut fields, "content")?.unwrap_or_default();
    Ok(json::write(&json!({ "id": number.to_string(), "title": title, "content": content })))
}
