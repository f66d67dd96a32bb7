//! What If-None-Match and If-Modified-Since do, and where they do nothing.

use serde_json::json;

use crate::cases;
use crate::cases::http::conditional::{tag_of, tagged_book, tagged_list, unchanged};
use crate::context::case_context::Trial;
use crate::contract::verdict::Judged;
use crate::http::reply::{Reply, reading};
use crate::oracle::etag;

cases! { "conditional";
    /// The tag of a list, sent back, is answered 304.
    list_match_is_304 judges ["conditional/list-match"];
    /// The tag of a book, sent back, is answered 304.
    book_match_is_304 judges ["conditional/book-match"];
    /// Any other tag is answered in full.
    another_tag_is_200 judges ["conditional/no-match"];
    /// A star matches nothing, or everything.
    star_is_one_or_the_other judges ["conditional/match-star"];
    /// Lists of tags and weak tags match or do not.
    candidates_match_or_do_not judges ["conditional/match-candidates"];
    /// A matching tag does not stop a write.
    writes_are_never_304 judges ["conditional/reads-only"];
    /// A tag does not help an unknown book.
    unknown_book_stays_404 judges ["conditional/unknown-id"];
    /// A tag is no credential.
    tag_is_no_credential judges ["conditional/needs-credential"];
    /// If-Modified-Since changes nothing for a list.
    since_changes_nothing_for_a_list judges ["conditional/since-list"];
    /// If-Modified-Since changes nothing for a book.
    since_changes_nothing_for_a_book judges ["conditional/since-book"];
    /// If-Modified-Since changes nothing even for a book that has a field of the name compared.
    since_and_a_field_of_that_name judges ["conditional/since-field"];
}

fn list_match_is_304(t: &Trial<'_>) -> Judged {
    let (lot, tag) = tagged_list(t)?;
    unchanged(t, &lot.path(""), &tag)?.judge("conditional/list-match").status(304)?;
    let path = lot.path("fields=titulo&sort=-n");
    let tag = tag_of(&t.get(&path).key(t.test_key()).send()?.prepared("listing", 200)?)?;
    unchanged(t, &path, &tag)?.judge("conditional/list-match").status(304)?;
    Ok(())
}

fn book_match_is_304(t: &Trial<'_>) -> Judged {
    let (book, tag) = tagged_book(t)?;
    unchanged(t, &book.path(), &tag)?.judge("conditional/book-match").status(304)?;
    Ok(())
}

fn another_tag_is_200(t: &Trial<'_>) -> Judged {
    let ((book, tag), (lot, list_tag)) = (tagged_book(t)?, tagged_list(t)?);
    let others = |tag: &str| -> Vec<String> {
        let bare = etag::bare(tag);
        vec!["0".repeat(32), bare[..bare.len().min(31)].to_owned(), format!("{bare}0"), "x".to_owned()]
    };
    for (path, tag) in [(book.path(), tag), (lot.path(""), list_tag)] {
        let full = t.get(&path).key(t.test_key()).send()?.prepared("reading", 200)?;
        for other in others(&tag) {
            let reply = unchanged(t, &path, &other)?;
            reply.judge("conditional/no-match").status(200)?.body(&full.json())?;
        }
    }
    // The tag of one book says nothing of another.
    let (_, another) = tagged_book(t)?;
    unchanged(t, &book.path(), &another)?.judge("conditional/no-match").status(200)?;
    Ok(())
}

fn either(t: &Trial<'_>, rule: &'static str, reply: &Reply) -> Judged {
    let readings = [("200 in full", reply.status() == 200), ("304", reply.status() == 304)];
    reading(t, rule, &readings, reply.status())
}

fn star_is_one_or_the_other(t: &Trial<'_>) -> Judged {
    let book = t.create_book(&json!({}))?;
    either(t, "conditional/match-star", &unchanged(t, &book.path(), "*")?)
}

fn candidates_match_or_do_not(t: &Trial<'_>) -> Judged {
    let (book, tag) = tagged_book(t)?;
    for candidates in [format!("{tag}, {}", "0".repeat(32)), format!("W/{tag}"), format!("W/\"{}\"", etag::bare(&tag))]
    {
        either(t, "conditional/match-candidates", &unchanged(t, &book.path(), &candidates)?)?;
    }
    let request = t.get(&book.path()).key(t.test_key()).header("If-None-Match", "x").header("If-None-Match", &tag);
    either(t, "conditional/match-candidates", &request.send()?)
}

fn writes_are_never_304(t: &Trial<'_>) -> Judged {
    const RULE: &str = "conditional/reads-only";
    let (book, tag) = tagged_book(t)?;
    let body = json!({ "titulo": "Otro", "autor": "Otra" });
    for tag in [tag.as_str(), "*"] {
        let put = t.put(&book.path()).key(t.admin_key()).header("If-None-Match", tag).json(&body).send()?;
        put.judge(RULE).status(200)?;
        let post = t.post("/libros").key(t.admin_key()).header("If-None-Match", tag).json(&body).send()?;
        t.claim(post).judge(RULE).status(201)?;
    }
    let now = tag_of(&t.get(&book.path()).key(t.test_key()).send()?.prepared("reading a book", 200)?)?;
    let delete = t.delete(&book.path()).key(t.admin_key()).header("If-None-Match", &now).send()?;
    delete.judge(RULE).status(204)?;
    Ok(())
}

fn unknown_book_stays_404(t: &Trial<'_>) -> Judged {
    let (_, tag) = tagged_book(t)?;
    for tag in [tag.as_str(), "*", &"0".repeat(32)] {
        unchanged(t, &t.unknown_book(), tag)?.judge("conditional/unknown-id").status(404)?;
    }
    Ok(())
}

fn tag_is_no_credential(t: &Trial<'_>) -> Judged {
    let ((book, tag), (lot, list_tag)) = (tagged_book(t)?, tagged_list(t)?);
    for (path, tag) in [(book.path(), tag), (lot.path(""), list_tag)] {
        unchanged(t, &path, &tag)?.prepared("asking with a credential", 304)?;
        let reply = t.get(&path).header("If-None-Match", &tag).send()?;
        reply.judge("conditional/needs-credential").status(401)?;
    }
    Ok(())
}

const DATES: [&str; 4] =
    ["Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT", "2100-01-01T00:00:00.000Z", "no date at all"];

fn since_changes_nothing(t: &Trial<'_>, path: &str, rule: &'static str) -> Judged {
    let plain = t.get(path).key(t.test_key()).send()?.prepared("reading", 200)?;
    for date in DATES.into_iter().map(str::to_owned).chain(plain.header("Last-Modified")) {
        let reply = t.get(path).key(t.test_key()).header("If-Modified-Since", &date).send()?;
        reply.judge(rule).status(200)?.body(&plain.json())?;
    }
    Ok(())
}

fn since_changes_nothing_for_a_list(t: &Trial<'_>) -> Judged {
    let lot = t.create_lot(&[json!({})])?;
    since_changes_nothing(t, &lot.path(""), "conditional/since-list")
}

fn since_changes_nothing_for_a_book(t: &Trial<'_>) -> Judged {
    let book = t.create_book(&json!({}))?;
    since_changes_nothing(t, &book.path(), "conditional/since-book")
}

fn since_and_a_field_of_that_name(t: &Trial<'_>) -> Judged {
    let book = t.create_book(&json!({ "ultimaModificacion": "2001-02-03T04:05:06.789Z" }))?;
    let reply = t.get(&book.path()).key(t.test_key()).header("If-Modified-Since", DATES[1]).send()?;
    either(t, "conditional/since-field", &reply)
}
