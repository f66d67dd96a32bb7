//! The parameter q: where it looks, how letters match, and its text: taken as it was sent, every character for itself;
//! and where it is empty, listed or repeated.
//!
//! Its texts are rare enough to stand in no marker, no timestamp and no client's name.

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
        }.keeps(&[("q=zafiro", "title author other inside publisher")]);
    /// q keeps nothing when no field contains the text: its words are not taken apart, and its spaces count.
    q_wants_the_text_as_a_whole judges ["list/q-contains"]:
        labelled! {
            "phrase": { "nota": "kiwi y zumo" },
            "words": { "nota": "zumo y kiwi" },
            "one": { "nota": "kiwi" },
            "split": { "nota": "kiwi y", "resumen": " zumo" },
            "parted": { "nota": "kiwi y", "resumen": "zumo" },
        }.keeps(&[
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
        }.keeps(&[("q=zafiro&n=1", "both"), ("n=2&q=zafiro", "text")]);
    /// ASCII letters match in either case, whichever side has the capitals.
    q_ignores_the_case_of_ascii_letters judges ["list/q-case"]:
        labelled! {
            "small": { "nota": "zafiro" },
            "capital": { "nota": "ZAFIRO" },
            "mixed": { "nota": "ZaFiRo" },
            "without": { "nota": "rubí" },
        }.keeps(&[
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
        }.keeps(&[
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
        }.reads("q=GROSSKATZE", &[("lower", "double"), ("folded", "sharp double")]);
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
        }.keeps(&[("q=zafiro", "text"), ("q=3141592653", "text"), ("q=true", "text"), ("q=null", "text")]);
    /// q looks at the texts the service sets, too.
    q_finds_texts_of_the_service judges ["list/q-contains"];
    /// Characters that are wildcards elsewhere stand for themselves.
    q_knows_no_wildcards judges ["list/q-literal"]:
        labelled! {
            "dot": { "nota": "kz.wq" },
            "asterisk": { "nota": "kz*wq" },
            "percent": { "nota": "kz%wq" },
            "underscore": { "nota": "kz_wq" },
            "question": { "nota": "kz?wq" },
            "plus": { "nota": "kz+wq" },
            "bar": { "nota": "kz|wq" },
            "letter": { "nota": "kzzwq" },
            "joined": { "nota": "kzwq" },
            "equals": { "nota": "kz=wq" },
        }.keeps(&[
            ("q=kz.wq", "dot"),
            ("q=kz*wq", "asterisk"),
            ("q=kz%25wq", "percent"),
            ("q=kz_wq", "underscore"),
            ("q=kz?wq", "question"),
            ("q=kz%2Bwq", "plus"),
            ("q=kz%7Cwq", "bar"),
            ("q=kz%3Dwq", "equals"),
            ("q=%5Ekzw", ""),
        ]);
    /// A text that is no regular expression is searched like any other.
    q_takes_brackets_and_backslashes judges ["list/q-literal"]:
        labelled! {
            "round": { "nota": "kz(wq" },
            "square": { "nota": "kz[wq" },
            "backslash": { "nota": "kz\\dwq" },
            "digit": { "nota": "kz7wq" },
            "quotes": { "nota": "kz'wq\"" },
            "spaced": { "nota": "kz  wq" },
        }.keeps(&[
            ("q=kz%28wq", "round"),
            ("q=kz%5Bwq", "square"),
            ("q=kz%5Cdwq", "backslash"),
            ("q=kz%27wq", "quotes"),
            ("q=wq%22", "quotes"),
            ("q=kz%20%20wq", "spaced"),
        ]);
    /// A q of digits is a text.
    q_of_digits_is_a_text judges ["list/q-as-sent"]:
        labelled! {
            "text": { "nota": "nave 3141592653 al sur" },
            "number": { "dato": 3_141_592_653_u64 },
            "other": { "nota": "nave 2718281828" },
        }.keeps(&[("q=3141592653", "text"), ("q=9999999999", "")]);
    /// A q that could be a boolean is a text.
    q_of_a_boolean_word_is_a_text judges ["list/q-as-sent"]:
        labelled! {
            "word": { "nota": "untrue" },
            "negative": { "nota": "falsedad" },
            "boolean": { "dato": true, "otro": false },
            "neither": { "nota": "zafiro" },
        }.keeps(&[("q=true", "word"), ("q=TRUE", "word"), ("q=false", "negative")]);
    /// A q that spells a number otherwise than it prints is searched as spelt, or as it prints.
    q_of_an_odd_number_is_read_one_way judges ["list/q-spelling"]:
        labelled! {
            "padded": { "nota": "agente 00731415926" },
            "bare": { "nota": "agente 731415926" },
            "decimals": { "nota": "vale 314159.500 hoy" },
            "short": { "nota": "vale 314159.5 hoy" },
            "other": { "nota": "vale 271828.1 hoy" },
        }.reads("q=00731415926", &[("sent", "padded"), ("printed", "padded bare")])
        .reads("q=314159.500", &[("sent", "decimals"), ("printed", "decimals short")]);
    /// A q that is a date is searched as sent, or as the date prints.
    q_of_a_date_is_read_one_way judges ["list/q-spelling"]:
        labelled! {
            "inside": { "nota": "nacida el 1815-12-10 en Londres" },
            "instant": { "nota": "1815-12-10T00:00:00.000Z" },
            "spaced": { "nota": "1815-12-10 00:00:00" },
            "other": { "nota": "1815-12-11" },
        }.reads("q=1815-12-10", &[
            ("sent", "inside instant spaced"),
            ("printed", "instant"),
            ("printed", "spaced"),
            ("printed", ""),
        ]);
    /// A q with a comma is one text or several.
    q_with_a_comma_is_read_one_way judges ["list/q-comma"]:
        labelled! {
            "whole": { "nota": "un zafiro,kiwi" },
            "first": { "nota": "un zafiro" },
            "second": { "nota": "un kiwi" },
            "neither": { "nota": "un rubí" },
        }.reads("q=zafiro,kiwi", &[("sent", "whole"), ("items", "whole first second")]);
    /// A repeated q keeps any, all, or goes by one of them.
    repeated_q_is_read_one_way judges ["list/q-repeated"]:
        labelled! {
            "first": { "nota": "un zafiro" },
            "second": { "nota": "un kiwi" },
            "both": { "nota": "un kiwi y un zafiro" },
            "joined": { "nota": "zafiro,kiwi" },
            "neither": { "nota": "un rubí" },
        }.reads("q=zafiro&q=kiwi", &[
            ("any", "first second both joined"),
            ("all", "both joined"),
            ("first", "first both joined"),
            ("last", "second both joined"),
            ("joined", "joined"),
        ]);
    /// An empty q keeps every book.
    empty_q_keeps_every_book_with_a_text judges ["list/q-empty"];
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

fn empty_q_keeps_every_book_with_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("text", json!({ "nota": "zafiro" })), ("bare", json!({}))])?;
    for asked in ["q=", "q"] {
        set.ask(asked)?.keeps("text bare")?;
    }
    Ok(())
}
