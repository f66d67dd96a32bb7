//! What `explain` shows for a rule, a case, a fault and a reading.

use std::path::Path;

use super::{said, suite, suite_in};

/// The line of the file that a page of `explain` names after a label or a name.
fn line_shown(page: &str, behind: &str) -> String {
    let words = page.split_whitespace().skip_while(|word| *word != behind);
    let place = |word: &str| word.rsplit_once(':').and_then(|(file, line)| Some((file.to_owned(), line.parse().ok()?)));
    let (file, line): (String, usize) = words.skip(1).find_map(place).unwrap_or_else(|| panic!("{page}"));
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)).unwrap();
    text.lines().nth(line - 1).unwrap().to_owned()
}

#[test]
fn explain_shows_the_function_that_judges_or_that_is_a_fault() {
    for (id, name) in [
        // A case, one that is data, a fault, a permitted reading.
        ("hostile::slow_head", "sent_raw"),
        ("list::q_acts_before_the_page", "listed"),
        ("per-page-is-shown", "shows_list"),
        ("impossible-dates-run-on", "run_on"),
    ] {
        let page = said(&suite(&["explain", id]));
        assert!(line_shown(&page, name).contains(&format!("fn {name}(")), "{page}");
        assert!(line_shown(&page, "declared").contains(id.rsplit("::").next().unwrap()), "{page}");
        assert!(page.find("function ") < page.find("declared "), "{page}");
    }
    let page = said(&suite(&["explain", "paging/limit-maximum"]));
    let case = "page_holds_100_books_at_most";
    assert!(line_shown(&page, &format!("paging::{case}")).contains(&format!("{case} judges [")), "{page}");
}

#[test]
fn explain_says_whose_target_it_offers_to_ask_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".libros-conformance")).unwrap();
    let last = r#"{"options":["--profile","theirs.toml","--seed","1"],"failed":[]}"#;
    std::fs::write(folder.path().join(".libros-conformance/last-run.json"), last).unwrap();
    let shown = said(&suite_in(folder.path(), &["explain", "paging::page_holds_100_books_at_most"]));
    assert!(shown.contains("libros-conformance run paging::page_holds_100_books_at_most --trace\n"), "{shown}");
    let theirs = shown.lines().find(|line| line.contains("theirs.toml")).unwrap_or_default();
    assert!(theirs.contains(" --seed 1 ") && theirs.ends_with("# the target of this folder's last run"), "{shown}");
}
