//! The users interface and both GraphQL endpoints, whole. Scenes show users of their own, since the initial ones are free.

use crate::chapters::prelude::*;
use crate::snapshot::{Kind, Mask, StepSpec, Transcript};

cases! { "exchanges";
    /// A user is created and read, its posts are read, and what the users interface refuses.
    users_interface judges ["users/create-body", "users/read-status", "posts/created-user-empty", "users/unknown-id",
        "posts/unknown-user", "users/name-missing", "users/age-type", "users/malformed-json", "users/unknown-path",
        "users/error-body", "users/content-type", "users/options-status", "users/options-origin", "users/options-methods",
        "users/options-headers"] needs [Need::Interface(Interface::Users)];
    /// A user is created by mutation, read under other names, and one nobody has is read.
    graphql_full judges ["graphql/create-user", "graphql/data", "graphql/user", "graphql/user-unknown"]
        needs [Need::Interface(Interface::Graphql)];
    /// What the reduced endpoint answers whoever its users are: a user nobody has, and its refusals.
    graphql_reduced judges ["graphql-reduced/user-unknown", "graphql-reduced/query-missing", "graphql-reduced/query-type",
        "graphql-reduced/unsupported-form", "graphql-reduced/other-syntax",
        "graphql-reduced/no-mutation", "graphql-reduced/other-method", "graphql-reduced/other-path",
        "graphql-reduced/options-status"] needs [Need::Interface(Interface::GraphqlReduced)];
}

/// The user of the scenes.
const NAME: &str = "Ada Lovelace";

fn users_interface(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "users_interface");
    let body = json!({ "name": NAME, "age": 36 });
    let reply = demo::user_creation(cx, &body).send()?;
    let id = reply.text_at("/id");
    let spec = StepSpec::of_rule("create", Kind::User, "users/create-body");
    transcript.add(&reply, spec.mask("/id", Mask::Clock("id")))?;
    transcript.call(format!("/users/{id}"), "path of the user");

    let spec = StepSpec::of_rule("read", Kind::User, "users/read-status");
    transcript.add(&demo::get(cx, &format!("/users/{id}"))?, spec.mask("/id", Mask::Same("id")))?;
    let posts = demo::get(cx, &format!("/users/{id}/posts"))?;
    transcript.add(&posts, StepSpec::of_rule("posts", Kind::User, "posts/created-user-empty"))?;

    let post = |body: &str| cx.request_at(Interface::Users, "POST", "/users").json_text(body.as_bytes()).send();
    let refusals = [
        ("unknown user", demo::get(cx, "/users/nadie")?, "users/unknown-id"),
        ("posts of an unknown user", demo::get(cx, "/users/nadie/posts")?, "posts/unknown-user"),
        ("no name", post(r#"{ "age": 36 }"#)?, "users/name-missing"),
        ("age as text", post(r#"{ "name": "Ada", "age": "36" }"#)?, "users/age-type"),
        ("malformed", post(r#"{ "name": "Ada", "#)?, "users/malformed-json"),
        ("unknown path", demo::get(cx, "/nada")?, "users/unknown-path"),
    ];
    for (step, reply, rule) in refusals {
        transcript.add(&reply, StepSpec::new(step, Kind::User, rule, "users/error-body").refusal())?;
    }
    let options = cx.request_at(Interface::Users, "OPTIONS", "/users").header("Origin", "http://example.test");
    transcript.send(options, StepSpec::of_rule("preflight", Kind::UserPreflight, "users/options-status"))?;
    transcript.compare()
}

fn graphql_full(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "graphql_full");
    let ask = |query: &str| demo::ask(cx, Interface::Graphql, query);
    let spec = |step, rule| StepSpec::new(step, Kind::Query, "graphql/data", rule).free_key("/extensions", |_| true);
    let mutation = &format!("mutation {{ createUser(name: \"{NAME}\", age: 36) {{ id name age }} }}");
    let reply = ask(mutation)?;
    let id = reply.text_at("/data/createUser/id");
    let step = StepSpec::of_rule("create", Kind::Query, "graphql/create-user")
        .free_key("/extensions", |_| true)
        .mask("/data/createUser/id", Mask::Clock("id"));
    transcript.add(&reply, step)?;
    transcript.call(id.clone(), "id of the user");
    let id = quoted(&id);
    let read = ask(&format!("{{ user(id: {id}) {{ id name age }} }}"))?;
    transcript.add(&read, spec("read", "graphql/user").mask("/data/user/id", Mask::Same("id")))?;
    let aliased = ask(&format!("{{ ada: user(id: {id}) {{ quien: name }} nadie: user(id: \"nadie\") {{ age }} }}"))?;
    transcript.add(&aliased, spec("read under other names", "graphql/data"))?;
    let unknown = ask("{ user(id: \"nadie\") { id posts { title user { name } } } }")?;
    transcript.add(&unknown, spec("unknown user", "graphql/user-unknown"))?;
    transcript.compare()
}

fn graphql_reduced(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "graphql_reduced");
    let at = |method: &str, path: &str| cx.request_at(Interface::GraphqlReduced, method, path);
    let ask = |query: &str| demo::query(cx, Interface::GraphqlReduced, query);
    let post = |body: &str| at("POST", "").json_text(body.as_bytes());
    let unknown = ask("{ user(id: \"nadie\") { id name posts { title } } }");
    transcript.send(unknown, StepSpec::of_rule("unknown user", Kind::Query, "graphql-reduced/user-unknown"))?;
    let (form, query) = ("graphql-reduced/unsupported-form", json!({ "query": "{ users { id } }" }));
    let refusals = [
        ("no query", post("{}"), "graphql-reduced/query-missing"),
        ("a number as query", post(r#"{ "query": 5 }"#), "graphql-reduced/query-type"),
        ("unknown root", ask("{ books { id } }"), form),
        ("unknown field", ask("{ users { email } }"), form),
        ("alias", ask("{ todos: users { id } }"), "graphql-reduced/other-syntax"),
        ("mutation", ask("mutation { createUser(name: \"Ada\", age: 36) { id } }"), "graphql-reduced/no-mutation"),
        ("another method", at("GET", ""), "graphql-reduced/other-method"),
        ("another path", at("POST", "/nada").json(&query), "graphql-reduced/other-path"),
    ];
    for (step, request, rule) in refusals {
        transcript.send(request, StepSpec::of_rule(step, Kind::Query, rule).refusal())?;
    }
    let spec = StepSpec::of_rule("preflight", Kind::Query, "graphql-reduced/options-status");
    transcript.send(at("OPTIONS", ""), spec)?;
    transcript.compare()
}
