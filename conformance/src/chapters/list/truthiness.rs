//! is_: what it keeps of the books that also pass the equality step.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// is_ with true keeps truthy fields, with false falsy ones.
    is_goes_by_truthiness judges ["list/is-truthiness"]:
        labelled! {
            "true-asked-true": { "leido": true, "is_leido": true },
            "false-asked-true": { "leido": false, "is_leido": true },
            "word-asked-true": { "leido": "ayer", "is_leido": true },
            "number-asked-true": { "leido": -2, "is_leido": true },
            "true-asked-false": { "leido": true, "is_leido": false },
            "false-asked-false": { "leido": false, "is_leido": false },
            "word-asked-false": { "leido": "ayer", "is_leido": false },
        }.keeps(&[
            ("is_leido=true", "true-asked-true word-asked-true number-asked-true"),
            ("is_leido=false", "false-asked-false"),
        ]);
    /// is_ drops books that lack the field, with either value.
    is_drops_books_that_lack_the_field judges ["list/is-lacking"]:
        labelled! {
            "lacking-false": { "is_leido": false },
            "lacking-true": { "is_leido": true },
            "falsy": { "leido": false, "is_leido": false },
            "truthy": { "leido": true, "is_leido": true },
        }.keeps(&[("is_leido=false", "falsy"), ("is_leido=true", "truthy")]);
    /// is_ drops books without a field named like the parameter.
    is_is_an_equality_filter_as_well judges ["list/is-faces-equality"]:
        labelled! {
            "named": { "leido": true, "is_leido": true },
            "ordinary": { "leido": true },
            "named-false": { "leido": false, "is_leido": false },
            "ordinary-false": { "leido": false },
        }.keeps(&[("is_leido=true", "named"), ("is_leido=false", "named-false")]);
    /// Lists and objects are truthy, with nothing in them too.
    is_takes_empty_lists_and_objects_for_true judges ["list/is-falsy-not-containers"]:
        labelled! {
            "list-true": { "leido": [], "is_leido": true },
            "object-true": { "leido": {}, "is_leido": true },
            "list-false": { "leido": [], "is_leido": false },
            "object-false": { "leido": {}, "is_leido": false },
        }.keeps(&[("is_leido=true", "list-true object-true"), ("is_leido=false", "")]);
    /// is_ with a list goes by the list, or by one of its items.
    is_with_a_list_is_read_one_way judges ["list/is-list-value"]:
        labelled! {
            "true-asked-true": { "leido": true, "is_leido": true },
            "false-asked-true": { "leido": false, "is_leido": true },
            "true-asked-false": { "leido": true, "is_leido": false },
            "false-asked-false": { "leido": false, "is_leido": false },
            "unasked": { "leido": true },
        }
        .reads("is_leido=false,true", LIST_READINGS)
        .reads("is_leido=true,false", LIST_READINGS)
        .reads("is_leido=false&is_leido=true", LIST_READINGS)
        .reads("is_leido=true&is_leido=false", LIST_READINGS);
    /// A null field is falsy or counts as lacking.
    null_for_is_is_read_one_way judges ["list/is-null-field"]:
        labelled! { "nothing": { "leido": null, "is_leido": false }, "falsy": { "leido": false, "is_leido": false } }
        .reads("is_leido=false", &[("falsy", "nothing falsy"), ("lacking", "falsy")]);
    /// The empty text and 0 are falsy, texts that name falsehood are not.
    is_knows_falsy_values judges ["list/is-falsy-values"];
    /// Words and other numbers are true, 0 is false.
    is_goes_by_the_truthiness_of_its_value judges ["list/is-other-values"];
}

/// The equality step may go by the list too, or by the same item alone.
const LIST_READINGS: &[(&str, &str)] = &[
    ("list", "true-asked-true true-asked-false"),
    ("item", "false-asked-true false-asked-false"),
    ("item", "true-asked-true"),
    ("item", "false-asked-false"),
    ("any", "true-asked-true false-asked-true true-asked-false false-asked-false"),
    ("none", ""),
];

fn is_knows_falsy_values(cx: &CaseContext<'_>) -> CaseResult {
    let asked = |leido: Value, is_leido: bool| json!({ "leido": leido, "is_leido": is_leido });
    let set = LabelledBooks::of(
        cx,
        &[
            ("empty-false", asked(json!(""), false)),
            ("zero-false", asked(json!(0), false)),
            ("zero-text-false", asked(json!("0"), false)),
            ("word-false", asked(json!("false"), false)),
            ("empty-true", asked(json!(""), true)),
            ("zero-true", asked(json!(0), true)),
            ("zero-text-true", asked(json!("0"), true)),
            ("word-true", asked(json!("false"), true)),
        ],
    )?;
    set.keeps(&[("is_leido=false", "empty-false zero-false"), ("is_leido=true", "zero-text-true word-true")])
}

fn is_goes_by_the_truthiness_of_its_value(cx: &CaseContext<'_>) -> CaseResult {
    let asked = |leido: bool, is_leido: Value| json!({ "leido": leido, "is_leido": is_leido });
    let set = LabelledBooks::of(
        cx,
        &[
            ("no-truthy", asked(true, json!("no"))),
            ("no-falsy", asked(false, json!("no"))),
            ("zero-truthy", asked(true, json!(0))),
            ("zero-falsy", asked(false, json!(0))),
            ("one-truthy", asked(true, json!(1))),
            ("one-falsy", asked(false, json!(1))),
            ("seven-truthy", asked(true, json!(7))),
            ("seven-falsy", asked(false, json!(7))),
        ],
    )?;
    set.keeps(&[
        ("is_leido=no", "no-truthy"),
        ("is_leido=0", "zero-falsy"),
        ("is_leido=1", "one-truthy"),
        ("is_leido=7", "seven-truthy"),
    ])
}
