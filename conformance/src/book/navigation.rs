//! The navigation of the book's pages.

use crate::book::contents::Contents;
use crate::book::markup::escaped;

pub(super) fn navigation(book: &Contents<'_>, here: &str) -> String {
    let pages = &book.pages;
    let at = pages.iter().position(|(file, _)| file == here).unwrap_or_default();
    let turn = |index: Option<usize>, rel: &str, arrow: [&str; 2]| {
        let page = index.and_then(|index| pages.get(index));
        page.map_or_else(
            || "<span></span>".to_owned(),
            |(file, title)| format!("<a rel=\"{rel}\" href=\"{file}\">{}{}{}</a>", arrow[0], escaped(title), arrow[1]),
        )
    };
    let (before, after) =
        (turn(at.checked_sub(1), "prev", ["\u{2190} ", ""]), turn(Some(at + 1), "next", ["", " \u{2192}"]));
    let items = pages.iter().map(|(file, title)| {
        let current = if file == here { " aria-current=\"page\"" } else { "" };
        format!("<li><a href=\"{file}\"{current}>{}</a></li>", escaped(title))
    });
    let items: String = items.collect();
    format!(
        "<nav aria-label=\"Pages\"><div class=\"turn\">{before}{after}</div>\n\
         <details><summary class=\"plain\">All pages</summary><ul>{items}</ul></details></nav>\n"
    )
}
