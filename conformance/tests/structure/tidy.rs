//! Checks which words a room may use, the lengths of files and their opening comments.

use std::fs;
use std::path::Path;

use super::{is_of_variations, root, sources};

const FILE_LINES_MAX: usize = 400;

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
fn every_file_opens_by_saying_what_it_is_is_short_and_is_called_after_its_subject() {
    for (name, text) in ["server", "conformance", "benches"].into_iter().flat_map(sources) {
        assert!(text.starts_with("//! "), "{name} does not open with `//!`");
        let lines = text.lines().count();
        assert!(lines <= FILE_LINES_MAX, "{name} has {lines} lines; {FILE_LINES_MAX} is the most: split it by subject");
        let stem = Path::new(&name).file_stem().unwrap().to_str().unwrap();
        let vague = ["utils", "util", "helpers", "common", "types", "misc"];
        assert!(!vague.contains(&stem), "{name}: name it after its subject");
    }
}

#[test]
fn no_room_does_what_is_another_rooms() {
    let transport = ["hyper::", "hyper_util::", "tokio::"];
    assert_only("server/src", &["server/src/transport"], &transport, "hyper and tokio are the transport's");
    assert_only("server", &[], &["libros_conformance"], "the server never imports the suite");
    let launcher = "conformance/src/implementation/reference.rs";
    assert_only("conformance/src", &[launcher], &["libros_server"], "the suite never imports the server");

    let now = ["SystemTime::now", "Instant::now", "Utc::now", "Local::now"];
    let clocks = ["server/system/src/clock.rs", "server/store/src/cluster/simulation/scheduler.rs", "server/tests"];
    assert_only("server", &clocks, &now, "ask the clock");
    let impostor = "conformance/src/impostor";
    let wire = ["conformance/kit/src/http/stream.rs", "conformance/kit/src/http/tls.rs"];
    for below in ["conformance/src", "conformance/kit/src"] {
        assert_only(below, &["conformance/kit/src/clock.rs", impostor], &now, "ask `clock`");
        assert_only(below, &["conformance/kit/src/random.rs", impostor], &["rand::"], "ask `random`");
        let sockets = [&wire[..], &["conformance/src/bench/connection.rs", impostor]].concat();
        assert_only(below, &sockets, &["TcpStream"], "use the wire client");
        assert_only(below, &["conformance/src/impostor/tests.rs"], &["reqwest"], "use the client of `http`");
    }

    let outcome = ["crate::chapters", "crate::context::case_context::CaseContext", "crate::runner::run::"];
    assert_only("conformance/src/report", &[], &outcome, "a report sees only the outcome");
    let readers =
        ["contains(", "starts_with(", "strip_prefix(", "split("].map(|reader| format!("to_string().{reader}"));
    for below in ["conformance/src/report", "conformance/src/runner"] {
        let readers = readers.each_ref().map(String::as_str);
        assert_only(below, &[], &readers, "match on the types of `kit/src/violation.rs`, not on their texts");
    }
}

#[test]
fn impostor_and_cases_share_no_code() {
    let chapters = sources("conformance/src/chapters");
    let (of_variations, of_cases): (Vec<_>, Vec<_>) =
        chapters.into_iter().partition(|(name, _)| is_of_variations(name.trim_start_matches("conformance/src/")));
    // What is of no other crate, the imports show.
    let of_kit = ["crate::context", "crate::http", "crate::fixture", "libros_conformance_kit"];
    for (name, text) in sources("conformance/src/impostor").iter().chain(&of_variations) {
        let lines = lines_with(text, &of_kit);
        assert!(lines.is_empty(), "{name}: the impostor shares no code with the cases\n{}", lines.join("\n"));
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
    let generate = "conformance/src/generate";
    let [model, hint] = ["histories/model.rs", "queries/resemblance.rs"].map(|file| format!("{generate}/{file}"));
    let tests = ["histories/tests.rs", "queries/tests.rs"].map(|file| format!("{generate}/{file}"));
    let why = format!("what breaks a rule is never found by trying faults; {hint} hints at them");
    // The model of histories takes readings, in the same wrapping.
    let taken = ["faults::all", "faults::find", "Faults::one", "variations::"];
    assert_only(generate, &[&hint, &tests[0], &tests[1]], &taken, &why);
    let named = ["impostor::faults", "Faults"];
    assert_only(generate, &[&hint, &tests[0], &tests[1], &model], &named, &why);
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
                let is_for_features = ["futures_sink", "icu_properties"].contains(&path.as_str());
                assert!(is_named || is_for_features, "{krate}/Cargo.toml: nothing uses {name}");
            }
        }
    }
}
