//! The parameter fields: what an item still shows. The order in which filters, sort, page and selection act: each lot
//! is longer than the pages asked of it.

use super::labelled_books::LabelledBooks;
use super::rows::{ListRow, labelled, listed};
use crate::chapters::prelude::*;

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
    /// Equality filters find books beyond the first page.
    equality_acts_before_the_page judges ["list/order-filter-before-page"]:
        ListRow::of(twelve()).keeps(&[("tema=raro&limit=2", "b11 b12"), ("tema=raro", "b11 b12")]);
    /// q finds books beyond the first page.
    q_acts_before_the_page judges ["list/order-filter-before-page"]:
        ListRow::of(twelve()).keeps(&[("q=zafiro&limit=2", "b11 b12"), ("q=zafiro", "b11 b12")]);
    /// min_, max_ and is_ find books beyond the first page.
    bounds_and_truthiness_act_before_the_page judges ["list/order-filter-before-page"]:
        ListRow::of(twelve()).keeps(&[
            ("min_peso=5&limit=2", "b11 b12"),
            ("max_n=2&limit=2", "b11 b12"),
            ("is_leido=true&limit=2", "b11 b12"),
        ]);
    /// Pages count in what the filters kept.
    second_page_is_of_the_filtered judges ["list/order-filter-before-page"]:
        ListRow::of(twelve())
        .orders(&[("tema=raro&limit=1&page=2&sort=id", "b12"), ("tema=comun&limit=4&page=3&sort=id", "b09 b10")]);
    /// The first page of a sorted list holds the smallest of all.
    sort_acts_before_the_page judges ["list/order-sort-before-page"]:
        ListRow::of(twelve()).orders(&[("sort=n&limit=3", "b12 b11 b10"), ("sort=-titulo&limit=2", "b12 b11")]);
    /// Later pages go on in the same order.
    sort_acts_before_later_pages judges ["list/order-sort-before-page"]:
        ListRow::of(twelve()).orders(&[
            ("sort=n&limit=5&page=2", "b07 b06 b05 b04 b03"),
            ("sort=n&limit=5&page=3", "b02 b01"),
            ("sort=n&page=2", "b02 b01"),
        ]);
    /// sort goes by fields that are not shown.
    sort_sees_fields_that_are_not_shown judges ["list/order-fields-last"];
    /// Filters go by fields that are not shown.
    filters_see_fields_that_are_not_shown judges ["list/order-fields-last"];
    /// q looks into fields that are not shown.
    q_sees_fields_that_are_not_shown judges ["list/order-fields-last"];
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
        shows(&set, &[(&format!("fields={}", percent_encoded(&name)), &[json!({ name: value })])])?;
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
        let is = |item_wanted: Value| listed.reply.is(200) && same(&item, &item_wanted);
        let readings = [("skipped", is(json!({ "n": 7 }))), ("named", is(json!({ "n": 7, "": "sin nombre" })))];
        cx.observe_of("an empty name in fields", &readings, format!("{asked}: {item}"))?;
    }
    Ok(())
}

/// Twelve books: n counts down, and the last two alone are of the kind `raro`.
fn twelve() -> Vec<(&'static str, Value)> {
    const LABELS: [&str; 12] = ["b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11", "b12"];
    LABELS
        .into_iter()
        .zip(1_i64..)
        .map(|(label, position)| {
            let is_rare = position > 10;
            let fields = json!({
                "n": 13 - position,
                "tema": if is_rare { "raro" } else { "comun" },
                "nota": if is_rare { "zafiro" } else { "cuarzo" },
                "peso": if is_rare { 9 } else { 1 },
                "min_peso": 5, "max_n": 2,
                "leido": is_rare, "is_leido": true,
            });
            (label, fields)
        })
        .collect()
}

fn sort_sees_fields_that_are_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let set =
        LabelledBooks::of(cx, &[("two", json!({ "n": 2 })), ("three", json!({ "n": 3 })), ("one", json!({ "n": 1 }))])?;
    shows_titles(&set, &[("sort=n&fields=titulo", "one two three"), ("sort=-n&fields=titulo", "three two one")])
}

fn filters_see_fields_that_are_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! { "low": { "n": 1, "min_n": 2, "tema": "mar" }, "high": { "n": 3, "min_n": 2, "tema": "sal" } }
        .created(cx)?;
    shows_titles(&set, &[("tema=mar&fields=titulo", "low"), ("min_n=2&fields=titulo", "high")])
}

fn q_sees_fields_that_are_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let set =
        LabelledBooks::of(cx, &[("with", json!({ "nota": "zafiro" })), ("without", json!({ "nota": "cuarzo" }))])?;
    shows_titles(&set, &[("q=zafiro&fields=titulo", "with")])
}

/// Items of titulo alone, in this order.
fn shows_titles(set: &LabelledBooks<'_>, asked: &[(&str, &str)]) -> CaseResult {
    for (parameters, titles) in asked {
        let want: Value = titles.split_whitespace().map(|title| json!({ "titulo": title })).collect();
        let listed = set.ask(parameters)?;
        let got = listed.reply.at("/datos").unwrap_or_default();
        let place = Place::body("/datos").of_query(parameters);
        listed.reply.check().status(200)?.that(same(&got, &want), place, &want, &got)?;
    }
    Ok(())
}
