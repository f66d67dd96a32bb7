//! Compares rules, cases and server: every rule has a unique id, a case that judges it and a line that decides it, or a
//! reason; and no id has changed its meaning. And the judged classes of answers with `seeds/openapi.yaml`: both have the same statuses for
//! the same operations.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use libros_conformance::chapters::cases;
use libros_conformance::contract::locations;
use libros_conformance::contract::rule::{Contract, Level, Rule};
use libros_conformance::http::exchange::Sent;
use libros_conformance::implementation::profile::{Address, Interface};
use libros_conformance::impostor::{faults, readings};
use libros_conformance::invariants::route::{CLASSES, Route};
use serde_json::Value;

/// The line at a location `file:line`.
fn line_of(place: &str) -> String {
    let (file, line) = place.rsplit_once(':').unwrap();
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)).unwrap();
    text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap().to_owned()
}

#[test]
fn every_rule_that_a_case_judges_exists_and_is_not_hidden() {
    for case in cases::all() {
        for id in case.rules {
            let rule = Contract::built_in().rule(id);
            let rule = rule.unwrap_or_else(|| panic!("{} judges `{id}`, which no file declares", case.id()));
            assert!(rule.hidden.is_none(), "{} judges {id}, which is said to be hidden", case.id());
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

fn ids_of(is_meant: impl Fn(&Rule) -> bool) -> Vec<&'static str> {
    Contract::built_in().rules().filter(|rule| is_meant(rule)).map(|rule| rule.id.as_str()).collect()
}

#[test]
fn every_stated_rule_is_judged_by_a_case() {
    let judged: BTreeSet<&str> = cases::all().iter().flat_map(|case| case.rules.iter().copied()).collect();
    let unjudged = ids_of(|rule| rule.is_judged() && !judged.contains(rule.id.as_str()));
    let to_do = "write one, or say under `hidden` why it cannot be seen";
    assert!(unjudged.is_empty(), "no case judges {unjudged:#?}: {to_do}");
}

#[test]
fn every_rule_the_server_cites_exists() {
    for (id, place) in locations::DECISIONS {
        assert!(Contract::built_in().rule(id).is_some(), "`{id}` is not a rule, but is cited at {place}");
    }
}

#[test]
fn every_stated_rule_is_cited_where_the_server_decides_it() {
    let is_cited = |rule: &Rule| rule.unbuilt.is_some() || locations::decisions(&rule.id).next().is_some();
    let uncited = ids_of(|rule| rule.level != Level::Open && !is_cited(rule));
    let to_do = "cite it, or say under `unbuilt` why none does";
    assert!(uncited.is_empty(), "no line of the server cites {uncited:#?}: {to_do}");
}

/// A signature and an opening `format!(` decide nothing: the citation belongs further down.
#[test]
fn every_cited_line_decides_something() {
    for (rule, place) in locations::DECISIONS {
        let line = line_of(place);
        let is_modifier = |word: &&str| word.starts_with("pub") || matches!(*word, "const" | "async");
        let is_signature = line.split_whitespace().find(|word| !is_modifier(word)) == Some("fn");
        let opens = line.trim_end().ends_with("format!(");
        assert!(!is_signature && !opens, "{rule} is cited at {place}, above what decides it: `{}`", line.trim());
    }
}

#[test]
fn open_rules_and_they_alone_list_readings() {
    for rule in Contract::built_in().rules() {
        let (readings, is_shown) = (rule.accepts.len(), rule.told.is_some());
        let fits = if rule.level == Level::Open {
            readings >= 2 || readings == 0 && is_shown
        } else {
            readings == 0 && !is_shown
        };
        assert!(fits, "{} is {} and lists {readings} readings", rule.id, rule.level.word());
        let ids: BTreeSet<_> = rule.accepts.iter().map(|reading| reading.id.as_str()).collect();
        assert_eq!(ids.len(), readings, "two readings of {} share an id", rule.id);
    }
}

#[test]
fn derived_rules_and_they_alone_say_why_they_follow() {
    for rule in Contract::built_in().rules() {
        assert_eq!(rule.because.is_some(), rule.level == Level::Derived, "{} is {}", rule.id, rule.level.word());
    }
}

/// A name that goes over the wire and is no English word: members, parameters, headers, codes and paths.
fn is_wire_name(word: &str) -> bool {
    const SPANISH: &str = "advertencia autor codigo datos detalles dispositivos habilitado mensaje metadata nombre paginacion \
                           permisos titulo verificado";
    const HEADERS: [&str; 4] = ["Access-", "Content-", "X-", "WWW-"];
    let has_hump = word.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    has_hump && !matches!(word, "GraphQL" | "JavaScript" | "NaN")
        || word.contains('_')
        || word.starts_with('/')
        || HEADERS.iter().any(|start| word.starts_with(start))
        || SPANISH.split(' ').any(|name| name == word)
}

#[test]
fn wire_names_are_in_code_font_in_every_rule() {
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
fn explain_knows_where_everything_is() {
    let assert_is_at = |what: &str, place: Option<&str>, word: &str| {
        let line = place.map(line_of).unwrap_or_default();
        assert!(line.contains(word), "{what} is not at {place:?}: the line is `{line}`");
    };
    for rule in Contract::built_in().rules() {
        assert_is_at(&rule.id, locations::rule(&rule.id), &rule.id);
    }
    for case in cases::all() {
        assert_is_at(&case.id(), locations::case(&case.id()), case.name);
        // A case without a function stands whole in its row.
        if let Some((name, place)) = locations::judge(&case.id()) {
            assert_is_at(&case.id(), Some(place), &format!("fn {name}"));
        }
    }
    let variations: Vec<_> = faults::all().chain(readings::all()).collect();
    for variation in &variations {
        assert_is_at(variation.id, locations::variation(variation.id), variation.id);
    }
    for (name, place) in variations.iter().flat_map(|variation| locations::effect(variation.id)) {
        assert_is_at(name, Some(place), &format!("fn {name}"));
    }
}

/// Statuses of the document that a path template cannot show: segments that are no id, unknown devices.
const BEYOND_TEMPLATES: [(&str, u16); 3] = [
    ("POST, PUT, DELETE with an id too many or too few", 201),
    ("DELETE /libros/<id>", 400),
    ("DELETE /2fa/trusted-devices/<deviceId>", 404),
];

fn route_of(method: &str, path: &str) -> Option<Route> {
    let address = Address::parse("http://h:1").unwrap();
    let path = path.replace("{deviceId}", "0123456789abcdef").replace("{id}", "7");
    let interface = match path.split('/').nth(1) {
        Some("users") => Interface::Users,
        Some("api") => Interface::Registration,
        Some("posts") => Interface::Blog,
        _ => Interface::Catalogue,
    };
    Route::of(&Sent { interface: Some(interface), ..Sent::new(&method.to_uppercase(), &address, &path) })
}

#[test]
fn classes_are_the_statuses_of_the_api_document() {
    let document: Value = serde_saphyr::from_str(include_str!("../../seeds/openapi.yaml")).unwrap();
    let methods = ["get", "post", "put", "patch", "delete", "options"];
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let operations = operations.as_object().unwrap().iter();
        for (method, operation) in operations.filter(|(name, _)| methods.contains(&name.as_str())) {
            let Some(route) = route_of(method, path) else { continue };
            let statuses = operation["responses"].as_object().unwrap().keys().map(|status| status.parse().unwrap());
            let statuses = statuses.filter(|status| !matches!(status, 413 | 500));
            documented.extend(statuses.map(|status: u16| (route.name(), status)));
        }
    }
    documented.retain(|class| !BEYOND_TEMPLATES.contains(class));
    // GraphQL has its own schema, and unknown paths have no operation.
    let has_operation = |route: Route| {
        !matches!(route.interface(), Interface::Graphql | Interface::GraphqlReduced)
            && !matches!(route, Route::Elsewhere | Route::UsersElsewhere)
    };
    let classes = CLASSES.iter().filter(|(route, _)| has_operation(*route));
    let judged: BTreeSet<_> =
        classes.flat_map(|(route, statuses)| statuses.iter().map(|status| (route.name(), *status))).collect();
    let differ: Vec<_> = judged.symmetric_difference(&documented).collect();
    assert!(differ.is_empty(), "{differ:?}");
}
