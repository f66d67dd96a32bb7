//! `seeds/openapi.yaml` is read as its users would read it: nothing in it is loose, no operation is cut short.
//!
//! Its routes and statuses are held to the classes of answers by the suite's `classes.rs`; whether the server answers as described a
//! fuzzer judges, see the recipe `fuzz-api` of the justfile.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

const TEXT: &str = include_str!("../../seeds/openapi.yaml");

fn description() -> Value {
    serde_saphyr::from_str(TEXT).expect("seeds/openapi.yaml is YAML without repeated keys")
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap_or_else(|| panic!("not an object: {value}"))
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_used() {
    let description = description();
    let mut used = BTreeSet::new();
    for reference in TEXT.split("$ref: \"").skip(1) {
        let (target, _) = reference.split_once('"').expect("a reference ends");
        let pointer = target.strip_prefix('#').unwrap_or_else(|| panic!("{target} leaves the file"));
        assert!(description.pointer(pointer).is_some(), "{target} leads nowhere");
        used.insert(pointer);
    }
    assert_eq!(TEXT.matches("$ref").count(), TEXT.matches("$ref: \"").count(), "all references are written alike");
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
    let beside = ["parameters", "servers", "summary", "description"];
    let operations = object(&description["paths"]).iter().flat_map(|(path, item)| {
        let own = object(item).iter().filter(|(method, _)| !beside.contains(&method.as_str()));
        own.map(move |(method, body)| (method, path, item, body))
    });
    for (method, path, path_item, body) in operations {
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
            let bodiless = matches!(status.as_str(), "204" | "304") || method == "options";
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
