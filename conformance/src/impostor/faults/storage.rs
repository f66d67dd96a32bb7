//! Faults that break rules of the chapter storage.

use serde_json::Value;

use super::Fault;
use crate::impostor::effect::catalogue::{refuse, shows_book};
use crate::impostor::model::catalogue::collection::stamp;
use crate::impostor::policy::{Collection, RefusedCreate};

pub(crate) const FAULTS: &[Fault] = faults! {
    "replaces-race" breaks "storage/no-lost-update": "A replace writes the whole collection back as it was read, undoing writes in between."
        => policy |p| p.books.replace.written_onto = Collection::BeforeOthers;
    "deletes-race" breaks "storage/no-lost-update": "A delete writes the whole collection back as it was read, undoing writes in between."
        => policy |p| p.books.delete.written_onto = Collection::BeforeOthers;
    "slow-creates-restore" breaks "storage/no-lost-update": "A create writes back the collection as it was when its head came."
        => policy |p| p.books.create.written_onto = Collection::AtHead;
    "refused-creates-restore" breaks "storage/no-lost-update": "A create that is refused takes the collection back to what it was when its head came."
        => policy |p| p.books.create.refused = RefusedCreate::RestoresTheCollection;
    "slow-replaces-restore" breaks "storage/no-lost-update": "A replace writes back the collection as it was when its head came."
        => policy |p| (p.books.replace.place_from, p.books.replace.written_onto) = (Collection::AtHead, Collection::AtHead);
    "slow-replaces-keep-their-place" breaks "storage/no-lost-update": "A replace writes at the place its book had when its head came."
        => policy |p| p.books.replace.place_from = Collection::AtHead;
    "lists-a-second-stale" breaks "storage/between-requests": "Lists are answered from a copy that may be a second old."
        => policy |p| p.books.list_staleness_ms = 1000;
    "books-kept-from-users" breaks "storage/between-requests": "What an API client created is not found by users."
        => reply |request, reply| if shows_book(reply) && request.header("authorization").is_some() && !is_of_user(&reply.json_body()) { refuse(reply, 404, "Not found") };
    "deletes-stamp-other-books" breaks "storage/between-requests": "A delete sets fechaActualizacion of all other books."
        => policy |p| p.books.delete.remove = |books, at, now| {
            books.remove(at);
            stamp(books, now);
        };
};

/// Whether a user made the book, or it has no author.
fn is_of_user(book: &Value) -> bool {
    book["creadoPor"].as_str().is_none_or(|name| name.contains('@'))
}
