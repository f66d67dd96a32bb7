//! The parameter fields: what an item still shows.

use serde_json::Map;

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;
use crate::http::request::percent_encoded;

cases! { "list" by listed;
    /// Every item of a page is selected.
    fields_selects_in_every_item judges ["list/fields-select"]:
        labelled! { "a": { "n": 1, "m": 4 }, "b": { "n": 2, "m": 5 }, "c": { "n": 3, "m": 6 } }
        .shows("fields=m&sort=titulo", &json!([{ "m": 4 }, { "m": 5 }, { "m": 6 }]));
    /// A repeated fields is one list of names.
    repeated_fields_is_one_list judges ["list/fields-repeated"]:
        labelled! { "momo": { "n": 7, "tema": "tiempo" } }
        .shows("fields=n&fields=tema", &json!([{ "n": 7, "tema": "tiempo" }]))
        .shows("fields=tema&limit=5&fields=titulo&fields=n", &json!([{ "titulo": "momo", "n": 7, "tema": "tiempo" }]));
    /// A listed field that an item lacks is absent; one that is null is null.
    lacking_field_stays_absent judges ["list/fields-lacking"]:
        labelled! { "a": { "n": 7 }, "b": { "nota": null, "n": 8 }, "c": { "nota": "algo" } }
        .shows("fields=n,nota,nada&sort=titulo", &json!([{ "n": 7 }, { "n": 8, "nota": null }, { "nota": "algo" }]));
    /// Names that no item has leave empty objects.
    unknown_names_leave_empty_objects judges ["list/fields-no-id-added"]:
        labelled! { "a": { "n": 7 }, "b": { "n": 8 } }
        .shows("fields=nada", &json!([{}, {}]))
        .shows("fields=N,toString", &json!([{}, {}]))
        .shows("fields=titulo.length", &json!([{}, {}]));
    /// An empty name in fields is skipped, or names the field of the empty name.
    empty_names_in_fields_are_read_one_way judges ["list/empty-names"];
    /// An item shows the listed fields and no others.
    fields_leaves_only_what_it_lists judges ["list/fields-select"];
    /// Every kind of value is selected whole.
    fields_shows_values_whole judges ["list/fields-select"];
    /// A name of any letters is selected: accents, spaces, other alphabets, signs.
    fields_takes_names_of_any_letters judges ["list/fields-select"];
    /// id is shown only when it is listed.
    id_is_not_added judges ["list/fields-no-id-added"];
    /// An empty fields shows everything or nothing.
    empty_fields_is_read_one_way judges ["list/fields-empty"];
}

/// Each query and the items it must show, in order.
fn shows(set: &LabelledBooks<'_>, asked: &[(&str, &[Value])]) -> CaseResult {
    asked.iter().try_for_each(|(query, items)| set.ask(query)?.shows_items(&Value::from(items.to_vec())))
}

fn fields_leaves_only_what_it_lists(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("momo", json!({ "autor": "Ende", "n": 7, "tema": "tiempo" }))])?;
    shows(
        &set,
        &[
            ("fields=n", &[json!({ "n": 7 })]),
            ("fields=titulo,n", &[json!({ "titulo": "momo", "n": 7 })]),
            ("fields=tema,autor,titulo", &[json!({ "titulo": "momo", "autor": "Ende", "tema": "tiempo" })]),
            ("fields=n,n", &[json!({ "n": 7 })]),
            ("fields=id", &[json!({ "id": set.id("momo") })]),
        ],
    )
}

fn fields_shows_values_whole(cx: &CaseContext<'_>) -> CaseResult {
    let book = json!({ "a": { "b": [1, "dos", null], "c": {} }, "l": ["x", 2], "vacio": "", "cero": 0, "no": false });
    let set = LabelledBooks::of(cx, &[("momo", book.clone())])?;
    shows(&set, &[("fields=a,l,vacio,cero,no", std::slice::from_ref(&book)), ("fields=l", &[json!({ "l": ["x", 2] })])])
}

fn fields_takes_names_of_any_letters(cx: &CaseContext<'_>) -> CaseResult {
    let names = ["año", "título original", "書名", "Título", "a-b", "a.b", "_", "9", "a/b", "📚", "constructor"];
    let book: Map<String, Value> = names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), json!(at))).collect();
    let set = LabelledBooks::of(cx, &[("momo", Value::Object(book.clone()))])?;
    for (name, value) in book {
        let asked = format!("fields={}", percent_encoded(&name));
        shows(&set, &[(&asked, &[json!({ name: value })])])?;
    }
    Ok(())
}

fn id_is_not_added(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("momo", json!({ "n": 7 }))])?;
    for (asked, has_id) in [("fields=n", false), ("fields=titulo,n", false), ("fields=n,id", true)] {
        let listed = set.ask(asked)?;
        let check = listed.reply.check().status(200)?;
        if has_id {
            check.at("/datos/0/id", &json!(set.id("momo")))?;
        } else {
            check.at("/datos/0/n", &json!(7))?.nothing_at("/datos/0/id")?;
        }
    }
    Ok(())
}

fn empty_fields_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("momo", json!({ "n": 7 }))])?;
    for asked in ["fields=", "fields"] {
        let listed = set.ask(asked)?;
        let item = listed.reply.at("/datos/0").unwrap_or_default();
        cx.observe(&[("whole", same(&item, &set.book("momo"))), ("empty", item == json!({}))], listed.got())?;
    }
    Ok(())
}

fn empty_names_in_fields_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("momo", json!({ "n": 7, "": "sin nombre" }))])?;
    for asked in ["fields=n,", "fields=,n", "fields=n,,"] {
        let listed = set.ask(asked)?;
        let item = listed.reply.at("/datos/0").unwrap_or_default();
        let is = |item_wanted: Value| listed.reply.status() == 200 && same(&item, &item_wanted);
        let readings = [("skipped", is(json!({ "n": 7 }))), ("named", is(json!({ "n": 7, "": "sin nombre" })))];
        cx.observe_of("an empty name in fields", &readings, format!("{asked}: {item}"))?;
    }
    Ok(())
}
