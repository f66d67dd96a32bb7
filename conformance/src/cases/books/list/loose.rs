//! Loose equality between a converted value and a field of another type.

use serde_json::json;

use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;

use super::labelled_books::LabelledBooks;

cases! { "list";
    /// A number equals a text of the same digits.
    number_equals_its_text judges ["list/loose-number-text"];
    /// A number equals texts that spell it otherwise.
    number_equals_other_spellings judges ["list/loose-number-text-forms"];
    /// A number does not equal a text that is no number.
    number_equals_no_other_text judges ["list/loose-number-other-text"];
    /// true equals 1 and false equals 0, of the numbers these alone.
    boolean_equals_one_number judges ["list/loose-boolean-number"];
    /// true equals "1" and false equals "0".
    boolean_equals_one_numeric_text judges ["list/loose-boolean-number-text"];
    /// false and 0 equal the empty text; true and 1 do not.
    false_and_zero_equal_the_empty_text judges ["list/loose-false-empty-text"];
    /// true does not equal the text "true", nor false "false".
    boolean_does_not_equal_its_word judges ["list/loose-true-text"];
    /// Against a boolean field a value is a number.
    boolean_field_is_a_number judges ["list/loose-number-boolean-field"];
    /// null equals nothing that can be sent.
    null_equals_nothing judges ["list/loose-null"];
    /// A list against a text is compared by its text, by its items, or never.
    list_field_is_compared_one_way judges ["list/loose-list-field"];
    /// An object against a text is compared by its text or never.
    object_field_is_compared_one_way judges ["list/loose-list-field"];
}

fn number_equals_its_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("five", json!({ "v": "5" })),
            ("minus", json!({ "v": "-3" })),
            ("decimals", json!({ "v": "2.5" })),
            ("zero", json!({ "v": "0" })),
        ],
    )?;
    shelf.keeps(&[
        ("v=5", "five"),
        ("v=-3", "minus"),
        ("v=2.5", "decimals"),
        ("v=0", "zero"),
        ("v=50", ""),
        ("v=3", ""),
    ])
}

fn number_equals_other_spellings(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("decimals", json!({ "v": "5.0" })),
            ("spaced", json!({ "v": " 5 " })),
            ("exponent", json!({ "v": "5e0" })),
            ("other", json!({ "v": "5.5" })),
            ("longer", json!({ "v": "50" })),
        ],
    )?;
    shelf.keeps(&[("v=5", "decimals spaced exponent")])
}

fn number_equals_no_other_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("number", json!({ "v": 5 })),
            ("trailing", json!({ "v": "5a" })),
            ("leading", json!({ "v": "a5" })),
            ("pair", json!({ "v": "5 6" })),
            ("word", json!({ "v": "cinco" })),
            ("date", json!({ "v": "5-01-01" })),
        ],
    )?;
    shelf.keeps(&[("v=5", "number"), ("v=0", ""), ("v=6", "")])
}

fn boolean_equals_one_number(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("one", json!({ "v": 1 })),
            ("zero", json!({ "v": 0 })),
            ("two", json!({ "v": 2 })),
            ("minus", json!({ "v": -1 })),
            ("half", json!({ "v": 0.5 })),
        ],
    )?;
    shelf.keeps(&[("v=true", "one"), ("v=false", "zero")])
}

fn boolean_equals_one_numeric_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("one", json!({ "v": "1" })),
            ("zero", json!({ "v": "0" })),
            ("two", json!({ "v": "2" })),
            ("word", json!({ "v": "uno" })),
        ],
    )?;
    shelf.keeps(&[("v=true", "one"), ("v=false", "zero")])
}

fn false_and_zero_equal_the_empty_text(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("empty", json!({ "v": "" })), ("word", json!({ "v": "nada" })), ("lacking", json!({}))],
    )?;
    shelf.keeps(&[("v=false", "empty"), ("v=0", "empty"), ("v=true", ""), ("v=1", "")])
}

fn boolean_does_not_equal_its_word(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("word-true", json!({ "v": "true" })),
            ("word-false", json!({ "v": "false" })),
            ("true", json!({ "v": true })),
            ("false", json!({ "v": false })),
        ],
    )?;
    shelf.keeps(&[("v=true", "true"), ("v=false", "false"), ("v=TRUE", "true")])
}

fn boolean_field_is_a_number(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("true", json!({ "v": true })), ("false", json!({ "v": false })), ("word", json!({ "v": "si" }))],
    )?;
    shelf.keeps(&[
        ("v=1", "true"),
        ("v=0", "false"),
        ("v=2", ""),
        ("v=-1", ""),
        ("v=si", "word"),
        ("v=no", ""),
        ("v=verdadero", ""),
    ])
}

fn null_equals_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("nothing", json!({ "v": null })),
            ("word", json!({ "v": "null" })),
            ("zero", json!({ "v": 0 })),
            ("false", json!({ "v": false })),
        ],
    )?;
    shelf.keeps(&[
        ("v=null", "word"),
        ("v=0", "zero false"),
        ("v=false", "zero false"),
        ("v=undefined", ""),
        ("v=None", ""),
    ])
}

fn list_field_is_compared_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("text", json!({ "v": "cedro" })),
            ("one", json!({ "v": ["cedro"] })),
            ("two", json!({ "v": ["cedro", "roble"] })),
            ("other", json!({ "v": ["roble"] })),
        ],
    )?;
    shelf.ask("v=cedro")?.reads(&[
        ("compared by that text", "text one"),
        ("equals nothing", "text"),
        ("a list equals when one of its items does", "text one two"),
    ])
}

fn object_field_is_compared_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("object", json!({ "v": { "a": 1 } })),
            ("text", json!({ "v": "[object Object]" })),
            ("other", json!({ "v": "cedro" })),
        ],
    )?;
    shelf.ask("v=%5Bobject%20Object%5D")?.reads(&[("compared by that text", "object text"), ("equals nothing", "text")])
}
