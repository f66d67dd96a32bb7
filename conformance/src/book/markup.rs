//! The frame of a page, and escaping. Knows no rule.
//!
//! Pages are XML as well as HTML, so that any XML parser reads them. They need no network; without JavaScript only the
//! search is missing.

use crate::book::contents::STYLE_FILE;
use crate::report::html::STYLE;

const OWN_STYLE: &str = include_str!("book.css");

/// Searches and filters the entries of a page. It avoids ampersands and angle brackets, which XML would parse.
const SCRIPT: &str = include_str!("search.js");

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub(super) fn prose(text: &str) -> String {
    let parts = escaped(text);
    let mut prose = String::new();
    for (index, part) in parts.split('`').enumerate() {
        match index % 2 {
            0 => prose.push_str(part),
            _ => prose.push_str(&format!("<code>{part}</code>")),
        }
    }
    prose
}

pub(super) fn style() -> String {
    format!("{STYLE}\n{OWN_STYLE}")
}

pub(super) fn page(title: &str, navigation: &str, body: &str) -> String {
    let title = escaped(title);
    let filter = if body.contains("data-red") {
        "<button id=\"failing\" type=\"button\" aria-pressed=\"false\">failing only</button>"
    } else {
        ""
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"{STYLE_FILE}\" />\n</head>\n<body>\n<main>\n{navigation}\
         <div class=\"tools\">{filter}<input id=\"search\" type=\"search\" placeholder=\"Search this page ( / )\" aria-label=\"Search this page\" />\
         <span id=\"counted\" class=\"faint\" role=\"status\"></span></div>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}
