//! The parameter q: where it looks, and how letters match. Its texts are rare enough to stand in no marker, no timestamp and no client's name.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// q finds its text in titulo, in autor and in any other field, at the start, in the middle, at the end.
    q_finds_its_text_in_any_field_and_place judges ["list/q-contains"]:
        labelled! {
            "title": { "titulo": "zafiro azul" },
            "author": { "autor": "Ana Zafiro" },
            "other": { "nota": "un zafiro en medio" },
            "inside": { "resumen": "lapiszafiroso" },
            "publisher": { "editorial": "zafiro" },
            "without": { "nota": "zafir" },
        }
        .keeps(&[("q=zafiro", "title author other inside publisher")]);
    /// q keeps nothing when no field contains the text: its words are not taken apart, and its spaces count.
    q_wants_the_text_as_a_whole judges ["list/q-contains"]:
        labelled! {
            "phrase": { "nota": "kiwi y zumo" },
            "words": { "nota": "zumo y kiwi" },
            "one": { "nota": "kiwi" },
            "split": { "nota": "kiwi y", "resumen": " zumo" },
            "parted": { "nota": "kiwi y", "resumen": "zumo" },
        }
        .keeps(&[
            ("q=kiwi%20y%20zumo", "phrase"),
            ("q=zumo%20y", "words"),
            ("q=kiwi%20zumo", ""),
            ("q=kiwizumo", ""),
            ("q=%20zumo", "phrase split"),
        ]);
    /// q and an equality filter must both hold.
    q_acts_beside_other_filters judges ["list/q-contains"]:
        labelled! {
            "both": { "nota": "zafiro", "n": 1 },
            "text": { "nota": "zafiro", "n": 2 },
            "number": { "nota": "rubí", "n": 1 },
        }
        .keeps(&[("q=zafiro&n=1", "both"), ("n=2&q=zafiro", "text")]);
    /// ASCII letters match in either case, whichever side has the capitals.
    q_ignores_the_case_of_ascii_letters judges ["list/q-case"]:
        labelled! {
            "small": { "nota": "zafiro" },
            "capital": { "nota": "ZAFIRO" },
            "mixed": { "nota": "ZaFiRo" },
            "without": { "nota": "rubí" },
        }
        .keeps(&[
            ("q=zafiro", "small capital mixed"),
            ("q=ZAFIRO", "small capital mixed"),
            ("q=zAfIrO", "small capital mixed"),
        ]);
    /// Letters beyond ASCII match in either case, whichever side has the capitals.
    q_ignores_the_case_of_other_letters judges ["list/q-case"]:
        labelled! {
            "small": { "nota": "ñandú éxito" },
            "capital": { "nota": "ÑANDÚ ÉXITO" },
            "cyrillic-small": { "nota": "жизнь" },
            "cyrillic-capital": { "nota": "ЖИЗНЬ" },
            "greek": { "nota": "Ωδή" },
        }
        .keeps(&[
            ("q=%C3%B1and%C3%BA", "small capital"),
            ("q=%C3%91AND%C3%9A", "small capital"),
            ("q=%C3%89xito", "small capital"),
            ("q=%D0%B6%D0%B8%D0%B7", "cyrillic-small cyrillic-capital"),
            ("q=%D0%96%D0%98%D0%97", "cyrillic-small cyrillic-capital"),
            ("q=%CF%89%CE%94%CE%AE", "greek"),
        ]);
    /// A letter with an accent is not the letter without.
    q_tells_accents_apart judges ["list/q-case"]:
        labelled! { "accents": { "nota": "ñandú veloz" }, "plain": { "nota": "nandu veloz" } }
        .keeps(&[("q=nandu%20v", "plain"), ("q=%C3%B1and%C3%BA%20v", "accents"), ("q=nand%C3%BA", "")]);
    /// ß against SS is compared by lower case or by full folding.
    q_folds_sharp_s_one_way judges ["list/q-case-folding"]:
        labelled! {
            "sharp": { "nota": "Großkatze" },
            "double": { "nota": "Grosskatze" },
            "single": { "nota": "Groskatze" },
        }
        .reads("q=GROSSKATZE", &[("lower", "double"), ("folded", "sharp double")]);
    /// Numbers, booleans, and texts inside lists and objects are not searched, a text of the same letters is.
    q_looks_at_direct_texts_only judges ["list/q-text-only"]:
        labelled! {
            "text": { "dato": "3141592653 zafiro true null" },
            "number": { "dato": 3_141_592_653_u64 },
            "boolean": { "dato": true },
            "nothing": { "dato": null },
            "list": { "dato": ["zafiro", "3141592653"] },
            "object": { "dato": { "zafiro": "zafiro" } },
            "name": { "zafiro": 1 },
        }
        .keeps(&[("q=zafiro", "text"), ("q=3141592653", "text"), ("q=true", "text"), ("q=null", "text")]);
    /// q looks at the texts the service sets, too.
    q_finds_texts_of_the_service judges ["list/q-contains"];
}

fn q_finds_texts_of_the_service(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("first", json!({})), ("second", json!({}))])?;
    let made_at = set.book("first")["fechaCreacion"].clone();
    let Some(moment) = made_at.as_str() else {
        return Err(CaseError::blocked("creating a book", "the book has no text as fechaCreacion"));
    };
    // Two books of one millisecond share the text.
    let same: Vec<&str> =
        ["first", "second"].into_iter().filter(|label| set.book(label)["fechaCreacion"] == made_at).collect();
    // Without the year, so that it is no date, which could be searched as another text.
    let moment = moment.get(4..).unwrap_or_default().replace('+', "%2B");
    set.keeps(&[(&format!("q={moment}"), &same.join(" "))])
}
