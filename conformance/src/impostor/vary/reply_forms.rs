//! Changes the form of a reply and keeps its meaning: texts, JSON, headers, framing.

use std::fmt::Write as _;

use libros_conformance_model::clock::http_date;
use libros_conformance_model::js;
use libros_conformance_model::message::{Framing, Reply, Request};
use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use serde_json::{Map, Value};

use crate::impostor::effect::catalogue::edit_text;
use crate::impostor::world::Clock;

/// Words error texts and messages differently, by the seed.
pub(crate) fn texts(seed: u64, request: &Request, reply: &mut Reply) {
    // A book may have fields of these names, which are its own.
    if reply.has("ETag") || request.path.starts_with("/libros") && reply.status < 400 {
        return;
    }
    let Some(mut body) = js::parse(&reply.body).ok().filter(Value::is_object) else { return };
    let reword = |text: &mut Value| {
        edit_text(text, |text| match seed % 4 {
            0 => "Nein.".to_owned(),
            1 => format!("¡Atención!\n\"{text}\""),
            2 => text.to_uppercase(),
            _ => text.to_owned(),
        });
    };
    for name in ["error", "mensaje", "advertencia"] {
        match body.get_mut(name) {
            Some(Value::Object(error)) => error.get_mut("mensaje").into_iter().for_each(reword),
            Some(text) => reword(text),
            None => {}
        }
    }
    reply.body = js::stringify(&body).into_bytes();
}

/// Another order of keys; white space and escapes where no ETag covers the text.
pub(crate) fn body(dice: &mut StdRng, reply: &mut Reply) {
    // Skips very long answers, to save time.
    if reply.body.len() > 100_000 {
        return;
    }
    let Ok(body) = js::parse(&reply.body) else { return };
    if reply.has("ETag") {
        // The ETag was made of the text of datos or of a book: only the members around it may move.
        if body.get("datos").is_some() {
            reply.body = js::stringify(&shuffled(dice, body, true)).into_bytes();
        }
        return;
    }
    let body = shuffled(dice, body, false);
    let mut text = String::new();
    let spaced = dice.random_ratio(1, 2);
    let escaped = dice.random_ratio(1, 2);
    spell(dice, &body, spaced, escaped, &mut text);
    reply.body = text.into_bytes();
}

fn shuffled(dice: &mut StdRng, value: Value, spare_datos: bool) -> Value {
    match value {
        Value::Object(fields) => {
            let mut member = |(name, value): (String, Value)| {
                let is_spared = spare_datos && name == "datos";
                (name, if is_spared { value } else { shuffled(dice, value, spare_datos) })
            };
            let mut fields: Vec<(String, Value)> = fields.into_iter().map(&mut member).collect();
            fields.shuffle(dice);
            Value::Object(fields.into_iter().collect::<Map<_, _>>())
        }
        Value::Array(items) => items.into_iter().map(|item| shuffled(dice, item, spare_datos)).collect(),
        plain => plain,
    }
}

/// Writes JSON with white space between its tokens and escapes in its texts.
fn spell(dice: &mut StdRng, value: &Value, spaced: bool, escaped: bool, out: &mut String) {
    let space = |dice: &mut StdRng, out: &mut String| {
        if spaced {
            out.push_str(["", " ", "\n", "\t ", "\r\n  "][dice.random_range(0..5)]);
        }
    };
    space(dice, out);
    match value {
        Value::Object(fields) => {
            out.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                space(dice, out);
                quote(dice, name, escaped, out);
                space(dice, out);
                out.push(':');
                spell(dice, value, spaced, escaped, out);
            }
            space(dice, out);
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                spell(dice, item, spaced, escaped, out);
            }
            space(dice, out);
            out.push(']');
        }
        Value::String(text) => quote(dice, text, escaped, out),
        plain => out.push_str(&js::stringify(plain)),
    }
    space(dice, out);
}

fn quote(dice: &mut StdRng, text: &str, escaped: bool, out: &mut String) {
    if !escaped {
        out.push_str(&js::stringify(&Value::from(text)));
        return;
    }
    out.push('"');
    for c in text.chars() {
        if c == '/' {
            out.push_str("\\/");
        } else if c.is_ascii_alphanumeric() && !dice.random_ratio(1, 9) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                _ = write!(out, "\\u{unit:04X}");
            }
        }
    }
    out.push('"');
}

/// Another order and spelling of header names, spaces around values, transport headers, another framing.
pub(crate) fn headers(dice: &mut StdRng, request: &Request, reply: &mut Reply, keep: bool) {
    let built = reply.has("X-Frame-Options") && request.method != "OPTIONS";
    if dice.random_ratio(1, 2) {
        reply.set("Date", &http_date(Clock::default().now()));
    }
    if keep && dice.random_ratio(1, 2) {
        reply.set("Connection", "keep-alive");
        reply.set("Keep-Alive", "timeout=5, max=100");
    }
    if built {
        for (name, value) in [
            ("Server", "otra/1.0 (x; y)"),
            ("Vary", "Accept-Encoding, Origin"),
            ("Via", "1.1 proxy.example"),
            ("X-Powered-By", "curiosity"),
            ("Content-Language", "es"),
        ] {
            if dice.random_ratio(1, 3) {
                reply.set(name, value);
            }
        }
    }
    // The common builder sets Content-Length; elsewhere framing is free.
    if !built && !matches!(reply.status, 204 | 304) && dice.random_ratio(1, 2) && reply.framing == Framing::Length {
        reply.framing = Framing::Chunked;
    }
    for (name, value) in &mut reply.headers {
        *name = vary_case(dice, name);
        *value = match dice.random_range(0..6) {
            0 => format!("  {value}"),
            1 => format!("{value}\t"),
            _ => std::mem::take(value),
        };
    }
    reply.headers.shuffle(dice);
}

fn vary_case(dice: &mut StdRng, name: &str) -> String {
    match dice.random_range(0..4) {
        0 => name.to_lowercase(),
        1 => name.to_uppercase(),
        2 => name
            .chars()
            .map(|c| if dice.random_ratio(1, 2) { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect(),
        _ => name.to_owned(),
    }
}
