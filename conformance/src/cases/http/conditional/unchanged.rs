//! What a 304 carries, and what it does not.

use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::cases::http::conditional::tagged::{tagged_book, tagged_list, unchanged};
use crate::contract::violation::Place;
use crate::http::reply::Reply;

cases! { "conditional";
    /// A 304 has no body.
    unchanged_has_no_body judges ["conditional/304-no-body"];
    /// A 304 carries the CORS group.
    unchanged_carries_cors judges ["conditional/304-cors"];
    /// A 304 repeats the tag.
    unchanged_repeats_the_tag judges ["conditional/304-etag"];
    /// A 304 of a list is public for five minutes.
    unchanged_list_is_public judges ["conditional/304-cache-list"];
    /// A 304 of a book is public for five minutes, too.
    unchanged_book_is_public judges ["conditional/304-cache-book"];
    /// A 304 carries no other header of the groups.
    unchanged_carries_nothing_else judges ["conditional/304-nothing-else"];
}

/// One 304 of a list and one of a book.
fn both_unchanged(cx: &CaseContext<'_>) -> Result<[(Reply, String); 2], CaseError> {
    let ((book, book_tag), (set, list_tag)) = (tagged_book(cx)?, tagged_list(cx)?);
    let of_list = unchanged(cx, &set.path(""), &list_tag)?.prepared("asking for an unchanged list", 304)?;
    let of_book = unchanged(cx, &book.path(), &book_tag)?.prepared("asking for an unchanged book", 304)?;
    Ok([(of_list, list_tag), (of_book, book_tag)])
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

fn unchanged_carries_cors(cx: &CaseContext<'_>) -> CaseResult {
    for (reply, _) in both_unchanged(cx)? {
        let check = reply.check();
        check.header("Access-Control-Allow-Origin", "*")?;
        check.header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD")?;
        check.header("Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Version, X-Request-ID")?;
        check.header("Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page")?;
        check.header("Access-Control-Max-Age", "86400")?;
    }
    Ok(())
}

fn unchanged_repeats_the_tag(cx: &CaseContext<'_>) -> CaseResult {
    for (reply, tag) in both_unchanged(cx)? {
        reply.check().header("ETag", &tag)?;
    }
    Ok(())
}

fn unchanged_list_is_public(cx: &CaseContext<'_>) -> CaseResult {
    let [(of_list, _), _] = both_unchanged(cx)?;
    of_list.check().header("Cache-Control", "public, max-age=300")?;
    Ok(())
}

fn unchanged_book_is_public(cx: &CaseContext<'_>) -> CaseResult {
    let [_, (of_book, _)] = both_unchanged(cx)?;
    of_book.check().header("Cache-Control", "public, max-age=300")?;
    Ok(())
}

fn unchanged_carries_nothing_else(cx: &CaseContext<'_>) -> CaseResult {
    const OTHERS: [&str; 19] = [
        "X-Content-Type-Options",
        "X-Frame-Options",
        "X-XSS-Protection",
        "X-API-Version",
        "X-API-Build",
        "Strict-Transport-Security",
        "Content-Security-Policy",
        "Referrer-Policy",
        "Permissions-Policy",
        "Pragma",
        "Expires",
        "X-Total-Count",
        "X-Page-Count",
        "X-Current-Page",
        "X-Per-Page",
        "X-Has-Next",
        "X-Has-Prev",
        "Last-Modified",
        "WWW-Authenticate",
    ];
    for (reply, _) in both_unchanged(cx)? {
        for name in OTHERS {
            reply.check().no_header(name)?;
        }
    }
    Ok(())
}
