//! The parameter fields: what an item still shows.

use serde_json::{Map, Value, json};

use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;
use crate::http::reply::same;
use crate::http::request::percent_encoded;

use super::labelled_books::LabelledBooks;

cases! { "list";
    /// An item shows the listed fields and no others.
    fields_leaves_only_what_it_lists judges ["list/fields-select"];
    /// Every kind of value is selected whole.
    fields_shows_values_whole judges ["list/fields-select"];
    /// A name of any letters is selected: accents, spaces, other alphabets, signs.
    fields_takes_names_of_any_letters judges ["list/fields-select"];
    /// Every item of a page is selected.
    fields_selects_in_every_item judges ["list/fields-select"];
    /// A repeated fields is one list of names.
    repeated_fields_is_one_list judges ["list/fields-repeated"];
    /// A listed field that an item lacks is absent; one that is null is null.
    lacking_field_stays_absent judges ["list/fields-lacking"];
    /// id is shown only when it is listed.
    id_is_not_added judges ["list/fields-no-id-added"];
    /// Names that no item has leave empty objects.
    unknown_names_leave_empty_objects judges ["list/fields-no-id-added"];
    /// An empty fields shows everything or nothing.
    empty_fields_is_read_one_way judges ["list/fields-empty"];
    /// An empty name among others is skipped.
    empty_names_in_fields_are_skipped judges ["list/fields-empty-name"];
    /// A selected item is ordered as the parameter or as the book.
    selected_fields_have_an_order judges ["list/fields-order"];
}

/// Each query and the items it must show, in order.
fn shows(shelf: &LabelledBooks<'_>, asked: &[(&str, &[Value])]) -> CaseResult {
    for (parameters, items) in asked {
        let want = Value::from(items.to_vec());
        let listed = shelf.ask(parameters)?;
        let got = listed.reply.at("/datos").unwrap_or_default();
        let holds = same(&got, &want);
        let place = format!("body /datos of `{parameters}`");
        listed.reply.check().status(200)?.that(holds, place, &want, &got)?;
    }
    Ok(())
}

fn fields_leaves_only_what_it_lists(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("momo", json!({ "autor": "Ende", "n": 7, "tema": "tiempo" }))])?;
    shows(
        &shelf,
        &[
            ("fields=n", &[json!({ "n": 7 })]),
            ("fields=titulo,n", &[json!({ "titulo": "momo", "n": 7 })]),
            ("fields=tema,autor,titulo", &[json!({ "titulo": "momo", "autor": "Ende", "tema": "tiempo" })]),
            ("fields=n,n", &[json!({ "n": 7 })]),
            ("fields=id", &[json!({ "id": shelf.id("momo") })]),
        ],
    )
}

fn fields_shows_values_whole(cx: &CaseContext<'_>) -> CaseResult {
    let book = json!({ "a": { "b": [1, "dos", null], "c": {} }, "l": ["x", 2], "vacio": "", "cero": 0, "no": false });
    let shelf = LabelledBooks::of(cx, &[("momo", book.clone())])?;
    shows(
        &shelf,
        &[("fields=a,l,vacio,cero,no", std::slice::from_ref(&book)), ("fields=l", &[json!({ "l": ["x", 2] })])],
    )
}

fn fields_takes_names_of_any_letters(cx: &CaseContext<'_>) -> CaseResult {
    let names = ["año", "título original", "書名", "Título", "a-b", "a.b", "_", "9", "a/b", "📚", "constructor"];
    let book: Map<String, Value> = names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), json!(at))).collect();
    let shelf = LabelledBooks::of(cx, &[("momo", Value::Object(book.clone()))])?;
    for (name, value) in book {
        let asked = format!("fields={}", percent_encoded(&name));
        shows(&shelf, &[(&asked, &[json!({ name: value })])])?;
    }
    Ok(())
}

fn fields_selects_in_every_item(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("a", json!({ "n": 1, "m": 4 })), ("b", json!({ "n": 2, "m": 5 })), ("c", json!({ "n": 3, "m": 6 }))],
    )?;
    shows(&shelf, &[("fields=m&sort=titulo", &[json!({ "m": 4 }), json!({ "m": 5 }), json!({ "m": 6 })])])
}

fn repeated_fields_is_one_list(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("momo", json!({ "n": 7, "tema": "tiempo" }))])?;
    shows(
        &shelf,
        &[
            ("fields=n&fields=tema", &[json!({ "n": 7, "tema": "tiempo" })]),
            ("fields=tema&limit=5&fields=titulo&fields=n", &[json!({ "titulo": "momo", "n": 7, "tema": "tiempo" })]),
        ],
    )
}

fn lacking_field_stays_absent(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("a", json!({ "n": 7 })), ("b", json!({ "nota": null, "n": 8 })), ("c", json!({ "nota": "algo" }))],
    )?;
    shows(
        &shelf,
        &[(
            "fields=n,nota,nada&sort=titulo",
            &[json!({ "n": 7 }), json!({ "n": 8, "nota": null }), json!({ "nota": "algo" })],
        )],
    )
}

fn id_is_not_added(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("momo", json!({ "n": 7 }))])?;
    for (asked, has_id) in [("fields=n", false), ("fields=titulo,n", false), ("fields=n,id", true)] {
        let listed = shelf.ask(asked)?;
        let check = listed.reply.check().status(200)?;
        if has_id {
            check.at("/datos/0/id", &json!(shelf.id("momo")))?;
        } else {
            check.at("/datos/0/n", &json!(7))?.nothing_at("/datos/0/id")?;
        }
    }
    Ok(())
}

fn unknown_names_leave_empty_objects(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("a", json!({ "n": 7 })), ("b", json!({ "n": 8 }))])?;
    shows(
        &shelf,
        &[
            ("fields=nada", &[json!({}), json!({})]),
            ("fields=N,toString", &[json!({}), json!({})]),
            ("fields=titulo.length", &[json!({}), json!({})]),
        ],
    )
}

fn empty_fields_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("momo", json!({ "n": 7 }))])?;
    for asked in ["fields=", "fields"] {
        let listed = shelf.ask(asked)?;
        let item = listed.reply.at("/datos/0").unwrap_or_default();
        let readings = [("whole items", same(&item, &shelf.book("momo"))), ("empty objects", item == json!({}))];
        cx.observe(&readings, listed.got())?;
    }
    Ok(())
}

fn empty_names_in_fields_are_skipped(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("momo", json!({ "n": 7, "": "sin nombre" }))])?;
    shows(
        &shelf,
        &[
            ("fields=n,", &[json!({ "n": 7 })]),
            ("fields=,n", &[json!({ "n": 7 })]),
            ("fields=titulo,,n", &[json!({ "titulo": "momo", "n": 7 })]),
            ("fields=n&fields=", &[json!({ "n": 7 })]),
        ],
    )
}

fn selected_fields_have_an_order(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("momo", json!({ "n": 7, "tema": "tiempo" }))])?;
    let listed = shelf.ask("fields=tema,n,titulo")?;
    let shown: Vec<String> = match listed.reply.at("/datos/0") {
        Some(Value::Object(item)) => item.keys().cloned().collect(),
        _ => Vec::new(),
    };
    let mut names = shown.clone();
    names.sort_unstable();
    let is_selection = names == ["n", "tema", "titulo"];
    let readings = [("order of the parameter", shown == ["tema", "n", "titulo"]), ("order of the book", is_selection)];
    cx.observe(&readings, shown.join(", "))
}
