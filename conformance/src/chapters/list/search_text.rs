//! The text of the parameter q: taken as it was sent, every character for itself; and where it is empty, listed or repeated.
//!
//! Its texts are rare enough to stand in no marker, no timestamp and no client's name.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
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
        }
        .keeps(&[
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
        }
        .keeps(&[
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
        }
        .keeps(&[("q=3141592653", "text"), ("q=9999999999", "")]);
    /// A q that could be a boolean is a text.
    q_of_a_boolean_word_is_a_text judges ["list/q-as-sent"]:
        labelled! {
            "word": { "nota": "untrue" },
            "negative": { "nota": "falsedad" },
            "boolean": { "dato": true, "otro": false },
            "neither": { "nota": "zafiro" },
        }
        .keeps(&[("q=true", "word"), ("q=TRUE", "word"), ("q=false", "negative")]);
    /// A q that spells a number otherwise than it prints is searched as spelt, or as it prints.
    q_of_an_odd_number_is_read_one_way judges ["list/q-spelling"]:
        labelled! {
            "padded": { "nota": "agente 00731415926" },
            "bare": { "nota": "agente 731415926" },
            "decimals": { "nota": "vale 314159.500 hoy" },
            "short": { "nota": "vale 314159.5 hoy" },
            "other": { "nota": "vale 271828.1 hoy" },
        }
        .reads("q=00731415926", &[("sent", "padded"), ("printed", "padded bare")])
        .reads("q=314159.500", &[("sent", "decimals"), ("printed", "decimals short")]);
    /// A q that is a date is searched as sent, or as the date prints.
    q_of_a_date_is_read_one_way judges ["list/q-spelling"]:
        labelled! {
            "inside": { "nota": "nacida el 1815-12-10 en Londres" },
            "instant": { "nota": "1815-12-10T00:00:00.000Z" },
            "spaced": { "nota": "1815-12-10 00:00:00" },
            "other": { "nota": "1815-12-11" },
        }
        .reads("q=1815-12-10", &[
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
        }
        .reads("q=zafiro,kiwi", &[("sent", "whole"), ("items", "whole first second")]);
    /// A repeated q keeps any, all, or goes by one of them.
    repeated_q_is_read_one_way judges ["list/q-repeated"]:
        labelled! {
            "first": { "nota": "un zafiro" },
            "second": { "nota": "un kiwi" },
            "both": { "nota": "un kiwi y un zafiro" },
            "joined": { "nota": "zafiro,kiwi" },
            "neither": { "nota": "un rubí" },
        }
        .reads("q=zafiro&q=kiwi", &[
            ("any", "first second both joined"),
            ("all", "both joined"),
            ("first", "first both joined"),
            ("last", "second both joined"),
            ("joined", "joined"),
        ]);
    /// An empty q keeps every book.
    empty_q_keeps_every_book_with_a_text judges ["list/q-empty"];
}

fn empty_q_keeps_every_book_with_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("text", json!({ "nota": "zafiro" })), ("bare", json!({}))])?;
    for asked in ["q=", "q"] {
        set.ask(asked)?.keeps("text bare")?;
    }
    Ok(())
}
