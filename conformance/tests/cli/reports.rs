//! Every report format of one failing run, parsed by other libraries: the counts agree, and no secret is in them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{PROGRAM, code, complained, faulty, said, suite_in};

const FORMATS: [&str; 10] = ["human", "json", "junit", "html", "sarif", "github", "md", "tap", "har", "hurl"];

/// Judges the impostor with a fault of pages and writes every format; returns the exit code.
fn run_in(folder: &Path) -> i32 {
    let mut command = Command::new(PROGRAM);
    let target = faulty("limit-max-is-1000");
    command.current_dir(folder).args(["run", "--spawn", &target, "--chapter", "paging", "--seed", "1"]);
    for format in FORMATS {
        command.arg("--report").arg(format!("{format}={}", report(folder, format).display()));
    }
    code(&command.env_remove("GITHUB_STEP_SUMMARY").output().unwrap())
}

fn report(folder: &Path, format: &str) -> PathBuf {
    folder.join(format!("report.{format}"))
}

fn text(folder: &Path, format: &str) -> String {
    std::fs::read_to_string(report(folder, format)).unwrap_or_else(|error| panic!("{format}: {error}"))
}

fn json(folder: &Path, format: &str) -> Value {
    serde_json::from_str(&text(folder, format)).unwrap_or_else(|error| panic!("{format}: {error}"))
}

#[test]
fn every_format_tells_the_same_counts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(run_in(folder), 1);
    let written = json(folder, "json");
    let count = |verdict: &str| usize::try_from(written["summary"][verdict].as_u64().unwrap()).unwrap();
    let cases = written["cases"].as_array().unwrap();
    let red = count("fail") + count("blocked") + count("broken") + count("unexpected_pass") + count("flaky");
    assert!(count("fail") > 0 && red < cases.len(), "{}", written["summary"]);
    assert_eq!(written["result"], "not-conformant");
    assert!(written["causes"][0]["cases"].as_array().is_some_and(|cases| !cases.is_empty()));

    let junit = text(folder, "junit");
    let junit = roxmltree::Document::parse(&junit).unwrap();
    let named = |name: &str| junit.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!((named("testcase"), named("failure"), named("skipped")), (cases.len(), red, count("skipped")));
    assert!(junit.descendants().any(|node| node.attribute("classname") == Some("paging")));

    let tap = text(folder, "tap");
    let lines = |start: &str| tap.lines().filter(|line| line.starts_with(start)).count();
    assert!(tap.contains(&format!("1..{}\n", cases.len())), "{tap}");
    assert_eq!((lines("ok "), lines("not ok ")), (cases.len() - red, red));

    let sarif = json(folder, "sarif");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), red);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "seeds/rules/paging.toml", "{}", results[0]);

    let har = json(folder, "har");
    let kept: usize = cases.iter().map(|case| case["exchanges"].as_array().unwrap().len()).sum();
    assert_eq!(har["log"]["entries"].as_array().unwrap().len(), kept);

    assert!(text(folder, "github").lines().any(|line| line.starts_with("::error title=paging/limit-maximum::")));
    assert!(text(folder, "md").contains(&format!("{} fail", count("fail"))));
    assert!(text(folder, "human").lines().count() <= 100, "{}", text(folder, "human"));

    // Every report names suite and contract.
    let contract = written["suite"]["contract"].as_str().unwrap();
    assert_eq!(contract.len(), 64, "{contract}");
    for format in FORMATS {
        assert!(text(folder, format).contains(&contract[..12]), "the {format} report names no contract");
    }

    let html = text(folder, "html");
    let script = html.split_once("type=\"application/json\">").unwrap().1.split_once("</script>").unwrap().0;
    let inside: Value = serde_json::from_str(script).unwrap();
    assert_eq!((&inside["summary"], inside["cases"].as_array().unwrap().len()), (&written["summary"], cases.len()));
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http"), "the page needs no network");
}

#[test]
fn no_report_shows_a_credential_of_the_profile() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_in(folder);
    let profile: toml::Table = std::fs::read_to_string("../fixtures/targets/reference.toml").unwrap().parse().unwrap();
    let credentials = profile["credentials"].as_table().unwrap();
    let secret = |value: &toml::Value| value.get("password").unwrap_or(value).as_str().unwrap().to_owned();
    let secrets: Vec<_> = credentials.iter().map(|(name, value)| (name, secret(value))).collect();
    assert_eq!(secrets.len(), 4);
    for format in FORMATS {
        let written = text(folder, format);
        for (name, secret) in &secrets {
            assert!(!written.contains(secret.as_str()), "the {format} report shows {name}");
        }
    }
    assert!(text(folder, "json").contains("${test_key}"));
}

#[test]
fn a_replay_plays_what_failed_last_and_only_that() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_in(folder);
    let failed = json(folder, "json")["summary"]["fail"].as_u64().unwrap();
    let output = suite_in(folder, &["replay"]);
    assert_eq!(code(&output), 1, "{}", complained(&output));
    let said = said(&output);
    let sentence = "fails on yours as before; holds on the reference\n";
    assert_eq!(u64::try_from(said.matches(sentence).count()).unwrap(), failed, "{said}");
    let output = suite_in(folder, &["run", "--last-failed"]);
    assert!(self::said(&output).contains(&format!("\n{failed} cases in ")) && code(&output) == 1);
}

#[test]
fn the_hurl_report_says_a_failing_case_as_requests_captures_and_asserts_or_why_it_cannot() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("failed.hurl");
    for (fault, case, expected) in [
        (
            "limit-max-is-1000",
            "paging::limit_above_100_is_clamped",
            &[
                "# hurl --continue-on-error --variable test_key=... FILE\n",
                "/libros?limit=101\nX-API-Key: {{test_key}}\nHTTP 200\n[Asserts]\njsonpath \"$.metadata.paginacion.limit\" == 100\n",
            ][..],
        ),
        (
            "delete-keeps-the-book",
            "books::a_deleted_book_cannot_be_read",
            &[
                "[Captures]\nv_id_",
                ": jsonpath \"$.id\"\n",
                "/libros/{{v_id_",
                "\nHTTP 404\n",
                "--variable admin_key=...",
            ],
        ),
        (
            "wrong-password-is-401",
            "login::wrong_password_is_refused",
            &["`{\"email\":\"user.{{run}}", "HTTP 400\n", " --variable run=$(date +%s) FILE\n"],
        ),
        ("limit-max-is-1000", "paging::huge_limit_is_the_maximum", &["# Not expressed as requests: what is wanted is"]),
        ("signup-without-password-accepted", "signup::refused_email_is_still_new", &["\"}`\nHTTP *\n"]),
        ("if-none-match-ignores-letter-case", "conditional/no-match", &["# Not expressed as requests: it changes"]),
        ("codes-read-as-numbers", "codes::a_zero_in_front_*", &["# Not expressed as requests: it computes codes"]),
        ("sessions-never-expire", "sessions/expired", &["# Not expressed as requests: it moves the"]),
    ] {
        let report = format!("hurl={}", file.display());
        let output = suite_in(folder.path(), &["run", case, "--spawn", &faulty(fault), "--report", &report]);
        assert_eq!(code(&output), 1, "{case}");
        let text = std::fs::read_to_string(&file).unwrap();
        for words in expected {
            assert!(text.contains(words), "no `{words}` in:\n{text}");
        }
    }
}
