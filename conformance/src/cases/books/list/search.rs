//! The parameter q: where it looks, and how letters match. Its texts are rare enough to stand in no marker, no timestamp and no client's name.

use serde_json::json;

use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;

use super::labelled_books::LabelledBooks;

cases! { "list";
    /// q finds its text in titulo, in autor and in any other field, at the start, in the middle, at the end.
    q_finds_its_text_in_any_field_and_place judges ["list/q-contains"];
    /// q keeps nothing when no field contains the text, and does not take its words apart.
    q_wants_the_text_as_a_whole judges ["list/q-contains"];
    /// q looks at the texts the service sets, too.
    q_finds_texts_of_the_service judges ["list/q-contains"];
    /// q and an equality filter must both hold.
    q_acts_beside_other_filters judges ["list/q-contains"];
    /// ASCII letters match in either case, whichever side has the capitals.
    q_ignores_the_case_of_ascii_letters judges ["list/q-case"];
    /// Letters beyond ASCII match in either case, whichever side has the capitals.
    q_ignores_the_case_of_other_letters judges ["list/q-case"];
    /// A letter with an accent is not the letter without.
    q_tells_accents_apart judges ["list/q-case"];
    /// ß against SS is compared by lower case or by full folding.
    q_folds_sharp_s_one_way judges ["list/q-case-folding"];
    /// Numbers, booleans, and texts inside lists and objects are not searched, a text of the same letters is.
    q_looks_at_direct_texts_only judges ["list/q-text-only"];
}

fn q_finds_its_text_in_any_field_and_place(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("title", json!({ "titulo": "zafiro azul" })),
            ("author", json!({ "autor": "Ana Zafiro" })),
            ("other", json!({ "nota": "un zafiro en medio" })),
            ("inside", json!({ "resumen": "lapiszafiroso" })),
            ("publisher", json!({ "editorial": "zafiro" })),
            ("without", json!({ "nota": "zafir" })),
        ],
    )?;
    shelf.keeps(&[("q=zafiro", "title author other inside publisher")])
}

fn q_wants_the_text_as_a_whole(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("phrase", json!({ "nota": "kiwi y zumo" })),
            ("words", json!({ "nota": "zumo y kiwi" })),
            ("one", json!({ "nota": "kiwi" })),
            ("split", json!({ "nota": "kiwi y", "resumen": " zumo" })),
            ("parted", json!({ "nota": "kiwi y", "resumen": "zumo" })),
        ],
    )?;
    shelf.keeps(&[("q=kiwi%20y%20zumo", "phrase"), ("q=zumo%20y", "words"), ("q=kiwi%20zumo", ""), ("q=kiwizumo", "")])
}

fn q_finds_texts_of_the_service(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(cx, &[("first", json!({})), ("second", json!({}))])?;
    let made_at = shelf.book("first")["fechaCreacion"].clone();
    let Some(moment) = made_at.as_str() else {
        return Err(crate::contract::verdict::CaseError::Blocked {
            step: "creating a book".into(),
            why: "the book has no text as fechaCreacion".into(),
        });
    };
    // Two books of one millisecond share the text.
    let same: Vec<&str> =
        ["first", "second"].into_iter().filter(|label| shelf.book(label)["fechaCreacion"] == made_at).collect();
    shelf.keeps(&[(&format!("q={moment}"), &same.join(" "))])
}

fn q_acts_beside_other_filters(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("both", json!({ "nota": "zafiro", "n": 1 })),
            ("text", json!({ "nota": "zafiro", "n": 2 })),
            ("number", json!({ "nota": "rubí", "n": 1 })),
        ],
    )?;
    shelf.keeps(&[("q=zafiro&n=1", "both"), ("n=2&q=zafiro", "text")])
}

fn q_ignores_the_case_of_ascii_letters(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("small", json!({ "nota": "zafiro" })),
            ("capital", json!({ "nota": "ZAFIRO" })),
            ("mixed", json!({ "nota": "ZaFiRo" })),
            ("without", json!({ "nota": "rubí" })),
        ],
    )?;
    let all = "small capital mixed";
    shelf.keeps(&[("q=zafiro", all), ("q=ZAFIRO", all), ("q=zAfIrO", all)])
}

fn q_ignores_the_case_of_other_letters(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("small", json!({ "nota": "ñandú éxito" })),
            ("capital", json!({ "nota": "ÑANDÚ ÉXITO" })),
            ("cyrillic-small", json!({ "nota": "жизнь" })),
            ("cyrillic-capital", json!({ "nota": "ЖИЗНЬ" })),
            ("greek", json!({ "nota": "Ωδή" })),
        ],
    )?;
    shelf.keeps(&[
        ("q=%C3%B1and%C3%BA", "small capital"),
        ("q=%C3%91AND%C3%9A", "small capital"),
        ("q=%C3%89xito", "small capital"),
        ("q=%D0%B6%D0%B8%D0%B7", "cyrillic-small cyrillic-capital"),
        ("q=%D0%96%D0%98%D0%97", "cyrillic-small cyrillic-capital"),
        ("q=%CF%89%CE%94%CE%AE", "greek"),
    ])
}

fn q_tells_accents_apart(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("accents", json!({ "nota": "ñandú veloz" })), ("plain", json!({ "nota": "nandu veloz" }))],
    )?;
    shelf.keeps(&[("q=nandu%20v", "plain"), ("q=%C3%B1and%C3%BA%20v", "accents"), ("q=nand%C3%BA", "")])
}

fn q_folds_sharp_s_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("sharp", json!({ "nota": "Großkatze" })),
            ("double", json!({ "nota": "Grosskatze" })),
            ("single", json!({ "nota": "Groskatze" })),
        ],
    )?;
    shelf.ask("q=GROSSKATZE")?.reads(&[("lower case of both", "double"), ("full case folding", "sharp double")])
}

fn q_looks_at_direct_texts_only(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("text", json!({ "dato": "3141592653 zafiro true null" })),
            ("number", json!({ "dato": 3_141_592_653_u64 })),
            ("boolean", json!({ "dato": true })),
            ("nothing", json!({ "dato": null })),
            ("list", json!({ "dato": ["zafiro", "3141592653"] })),
            ("object", json!({ "dato": { "zafiro": "zafiro" } })),
            ("name", json!({ "zafiro": 1 })),
        ],
    )?;
    shelf.keeps(&[("q=zafiro", "text"), ("q=3141592653", "text"), ("q=true", "text"), ("q=null", "text")])
}
