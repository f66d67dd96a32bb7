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
use crate::json;
use crate::message::Reply;

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

/// What a body says of an entry.
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
        // rule: blog/persistence
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

    /// Forgets every entry.
    pub(super) fn reset(&self) {
        *self.entries() = Entries::default();
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number an id stands for; only its plain spelling counts.
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
        // rule: blog/shape
        json::write(&json!({ "id": number.to_string(), "title": title, "content": content }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(reply: &Reply) -> &str {
        std::str::from_utf8(&reply.body).expect("UTF-8")
    }

    #[test]
    fn an_entry_lives_from_its_creation_to_its_removal() {
        let blog = Blog::default();
        assert_eq!(text(&blog.list()), "[]");
        let created = blog.create(br#"{"title":"One","author":"me"}"#).expect("valid");
        assert_eq!(created.status, StatusCode::CREATED);
        assert_eq!(text(&created), r#"{"id":"1","title":"One","content":""}"#);
        let replaced = blog.replace("1", br#"{"title":"Two","content":"text"}"#).expect("known");
        assert_eq!(text(&replaced), r#"{"id":"1","title":"Two","content":"text"}"#);
        assert_eq!(text(&blog.read("1").expect("known")), text(&replaced));
        assert_eq!(blog.delete("1").expect("known").status, StatusCode::NO_CONTENT);
        assert_eq!(text(&blog.list()), "[]");
        let next = blog.create(br#"{"title":"Three"}"#).expect("valid");
        assert!(text(&next).starts_with(r#"{"id":"2""#), "a number is not given twice");
    }

    #[test]
    fn an_unknown_entry_is_neither_read_nor_replaced_nor_deleted() {
        let blog = Blog::default();
        blog.create(br#"{"title":"One"}"#).expect("valid");
        for id in ["2", "01", "+1", "x", ""] {
            assert!(matches!(blog.read(id), Err(Failure::EntryUnknown)), "{id}");
            assert!(matches!(blog.replace(id, b"{}"), Err(Failure::EntryUnknown)), "{id}");
            assert!(matches!(blog.delete(id), Err(Failure::EntryUnknown)), "{id}");
        }
    }

    #[test]
    fn an_entry_needs_a_title_and_texts() {
        let blog = Blog::default();
        for (body, failure) in [
            ("{}", Failure::FieldMissing("title")),
            (r#"{"title":""}"#, Failure::FieldEmpty("title")),
            (r#"{"title":5}"#, Failure::FieldNotText("title")),
            (r#"{"title":"One","content":5}"#, Failure::FieldNotText("content")),
            ("[]", Failure::BodyNotObject),
        ] {
            assert_eq!(blog.create(body.as_bytes()).expect_err(body), failure, "{body}");
        }
    }
}
