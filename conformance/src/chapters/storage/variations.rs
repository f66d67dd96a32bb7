//! Variations of the chapter storage.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "replaces-race" breaks "storage/no-lost-update": "A replace writes the whole collection back as it was read, undoing writes in between."
        => race |world, request, answer| let_others_between(world, request, answer, "PUT", write_back);
    "deletes-race" breaks "storage/no-lost-update": "A delete writes the whole collection back as it was read, undoing writes in between."
        => race |world, request, answer| let_others_between(world, request, answer, "DELETE", write_back);
    "slow-creates-restore" breaks "storage/no-lost-update": "A create writes back the collection as it was when its head came."
        => around |held, request, answer| from_head(held, request, answer, "POST", write_back);
    "refused-creates-restore" breaks "storage/no-lost-update": "A create that is refused takes the collection back to what it was when its head came."
        => around |held, request, answer| from_head(held, request, answer, "POST", restore_when_refused);
    "slow-replaces-restore" breaks "storage/no-lost-update": "A replace writes back the collection as it was when its head came."
        => around |held, request, answer| from_head(held, request, answer, "PUT", write_back);
    "slow-replaces-keep-their-place" breaks "storage/no-lost-update": "A replace writes at the place its book had when its head came."
        => around |held, request, answer| from_head(held, request, answer, "PUT", place_by_old);
    "lists-a-second-stale" breaks "storage/between-requests": "Lists are answered from a copy that may be a second old."
        => around |held, request, answer| if request.method == "GET" && of_books(request) && !names_id(request) { lagging(held, request, answer, 1000) } else { answer(held, request) };
    "books-kept-from-users" breaks "storage/between-requests": "What an API client created is not found by users."
        => reply |request, reply| if shows_book(reply) && request.header("authorization").is_some() && !is_of_user(&reply.json_body()) { refuse(reply, 404, "Not found") };
    "deletes-stamp-other-books" breaks "storage/between-requests": "A delete sets fechaActualizacion of all other books."
        => around |held, request, answer| deleted(held, request, answer, |books, _, _, now| stamp(books, now));
};

/// Whether a user made the book, or it has no author.
fn is_of_user(book: &Value) -> bool {
    book["creadoPor"].as_str().is_none_or(|name| name.contains('@'))
}

fn restore_when_refused(held: &mut Held, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(held, request);
    if reply.status == 400 {
        held.books = seen;
    }
    reply
}
