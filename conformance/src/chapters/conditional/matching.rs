//! What If-None-Match and If-Modified-Since do, where they do nothing, and what a 304 carries.

use crate::chapters::conditional::tags::{read, tag_of, tagged_book, tagged_list, unchanged};
use crate::chapters::prelude::*;
use crate::oracle::etag;

cases! { "conditional";
    /// A 304 has no body.
    unchanged_has_no_body judges ["conditional/304-no-body"] => |cx| {
        // What follows the head of a 304 on a connection to be closed is its body, whatever its headers say.
        let ((book, book_tag), (set, list_tag)) = (tagged_book(cx)?, tagged_list(cx)?);
        for (path, tag) in [(set.path(""), list_tag), (book.path(), book_tag)] {
            let request = cx.get(&path).key(cx.test_key()).header("If-None-Match", &tag);
            let (reply, after) = request.send_and_close()?;
            let reply = reply.prepared("asking for something unchanged", 304)?;
            reply.check().that(after.is_empty(), Place::BODY, "none", String::from_utf8_lossy(&after).into_owned())?;
        }
        Ok(())
    };
    /// A 304 of a list and of a book carries the CORS group, the tag, public for five minutes, and no other header of
    /// the groups.
    unchanged_carries_its_headers_alone judges [
        "conditional/304-cors", "conditional/304-etag", "conditional/304-cache-list", "conditional/304-cache-book",
        "conditional/304-nothing-else",
    ] => |cx| {
        // A 304 of a list and one of a book; what every 304 must hold is judged of both.
        let ((book, book_tag), (set, list_tag)) = (tagged_book(cx)?, tagged_list(cx)?);
        unchanged(cx, &set.path(""), &list_tag)?.prepared("asking for an unchanged list", 304)?;
        unchanged(cx, &book.path(), &book_tag)?.prepared("asking for an unchanged book", 304).map(drop)
    };
    /// The tag of a list, sent back, is answered 304.
    list_match_is_304 judges ["conditional/list-match"] => |cx| {
        let (set, tag) = tagged_list(cx)?;
        unchanged(cx, &set.path(""), &tag)?.check().status(304)?;
        let path = set.path("fields=titulo&sort=-n");
        let tag = tag_of(&read(cx, &path)?)?;
        unchanged(cx, &path, &tag)?.check().status(304).map(drop)
    };
    /// The tag of a book, sent back, is answered 304.
    book_match_is_304 judges ["conditional/book-match"] => |cx| {
        let (book, tag) = tagged_book(cx)?;
        unchanged(cx, &book.path(), &tag)?.check().status(304).map(drop)
    };
    /// Any other tag is answered in full.
    another_tag_is_200 judges ["conditional/no-match"] => |cx| {
        let ((book, tag), (set, list_tag)) = (tagged_book(cx)?, tagged_list(cx)?);
        let others = |tag: &str| -> Vec<String> {
            let bare = etag::bare(tag);
            vec!["0".repeat(32), bare[..bare.len().saturating_sub(1)].to_owned(), format!("{bare}0"), "x".to_owned()]
        };
        for (path, tag) in [(book.path(), tag), (set.path(""), list_tag)] {
            let full = read(cx, &path)?;
            for other in others(&tag) {
                unchanged(cx, &path, &other)?.check().status(200)?.body(&full.json())?;
            }
        }
        // The tag of one book says nothing of another.
        let (_, another) = tagged_book(cx)?;
        unchanged(cx, &book.path(), &another)?.check().status(200).map(drop)
    };
    /// The tag in the other letter case is another tag.
    tag_in_the_other_letter_case_is_200 judges ["conditional/no-match"] => |cx| {
        let (book, tag) = tagged_book(cx)?;
        let other = if tag == tag.to_lowercase() { tag.to_uppercase() } else { tag.to_lowercase() };
        unchanged(cx, &book.path(), &other)?.check().status(200).map(drop)
    };
    /// A star matches nothing, or everything.
    star_is_one_or_the_other judges ["conditional/match-star"] => |cx| {
        let book = books::create(cx, &json!({}))?;
        either(cx, &unchanged(cx, &book.path(), "*")?)
    };
    /// Lists of tags and weak tags match or do not.
    candidates_match_or_do_not judges ["conditional/match-candidates"] => |cx| {
        let (book, tag) = tagged_book(cx)?;
        let lists = [format!("{tag}, {}", "0".repeat(32)), format!("W/{tag}"), format!("W/\"{}\"", etag::bare(&tag))];
        lists.iter().try_for_each(|candidates| either(cx, &unchanged(cx, &book.path(), candidates)?))
    };
    /// Tags in several lines match, do not, or are refused.
    several_lines_match_or_are_refused judges ["conditional/match-candidates"];
    /// A matching tag does not stop a write.
    writes_are_never_304 judges ["conditional/reads-only"] => |cx| {
        let (book, tag) = tagged_book(cx)?;
        let body = json!({ "titulo": "Otro", "autor": "Otra" });
        for tag in [tag.as_str(), "*"] {
            let put = cx.put(&book.path()).key(cx.admin_key()).header("If-None-Match", tag).json(&body).send()?;
            put.check().status(200)?;
            let post = cx.post("/libros").key(cx.admin_key()).header("If-None-Match", tag).json(&body).send()?;
            books::adopt(cx, post).check().status(201)?;
        }
        let now = tag_of(&read(cx, &book.path())?)?;
        cx.delete(&book.path()).key(cx.admin_key()).header("If-None-Match", &now).send()?.check().status(204).map(drop)
    };
    /// A tag does not help an unknown book.
    unknown_book_stays_404 judges ["conditional/unknown-id"] => |cx| {
        let (_, tag) = tagged_book(cx)?;
        let stays = |tag| unchanged(cx, &books::unknown_path(cx), tag)?.check().status(404).map(drop);
        [tag.as_str(), "*", &"0".repeat(32)].into_iter().try_for_each(stays)
    };
    /// A tag is no credential.
    tag_is_no_credential judges ["conditional/needs-credential"] => |cx| {
        let ((book, tag), (set, list_tag)) = (tagged_book(cx)?, tagged_list(cx)?);
        for (path, tag) in [(book.path(), tag), (set.path(""), list_tag)] {
            unchanged(cx, &path, &tag)?.prepared("asking with a credential", 304)?;
            cx.get(&path).header("If-None-Match", &tag).send()?.check().status(401)?;
        }
        Ok(())
    };
    /// If-Modified-Since changes nothing for a list.
    since_changes_nothing_for_a_list judges ["conditional/since-list"] => |cx| {
        let set = books::create_set(cx, &[json!({})])?;
        since_changes_nothing(cx, &set.path(""))
    };
    /// If-Modified-Since changes nothing for a book.
    since_changes_nothing_for_a_book judges ["conditional/since-book"] => |cx| {
        let book = books::create(cx, &json!({}))?;
        since_changes_nothing(cx, &book.path())
    };
    /// If-Modified-Since changes nothing even for a book that has a field of the name compared.
    since_and_a_field_of_that_name judges ["conditional/since-field"] => |cx| {
        let book = books::create(cx, &json!({ "ultimaModificacion": "2001-02-03T04:05:06.789Z" }))?;
        either(cx, &cx.get(&book.path()).key(cx.test_key()).header("If-Modified-Since", DATES[1]).send()?)
    };
}

fn either(cx: &CaseContext<'_>, reply: &Reply) -> CaseResult {
    cx.observe(&[("full", reply.is(200)), ("304", reply.is(304))], reply.status())
}

fn several_lines_match_or_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (book, tag) = tagged_book(cx)?;
    let request = cx.get(&book.path()).key(cx.test_key()).header("If-None-Match", "x").header("If-None-Match", &tag);
    let status = request.send()?.status();
    cx.observe(&[("full", status == 200), ("304", status == 304), ("refused", status == 400)], status)
}

const DATES: [&str; 4] =
    ["Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT", "2100-01-01T00:00:00.000Z", "no date at all"];

fn since_changes_nothing(cx: &CaseContext<'_>, path: &str) -> CaseResult {
    let plain = read(cx, path)?;
    let tag = plain.header("ETag").unwrap_or_default();
    for date in DATES.into_iter().map(str::to_owned).chain(plain.header("Last-Modified")) {
        let since = || cx.get(path).key(cx.test_key()).header("If-Modified-Since", &date);
        since().send()?.check().status(200)?.body(&plain.json())?;
        since().header("If-None-Match", &tag).send()?.check().status(304)?;
    }
    Ok(())
}
