//! The introspection of the full GraphQL interface.

use serde_json::{Value, json};

/// The whole answer to `__schema`; `execute` selects what is asked for.
pub(crate) fn schema() -> Value {
    let field = |name: &str, arguments: &[(&str, &str)], of: &str| {
        let arguments = arguments.iter().map(|(name, of)| json!({"name": name, "type": kind(of)}));
        json!({"name": name, "args": arguments.collect::<Vec<_>>(), "type": kind(of)})
    };
    let types = [
        ("Query", vec![field("users", &[], "[User]"), field("user", &[("id", "ID!")], "User")]),
        ("Mutation", vec![field("createUser", &[("name", "String!"), ("age", "Int!")], "User")]),
        (
            "User",
            vec![
                field("id", &[], "ID!"),
                field("name", &[], "String!"),
                field("age", &[], "Int!"),
                field("posts", &[], "[Post]"),
            ],
        ),
        ("Post", vec![field("id", &[], "ID!"), field("title", &[], "String!"), field("user", &[], "User")]),
    ];
    let types = types.map(|(name, fields)| json!({"kind": "OBJECT", "name": name, "fields": fields}));
    json!({"queryType": types[0], "mutationType": types[1], "types": types})
}

fn kind(spelled: &str) -> Value {
    if let Some(inner) = spelled.strip_suffix('!') {
        return json!({"kind": "NON_NULL", "name": null, "ofType": kind(inner)});
    }
    if let Some(inner) = spelled.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return json!({"kind": "LIST", "name": null, "ofType": kind(inner)});
    }
    let is_scalar = matches!(spelled, "ID" | "String" | "Int");
    json!({"kind": if is_scalar { "SCALAR" } else { "OBJECT" }, "name": spelled, "ofType": null})
}
