//! Equality filters: what they keep, and loose equality.

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
        }.keeps(&[("tema=sol", "sol second-sol"), ("tema=luna", "luna"), ("tema=mar", "")]);
    /// Books that lack the field are dropped, also for 0, false and words that name nothing.
    equality_drops_books_that_lack_the_field judges ["list/equal-lacking"]:
        labelled! {
            "zero": { "n": 0 },
            "false": { "b": false },
            "word": { "v": "undefined" },
            "null-word": { "v": "null" },
            "lacking": { "otro": 0 },
        }.keeps(&[
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
        labelled! { "plain": {}, "own": { "toString": "cedro", "constructor": "cedro" } }.keeps(&[
            ("toString=cedro", "own"),
            ("constructor=cedro", "own"),
            ("toString=function%20toString()%20%7B%20%5Bnative%20code%5D%20%7D", ""),
            ("constructor=function%20Object()%20%7B%20%5Bnative%20code%5D%20%7D", ""),
            ("hasOwnProperty=true", ""),
            ("length=0", ""),
        ]);
    /// A dot in a name reaches into nothing.
    equality_reaches_into_no_object judges ["list/equal-own-field"]:
        labelled! { "nested": { "a": { "b": "cedro" } }, "dotted": { "a.b": "cedro" }, "listed": { "a": ["cedro"] } }
        .keeps(&[("a.b=cedro", "dotted"), ("a.0=cedro", "")]);
    /// Filters on several fields all hold.
    several_filters_all_hold judges ["list/equal-all-hold"]:
        labelled! {
            "all": { "a": "uno", "b": "dos", "c": "tres" },
            "two": { "a": "uno", "b": "dos" },
            "first": { "a": "uno", "b": "otro", "c": "tres" },
            "last": { "a": "otro", "b": "dos", "c": "tres" },
        }.keeps(&[
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
        }.keeps(&[
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
        }.keeps(&[
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
    /// A number equals a text of the same digits.
    number_equals_its_text judges ["list/loose-number-text"]:
        labelled! { "five": { "v": "5" }, "minus": { "v": "-3" }, "decimals": { "v": "2.5" }, "zero": { "v": "0" } }
        .keeps(&[
            ("v=5", "five"),
            ("v=-3", "minus"),
            ("v=2.5", "decimals"),
            ("v=0", "zero"),
            ("v=50", ""),
            ("v=3", ""),
        ]);
    /// A number equals texts that spell it otherwise.
    number_equals_other_spellings judges ["list/loose-number-text-forms"]:
        labelled! {
            "decimals": { "v": "5.0" },
            "spaced": { "v": " 5 " },
            "exponent": { "v": "5e0" },
            "other": { "v": "5.5" },
            "longer": { "v": "50" },
        }.keeps(&[("v=5", "decimals spaced exponent")]);
    /// A number does not equal a text that is no number.
    number_equals_no_other_text judges ["list/loose-number-other-text"]:
        labelled! {
            "number": { "v": 5 },
            "trailing": { "v": "5a" },
            "leading": { "v": "a5" },
            "pair": { "v": "5 6" },
            "word": { "v": "cinco" },
            "date": { "v": "5-01-01" },
        }.keeps(&[("v=5", "number"), ("v=0", ""), ("v=6", "")]);
    /// true equals 1 and false equals 0, of the numbers these alone.
    boolean_equals_one_number judges ["list/loose-boolean-number"]:
        labelled! {
            "one": { "v": 1 },
            "zero": { "v": 0 },
            "two": { "v": 2 },
            "minus": { "v": -1 },
            "half": { "v": 0.5 },
        }.keeps(&[("v=true", "one"), ("v=false", "zero")]);
    /// true equals "1" and false equals "0".
    boolean_equals_one_numeric_text judges ["list/loose-boolean-number-text"]:
        labelled! { "one": { "v": "1" }, "zero": { "v": "0" }, "two": { "v": "2" }, "word": { "v": "uno" } }
        .keeps(&[("v=true", "one"), ("v=false", "zero")]);
    /// false and 0 equal the empty text; true and 1 do not.
    false_and_zero_equal_the_empty_text judges ["list/loose-false-empty-text"]:
        labelled! { "empty": { "v": "" }, "word": { "v": "nada" }, "lacking": {} }
        .keeps(&[("v=false", "empty"), ("v=0", "empty"), ("v=true", ""), ("v=1", "")]);
    /// true does not equal the text "true", nor false "false".
    boolean_does_not_equal_its_word judges ["list/loose-true-text"]:
        labelled! {
            "word-true": { "v": "true" },
            "word-false": { "v": "false" },
            "true": { "v": true },
            "false": { "v": false },
        }.keeps(&[("v=true", "true"), ("v=false", "false"), ("v=TRUE", "true")]);
    /// Against a boolean field a value is a number.
    boolean_field_is_a_number judges ["list/loose-number-boolean-field"]:
        labelled! { "true": { "v": true }, "false": { "v": false }, "word": { "v": "si" } }.keeps(&[
            ("v=1", "true"),
            ("v=0", "false"),
            ("v=2", ""),
            ("v=-1", ""),
            ("v=si", "word"),
            ("v=no", ""),
            ("v=verdadero", ""),
        ]);
    /// null equals nothing that can be sent.
    null_equals_nothing judges ["list/loose-null"]:
        labelled! { "nothing": { "v": null }, "word": { "v": "null" }, "zero": { "v": 0 }, "false": { "v": false } }
        .keeps(&[
            ("v=null", "word"),
            ("v=0", "zero false"),
            ("v=false", "zero false"),
            ("v=undefined", ""),
            ("v=None", ""),
        ]);
    /// A list against a text is compared by its text, by its items, or never.
    list_field_is_compared_one_way judges ["list/loose-list-field"]:
        labelled! {
            "text": { "v": "cedro" },
            "one": { "v": ["cedro"] },
            "two": { "v": ["cedro", "roble"] },
            "other": { "v": ["roble"] },
        }.reads("v=cedro", &[("text", "text one"), ("never", "text"), ("item", "text one two")]);
    /// An object against a text is compared by its text or never.
    object_field_is_compared_one_way judges ["list/loose-list-field"]:
        labelled! { "object": { "v": { "a": 1 } }, "text": { "v": "[object Object]" }, "other": { "v": "cedro" } }
        .reads("v=%5Bobject%20Object%5D", &[("text", "object text"), ("never", "text")]);
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
    let all: Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!("cedro"))).collect();
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
    set.ask_at(&format!("/libros?lote={}-otro", set.marker()), "another marker")?.keeps("")
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
            ("nested", listed.reply.is(200) && (listed.is_whole() || shown.iter().all(has_a))),
            ("400", listed.reply.is(400)),
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
