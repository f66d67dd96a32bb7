//! The markup of a page: its frame, and text made safe. Knows no rule.
//!
//! Pages are XML as well as HTML, so that any parser reads them; they need no network, and without JavaScript only the search.

use crate::report::html::STYLE;

const OWN_STYLE: &str = include_str!("book.css");

/// Searches and filters what a page lists. Free of what XML would read: no ampersand, no angle bracket.
const SCRIPT: &str = include_str!("search.js");

/// Text as it may stand in an element or an attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The same, with what stands between backquotes as code.
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

/// A page of the book: its title, the navigation and the body as markup.
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
         <style>\n{STYLE}\n{OWN_STYLE}</style>\n</head>\n<body>\n<main>\n{navigation}\
         <div class=\"tools\">{filter}<input id=\"search\" type=\"search\" placeholder=\"Search this page ( / )\" aria-label=\"Search this page\" />\
         <span id=\"counted\" class=\"faint\" role=\"status\"></span></div>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}
