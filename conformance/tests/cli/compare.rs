//! `compare` from outside: two reports of one implementation, reports of several, and files that are no reports.

use std::path::Path;
use std::process::{Command, Output};

use super::{PROGRAM, code, complained, impostor, said, suite_in};

/// Judges the impostor, perhaps with a fault, and writes the json report.
fn judge(folder: &Path, file: &str, fault: Option<&str>) {
    let fault = fault.map(|fault| format!("--fault {fault}")).unwrap_or_default();
    let report = format!("json={file}");
    let output = suite_in(folder, &["run", "paging", "--spawn", &impostor(&fault), "--seed", "1", "--report", &report]);
    assert!(folder.join(file).exists(), "{}", complained(&output));
}

fn compare(folder: &Path, arguments: &[&str]) -> Output {
    suite_in(folder, &[&["compare"], arguments].concat())
}

#[test]
fn before_and_after_are_shown_in_ten_lines_and_several_in_a_matrix() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    judge(folder, "before.json", None);
    judge(folder, "after.json", Some("limit-max-is-1000"));
    let output = compare(folder, &["before.json", "after.json"]);
    let shown = said(&output);
    assert_eq!(code(&output), 0);
    assert!(shown.lines().count() <= 10, "{shown}");
    for words in ["conformant", "not-conformant", "broken", "paging/limit-maximum: want 100, got"] {
        assert!(shown.contains(words), "no `{words}` in\n{shown}");
    }
    assert_eq!(compare(folder, &["before.json", "after.json", "--fail-if-worse"]).status.code(), Some(1));
    assert_eq!(compare(folder, &["after.json", "before.json", "--fail-if-worse"]).status.code(), Some(0));
    assert!(said(&compare(folder, &["before.json", "before.json"])).ends_with("nothing changed\n"));

    // A report with fewer cases and of another contract: the vanished case is named, and the contract as a possible reason.
    let text = std::fs::read_to_string(folder.join("before.json")).unwrap();
    let mut report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let gone = report["cases"].as_array_mut().unwrap().remove(0)["id"].as_str().unwrap().to_owned();
    report["suite"]["contract"] = "0".repeat(64).into();
    std::fs::write(folder.join("fewer.json"), report.to_string()).unwrap();
    let shown = said(&compare(folder, &["before.json", "fewer.json"]));
    assert!(shown.contains(&gone) && shown.contains("suite or contract differ"), "{shown}");

    let several = ["before.json", "after.json", "fewer.json"];
    let shown = said(&compare(folder, &several));
    let row = shown.lines().find(|line| line.starts_with("paging ")).unwrap();
    assert_eq!(row.split_whitespace().filter(|cell| cell.contains('/')).count(), 3, "{shown}");
    assert!(!shown.contains("paging/limit-maximum") && shown.contains("contracts differ"), "{shown}");
    let whole = said(&compare(folder, &[&several[..], &["-v"]].concat()));
    let row = whole.lines().find(|line| line.starts_with("  paging/limit-maximum ")).unwrap();
    assert_eq!(row.split_whitespace().skip(1).collect::<Vec<_>>(), ["pass", "fail", "pass"]);
    let has_short_lines = |shown: &str, columns: usize| shown.lines().all(|line| line.chars().count() <= columns);
    assert!(has_short_lines(&shown, 80) && has_short_lines(&whole, 80), "{shown}{whole}");
    // In a narrow window numbers replace the labels, a legend explains them, and ids stay whole.
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).env("COLUMNS", "60").args(["compare", "-v"]).args(several);
    let narrow = said(&command.output().unwrap());
    assert!(has_short_lines(&narrow, 60), "{narrow}");
    assert!(narrow.lines().any(|line| line.split_whitespace().eq(["1", "2", "3"])), "{narrow}");
    assert!(narrow.contains("paging/limit-maximum") && narrow.contains("\n  3  spawned (fewer)\n"), "{narrow}");
}

#[test]
fn page_and_badge_need_no_network_and_are_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    judge(folder, "report.json", Some("limit-max-is-1000"));
    let output = compare(folder, &["report.json", "report.json", "--html", "page.html", "--badge", "badge.svg"]);
    assert_eq!(code(&output), 0, "{}", complained(&output));
    let badge = std::fs::read_to_string(folder.join("badge.svg")).unwrap();
    let svg = roxmltree::Document::parse(&badge).unwrap();
    assert!(svg.descendants().any(|node| node.text().is_some_and(|text| text.contains("not conformant"))), "{badge}");
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http") && !page.contains("/*"), "{page}");
    let data = page.split_once("type=\"application/json\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["reports"].as_array().unwrap().len(), 2);
    let of_limit = data["rules"].as_array().unwrap().iter().find(|rule| rule["id"] == "paging/limit-maximum").unwrap();
    assert_eq!(of_limit["verdicts"], serde_json::json!(["fail", "fail"]));
}

#[test]
fn what_is_no_report_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let files = [
        ("junit.xml", "<testsuites/>", "only the json one"),
        ("empty.json", "", "empty"),
        ("other.json", "[]", "no report"),
        ("later.json", "{\"format\": \"libros-conformance/9\"}", "`libros-conformance/9`"),
        ("bare.json", "{\"format\": \"libros-conformance/1\"}", "missing field"),
        ("cut.json", "{\"a\":", "cut short"),
    ];
    for (name, text, why) in files {
        std::fs::write(folder.join(name), text).unwrap();
        let output = compare(folder, &[name, name]);
        let complaint = complained(&output);
        assert_eq!(code(&output), 2);
        assert!(complaint.contains(name) && complaint.contains(why), "{complaint}");
    }
    assert!(complained(&compare(folder, &["missing.json", "missing.json"])).contains("cannot read missing.json"));
}
