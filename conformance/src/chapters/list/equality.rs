//! Equality filters: which books they keep and drop, where the field is there, lacking, or named like something else.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// A parameter of any name keeps the books whose field equals its value, and no others.
    equality_keeps_equal_fields judges ["list/equal-keeps"]:
        labelled! {
            "sol": { "tema": "sol" },
            "luna": { "tema": "luna" },
            "second-sol": { "tema": "sol", "otro": "luna" },
            "lacking": { "otro": "sol" },
        }
        .keeps(&[("tema=sol", "sol second-sol"), ("tema=luna", "luna"), ("tema=mar", "")]);
    /// Books that lack the field are dropped, also for 0, false and words that name nothing.
    equality_drops_books_that_lack_the_field judges ["list/equal-lacking"]:
        labelled! {
            "zero": { "n": 0 },
            "false": { "b": false },
            "word": { "v": "undefined" },
            "null-word": { "v": "null" },
            "lacking": { "otro": 0 },
        }
        .keeps(&[
            ("n=0", "zero"),
            ("b=false", "false"),
            ("v=undefined", "word"),
            ("v=null", "null-word"),
            ("nada=0", ""),
            ("nada=false", ""),
            ("nada=undefined", ""),
        ]);
    /// Names that objects of some languages carry of themselves are fields that books lack.
    equality_knows_no_inherited_names judges ["list/equal-own-field"]:
        labelled! { "plain": {}, "own": { "toString": "cedro", "constructor": "cedro" } }
        .keeps(&[
            ("toString=cedro", "own"),
            ("constructor=cedro", "own"),
            ("toString=function%20toString()%20%7B%20%5Bnative%20code%5D%20%7D", ""),
            ("constructor=function%20Object()%20%7B%20%5Bnative%20code%5D%20%7D", ""),
            ("hasOwnProperty=true", ""),
            ("length=0", ""),
        ]);
    /// A dot in a name reaches into nothing.
    equality_reaches_into_no_object judges ["list/equal-own-field"]:
        labelled! {
            "nested": { "a": { "b": "cedro" } },
            "dotted": { "a.b": "cedro" },
            "listed": { "a": ["cedro"] },
        }
        .keeps(&[("a.b=cedro", "dotted"), ("a.0=cedro", "")]);
    /// Filters on several fields all hold.
    several_filters_all_hold judges ["list/equal-all-hold"]:
        labelled! {
            "all": { "a": "uno", "b": "dos", "c": "tres" },
            "two": { "a": "uno", "b": "dos" },
            "first": { "a": "uno", "b": "otro", "c": "tres" },
            "last": { "a": "otro", "b": "dos", "c": "tres" },
        }
        .keeps(&[
            ("a=uno&b=dos", "all two"),
            ("b=dos&a=uno", "all two"),
            ("a=uno&b=dos&c=tres", "all"),
            ("a=otro&b=otro", ""),
            ("a=uno,otro&b=dos", "all two last"),
        ]);
    /// Filters of several kinds all hold: q, equality, bounds and truth.
    filters_of_several_kinds_all_hold judges ["list/equal-all-hold"]:
        labelled! {
            "all": { "nota": "un zafiro", "tema": "sol", "n": 6, "min_n": 5, "max_n": 8, "leido": true, "is_leido": true },
            "other-word": { "nota": "un rubí", "tema": "sol", "n": 6, "min_n": 5, "max_n": 8, "leido": true, "is_leido": true },
            "other-field": { "nota": "un zafiro", "tema": "mar", "n": 6, "min_n": 5, "max_n": 8, "leido": true, "is_leido": true },
            "below": { "nota": "un zafiro", "tema": "sol", "n": 3, "min_n": 5, "max_n": 8, "leido": true, "is_leido": true },
            "above": { "nota": "un zafiro", "tema": "sol", "n": 9, "min_n": 5, "max_n": 8, "leido": true, "is_leido": true },
            "unread": { "nota": "un zafiro", "tema": "sol", "n": 6, "min_n": 5, "max_n": 8, "leido": false, "is_leido": true },
        }
        .keeps(&[
            ("q=zafiro&tema=sol", "all below above unread"),
            ("q=zafiro&min_n=5", "all other-field above unread"),
            ("tema=sol&max_n=8", "all other-word below unread"),
            ("q=zafiro&is_leido=true", "all other-field below above"),
            ("q=zafiro&tema=sol&min_n=5&max_n=8&is_leido=true", "all"),
        ]);
    /// Texts are equal only when every letter, case and accent is.
    texts_are_equal_only_throughout judges ["list/equal-text-exact"]:
        labelled! {
            "exact": { "tema": "sol" },
            "capital": { "tema": "Sol" },
            "accent": { "tema": "sól" },
            "longer": { "tema": "soles" },
            "spaced": { "tema": "sol " },
            "shorter": { "tema": "so" },
            "exact-beyond-ascii": { "tema": "ÑU" },
            "small-beyond-ascii": { "tema": "ñu" },
        }
        .keeps(&[
            ("tema=sol", "exact"),
            ("tema=Sol", "capital"),
            ("tema=s%C3%B3l", "accent"),
            ("tema=SOL", ""),
            ("tema=%C3%91U", "exact-beyond-ascii"),
            ("tema=ol", ""),
        ]);
    /// titulo, autor and id are fields like any other.
    equality_reads_the_fields_of_every_book judges ["list/equal-keeps"];
    /// Names that begin or end like reserved ones, or that other services reserve, are fields.
    equality_reads_fields_named_much_like_parameters judges ["list/equal-keeps"];
    /// The equality filter on a marker shows the case's own books alone.
    equality_looks_at_the_whole_collection judges ["list/equal-keeps"];
    /// Brackets in a name belong to it, or make a list or an object.
    brackets_in_a_name_are_read_one_way judges ["list/bracketed-names"];
    /// An empty value drops books that lack the field, unless it is no filter at all.
    empty_value_drops_books_that_lack_the_field judges ["list/equal-lacking"];
}

fn equality_reads_the_fields_of_every_book(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(
        cx,
        &[("hobbit", json!({ "autor": "Tolkien", "editorial": "sin fecha" })), ("momo", json!({ "autor": "Ende" }))],
    )?;
    set.keeps(&[
        ("titulo=hobbit", "hobbit"),
        ("autor=Ende", "momo"),
        ("editorial=sin%20fecha", "hobbit"),
        (&format!("id={}", set.id("momo")), "momo"),
    ])
}

fn equality_reads_fields_named_much_like_parameters(cx: &CaseContext<'_>) -> CaseResult {
    let names = [
        "isbn", "minimo", "maximo", "pages", "limite", "orden", "field", "ranges", "query", "qq", "order", "search",
        "filter", "offset",
    ];
    let all: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!("cedro"))).collect();
    let set = LabelledBooks::of(
        cx,
        &[("with", all.into()), ("other", json!({ "isbn": "roble", "pages": "roble" })), ("lacking", json!({}))],
    )?;
    for name in names {
        set.keeps(&[(&format!("{name}=cedro"), "with")])?;
    }
    Ok(())
}

fn equality_looks_at_the_whole_collection(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("one", json!({})), ("two", json!({}))])?;
    set.keeps(&[("", "one two")])?;
    let path = format!("/libros?lote={}-otro", set.marker());
    set.ask_at(&path, "another marker")?.keeps("")
}

fn brackets_in_a_name_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "plain": { "a": "cedro" },
        "listed": { "a": ["cedro"] },
        "list-named": { "a[]": "cedro" },
        "nested": { "a": { "b": "cedro" } },
        "bracketed": { "a[b]": "cedro" },
        "other": { "b": "cedro" },
    }
    .created(cx)?;
    // A list is asked as a repeated parameter is; what equals an object, and how a list field is compared, is left open.
    for (asked, named) in [("a%5B%5D=cedro", "list-named"), ("a%5Bb%5D=cedro", "bracketed")] {
        let listed = set.ask(asked)?;
        let shown = listed.labels().unwrap_or_default();
        let has_a = |label: &String| ["plain", "listed", "nested"].contains(&label.as_str());
        let readings = [
            ("name", listed.is(named)),
            ("nested", listed.reply.status() == 200 && (listed.is_whole() || shown.iter().all(has_a))),
            ("400", listed.reply.status() == 400),
        ];
        cx.observe(&readings, listed.got())?;
    }
    Ok(())
}

fn empty_value_drops_books_that_lack_the_field(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("word", json!({ "v": "nada" })), ("lacking", json!({}))])?;
    let listed = set.ask("v=")?;
    if listed.is_whole() {
        return Ok(());
    }
    listed.keeps("")
}
