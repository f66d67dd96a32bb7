//! The parameter fields: what an item still shows.

use super::labelled_books::{LabelledBooks, labelled};
use crate::chapters::prelude::*;

cases! { "list";
    /// A listed field that an item lacks is absent; one that is null is null.
    lacking_field_stays_absent judges ["list/fields-lacking"] => |cx| {
        let set = labelled! { cx; "a": { "n": 7 }, "b": { "nota": null, "n": 8 }, "c": { "nota": "algo" } }?;
        let items = json!([{ "n": 7 }, { "n": 8, "nota": null }, { "nota": "algo" }]);
        set.ask("fields=n,nota,nada&sort=titulo")?.shows_items(&items)
    };
    /// An empty name in fields is skipped, or names the field of the empty name.
    empty_names_in_fields_are_read_one_way judges ["list/empty-names"] => |cx| {
        let set = labelled! { cx; "momo": { "n": 7, "": "sin nombre" } }?;
        for asked in ["fields=n,", "fields=,n", "fields=n,,"] {
            let listed = set.ask(asked)?;
            let item = listed.first();
            let is = |item_wanted: Value| listed.reply.is(200) && same(&item, &item_wanted);
            let readings = [("skipped", is(json!({ "n": 7 }))), ("named", is(json!({ "n": 7, "": "sin nombre" })))];
            cx.observe_of("an empty name in fields", &readings, format!("{asked}: {item}"))?;
        }
        Ok(())
    };
    /// An item shows the listed fields and no others.
    fields_leaves_only_what_it_lists judges ["list/fields-select"] => |cx| {
        let set = labelled! { cx; "momo": { "autor": "Ende", "n": 7, "tema": "tiempo" } }?;
        for (asked, item) in [
            ("fields=n", json!({ "n": 7 })),
            ("fields=titulo,n", json!({ "titulo": "momo", "n": 7 })),
            ("fields=tema,autor,titulo", json!({ "titulo": "momo", "autor": "Ende", "tema": "tiempo" })),
            ("fields=n,n", json!({ "n": 7 })),
            ("fields=id", json!({ "id": set.id("momo") })),
        ] {
            set.ask(asked)?.shows_items(&json!([item]))?;
        }
        Ok(())
    };
    /// Every kind of value is selected whole.
    fields_shows_values_whole judges ["list/fields-select"];
    /// id is shown only when it is listed.
    id_is_not_added judges ["list/fields-no-id-added"] => |cx| {
        let set = labelled! { cx; "momo": { "n": 7 } }?;
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
    };
    /// An empty fields shows everything or nothing.
    empty_fields_is_read_one_way judges ["list/fields-empty"] => |cx| {
        let set = labelled! { cx; "momo": { "n": 7 } }?;
        for asked in ["fields=", "fields"] {
            let listed = set.ask(asked)?;
            let item = listed.first();
            cx.observe(&[("whole", same(&item, &set.book("momo"))), ("empty", item == json!({}))], listed.got())?;
        }
        Ok(())
    };
    /// Spaces around a name in fields belong to it or not.
    spaces_in_fields_are_read_one_way judges ["list/name-spaces"];
}

fn fields_shows_values_whole(cx: &CaseContext<'_>) -> CaseResult {
    let book = json!({ "a": { "b": [1, "dos", null], "c": {} }, "l": ["x", 2], "vacio": "", "cero": 0, "no": false });
    let set = LabelledBooks::of(cx, [("momo", book.clone())])?;
    set.ask("fields=a,l,vacio,cero,no")?.shows_items(&json!([book]))?;
    set.ask("fields=l")?.shows_items(&json!([{ "l": ["x", 2] }]))
}

fn spaces_in_fields_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! { cx; "a": { "n": 1, " n": 2 } }?;
    let item = set.ask("fields=titulo,%20n")?.first();
    let is = |wanted: Value| same(&item, &wanted);
    let readings = [("kept", is(json!({ "titulo": "a", " n": 2 }))), ("trimmed", is(json!({ "titulo": "a", "n": 1 })))];
    cx.observe(&readings, &item)
}
