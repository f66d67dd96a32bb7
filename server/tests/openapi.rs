//! `seeds/openapi.yaml` is read as its users would read it, and held to the documents' routes and to the statuses the rules name.
//!
//! Whether the server answers as described is not judged here: a fuzzer does that, see the recipe `fuzz-api` of the justfile.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// Every route of the documents and every status it can have. 413 and 500 may come anywhere and are not listed.
const ROUTES: &[(&str, &str, &[u16])] = &[
    ("get", "/libros", &[200, 304, 401]),
    ("post", "/libros", &[201, 400, 401]),
    ("put", "/libros", &[400, 401]),
    ("delete", "/libros", &[400, 401]),
    ("patch", "/libros", &[405]),
    ("options", "/libros", &[200]),
    ("get", "/libros/{id}", &[200, 304, 401, 404]),
    ("post", "/libros/{id}", &[201, 400, 401]),
    ("put", "/libros/{id}", &[200, 400, 401, 404]),
    ("delete", "/libros/{id}", &[204, 400, 401, 404]),
    ("patch", "/libros/{id}", &[405]),
    ("options", "/libros/{id}", &[200]),
    ("post", "/auth/registro", &[201, 400]),
    ("get", "/auth/registro", &[404]),
    ("options", "/auth/registro", &[200]),
    ("post", "/auth/login", &[200, 400]),
    ("get", "/auth/login", &[404]),
    ("options", "/auth/login", &[200]),
    ("post", "/auth/verify-2fa", &[200, 400]),
    ("get", "/auth/verify-2fa", &[405]),
    ("put", "/auth/verify-2fa", &[405]),
    ("delete", "/auth/verify-2fa", &[405]),
    ("patch", "/auth/verify-2fa", &[405]),
    ("options", "/auth/verify-2fa", &[200]),
    ("post", "/auth/api-keys", &[201, 400, 401]),
    ("get", "/auth/api-keys", &[200, 401]),
    ("options", "/auth/api-keys", &[200]),
    ("post", "/2fa/enable", &[200, 400, 401]),
    ("get", "/2fa/enable", &[404]),
    ("options", "/2fa/enable", &[200]),
    ("post", "/2fa/disable", &[200, 400, 401]),
    ("get", "/2fa/disable", &[404]),
    ("options", "/2fa/disable", &[200]),
    ("get", "/2fa/status", &[200, 400, 401]),
    ("options", "/2fa/status", &[200]),
    ("post", "/2fa/regenerate-backup-codes", &[200, 400, 401]),
    ("get", "/2fa/regenerate-backup-codes", &[404]),
    ("options", "/2fa/regenerate-backup-codes", &[200]),
    ("get", "/2fa/trusted-devices", &[200, 400, 401]),
    ("options", "/2fa/trusted-devices", &[200]),
    ("delete", "/2fa/trusted-devices/{deviceId}", &[200, 400, 401, 404]),
    ("options", "/2fa/trusted-devices/{deviceId}", &[200]),
    ("get", "/users", &[200]),
    ("post", "/users", &[201, 400]),
    ("options", "/users", &[204]),
    ("get", "/users/{id}", &[200, 404]),
    ("options", "/users/{id}", &[204]),
    ("get", "/users/{id}/posts", &[200, 404]),
    ("options", "/users/{id}/posts", &[204]),
    ("post", "/api/users/register", &[201, 400]),
    ("options", "/api/users/register", &[204]),
    ("get", "/posts", &[200]),
    ("post", "/posts", &[201, 400]),
    ("options", "/posts", &[204]),
    ("get", "/posts/{id}", &[200, 404]),
    ("put", "/posts/{id}", &[200, 400, 404]),
    ("delete", "/posts/{id}", &[204, 404]),
    ("options", "/posts/{id}", &[204]),
];

/// Statuses that any operation may have: they come before or beyond what the documents say of it.
const ANYWHERE: [u16; 2] = [413, 500];

/// The statuses a rule may speak of.
const STATUSES: [u16; 10] = [200, 201, 204, 304, 400, 401, 404, 405, 413, 500];

fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds")
}

fn description() -> Value {
    let text = fs::read_to_string(seeds().join("openapi.yaml")).expect("seeds/openapi.yaml is there");
    serde_saphyr::from_str(&text).expect("seeds/openapi.yaml is YAML without repeated keys")
}

struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    path_item: &'a Value,
    body: &'a Value,
}

fn operations(description: &Value) -> Vec<Operation<'_>> {
    let mut all = Vec::new();
    for (path, path_item) in object(&description["paths"]) {
        for (method, body) in object(path_item) {
            if !matches!(method.as_str(), "parameters" | "servers" | "summary" | "description") {
                all.push(Operation { method, path, path_item, body });
            }
        }
    }
    all
}

impl Operation<'_> {
    fn statuses(&self) -> BTreeSet<u16> {
        object(&self.body["responses"]).keys().map(|key| key.parse().expect("a status is a number")).collect()
    }
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap_or_else(|| panic!("not an object: {value}"))
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Calls `visit` with every reference there is.
fn each_reference<'a>(value: &'a Value, visit: &mut impl FnMut(&'a str)) {
    match value {
        Value::Object(fields) => {
            for (name, within) in fields {
                match within.as_str() {
                    Some(target) if name == "$ref" => visit(target),
                    _ => each_reference(within, visit),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_reference(item, visit)),
        _ => {}
    }
}

#[test]
fn every_route_has_exactly_its_statuses() {
    let description = description();
    let described: BTreeMap<(&str, &str), BTreeSet<u16>> = operations(&description)
        .iter()
        .map(|operation| {
            let own = operation.statuses().into_iter().filter(|status| !ANYWHERE.contains(status)).collect();
            ((operation.path, operation.method), own)
        })
        .collect();
    let wanted: BTreeMap<(&str, &str), BTreeSet<u16>> =
        ROUTES.iter().map(|(method, path, statuses)| ((*path, *method), statuses.iter().copied().collect())).collect();
    assert_eq!(wanted.len(), ROUTES.len(), "a route is listed twice");
    for (route, statuses) in &wanted {
        assert_eq!(described.get(route), Some(statuses), "{route:?}");
    }
    for route in described.keys() {
        assert!(wanted.contains_key(route), "{route:?} is of no document");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_used() {
    let description = description();
    let mut used = BTreeSet::new();
    each_reference(&description, &mut |target| {
        let pointer = target.strip_prefix('#').unwrap_or_else(|| panic!("{target} leaves the file"));
        assert!(description.pointer(pointer).is_some(), "{target} leads nowhere");
        used.insert(pointer);
    });
    for (kind, components) in object(&description["components"]) {
        for name in object(components).keys().filter(|_| kind != "securitySchemes") {
            assert!(used.contains(format!("/components/{kind}/{name}").as_str()), "{kind}/{name} is not used");
        }
    }
}

#[test]
fn every_operation_is_whole() {
    let description = description();
    assert_eq!(description["openapi"], "3.1.0");
    let schemes = object(&description["components"]["securitySchemes"]);
    let mut names = BTreeSet::new();
    for operation in operations(&description) {
        let Operation { method, path, path_item, body } = &operation;
        let place = format!("{method} {path}");
        assert!(body["summary"].is_string(), "{place} has a summary");
        if let Some(name) = body["operationId"].as_str() {
            assert!(names.insert(name), "{place}: {name} is taken");
        }
        for scheme in body["security"].as_array().into_iter().flatten().flat_map(|one| object(one).keys()) {
            assert!(schemes.contains_key(scheme), "{place}: {scheme} is no security scheme");
        }
        let declared: Vec<&str> = [&path_item["parameters"], &body["parameters"]]
            .into_iter()
            .flat_map(|list| list.as_array().into_iter().flatten())
            .map(|parameter| resolved(&description, parameter))
            .filter(|parameter| parameter["in"] == "path" && parameter["required"] == true)
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        let in_path: Vec<&str> = path.split(['{', '}']).skip(1).step_by(2).collect();
        assert_eq!(declared, in_path, "{place}: parameters of the path");
        for (status, response) in object(&body["responses"]) {
            let response = resolved(&description, response);
            assert!(response["description"].is_string(), "{place} {status} has a description");
            let bodiless = matches!(status.as_str(), "204" | "304") || *method == "options";
            assert_eq!(response["content"].is_null(), bodiless, "{place} {status}: a body");
        }
    }
}

fn resolved<'a>(description: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(target) => description.pointer(target.trim_start_matches('#')).expect("a reference leads somewhere"),
        None => value,
    }
}

#[test]
fn every_status_a_rule_names_is_one_of_an_operation_of_its_chapter() {
    let description = description();
    let mut statuses_of: BTreeMap<&str, BTreeSet<u16>> = BTreeMap::new();
    for operation in operations(&description) {
        let tags = texts(&operation.body["tags"]);
        let chapters = description["tags"].as_array().into_iter().flatten();
        let own = chapters.filter(|tag| tag["name"].as_str().is_some_and(|name| tags.contains(&name)));
        for chapter in own.flat_map(|tag| texts(&tag["x-rules"])).chain(texts(&description["x-rules"])) {
            statuses_of.entry(chapter).or_default().extend(operation.statuses());
        }
    }
    let elsewhere = texts(&description["x-rules-elsewhere"]);
    let mut judged = 0;
    for (chapter, id, text) in rules() {
        if elsewhere.contains(&chapter.as_str()) {
            continue;
        }
        let described =
            statuses_of.get(chapter.as_str()).unwrap_or_else(|| panic!("no tag answers to the chapter {chapter}"));
        for status in STATUSES.iter().filter(|status| names_number(&text, **status)) {
            assert!(described.contains(status), "{id} names {status}, which no operation of its chapter has: {text}");
            judged += 1;
        }
    }
    assert!(judged > 100, "only {judged} statuses were found in the rules");
}

fn names_number(text: &str, number: u16) -> bool {
    let number = number.to_string();
    text.split(|sign: char| !sign.is_ascii_digit()).any(|digits| digits == number)
}

/// Chapter, id and text of every rule.
fn rules() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(seeds().join("rules")).expect("seeds/rules is there") {
        let path = entry.expect("a readable entry").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a readable chapter");
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for rule in table["rule"].as_array().into_iter().flatten() {
            let text_of = |key: &str| rule[key].as_str().unwrap_or_default().to_owned();
            let id = text_of("id");
            let chapter = id.split('/').next().unwrap_or_default().to_owned();
            all.push((chapter, id, text_of("text")));
        }
    }
    all
}
