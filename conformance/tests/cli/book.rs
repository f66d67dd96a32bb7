//! The book of the contract, parsed as XML: every rule has its anchor, every link its target, and a report is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use libros_conformance::contract::rule::{Contract, Level};
use roxmltree::{Document, Node, ParsingOptions};

use super::{code, complained, faulty, suite_in};

/// Writes the book with these options; returns file name to text.
fn book(folder: &Path, options: &[&str]) -> BTreeMap<String, String> {
    let output = suite_in(folder, &[&["book", "--html", "book"], options].concat());
    assert_eq!(code(&output), 0, "{}", complained(&output));
    let files = std::fs::read_dir(folder.join("book")).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "html"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (name(&path), std::fs::read_to_string(path).unwrap())).collect()
}

fn parsed<'p>(name: &str, page: &'p str) -> Document<'p> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn entry(pages: &BTreeMap<String, String>, rule: &str) -> String {
    let (chapter, name) = rule.split_once('/').unwrap();
    let file = format!("{chapter}.html");
    let page = parsed(&file, &pages[&file]);
    let entry = page.descendants().find(|node| node.attribute("id") == Some(name)).unwrap();
    words(entry)
}

fn words(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect()
}

#[test]
fn every_rule_has_its_anchor_and_every_link_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let pages = book(folder.path(), &[]);
    let mut anchors = BTreeSet::from(["style.css".to_owned()]);
    assert!(folder.path().join("book/style.css").is_file());
    for (name, page) in &pages {
        assert!(!page.contains("http://127") && !page.contains("src="), "{name} needs a network");
        let page = parsed(name, page);
        anchors.insert(name.clone());
        for id in page.descendants().filter_map(|node| node.attribute("id")) {
            assert!(anchors.insert(format!("{name}#{id}")), "{name} has two anchors {id}");
        }
    }
    for (name, page) in &pages {
        let page = parsed(name, page);
        for link in page.descendants().filter_map(|node| node.attribute("href")) {
            let end = if link.starts_with('#') { format!("{name}{link}") } else { link.to_owned() };
            assert!(anchors.contains(&end), "{name} links to {link}, which is nowhere");
        }
    }
    let derived = words(parsed("_derived.html", &pages["_derived.html"]).root());
    let surprises = parsed("_surprises.html", &pages["_surprises.html"]);
    for rule in Contract::built_in().rules() {
        let why = rule.because.as_deref().unwrap_or_default().replace('`', "");
        assert!(derived.contains(&why), "the page of what is derived has no argument for {}", rule.id);
        let link = rule.id.replacen('/', ".html#", 1);
        assert!(anchors.contains(&link), "{} has no anchor", rule.id);
        assert!(pages["index.html"].contains(&format!(">{}<", rule.id)), "the first page does not list {}", rule.id);
        let is_listed = surprises.descendants().any(|node| node.attribute("href") == Some(&link));
        assert_eq!(is_listed, rule.level == Level::Quirk, "{} among the surprises", rule.id);
    }
}

#[test]
fn an_entry_tells_reading_example_and_cases_and_what_a_target_answers() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plain = book(folder, &[]);
    let limit = entry(&plain, "paging/limit-maximum");
    for words in ["stated", "A limit above 100, up to 2^31, answers as 100 does.", "paging::limit_above_100_is_clamped"]
    {
        assert!(limit.contains(words), "no `{words}` in {limit}");
    }
    assert!(entry(&plain, "headers/frame-options").contains("X-Frame-Options: DENY"));
    assert!(entry(&plain, "books/create-status").contains("< 201"));

    let reports = ["--report", "json=run.json", "--report", "html=run.html", "--book", "book"];
    let run = ["run", "paging", "--spawn", &faulty("limit-max-is-1000"), "--seed", "1"];
    suite_in(folder, &[run, reports].concat());
    let beside = book(folder, &["--report", "run.json"]);
    let limit = entry(&beside, "paging/limit-maximum");
    assert!(limit.contains("fail") && limit.contains("got 1"), "{limit}");
    let is_marked = |page: &str, red: &str| {
        let page = parsed("page", page);
        page.descendants().any(|node| {
            node.attribute("data-red").is_some() && node.descendants().any(|inner| inner.attribute("href") == Some(red))
        })
    };
    let first = &beside["index.html"];
    assert!(first.contains("failing only") && is_marked(first, "paging.html") && !is_marked(first, "list.html"));
    let open =
        Contract::built_in().rules().find(|rule| rule.level == Level::Open && rule.chapter() == "paging").unwrap();
    let (alone, reported) = (entry(&plain, &open.id), entry(&beside, &open.id));
    assert!(alone.contains("(the reference)") && reported.contains("spawned"), "{reported}");
    let report = std::fs::read_to_string(folder.join("run.html")).unwrap();
    assert!(report.contains("\"book\":\"book\""), "the html report links to the book");
}
