//! Loose equality between a converted value and a field of another type.

use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// A number equals a text of the same digits.
    number_equals_its_text judges ["list/loose-number-text"]:
        labelled! {
            "five": { "v": "5" },
            "minus": { "v": "-3" },
            "decimals": { "v": "2.5" },
            "zero": { "v": "0" },
        }
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
        }
        .keeps(&[("v=5", "decimals spaced exponent")]);
    /// A number does not equal a text that is no number.
    number_equals_no_other_text judges ["list/loose-number-other-text"]:
        labelled! {
            "number": { "v": 5 },
            "trailing": { "v": "5a" },
            "leading": { "v": "a5" },
            "pair": { "v": "5 6" },
            "word": { "v": "cinco" },
            "date": { "v": "5-01-01" },
        }
        .keeps(&[("v=5", "number"), ("v=0", ""), ("v=6", "")]);
    /// true equals 1 and false equals 0, of the numbers these alone.
    boolean_equals_one_number judges ["list/loose-boolean-number"]:
        labelled! {
            "one": { "v": 1 },
            "zero": { "v": 0 },
            "two": { "v": 2 },
            "minus": { "v": -1 },
            "half": { "v": 0.5 },
        }
        .keeps(&[("v=true", "one"), ("v=false", "zero")]);
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
        }
        .keeps(&[("v=true", "true"), ("v=false", "false"), ("v=TRUE", "true")]);
    /// Against a boolean field a value is a number.
    boolean_field_is_a_number judges ["list/loose-number-boolean-field"]:
        labelled! { "true": { "v": true }, "false": { "v": false }, "word": { "v": "si" } }
        .keeps(&[
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
        labelled! {
            "nothing": { "v": null },
            "word": { "v": "null" },
            "zero": { "v": 0 },
            "false": { "v": false },
        }
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
        }
        .reads("v=cedro", &[("text", "text one"), ("never", "text"), ("item", "text one two")]);
    /// An object against a text is compared by its text or never.
    object_field_is_compared_one_way judges ["list/loose-list-field"]:
        labelled! {
            "object": { "v": { "a": 1 } },
            "text": { "v": "[object Object]" },
            "other": { "v": "cedro" },
        }
        .reads("v=%5Bobject%20Object%5D", &[("text", "object text"), ("never", "text")]);
}
