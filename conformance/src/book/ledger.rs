//! The page that lists the rules that judge each sentence of the documents. Quotes none of their words.

use crate::book::contents::{Contents, link_to};
use crate::book::markup::{escaped, page as framed};
use crate::book::navigation::navigation;
use crate::contract::ledger::{Ledger, Section};
use crate::contract::rule::Rule;

pub(super) const PAGE: (&str, &str) = ("_ledger.html", "sentence by sentence");

pub(super) fn page(book: &Contents<'_>) -> String {
    let (file, title) = PAGE;
    let sections: String = Ledger::built_in().sections.iter().map(|section| table(book, section)).collect();
    let about = "Every sentence and table row of the documents, numbered within its section, with the rules that judge it, or \
                 the reason why nothing of it can be seen. An open rule notes how it is read; a hidden one is judged by no case.";
    let body = format!("<h1>Sentence by sentence</h1>\n<p>{about}</p>\n{sections}");
    framed(&format!("{title}: the contract"), &navigation(book, file), &body)
}

fn table(book: &Contents<'_>, section: &Section) -> String {
    let rows = (1..).zip(&section.sentences).map(|(number, sentence)| {
        let links: Vec<String> = sentence.rules.iter().map(|id| link(book, id)).collect();
        let because = sentence.because.as_deref().map(|why| format!("<span class=\"faint\">{}</span>", escaped(why)));
        let told: Vec<String> = [links.join(", ")].into_iter().chain(because).filter(|text| !text.is_empty()).collect();
        format!("<tr data-entry=\"\"><td>{number}</td><td>{}</td></tr>", told.join(" "))
    });
    let rows: String = rows.collect();
    format!(
        "<section data-group=\"\"><h2>{}</h2>\n<table><tbody>{rows}</tbody></table></section>\n",
        escaped(&section.at)
    )
}

fn link(book: &Contents<'_>, id: &str) -> String {
    let mark = book.contract.rule(id).map_or("", Rule::mark);
    format!("<a href=\"{}\">{id}</a>{mark}", link_to(id))
}
