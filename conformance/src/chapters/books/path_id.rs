//! The id in a path: which segments are one, those of which the documents do not say so, and what each method does
//! without.

use super::answers::{acts_without_id, ask, is_book, is_list};
use crate::chapters::prelude::*;

cases! { "books";
    /// The id is the second segment; what comes after it, a number too, changes nothing.
    the_second_segment_is_the_id judges ["books/path-id-second-segment"] => |cx| {
        let first = books::create(cx, &json!({}))?;
        let second = books::create(cx, &json!({}))?;
        books::read(cx, first.id)?;
        books::read(cx, second.id)?;
        for (id, further) in [
            (first.id, format!("/{}", second.id)),
            (second.id, format!("/{}", first.id)),
            (first.id, "/".to_owned()),
            (first.id, "/capitulos/2".to_owned()),
            (second.id, "/abc".to_owned()),
        ] {
            let path = format!("/libros/{id}{further}");
            let reply = cx.get(&path).key(cx.admin_key()).send()?;
            let leads_there = further == "/" && reply.redirects_to(&format!("/libros/{id}"));
            let (holds, want) = (is_book(&reply, id) || leads_there, format!("200 and the book {id}"));
            reply.check().that(holds, format!("GET {path}"), want, reply.summary())?;
        }
        Ok(())
    };
    /// A word there is no id, whatever digits follow it.
    digits_behind_a_word_are_no_id judges ["books/path-id-second-segment"]
        by all_act_without_id(&["/libros/abc/1", "/libros/titulo/2/3"]);
    /// /libros has no id, with a query neither, nor with digits that are no segment of their own.
    a_path_of_one_segment_has_no_id judges ["books/path-id-missing"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        all_act_without_id(cx, &["/libros", "/libros?limit=1", &format!("/libros?id={}", made.id)])
    };
    /// /libros5 has no id, not even where there is a book 5.
    digits_of_the_first_segment_are_no_id judges ["books/path-id-missing"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        acts_without_id(cx, &format!("/libros{}", made.id))
    };
    /// A word in the place of the id counts as none, whatever the method.
    a_word_is_no_id judges ["books/path-id-not-a-number"]
        by all_act_without_id(&["/libros/abc", "/libros/titulo", "/libros/abc7", "/libros/-"]);
    /// Zero in the place of the id counts as none, whatever the method.
    zero_is_no_id judges ["books/path-id-zero"] by all_act_without_id(&["/libros/0", "/libros/000"]);
    /// A number that would be a known id if it were cut to 32 or 64 bits is the id of no book.
    a_huge_number_does_not_wrap_around judges ["books/path-id-huge"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let before = books::stored(cx, made.id)?;
        for bits in [32, 64] {
            is_unknown(cx, &((1_u128 << bits) + u128::from(made.id)).to_string())?;
        }
        cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
    };
    /// Hexadecimal digits: none, or the number they spell.
    hexadecimal_digits judges ["books/path-id-trailing-text"] => |cx| {
        let id = books::create(cx, &json!({}))?.id;
        books::read(cx, id)?;
        let reply = get(cx, &format!("0x{id:x}"))?;
        let readings = [("no-id", is_list(&reply)), ("number", is_book(&reply, id))];
        cx.observe_of("hexadecimal digits", &readings, reply.summary())
    };
}

fn all_act_without_id(cx: &CaseContext<'_>, paths: &[&str]) -> CaseResult {
    paths.iter().try_for_each(|path| acts_without_id(cx, path))
}

/// Every method takes it for an id, and finds no book there.
fn is_unknown(cx: &CaseContext<'_>, number: &str) -> CaseResult {
    let path = format!("/libros/{number}");
    // An unknown id; or no id, where the number does not fit a type.
    for (method, unknown, no_id) in [("GET", 404, 200), ("PUT", 404, 400), ("DELETE", 404, 400), ("POST", 400, 201)] {
        let reply = ask(cx, method, &path)?;
        let is_list = method != "GET" || reply.at("/datos").is_some();
        let is_right = reply.status() == unknown || reply.status() == no_id && is_list;
        let want = format!("{unknown}, or as without an id");
        reply.check().that(is_right, format!("{method} {path}"), want, reply.summary())?;
    }
    Ok(())
}

fn get(cx: &CaseContext<'_>, segment: &str) -> Result<Reply, CaseError> {
    cx.get(&format!("/libros/{segment}")).key(cx.admin_key()).send()
}
