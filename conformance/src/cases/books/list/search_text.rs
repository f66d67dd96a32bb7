//! The text of the parameter q: taken as it was sent, every character for itself; and where it is empty, listed or repeated.
//!
//! Its texts are rare enough to stand in no marker, no timestamp and no client's name.

use serde_json::json;

use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;

use super::labelled_books::LabelledBooks;

cases! { "list";
    /// Characters that are wildcards elsewhere stand for themselves.
    q_knows_no_wildcards judges ["list/q-literal"];
    /// A text that is no regular expression is searched like any other.
    q_takes_brackets_and_backslashes judges ["list/q-literal"];
    /// A q of digits is a text.
    q_of_digits_is_a_text judges ["list/q-as-sent"];
    /// A q that spells a number oddly is searched as spelt.
    q_keeps_the_spelling_of_a_number judges ["list/q-as-sent"];
    /// A q that could be a boolean is a text.
    q_of_a_boolean_word_is_a_text judges ["list/q-as-sent"];
    /// A q that could be a date is a text.
    q_of_a_date_is_a_text judges ["list/q-as-sent"];
    /// A q with a comma is one text or several.
    q_with_a_comma_is_read_one_way judges ["list/q-comma"];
    /// A repeated q keeps any, all, or goes by one of them.
    repeated_q_is_read_one_way judges ["list/q-repeated"];
    /// An empty q keeps everything, under either reading.
    empty_q_keeps_every_book_with_a_text judges ["list/q-empty"];
}

fn q_knows_no_wildcards(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("dot", json!({ "nota": "kz.wq" })),
            ("asterisk", json!({ "nota": "kz*wq" })),
            ("percent", json!({ "nota": "kz%wq" })),
            ("underscore", json!({ "nota": "kz_wq" })),
            ("question", json!({ "nota": "kz?wq" })),
            ("plus", json!({ "nota": "kz+wq" })),
            ("bar", json!({ "nota": "kz|wq" })),
            ("letter", json!({ "nota": "kzzwq" })),
            ("joined", json!({ "nota": "kzwq" })),
            ("equals", json!({ "nota": "kz=wq" })),
        ],
    )?;
    shelf.keeps(&[
        ("q=kz.wq", "dot"),
        ("q=kz*wq", "asterisk"),
        ("q=kz%25wq", "percent"),
        ("q=kz_wq", "underscore"),
        ("q=kz?wq", "question"),
        ("q=kz%2Bwq", "plus"),
        ("q=kz%7Cwq", "bar"),
        ("q=kz%3Dwq", "equals"),
        ("q=%5Ekzw", ""),
    ])
}

fn q_takes_brackets_and_backslashes(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("round", json!({ "nota": "kz(wq" })),
            ("square", json!({ "nota": "kz[wq" })),
            ("backslash", json!({ "nota": "kz\\dwq" })),
            ("digit", json!({ "nota": "kz7wq" })),
            ("quotes", json!({ "nota": "kz'wq\"" })),
            ("spaced", json!({ "nota": "kz  wq" })),
        ],
    )?;
    shelf.keeps(&[
        ("q=kz%28wq", "round"),
        ("q=kz%5Bwq", "square"),
        ("q=kz%5Cdwq", "backslash"),
        ("q=kz%27wq", "quotes"),
        ("q=wq%22", "quotes"),
        ("q=kz%20%20wq", "spaced"),
    ])
}

fn q_of_digits_is_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("text", json!({ "nota": "nave 3141592653 al sur" })),
            ("number", json!({ "dato": 3_141_592_653_u64 })),
            ("other", json!({ "nota": "nave 2718281828" })),
        ],
    )?;
    shelf.keeps(&[("q=3141592653", "text"), ("q=9999999999", "")])
}

fn q_keeps_the_spelling_of_a_number(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("padded", json!({ "nota": "agente 00731415926" })),
            ("bare", json!({ "nota": "agente 731415926" })),
            ("decimals", json!({ "nota": "vale 314159.500 hoy" })),
            ("short", json!({ "nota": "vale 314159.5 hoy" })),
            ("exponent", json!({ "nota": "masa 6e23 z" })),
        ],
    )?;
    shelf.keeps(&[
        ("q=00731415926", "padded"),
        ("q=314159.500", "decimals"),
        ("q=314159.5", "decimals short"),
        ("q=6e23%20z", "exponent"),
    ])
}

fn q_of_a_boolean_word_is_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("word", json!({ "nota": "untrue" })),
            ("negative", json!({ "nota": "falsedad" })),
            ("boolean", json!({ "dato": true, "otro": false })),
            ("neither", json!({ "nota": "zafiro" })),
        ],
    )?;
    shelf.keeps(&[("q=true", "word"), ("q=TRUE", "word"), ("q=false", "negative")])
}

fn q_of_a_date_is_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("inside", json!({ "nota": "nacida el 1815-12-10 en Londres" })),
            ("field", json!({ "fechaPublicacion": "1815-12-10" })),
            ("instant", json!({ "nota": "1815-12-10T00:00:00.000Z" })),
            ("other", json!({ "fechaPublicacion": "1815-12-11" })),
        ],
    )?;
    shelf.keeps(&[("q=1815-12-10", "inside field instant"), ("q=1815-12-10T00:00:00", "instant")])
}

fn q_with_a_comma_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("whole", json!({ "nota": "un zafiro,kiwi" })),
            ("first", json!({ "nota": "un zafiro" })),
            ("second", json!({ "nota": "un kiwi" })),
            ("neither", json!({ "nota": "un rubí" })),
        ],
    )?;
    shelf.ask("q=zafiro,kiwi")?.reads(&[("the text as sent", "whole"), ("any of the items", "whole first second")])
}

fn repeated_q_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("first", json!({ "nota": "un zafiro" })),
            ("second", json!({ "nota": "un kiwi" })),
            ("both", json!({ "nota": "un kiwi y un zafiro" })),
            ("joined", json!({ "nota": "zafiro,kiwi" })),
            ("neither", json!({ "nota": "un rubí" })),
        ],
    )?;
    shelf.ask("q=zafiro&q=kiwi")?.reads(&[
        ("any", "first second both joined"),
        ("all", "both joined"),
        ("the first", "first both joined"),
        ("the last", "second both joined"),
        ("all joined by a comma", "joined"),
    ])
}

fn empty_q_keeps_every_book_with_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("text", json!({ "nota": "zafiro" })), ("bare", json!({}))])?;
    for asked in ["q=", "q"] {
        let listed = shelf.ask(asked)?;
        let readings = [("filters nothing, or nothing that has a text", listed.is_whole())];
        cx.observe(&readings, listed.got())?;
    }
    Ok(())
}
