//! Equality filters: which books they keep and drop, where the field is there, lacking, or named like something else.

use serde_json::json;

use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;

use super::labelled_books::LabelledBooks;

cases! { "list";
    /// A parameter of any name keeps the books whose field equals its value, and no others.
    equality_keeps_equal_fields judges ["list/equal-keeps"];
    /// titulo, autor and id are fields like any other.
    equality_reads_the_fields_of_every_book judges ["list/equal-keeps"];
    /// Names that begin or end like reserved ones are fields.
    equality_reads_fields_named_much_like_parameters judges ["list/equal-keeps"];
    /// The equality filter on a marker shows the case's own books alone.
    equality_looks_at_the_whole_collection judges ["list/equal-keeps"];
    /// Books that lack the field are dropped, also for 0, false and words that name nothing.
    equality_drops_books_that_lack_the_field judges ["list/equal-lacking"];
    /// An empty value drops books that lack the field, unless it is no filter at all.
    empty_value_drops_books_that_lack_the_field judges ["list/equal-lacking"];
    /// Names that objects of some languages carry of themselves are fields that books lack.
    equality_knows_no_inherited_names judges ["list/equal-own-field"];
    /// A dot or a bracket in a name reaches into nothing.
    equality_reaches_into_no_object judges ["list/equal-own-field"];
    /// Filters on several fields all hold.
    several_filters_all_hold judges ["list/equal-all-hold"];
    /// Texts are equal only when every letter, case and accent is.
    texts_are_equal_only_throughout judges ["list/equal-text-exact"];
}

fn equality_keeps_equal_fields(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("sol", json!({ "tema": "sol" })),
            ("luna", json!({ "tema": "luna" })),
            ("second-sol", json!({ "tema": "sol", "otro": "luna" })),
            ("lacking", json!({ "otro": "sol" })),
        ],
    )?;
    shelf.keeps(&[("tema=sol", "sol second-sol"), ("tema=luna", "luna"), ("tema=mar", "")])
}

fn equality_reads_the_fields_of_every_book(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("hobbit", json!({ "autor": "Tolkien", "editorial": "sin fecha" })), ("momo", json!({ "autor": "Ende" }))],
    )?;
    shelf.keeps(&[
        ("titulo=hobbit", "hobbit"),
        ("autor=Ende", "momo"),
        ("editorial=sin%20fecha", "hobbit"),
        (&format!("id={}", shelf.id("momo")), "momo"),
    ])
}

fn equality_reads_fields_named_much_like_parameters(cx: &CaseContext<'_>) -> CaseResult {
    let names = ["isbn", "minimo", "maximo", "pages", "limite", "orden", "field", "ranges", "query", "qq"];
    let all: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!("cedro"))).collect();
    let shelf = LabelledBooks::of(
        cx,
        &[("with", all.into()), ("other", json!({ "isbn": "roble", "pages": "roble" })), ("lacking", json!({}))],
    )?;
    for name in names {
        shelf.keeps(&[(&format!("{name}=cedro"), "with")])?;
    }
    Ok(())
}

fn equality_looks_at_the_whole_collection(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("one", json!({})), ("two", json!({}))])?;
    shelf.keeps(&[("", "one two")])?;
    let path = format!("/libros?lote={}-otro", shelf.marker());
    shelf.ask_at(&path, "another marker")?.keeps("")
}

fn equality_drops_books_that_lack_the_field(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("zero", json!({ "v": 0 })),
            ("false", json!({ "v": false })),
            ("word", json!({ "v": "undefined" })),
            ("null-word", json!({ "v": "null" })),
            ("lacking", json!({ "otro": 0 })),
        ],
    )?;
    shelf.keeps(&[
        ("v=0", "zero false"),
        ("v=false", "zero false"),
        ("v=undefined", "word"),
        ("v=null", "null-word"),
        ("nada=0", ""),
        ("nada=false", ""),
        ("nada=undefined", ""),
    ])
}

fn empty_value_drops_books_that_lack_the_field(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("word", json!({ "v": "nada" })), ("lacking", json!({}))])?;
    let listed = shelf.ask("v=")?;
    if listed.is_whole() {
        return Ok(());
    }
    listed.keeps("")
}

fn equality_knows_no_inherited_names(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("plain", json!({})), ("own", json!({ "toString": "cedro", "constructor": "cedro" }))],
    )?;
    shelf.keeps(&[
        ("toString=cedro", "own"),
        ("constructor=cedro", "own"),
        ("toString=function%20toString()%20%7B%20[native%20code]%20%7D", ""),
        ("constructor=function%20Object()%20%7B%20[native%20code]%20%7D", ""),
        ("__proto__=%5Bobject%20Object%5D", ""),
        ("hasOwnProperty=true", ""),
        ("length=0", ""),
    ])
}

fn equality_reaches_into_no_object(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("nested", json!({ "a": { "b": "cedro" } })),
            ("dotted", json!({ "a.b": "cedro" })),
            ("bracketed", json!({ "a[b]": "cedro" })),
            ("listed", json!({ "a": ["cedro"] })),
            ("list-named", json!({ "a[]": "cedro" })),
        ],
    )?;
    shelf.keeps(&[
        ("a.b=cedro", "dotted"),
        ("a%5Bb%5D=cedro", "bracketed"),
        ("a%5B%5D=cedro", "list-named"),
        ("a.0=cedro", ""),
    ])
}

fn several_filters_all_hold(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("all", json!({ "a": "uno", "b": "dos", "c": "tres" })),
            ("two", json!({ "a": "uno", "b": "dos" })),
            ("first", json!({ "a": "uno", "b": "otro", "c": "tres" })),
            ("last", json!({ "a": "otro", "b": "dos", "c": "tres" })),
        ],
    )?;
    shelf.keeps(&[
        ("a=uno&b=dos", "all two"),
        ("b=dos&a=uno", "all two"),
        ("a=uno&b=dos&c=tres", "all"),
        ("a=otro&b=otro", ""),
        ("a=uno,otro&b=dos", "all two last"),
    ])
}

fn texts_are_equal_only_throughout(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("exact", json!({ "tema": "sol" })),
            ("capital", json!({ "tema": "Sol" })),
            ("accent", json!({ "tema": "sól" })),
            ("longer", json!({ "tema": "soles" })),
            ("spaced", json!({ "tema": "sol " })),
            ("shorter", json!({ "tema": "so" })),
            ("exact-beyond-ascii", json!({ "tema": "ÑU" })),
            ("small-beyond-ascii", json!({ "tema": "ñu" })),
        ],
    )?;
    shelf.keeps(&[
        ("tema=sol", "exact"),
        ("tema=Sol", "capital"),
        ("tema=s%C3%B3l", "accent"),
        ("tema=SOL", ""),
        ("tema=%C3%91U", "exact-beyond-ascii"),
        ("tema=ol", ""),
    ])
}
