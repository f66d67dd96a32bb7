//! How the raw query string becomes names and values: percent sequences, empty pairs, letter case of names, and what is a number or a
//! date. The documents leave open how a date compares with a text, and which numbers are read, so nearly all of that is only noted.

use super::labelled_books::{LabelledBooks, labelled};
use crate::chapters::prelude::*;

cases! { "list";
    /// LIMIT, Q, Sort, Page and Fields are names of fields like any other, or the parameters themselves.
    reserved_names_in_another_case_are_read_one_way judges ["list/reserved-name-case"] => |cx| {
        let fields = json!({ "LIMIT": 1, "Sort": "-lote", "Q": "zafiro", "Page": 2, "Fields": "lote" });
        let without = json!({ "otro": "rubí" });
        let set = LabelledBooks::of(cx, [("with", fields.clone()), ("twin", fields), ("without", without)])?;
        // Where it is the parameter itself, it must answer as the parameter in small letters does.
        for asked in ["LIMIT=1", "Sort=-lote", "Q=zafiro", "Page=2", "Fields=lote"] {
            let (listed, itself) = (set.ask(asked)?, set.ask(&asked.to_lowercase())?);
            let is_same_page = listed.reply.at("/metadata") == itself.reply.at("/metadata");
            let readings = [
                ("field", listed.is_any_order_of("with twin")),
                ("reserved", listed.reply.is(200) && listed.count() == itself.count() && is_same_page),
            ];
            cx.observe_of(asked, &readings, listed.got())?;
        }
        Ok(())
    };
    /// A percent sign without two hexadecimal digits is answered in a permitted way.
    bad_percent_sequence_is_read_one_way judges ["list/form-decoding"] => |cx| {
        let set = labelled! {
            cx; "bad": { "tema": "100%" }, "digits": { "tema": "100%zz" }, "plain": { "tema": "100" },
        }?;
        for (asked, label) in [("tema=100%", "bad"), ("tema=100%zz", "digits")] {
            let listed = set.ask(asked)?;
            let readings = [
                ("form", listed.is(label)),
                ("400", listed.reply.is(400)),
                ("ignored", listed.is_whole()),
                ("500", is_documented_500(&listed.reply)),
            ];
            cx.observe(&readings, listed.got())?;
        }
        Ok(())
    };
    /// Ampersands with nothing between them add no parameter.
    empty_pairs_are_no_parameters judges ["list/empty-pairs"] => |cx| {
        let set = labelled! { cx; "sol": { "tema": "sol" }, "luna": { "tema": "luna" } }?;
        set.keeps(&[("&tema=sol", "sol"), ("tema=luna&&&sort=titulo", "luna"), ("tema=sol&", "sol")])?;
        set.ask_at(&format!("/libros?&lote={}&", set.marker()), "&lote=...&")?.keeps("sol luna")
    };
    /// Hour 24, minute 60 and the like are no time, or run on.
    impossible_times_are_read_one_way judges ["list/date-impossible"] => |cx| {
        // What is sent, what it would be if it ran on, and whether V8 takes it for that.
        const TIMES: [(&str, &str, bool); 7] = [
            ("2020-05-17T24:00:00Z", "2020-05-18T00:00:00Z", true),
            ("2020-05-17T24:00:01Z", "2020-05-18T00:00:01Z", false),
            ("2020-05-17T24:01:00Z", "2020-05-18T00:01:00Z", false),
            ("2020-05-17T24:00:00.001Z", "2020-05-18T00:00:00.001Z", false),
            ("2020-05-17T25:00:00Z", "2020-05-18T01:00:00Z", false),
            ("2020-05-17T12:60:00Z", "2020-05-17T13:00:00Z", false),
            ("2020-05-17T12:30:60Z", "2020-05-17T12:31:00Z", false),
        ];
        for (sent, run_on, is_time) in TIMES {
            let set = labelled! { cx; "same-text": { "dia": sent }, "run-on": { "dia": run_on } }?;
            set.ask(&format!("dia={sent}"))?.reads(&[
                ("v8", if is_time { "same-text run-on" } else { "same-text" }),
                ("hour-24", "same-text"),
                ("invalid", ""),
                ("runs-on", "same-text run-on"),
                ("runs-on", "run-on"),
            ])?;
        }
        Ok(())
    };
    /// Signs, points, exponents and digits in radix 2, 8 and 16 make numbers, or texts like others.
    odd_spellings_of_numbers_are_read_one_way judges ["list/convert-number-forms"]
        by texts_like_numbers_are("javascript", &NUMBERS);
    /// What JavaScript takes for no number is a text.
    texts_that_only_look_like_numbers_are_texts judges ["list/convert-number-forms"]
        by texts_like_numbers_are("number", &TEXTS);
    /// Words that some readers take for infinity or for no number are texts, or numbers that equal nothing.
    words_for_infinity_are_read_one_way judges ["list/convert-number-forms"] => |cx| {
        for word in ["inf", "-inf", "INF", "infinity", "nan", "NaN"] {
            let set = labelled! { cx; "text": { "n": word }, "zero": { "n": 0 }, "other": { "n": "palabra" } }?;
            set.ask(&format!("n={word}"))?.reads(&[("text", "text"), ("nothing", "")])?;
        }
        Ok(())
    };
}

/// Jetty throws where it reads such a query, beyond the reach of what reads it.
fn is_documented_500(reply: &Reply) -> bool {
    let has = |key: &str| !reply.text_at(&format!("/error/{key}")).is_empty();
    reply.is(500) && ["codigo", "mensaje", "timestamp", "requestId"].into_iter().all(has)
}

const NUMBERS: [(&str, f64); 16] = [
    ("+5", 5.0),
    ("5.", 5.0),
    (".5", 0.5),
    ("-.5", -0.5),
    ("007", 7.0),
    ("1E2", 100.0),
    ("1e+2", 100.0),
    ("5e-1", 0.5),
    ("-1.5e1", -15.0),
    ("0X1f", 31.0),
    ("0x0", 0.0),
    ("0b101", 5.0),
    ("0O17", 15.0),
    ("\u{a0}5\u{feff}", 5.0),
    // Rounded to the nearest double, and up by the last digit alone.
    ("0x10000000000000800", 18_446_744_073_709_551_616.0),
    ("0x10000000000000801", 18_446_744_073_709_555_712.0),
];

/// Texts, and the numbers that they look like.
const TEXTS: [(&str, f64); 12] = [
    ("0x", 0.0),
    ("0b2", 2.0),
    ("0o8", 8.0),
    ("0x5g", 5.0),
    ("-0x5", -5.0),
    ("1e", 1.0),
    ("1e+", 1.0),
    ("1e5x", 100_000.0),
    ("--5", 5.0),
    (".", 0.0),
    ("1_000", 1000.0),
    ("1.5.2", 1.5),
];

/// Notes what becomes of each text beside the number it spells or looks like; `as_number` is the reading where both are kept.
fn texts_like_numbers_are(cx: &CaseContext<'_>, as_number: &str, texts: &[(&str, f64)]) -> CaseResult {
    let readings = [(as_number, "text number"), ("text", "text"), ("number", "number"), ("nothing", "")];
    for (text, number) in texts {
        let set = labelled! { cx; "text": { "n": text }, "number": { "n": number }, "other": { "n": 23 } }?;
        set.ask(&format!("n={}", percent_encoded(text)))?.reads(&readings)?;
    }
    Ok(())
}
