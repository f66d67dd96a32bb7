//! An entry of the blog as a case writes it: its forms, where it shows, and the identifier under which the target keeps it.

use crate::chapters::prelude::*;
use crate::fixture::demo::accepted;

pub(super) const BLOG: Need = Need::Interface(Interface::Blog);

pub(super) const FORMS: usize = 3;

/// An entry with a unique title.
pub(super) struct Entry {
    pub(super) form: usize,
    title: String,
}

impl Entry {
    pub(super) fn of(cx: &CaseContext<'_>, form: usize) -> Self {
        Self { form, title: cx.unique("Entrada") }
    }

    /// With every field that an outline of a blog may ask for; for those that refuse fields they do not know, with few.
    pub(super) fn body(&self) -> Value {
        let title = &self.title;
        let forms: [Value; FORMS] = [
            json!({ "title": title, "content": "Texto", "body": "Texto", "author": "Ada" }),
            json!({ "title": title, "content": "Texto" }),
            json!({ "titulo": title, "contenido": "Texto" }),
        ];
        forms[self.form].clone()
    }

    /// The title shows anywhere in the body.
    pub(super) fn shows_in(&self, reply: &Reply) -> bool {
        is_json(reply) && reply.json().to_string().contains(&self.title)
    }
}

pub(super) fn ask<'t>(cx: &'t CaseContext<'_>, method: &str, path: &str) -> Request<'t> {
    cx.request_at(Interface::Blog, method, path)
}

pub(super) fn write(cx: &CaseContext<'_>, entry: &Entry) -> Result<Reply, CaseError> {
    ask(cx, "POST", "/posts").json(&entry.body()).send()
}

/// Writes an entry in the first form that is not refused, or in the last one.
pub(super) fn offer(cx: &CaseContext<'_>) -> Result<(Entry, Reply), CaseError> {
    let mut form = 0;
    loop {
        let entry = Entry::of(cx, form);
        let reply = write(cx, &entry)?;
        form += 1;
        if form == FORMS || !is_refused(&reply) {
            return Ok((entry, reply));
        }
    }
}

/// Whether the target refuses the fields of the entry.
pub(super) fn is_refused(reply: &Reply) -> bool {
    matches!(reply.status(), 400 | 422)
}

/// Whether a 201 shows the entry only in its Location, if at all.
pub(super) fn is_bare(reply: &Reply) -> bool {
    reply.is(201) && reply.received().body.is_empty()
}

pub(super) fn is_json(reply: &Reply) -> bool {
    reply.received().json().is_some()
}

/// An entry that was written, and where it is.
pub(super) struct Written {
    pub(super) entry: Entry,
    pub(super) id: String,
}

impl Written {
    pub(super) fn path(&self) -> String {
        format!("/posts/{}", self.id)
    }

    /// Whether an answer shows an entry of another case, which has been given the id of this one since it was deleted.
    pub(super) fn has_another_entry(&self, reply: &Reply) -> bool {
        reply.is(200) && !self.entry.shows_in(reply) && id_in(&reply.json(), &self.entry).as_ref() == Some(&self.id)
    }

    /// An id of the same form that no entry has: a number a million further on, or another letter or digit in its middle.
    pub(super) fn unknown_id(&self) -> String {
        const FURTHER: u64 = 1_000_000;
        let stem = self.id.trim_end_matches(|c: char| c.is_ascii_digit());
        match self.id[stem.len()..].parse::<u64>() {
            Ok(number) if stem.bytes().all(|byte| !byte.is_ascii_digit()) => format!("{stem}{}", number + FURTHER),
            _ => {
                // An id may begin with a time or a prefix, and end with a count.
                let mut later = self.id.char_indices().skip(self.id.chars().count() / 2);
                let at = later.find(|(_, c)| c.is_ascii_alphanumeric()).map_or(0, |(at, _)| at);
                let other = if self.id[at..].starts_with('a') { "b" } else { "a" };
                format!("{}{other}{}", &self.id[..at], self.id.get(at + 1..).unwrap_or_default())
            }
        }
    }
}

/// Writes an entry. Reports it and returns `None` if the blog refuses every form, which the documents leave open, or shows no identifier.
pub(super) fn written(cx: &CaseContext<'_>) -> Result<Option<Written>, CaseError> {
    let (entry, reply) = offer(cx)?;
    if is_refused(&reply) {
        cx.tell("every entry is refused: its fields are the target's own")?;
        return Ok(None);
    }
    let reply = accepted(reply, "writing an entry")?;
    let mut id = id_in(&reply.json(), &entry).or_else(|| id_in_location(&reply));
    if id.is_none() {
        id = id_in_list(&ask(cx, "GET", "/posts").send()?.json(), &entry);
    }
    if id.is_none() {
        cx.tell("no identifier of a written entry is shown, in its answer, in Location or in the list")?;
    }
    Ok(id.map(|id| Written { entry, id }))
}

/// All nested objects, the outermost first.
fn objects<'v>(json: &'v Value) -> Vec<&'v Map<String, Value>> {
    let (mut found, mut level) = (Vec::new(), vec![json]);
    while !level.is_empty() {
        found.extend(level.iter().filter_map(|value| value.as_object()));
        let within = |value: &'v Value| match value {
            Value::Array(items) => items.iter().collect::<Vec<_>>(),
            Value::Object(fields) => fields.values().collect(),
            _ => Vec::new(),
        };
        level = level.into_iter().flat_map(within).collect();
    }
    found
}

fn own_id(object: &Map<String, Value>) -> Option<String> {
    ["id", "_id", "postId", "uid"].into_iter().find_map(|key| match object.get(key)? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    })
}

/// The identifier of the object that shows the entry.
fn id_in_list(json: &Value, entry: &Entry) -> Option<String> {
    let is_shown = |object: &&Map<String, Value>| object.values().any(|value| *value == *entry.title);
    objects(json).into_iter().filter(is_shown).find_map(own_id)
}

/// The identifier of the object that shows the entry, or else the one nearest to the top.
fn id_in(json: &Value, entry: &Entry) -> Option<String> {
    id_in_list(json, entry).or_else(|| objects(json).into_iter().find_map(own_id))
}

fn id_in_location(reply: &Reply) -> Option<String> {
    let place = reply.header("Location")?;
    let last = place.trim_end_matches('/').rsplit('/').next()?;
    (!last.is_empty() && last != "posts").then(|| last.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_found_at_any_depth_and_beside_the_title_first() {
        let entry = Entry { form: 0, title: "Entrada 1".into() };
        let rows = [
            (json!({ "id": 3, "title": "Entrada 1" }), Some("3")),
            (json!({ "status": "ok", "data": { "post": { "_id": "a7" } } }), Some("a7")),
            (json!({ "user": { "id": 1 }, "data": { "post": { "id": 3, "titulo": "Entrada 1" } } }), Some("3")),
            (json!({ "posts": [{ "id": 2, "title": "otra" }, { "id": 3, "title": "Entrada 1" }] }), Some("3")),
            (json!({ "message": "created" }), None),
        ];
        for (body, want) in rows {
            assert_eq!(id_in(&body, &entry).as_deref(), want, "{body}");
        }
    }

    #[test]
    fn an_unknown_id_has_the_form_of_a_known_one() {
        let rows = [
            ("7", "1000007"),
            ("post-12", "post-1000012"),
            ("1732394051000", "1732395051000"),
            ("65f1c0ffee0123456789abcd", "65f1c0ffee01a3456789abcd"),
            ("a0b1-4c2d", "a0b1-ac2d"),
        ];
        for (id, unknown) in rows {
            let entry = Entry { form: 0, title: String::new() };
            assert_eq!(Written { entry, id: id.into() }.unknown_id(), unknown);
        }
    }
}
