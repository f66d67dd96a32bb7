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
    /// It is, behind every first segment that begins with libros.
    the_second_segment_is_the_id_behind_any_first_one judges ["books/path-id-second-segment"]
        by an_id_behind_is_read(&["/librosfoo/", "/libros5/", "/libros-viejos/"]);
    /// A word there is no id, whatever digits follow it.
    digits_behind_a_word_are_no_id judges ["books/path-id-second-segment"]
        by all_act_without_id(&["/libros/abc/1", "/libros/titulo/2/3"]);
    /// POST with an id is 400, whatever follows the id.
    segments_after_the_id_change_no_create judges ["books/path-id-second-segment"] => |cx| {
        let path = books::create(cx, &json!({}))?.path();
        let refused = |further| ask(cx, "POST", &format!("{path}{further}"))?.check().status(400).map(drop);
        ["/x", "/capitulos/2", "/0"].into_iter().try_for_each(refused)
    };
    /// Segments after the id change nothing for PUT and DELETE either.
    segments_after_the_id_change_no_write judges ["books/path-id-second-segment"] => |cx| {
        let gone = books::create(cx, &json!({}))?;
        let twin = books::create(cx, &json!({}))?;
        let other = books::create(cx, &json!({}))?;
        let before = books::stored(cx, other.id)?;
        ask(cx, "PUT", &twin.path())?.prepared("replacing a book", 200)?;
        books::delete(cx, &twin)?;
        let path = format!("{}/{}", gone.path(), other.id);
        ask(cx, "PUT", &path)?.check().status(200)?.at("/id", &json!(gone.id))?;
        let reply = ask(cx, "DELETE", &path)?;
        let check = reply.check().status(204)?;
        let after = books::stored(cx, other.id)?;
        check.that(same(&after, &before), "the other book", &before, &after).map(drop)
    };
    /// Zeros before the digits change nothing.
    leading_zeros_change_no_id judges ["books/path-id-second-segment"] by an_id_behind_is_read(&["/libros/0", "/libros/000"]);
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
    /// GET without an id lists.
    get_without_an_id_lists judges ["books/no-id-lists"] => |cx| {
        for path in NO_IDS {
            let reply = cx.get(path).key(cx.admin_key()).send()?;
            reply.check().that(is_list(&reply), format!("GET {path}"), "200 and a list", reply.summary())?;
        }
        Ok(())
    };
    /// The parameters of a list work where a segment is there but counts as none.
    get_with_a_word_takes_list_parameters judges ["books/no-id-lists"] => |cx| {
        let set = books::create_set(cx, &[json!({}), json!({})])?;
        let listed = books::list_marked(cx, &set.marker)?;
        if listed.len() != 2 {
            return Err(CaseError::blocked("filtering a list", format!("want two books, got {}", listed.len())));
        }
        for path in NO_IDS {
            let path = format!("{path}?lote={}&limit=100", set.marker);
            cx.get(&path).key(cx.admin_key()).send()?.check().status(200)?.at("/datos", &json!(listed))?;
        }
        Ok(())
    };
    /// POST without an id creates.
    post_without_an_id_creates judges ["books/no-id-creates"] => |cx| {
        books::create(cx, &json!({}))?;
        for path in NO_IDS {
            let reply = ask(cx, "POST", path)?;
            reply.check().of(&format!("POST {path}")).status(201)?;
            reply.check().at("/titulo", &json!("Residencia en la tierra"))?;
        }
        Ok(())
    };
    /// PUT without an id is 400.
    put_without_an_id_is_refused judges ["books/no-id-replace"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        ask(cx, "PUT", &made.path())?.prepared("replacing a book with an id", 200)?;
        for path in NO_IDS {
            ask(cx, "PUT", path)?.check().of(&format!("PUT {path}")).status(400)?;
        }
        // An id in the body is none in the path.
        let body = json!({ "id": made.id, "titulo": "Otro", "autor": "Otra" });
        books::adopt(cx, cx.put("/libros").key(cx.admin_key()).json(&body).send()?).check().status(400).map(drop)
    };
    /// DELETE without an id is 400.
    delete_without_an_id_is_refused judges ["books/no-id-delete"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::delete(cx, &made)?;
        let refused = |path| ask(cx, "DELETE", path)?.check().of(&format!("DELETE {path}")).status(400).map(drop);
        NO_IDS.into_iter().try_for_each(refused)
    };
    /// DELETE without an id deletes nothing.
    delete_without_an_id_deletes_nothing judges ["books/no-id-delete"];
    /// The same while no other case can delete books.
    delete_without_an_id_deletes_nothing_alone judges ["books/no-id-delete"] needs [Need::Exclusive]
        by delete_without_an_id_deletes_nothing();
    /// A number of very many digits is the id of no book, for every method.
    a_huge_number_is_an_unknown_id judges ["books/path-id-width"] => |cx| {
        for number in ["2147483648", "9007199254740993", "9223372036854775808", "123456789012345678901234567890"] {
            let reply = get(cx, number)?;
            let has_list = reply.is(200) && reply.at("/datos").is_some();
            let got = format!("GET /libros/{number}: {}", reply.summary());
            cx.observe(&[("unknown", reply.is(404)), ("no-id", has_list)], got)?;
        }
        Ok(())
    };
    /// A number that would be a known id if it were cut to 32 or 64 bits is the id of no book.
    a_huge_number_does_not_wrap_around judges ["books/path-id-huge"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let before = books::stored(cx, made.id)?;
        for bits in [32, 64] {
            is_unknown(cx, &((1_u128 << bits) + u128::from(made.id)).to_string())?;
        }
        cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
    };
    /// Digits with something after them: the leading integer, the number they spell, or none.
    digits_with_text_after_them judges ["books/path-id-trailing-text"] => |cx| {
        let id = books::create(cx, &json!({}))?.id;
        books::read(cx, id)?;
        let is_some_book = |reply: &Reply| reply.is(200) && books::id_of(reply).is_some();
        for (text, is_a_number) in [("abc", false), (".5", true), ("e1", true)] {
            let reply = get(cx, &format!("{id}{text}"))?;
            let readings = [
                ("leading", is_book(&reply, id)),
                ("no-id", is_list(&reply)),
                ("number", is_a_number && (reply.is(404) || is_some_book(&reply))),
            ];
            cx.observe(&readings, reply.summary())?;
        }
        Ok(())
    };
    /// A sign or a space before the digits: passed over, or no number.
    digits_with_a_sign_or_space_before_them judges ["books/path-id-trailing-text"] => |cx| {
        let id = books::create(cx, &json!({}))?.id;
        books::read(cx, id)?;
        for text in ["+", "%20"] {
            let reply = get(cx, &format!("{text}{id}"))?;
            cx.observe(&[("passed-over", is_book(&reply, id)), ("no-id", is_list(&reply))], reply.summary())?;
        }
        Ok(())
    };
    /// Hexadecimal digits: none, or the number they spell.
    hexadecimal_digits judges ["books/path-id-trailing-text"] => |cx| {
        let id = books::create(cx, &json!({}))?.id;
        books::read(cx, id)?;
        let reply = get(cx, &format!("0x{id:x}"))?;
        let readings = [("no-id", is_list(&reply)), ("number", is_book(&reply, id))];
        cx.observe_of("hexadecimal digits", &readings, reply.summary())
    };
    /// A negative number is an unknown id.
    a_negative_number judges ["books/path-id-negative"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let before = books::stored(cx, made.id)?;
        let path = format!("/libros/-{}", made.id);
        let answers = ["GET", "PUT", "DELETE", "POST"].map(|method| ask(cx, method, &path));
        let answers = answers.into_iter().collect::<Result<Vec<_>, _>>()?;
        let statuses: Vec<u16> = answers.iter().map(Reply::status).collect();
        let after = books::stored(cx, made.id)?;
        let got = format!("GET {}; PUT, DELETE, POST {:?}; the book {after}", answers[0].summary(), &statuses[1..]);
        let is_unknown = same(&after, &before) && statuses == [404, 404, 404, 400];
        let strange = answers.iter().zip([404, 404, 404, 400]).find(|(reply, wanted)| !reply.is(*wanted));
        cx.check(is_unknown, &path, "404 to GET, PUT and DELETE, 400 to POST, and the book as it was", got)
            .seen_in(strange.map(|(reply, _)| reply))
    };
}

const NO_IDS: [&str; 3] = ["/libros", "/libros/abc", "/libros/0"];

fn an_id_behind_is_read(cx: &CaseContext<'_>, beginnings: &[&str]) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    books::read(cx, made.id)?;
    for beginning in beginnings {
        let path = format!("{beginning}{}", made.id);
        let reply = cx.get(&path).key(cx.admin_key()).send()?;
        let want = format!("200 and the book {}", made.id);
        reply.check().that(is_book(&reply, made.id), format!("GET {path}"), want, reply.summary())?;
    }
    Ok(())
}

fn all_act_without_id(cx: &CaseContext<'_>, paths: &[&str]) -> CaseResult {
    paths.iter().try_for_each(|path| acts_without_id(cx, path))
}

fn delete_without_an_id_deletes_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let before = books::stored(cx, made.id)?;
    for path in NO_IDS {
        cx.delete(path).key(cx.admin_key()).send()?;
        cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before)?;
    }
    Ok(())
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
