//! How the raw query string becomes names and texts: percent sequences, empty pairs, letter case of names.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// Percent-encoded values are UTF-8, with hexadecimal digits of either letter case.
    values_are_percent_decoded judges ["list/percent-decoding"]:
        labelled! {
            "accents": { "tema": "río ñandú" },
            "plain": { "tema": "rio nandu" },
            "cyrillic": { "tema": "война" },
            "emoji": { "tema": "📚" },
        }.keeps(&[
            ("tema=r%C3%ADo%20%C3%B1and%C3%BA", "accents"),
            ("tema=r%c3%ado%20%c3%b1and%c3%ba", "accents"),
            ("tema=%72%69%6F%20%6e%61%6e%64%75", "plain"),
            ("tema=%D0%B2%D0%BE%D0%B9%D0%BD%D0%B0", "cyrillic"),
            ("tema=%F0%9F%93%9A", "emoji"),
        ]);
    /// Percent-encoded names are decoded as values are.
    names_are_percent_decoded judges ["list/percent-decoding"]:
        labelled! { "year": { "año": "moderno" }, "theme": { "tema": "moderno" }, "neither": {} }
        .keeps(&[("a%C3%B1o=moderno", "year"), ("t%65ma=moderno", "theme"), ("%6Cimit=1&tema=moderno", "theme")]);
    /// A value is decoded once, after the pairs are taken apart.
    decoding_happens_once_and_after_splitting judges ["list/percent-decoding"]:
        labelled! {
            "joined": { "tema": "pan & sal=bien" },
            "percent": { "tema": "%41" },
            "letter": { "tema": "A" },
            "pan": { "tema": "pan " },
        }.keeps(&[("tema=pan%20%26%20sal%3Dbien", "joined"), ("tema=%2541", "percent"), ("tema=%41", "letter")]);
    /// The text of q is decoded as well.
    q_is_percent_decoded judges ["list/percent-decoding"]:
        labelled! { "spaced": { "tema": "zumo de kiwi" }, "joined": { "tema": "zumodekiwi" } }
        .keeps(&[("q=zumo%20de%20kiwi", "spaced"), ("q=z%75modek", "joined")]);
    /// A plus sign is a space, as in a form, or stays a plus sign.
    // An encoded plus sign is one under either reading.
    plus_sign_is_read_one_way judges ["list/form-decoding"]:
        labelled! {
            "space": { "tema": "dos palabras" },
            "plus": { "tema": "dos+palabras" },
            "joined": { "tema": "dospalabras" },
        }.reads("tema=dos+palabras", &[("form", "space"), ("plus", "plus")]).keeps(&[("tema=dos%2Bpalabras", "plus")]);
    /// N=5 filters on N, and never on n.
    letter_case_counts_in_field_names judges ["list/field-name-case"]:
        labelled! {
            "small": { "n": 5 },
            "capital": { "N": 5 },
            "both": { "n": 6, "N": 5 },
            "other": { "n": 5, "N": 6 },
        }.keeps(&[("N=5", "capital both"), ("n=5", "small other")]);
    /// LIMIT, Q, Sort, Page and Fields are names of fields like any other, or the parameters themselves.
    reserved_names_in_another_case_are_read_one_way judges ["list/reserved-name-case"];
    /// A percent sign without two hexadecimal digits is answered in a permitted way.
    bad_percent_sequence_is_read_one_way judges ["list/form-decoding"];
    /// Ampersands with nothing between them add no parameter.
    empty_pairs_are_no_parameters judges ["list/empty-pairs"];
    /// A parameter with nothing after its equals sign has an empty value, or none.
    empty_value_is_read_one_way judges ["list/empty-value"] by empty_value("dato=");
    /// A parameter without an equals sign has an empty value, or none.
    name_without_equals_sign_is_read_one_way judges ["list/empty-value"] by empty_value("dato");
}

fn reserved_names_in_another_case_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let fields = json!({ "LIMIT": 1, "Sort": "-lote", "Q": "zafiro", "Page": 2, "Fields": "lote" });
    let without = json!({ "otro": "rubí" });
    let set = LabelledBooks::of(cx, &[("with", fields.clone()), ("twin", fields), ("without", without)])?;
    // With each the parameter itself, which must answer as this one does where it is that parameter.
    for (asked, parameter) in [
        ("LIMIT=1", "limit=1"),
        ("Sort=-lote", "sort=-lote"),
        ("Q=zafiro", "q=zafiro"),
        ("Page=2", "page=2"),
        ("Fields=lote", "fields=lote"),
    ] {
        let (listed, itself) = (set.ask(asked)?, set.ask(parameter)?);
        let is_same_page = listed.reply.at("/metadata") == itself.reply.at("/metadata");
        let readings = [
            ("field", listed.is_any_order_of("with twin")),
            ("reserved", listed.reply.is(200) && listed.count() == itself.count() && is_same_page),
        ];
        cx.observe_of(asked, &readings, listed.got())?;
    }
    Ok(())
}

fn bad_percent_sequence_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! { "bad": { "tema": "100%" }, "digits": { "tema": "100%zz" }, "plain": { "tema": "100" } }
        .created(cx)?;
    for (asked, label) in [("tema=100%", "bad"), ("tema=100%zz", "digits")] {
        let listed = set.ask(asked)?;
        let is_ok = listed.reply.is(200);
        let shown = listed.labels().unwrap_or_default();
        let readings = [
            ("form", is_ok && shown == [label]),
            ("400", listed.reply.is(400)),
            ("ignored", is_ok && listed.is_whole()),
            ("500", is_documented_500(&listed.reply)),
        ];
        cx.observe(&readings, listed.got())?;
    }
    Ok(())
}

/// Jetty throws where it reads such a query, beyond the reach of what reads it.
fn is_documented_500(reply: &Reply) -> bool {
    let tells = |key: &str| !reply.text_at(&format!("/error/{key}")).is_empty();
    reply.is(500) && ["codigo", "mensaje", "timestamp", "requestId"].into_iter().all(tells)
}

fn empty_pairs_are_no_parameters(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("sol", json!({ "tema": "sol" })), ("luna", json!({ "tema": "luna" }))])?;
    set.keeps(&[("&tema=sol", "sol"), ("tema=luna&&&sort=titulo", "luna"), ("tema=sol&", "sol")])?;
    set.ask_at(&format!("/libros?&lote={}&", set.marker()), "&lote=...&")?.keeps("sol luna")
}

fn empty_value(cx: &CaseContext<'_>, asked: &str) -> CaseResult {
    let set = labelled! {
        "empty": { "dato": "" },
        "zero": { "dato": 0 },
        "false": { "dato": false },
        "zero-text": { "dato": "0" },
        "text": { "dato": "algo" },
        "lacking": {},
    }
    .created(cx)?;
    set.ask(asked)?.reads(&[
        ("loose", "empty zero false"),
        ("ignored", "empty zero false zero-text text lacking"),
        ("text", "empty"),
        ("zero", "empty zero false zero-text"),
        ("false", "empty false"),
        ("nothing", ""),
    ])
}
