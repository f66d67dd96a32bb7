//! What a 304 carries, and what it does not.

use crate::chapters::conditional::tagged::{tagged_book, tagged_list, unchanged};
use crate::chapters::prelude::*;

cases! { "conditional";
    /// A 304 has no body.
    unchanged_has_no_body judges ["conditional/304-no-body"];
    /// A 304 of a list and of a book carries the CORS group, the tag, public for five minutes, and no other header of
    /// the groups.
    unchanged_carries_its_headers_alone judges [
        "conditional/304-cors", "conditional/304-etag", "conditional/304-cache-list", "conditional/304-cache-book",
        "conditional/304-nothing-else",
    ];
}

/// A 304 of a list and one of a book; what every 304 must hold is judged of both.
fn unchanged_carries_its_headers_alone(cx: &CaseContext<'_>) -> CaseResult {
    let ((book, book_tag), (set, list_tag)) = (tagged_book(cx)?, tagged_list(cx)?);
    unchanged(cx, &set.path(""), &list_tag)?.prepared("asking for an unchanged list", 304)?;
    unchanged(cx, &book.path(), &book_tag)?.prepared("asking for an unchanged book", 304).map(drop)
}

/// What follows the head of a 304 on a connection to be closed is its body, whatever its headers say.
fn unchanged_has_no_body(cx: &CaseContext<'_>) -> CaseResult {
    let ((book, book_tag), (set, list_tag)) = (tagged_book(cx)?, tagged_list(cx)?);
    for (path, tag) in [(set.path(""), list_tag), (book.path(), book_tag)] {
        let request = cx.get(&path).key(cx.test_key()).header("If-None-Match", &tag);
        let (reply, after) = request.send_and_close()?;
        let reply = reply.prepared("asking for something unchanged", 304)?;
        reply.check().that(after.is_empty(), Place::BODY, "none", String::from_utf8_lossy(&after).into_owned())?;
    }
    Ok(())
}
