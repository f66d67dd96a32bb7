//! Variations of the chapter storage.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "replaces-race" breaks "storage/no-lost-update": "A replace writes the whole collection back as it read it, and undoes writes in between."
        => race |world, request, answer| let_others_between(world, request, answer, "PUT", write_back);
    "deletes-race" breaks "storage/no-lost-update": "A delete writes the whole collection back as it read it, and undoes writes in between."
        => race |world, request, answer| let_others_between(world, request, answer, "DELETE", write_back);
    "slow-creates-restore" breaks "storage/no-lost-update": "A create writes back the collection as it was when the request head arrived."
        => around |state, request, answer| from_head(state, request, answer, "POST", write_back);
    "refused-creates-restore" breaks "storage/no-lost-update": "A refused create writes back the collection as it was when the request head arrived."
        => around |state, request, answer| from_head(state, request, answer, "POST", restore_when_refused);
    "slow-replaces-restore" breaks "storage/no-lost-update": "A replace writes back the collection as it was when the request head arrived."
        => around |state, request, answer| from_head(state, request, answer, "PUT", write_back);
    "slow-replaces-keep-their-place" breaks "storage/no-lost-update": "A replace writes at the position that its book had when the request head arrived."
        => around |state, request, answer| from_head(state, request, answer, "PUT", place_by_old);
    "lists-a-second-stale" breaks "storage/between-requests": "Lists are answered from a copy that is up to a second old."
        => around |state, request, answer| if request.method == "GET" && of_books(request) && !names_id(request) { lagging(state, request, answer, 1000) } else { answer(state, request) };
    "books-kept-from-users" breaks "storage/between-requests": "Books that an API client created are unknown to users."
        => reply |request, reply| if shows_book(reply) && request.header("authorization").is_some() && !is_of_user(&reply.json_body()) { refuse(reply, 404, "Not found") };
    "fields-are-cut-from-the-store" breaks "storage/between-requests": "A list with fields that lack fechaPublicacion removes it from all books."
        => before |state, request| if of_books(request) && request.query.contains("fields=") && !request.query.contains("fecha") {
            state.books.iter_mut().for_each(|book| drop_key(book, "fechaPublicacion"));
        };
    "deletes-stamp-other-books" breaks "storage/between-requests": "A delete sets fechaActualizacion of all other books."
        => around |state, request, answer| deleted(state, request, answer, |books, _, _, now| stamp(books, now));
};

/// Whether a user made the book, or it has no author.
fn is_of_user(book: &Value) -> bool {
    book["creadoPor"].as_str().is_none_or(|name| name.contains('@'))
}

fn restore_when_refused(state: &mut Shared, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(state, request);
    if reply.status == 400 {
        state.books = seen;
    }
    reply
}
