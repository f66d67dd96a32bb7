//! Texts that JavaScript reads as numbers, and texts that only look like it. Which of them an implementation takes is only noted.

use super::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;
use crate::http::request::percent_encoded;

cases! { "list";
    /// Signs, points, exponents and digits in radix 2, 8 and 16 make numbers, or texts like others.
    odd_spellings_of_numbers_are_read_one_way judges ["list/convert-number-forms"];
    /// Words that some readers take for infinity or for no number are texts, or numbers that equal nothing.
    words_for_infinity_are_read_one_way judges ["list/convert-number-forms"];
    /// What JavaScript takes for no number is a text.
    texts_that_only_look_like_numbers_are_texts judges ["list/convert-number-forms"];
}

/// Notes what becomes of a text beside the number it spells or looks like; `as_number` is the reading where both are kept.
fn judge(cx: &CaseContext<'_>, text: &str, number: f64, as_number: &str) -> CaseResult {
    let books = [("text", json!({ "n": text })), ("number", json!({ "n": number })), ("other", json!({ "n": 23 }))];
    let readings = [(as_number, "text number"), ("text", "text"), ("number", "number"), ("nothing", "")];
    LabelledBooks::of(cx, &books)?.ask(&format!("n={}", percent_encoded(text)))?.reads(&readings)
}

fn odd_spellings_of_numbers_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    const FORMS: [(&str, f64); 16] = [
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
    for (text, number) in FORMS {
        judge(cx, text, number, "javascript")?;
    }
    Ok(())
}

fn texts_that_only_look_like_numbers_are_texts(cx: &CaseContext<'_>) -> CaseResult {
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
    for (text, number) in TEXTS {
        judge(cx, text, number, "number")?;
    }
    Ok(())
}

fn words_for_infinity_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let words = ["inf", "-inf", "INF", "infinity", "nan", "NaN"];
    for word in words {
        let books = [("text", json!({ "n": word })), ("zero", json!({ "n": 0 })), ("other", json!({ "n": "palabra" }))];
        LabelledBooks::of(cx, &books)?.ask(&format!("n={word}"))?.reads(&[("text", "text"), ("nothing", "")])?;
    }
    Ok(())
}
