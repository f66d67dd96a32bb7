//! Compares the judged classes of answers with `seeds/openapi.yaml`: both have the same statuses for the same
//! operations.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use libros_conformance::http::exchange::Sent;
use libros_conformance::implementation::profile::{Address, Interface};
use libros_conformance::invariants::route::{CLASSES, Route};
use serde_json::Value;

/// Statuses of the document that a path template cannot show: segments that are no id, unknown devices.
const BEYOND_TEMPLATES: [(&str, u16); 3] = [
    ("POST, PUT, DELETE with an id too many or too few", 201),
    ("DELETE /libros/<id>", 400),
    ("DELETE /2fa/trusted-devices/<deviceId>", 404),
];

fn interface_of(path: &str) -> Interface {
    match path.split('/').nth(1) {
        Some("users") => Interface::Users,
        Some("api") => Interface::Registration,
        Some("posts") => Interface::Blog,
        _ => Interface::Catalogue,
    }
}

fn route_of(method: &str, path: &str) -> Option<Route> {
    let address = Address::parse("http://h:1").unwrap();
    let path = path.replace("{deviceId}", "0123456789abcdef").replace("{id}", "7");
    let interface = Some(interface_of(&path));
    Route::of(&Sent { interface, ..Sent::new(&method.to_uppercase(), &address, &path) })
}

#[test]
fn classes_are_the_statuses_of_the_api_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds/openapi.yaml");
    let document: Value = serde_saphyr::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let methods = ["get", "post", "put", "patch", "delete", "options"];
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in
            operations.as_object().unwrap().iter().filter(|(name, _)| methods.contains(&name.as_str()))
        {
            let Some(route) = route_of(method, path) else { continue };
            let statuses =
                operation["responses"].as_object().unwrap().keys().map(|status| status.parse::<u16>().unwrap());
            let statuses = statuses.filter(|status| !matches!(status, 413 | 500));
            documented.extend(statuses.map(|status| (route.name(), status)));
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
