//! Checks which words a room may use, the lengths of files and their opening comments.

use std::fs;
use std::path::Path;

use super::{is_of_variations, root, sources};

const FILE_LINES_MAX: usize = 400;
/// The sources of the suite and its kit.
const SUITE: [&str; 2] = ["conformance/src", "conformance/kit/src"];

fn all_sources() -> Vec<(String, String)> {
    ["server", "conformance", "benches"].into_iter().flat_map(sources).collect()
}

/// The lines of code with one of these words; ignores comments and the tests at the end of a file.
fn lines_with(text: &str, words: &[&str]) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| words.iter().any(|word| line.contains(word))).map(str::to_owned).collect()
}

fn assert_only(below: &str, allowed: &[&str], words: &[&str], why: &str) {
    for (name, text) in sources(below) {
        if allowed.iter().any(|place| name.starts_with(place)) {
            continue;
        }
        let lines = lines_with(&text, words);
        assert!(lines.is_empty(), "{name}: {why}\n{}", lines.join("\n"));
    }
}

#[test]
fn every_file_opens_by_saying_what_it_is() {
    for (name, text) in all_sources() {
        assert!(text.starts_with("//! "), "{name} does not open with `//!`");
    }
}

#[test]
fn no_file_is_too_long() {
    for (name, text) in all_sources() {
        let lines = text.lines().count();
        assert!(lines <= FILE_LINES_MAX, "{name} has {lines} lines; {FILE_LINES_MAX} is the most: split it by subject");
    }
}

#[test]
fn no_file_is_called_after_no_subject() {
    for (name, _) in all_sources() {
        let stem = Path::new(&name).file_stem().unwrap().to_str().unwrap();
        let vague = ["utils", "util", "helpers", "common", "types", "misc"];
        assert!(!vague.contains(&stem), "{name}: name it after its subject");
    }
}

#[test]
fn only_the_launcher_names_the_server() {
    assert_only(
        "conformance/src",
        &["conformance/src/implementation/reference.rs"],
        &["libros_server"],
        "the suite never imports the server",
    );
}

#[test]
fn the_server_never_names_the_suite() {
    assert_only("server", &[], &["libros_conformance"], "the server never imports the suite");
}

#[test]
fn the_http_library_stays_in_the_transport() {
    let words = ["hyper::", "hyper_util::", "tokio::"];
    assert_only("server/src", &["server/src/transport"], &words, "hyper and tokio are the transport's");
}

#[test]
fn time_and_randomness_come_in_through_one_file_each() {
    let now = ["SystemTime::now", "Instant::now", "Utc::now", "Local::now"];
    assert_only(
        "server",
        &["server/system/src/clock.rs", "server/store/src/cluster/simulation/scheduler.rs", "server/tests"],
        &now,
        "ask the clock",
    );
    for below in SUITE {
        let allowed = |file| [file, "conformance/src/impostor"];
        assert_only(below, &allowed("conformance/kit/src/clock.rs"), &now, "ask `clock`");
        assert_only(below, &allowed("conformance/kit/src/random.rs"), &["rand::"], "ask `random`");
    }
}

#[test]
fn sockets_of_the_suite_are_opened_in_one_file() {
    let allowed = [
        "conformance/kit/src/http/stream.rs",
        "conformance/kit/src/http/tls.rs",
        "conformance/src/bench/connection.rs",
        "conformance/src/impostor",
    ];
    for below in SUITE {
        assert_only(below, &allowed, &["TcpStream"], "use the wire client");
        assert_only(below, &["conformance/src/impostor/tests.rs"], &["reqwest"], "use the client of `http`");
    }
}

#[test]
fn impostor_and_cases_share_no_code() {
    let chapters = sources("conformance/src/chapters");
    let (of_variations, of_cases): (Vec<_>, Vec<_>) =
        chapters.into_iter().partition(|(name, _)| is_of_variations(name.trim_start_matches("conformance/src/")));
    for (name, text) in sources("conformance/src/impostor").iter().chain(&of_variations) {
        let words = [
            "crate::context",
            "crate::http",
            "crate::case",
            "crate::chapters::prelude",
            "crate::fixture",
            "crate::snapshot",
            "libros_conformance_kit",
        ];
        let lines = lines_with(text, &words);
        assert!(lines.is_empty(), "{name}: the impostor shares no code with the cases\n{}", lines.join("\n"));
        let of_chapters = lines_with(text, &["crate::chapters::"]);
        let strange: Vec<_> = of_chapters.iter().filter(|line| !line.contains("variations")).collect();
        assert!(strange.is_empty(), "{name}: the impostor shares no code with the cases\n{strange:#?}");
    }
    let oracle = "libros_conformance_model::list";
    for (name, text) in of_cases {
        let lines = lines_with(&text, &["crate::impostor", "variations", "libros_conformance_model"]);
        let strange: Vec<_> = lines.iter().filter(|line| !line.contains(oracle)).collect();
        assert!(
            strange.is_empty() || name.ends_with("/chapters/mod.rs"),
            "{name}: of the impostor the cases know the naive list alone\n{strange:#?}"
        );
    }
}

#[test]
fn generated_inputs_know_no_fault_but_for_the_hint() {
    for (name, text) in sources("conformance/src/generate") {
        let hint = "generate/queries/resemblance.rs";
        if name.ends_with("/tests.rs") || name.ends_with(hint) {
            continue;
        }
        // The model of histories takes readings, in the same wrapping.
        let takes_readings = name.ends_with("generate/histories/model.rs");
        let words: &[&str] = if takes_readings {
            &["faults::all", "faults::find", "Faults::one", "variations::"]
        } else {
            &["impostor::faults", "Faults", "variations::"]
        };
        let lines = lines_with(&text, words);
        assert!(lines.is_empty(), "{name}: what breaks a rule is never found by trying faults; {hint} hints at them");
    }
}

#[test]
fn reports_know_no_cases() {
    let words = ["crate::chapters", "crate::context::case_context::CaseContext", "crate::runner::run::"];
    for (name, text) in sources("conformance/src/report") {
        let lines = lines_with(&text, &words);
        assert!(lines.is_empty(), "{name}: a report sees only the outcome\n{}", lines.join("\n"));
    }
}

#[test]
fn reports_read_no_text_of_a_failure_back() {
    let readers =
        ["contains(", "starts_with(", "strip_prefix(", "split("].map(|reader| format!("to_string().{reader}"));
    let readers = readers.each_ref().map(String::as_str);
    for below in ["conformance/src/report", "conformance/src/runner"] {
        assert_only(below, &[], &readers, "matches on the types of `contract/violation.rs`, not on their texts");
    }
}

#[test]
fn every_dependency_is_used() {
    // The suite's tests include the fuzz targets.
    let suite = &["conformance/src", "conformance/tests", "fuzz/src"][..];
    for (krate, folders) in [
        ("server", &["server/src", "server/tests"][..]),
        ("server/query", &["server/query"]),
        ("server/store", &["server/store"]),
        ("server/system", &["server/system"]),
        ("conformance", suite),
        ("conformance/kit", &["conformance/kit"]),
        ("conformance/model", &["conformance/model"]),
        ("benches", &["benches"]),
    ] {
        let manifest = fs::read_to_string(root().join(krate).join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let code: String = folders.iter().flat_map(|folder| sources(folder)).map(|(_, text)| text).collect();
        for table in ["dependencies", "dev-dependencies"] {
            let declared = manifest.get(table).and_then(toml::Value::as_table);
            for name in declared.into_iter().flat_map(toml::Table::keys) {
                let path = if name == "md-5" { "md5".to_owned() } else { name.replace('-', "_") };
                let is_named = [format!("{path}::"), format!("use {path};")].iter().any(|words| code.contains(words));
                assert!(is_named, "{krate}/Cargo.toml: nothing uses {name}");
            }
        }
    }
}
