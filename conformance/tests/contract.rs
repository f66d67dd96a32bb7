//! Compares rules, cases and server: every rule has a unique id, a case that judges it and a line that decides it, or a
//! reason; and no id has changed its meaning.
//!
//! Reads the server's sources as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use libros_conformance::chapters::cases;
use libros_conformance::contract::locations;
use libros_conformance::contract::rule::{Contract, Level};
use libros_conformance::impostor::{faults, readings};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Rule id to the locations `file:line` in the server that cite it, in comments `// rule: a/b, c/d`.
fn citations() -> BTreeMap<String, Vec<String>> {
    let mut files = Vec::new();
    rust_files(&root().join("server"), &mut files);
    let mut citations: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (index, line) in text.lines().enumerate() {
            let Some((_, cited)) = line.split_once("// rule:") else {
                continue;
            };
            for id in cited.split(',').map(str::trim) {
                let place = format!("{}:{}", file.display(), index + 1);
                citations.entry(id.to_owned()).or_default().push(place);
            }
        }
    }
    citations
}

/// The line at a location `file:line`.
fn line_of(place: &str) -> String {
    let (file, line) = place.rsplit_once(':').unwrap();
    let text = fs::read_to_string(root().join(file)).unwrap();
    text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap().to_owned()
}

#[test]
fn every_rule_cited_by_a_case_exists() {
    let contract = Contract::built_in();
    for case in cases::all() {
        for id in case.rules {
            assert!(contract.rule(id).is_some(), "{} judges `{id}`, which no file of seeds/rules declares", case.id());
        }
    }
}

#[test]
fn every_case_has_an_id_of_its_own_and_says_what_it_shows() {
    let mut seen = BTreeSet::new();
    for case in cases::all() {
        assert!(seen.insert(case.id()), "two cases are called {}", case.id());
        assert!(case.about.trim().ends_with('.'), "{}: its doc comment is no sentence", case.id());
    }
}

#[test]
fn every_stated_rule_is_judged_by_a_case() {
    let judged: BTreeSet<&str> = cases::all().iter().flat_map(|case| case.rules.iter().copied()).collect();
    let unjudged: Vec<_> = Contract::built_in()
        .rules()
        .filter(|rule| rule.is_judged() && !judged.contains(rule.id.as_str()))
        .map(|rule| rule.id.as_str())
        .collect();
    assert!(
        unjudged.is_empty(),
        "no case judges {unjudged:#?}: write one, or say under `hidden` why it cannot be seen"
    );
}

#[test]
fn hidden_rules_are_judged_by_no_case() {
    for case in cases::all() {
        for id in case.rules {
            let hidden = Contract::built_in().rule(id).and_then(|rule| rule.hidden.as_ref());
            assert!(hidden.is_none(), "{} judges {id}, which is said to be hidden", case.id());
        }
    }
}

#[test]
fn every_rule_the_server_cites_exists() {
    for (id, places) in citations() {
        assert!(Contract::built_in().rule(&id).is_some(), "`{id}` is no rule, but is cited at {}", places.join(", "));
    }
}

#[test]
fn every_stated_rule_is_cited_where_the_server_decides_it() {
    let citations = citations();
    let uncited: Vec<_> = Contract::built_in()
        .rules()
        .filter(|rule| rule.level != Level::Open && rule.unbuilt.is_none() && !citations.contains_key(&rule.id))
        .map(|rule| rule.id.as_str())
        .collect();
    assert!(
        uncited.is_empty(),
        "no line of the server cites {uncited:#?}: cite it, or say under `unbuilt` why none does"
    );
}

/// A signature and an opening `format!(` decide nothing: the citation belongs further down.
#[test]
fn every_cited_line_decides_something() {
    for rule in citations().into_keys() {
        for place in locations::decisions(&rule) {
            let line = line_of(place);
            let is_modifier = |word: &&str| word.starts_with("pub") || matches!(*word, "const" | "async");
            let is_signature = line.split_whitespace().find(|word| !is_modifier(word)) == Some("fn");
            let opens = line.trim_end().ends_with("format!(");
            assert!(!is_signature && !opens, "{rule} is cited at {place}, above what decides it: `{}`", line.trim());
        }
    }
}

#[test]
fn open_rules_and_they_alone_list_readings() {
    for rule in Contract::built_in().rules() {
        let (readings, told) = (rule.accepts.len(), rule.told.is_some());
        let fits =
            if rule.level == Level::Open { readings >= 2 || readings == 0 && told } else { readings == 0 && !told };
        assert!(fits, "{} is {} and lists {readings} readings", rule.id, rule.level.word());
        let ids: BTreeSet<_> = rule.accepts.iter().map(|reading| reading.id.as_str()).collect();
        assert_eq!(ids.len(), readings, "two readings of {} share an id", rule.id);
    }
}

#[test]
fn derived_rules_and_they_alone_say_why_they_follow() {
    for rule in Contract::built_in().rules() {
        let level = rule.level.word();
        assert_eq!(rule.because.is_some(), rule.level == Level::Derived, "{} is {level}", rule.id);
    }
}

/// A name that goes over the wire and is no English word: members, parameters, headers, codes and paths.
fn is_wire_name(word: &str) -> bool {
    const SPANISH: [&str; 14] = [
        "advertencia",
        "autor",
        "codigo",
        "datos",
        "detalles",
        "dispositivos",
        "habilitado",
        "mensaje",
        "metadata",
        "nombre",
        "paginacion",
        "permisos",
        "titulo",
        "verificado",
    ];
    const HEADERS: [&str; 4] = ["Access-", "Content-", "X-", "WWW-"];
    let has_hump = word.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    has_hump && !matches!(word, "GraphQL" | "JavaScript" | "NaN")
        || word.contains('_')
        || word.starts_with('/')
        || HEADERS.iter().any(|start| word.starts_with(start))
        || SPANISH.contains(&word)
}

#[test]
fn wire_names_stand_in_code_font_in_every_rule() {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    for rule in Contract::built_in().rules() {
        let plain: String = rule.text.split('`').step_by(2).collect();
        let bare: Vec<_> = plain.split(|c| !is_of_name(c)).filter(|word| is_wire_name(word)).collect();
        assert!(bare.is_empty(), "{}: {bare:?} want backticks in `{}`", rule.id, rule.text);
    }
}

/// A changed text is a visible diff of this one file, to be reviewed.
#[test]
fn no_id_has_changed_its_meaning() {
    let lines: Vec<_> =
        Contract::built_in().rules().map(|rule| format!("{} ({}) {}", rule.id, rule.level.word(), rule.text)).collect();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("rules", lines.join("\n"));
    });
}

/// `build.rs` reads sources as text: a location that it no longer finds would vanish from `explain`.
#[test]
fn explain_knows_where_everything_stands() {
    let assert_stands = |what: &str, place: Option<&str>, word: &str| {
        let line = place.map(line_of).unwrap_or_default();
        assert!(line.contains(word), "{what} is said to stand at {place:?}, where the line is `{line}`");
    };
    for rule in Contract::built_in().rules() {
        assert_stands(&rule.id, locations::rule(&rule.id), &rule.id);
    }
    for case in cases::all() {
        assert_stands(&case.id(), locations::case(&case.id()), case.name);
        let (name, place) = locations::judge(&case.id()).unwrap_or_default();
        assert_stands(&case.id(), Some(place), &format!("fn {name}"));
    }
    let variations: Vec<_> = faults::all().chain(readings::all()).collect();
    for variation in &variations {
        assert_stands(variation.id, locations::variation(variation.id), variation.id);
    }
    for (name, place) in variations.iter().flat_map(|variation| locations::effect(variation.id)) {
        assert_stands(name, Some(place), &format!("fn {name}"));
    }
    for (rule, places) in citations() {
        assert_eq!(locations::decisions(&rule).count(), places.len(), "the lines that decide {rule}");
    }
}
