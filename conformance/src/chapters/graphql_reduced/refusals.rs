//! Requests the endpoint answers with 400: no query, one that is no text, one of any other form.

use super::endpoint::{ENDPOINT, any_id, ask, user_query};
use crate::chapters::prelude::*;

cases! { "graphql-reduced";
    /// A body without query is 400.
    query_is_required judges ["graphql-reduced/query-missing"] needs [ENDPOINT] => |cx| {
        serves(cx)?;
        let bodies = [
            json!({}),
            json!({ "q": "{ users { id } }" }),
            json!({ "variables": {}, "operationName": "users" }),
            json!([]),
            json!("{ users { id } }"),
        ];
        bodies.iter().try_for_each(|body| post(cx, body)?.check().refused(400).map(drop))
    };
    /// A query that is not a text is 400.
    query_is_a_text judges ["graphql-reduced/query-type"] needs [ENDPOINT] => |cx| {
        serves(cx)?;
        let queries = json!([5, 0, true, false, null, ["{ users { id } }"], {}, { "query": "{ users { id } }" }]);
        let mut queries = queries.as_array().into_iter().flatten();
        queries.try_for_each(|query| post(cx, &json!({ "query": query }))?.check().refused(400).map(drop))
    };
    /// A body that is not JSON is 400.
    body_is_json judges ["graphql-reduced/malformed-json"] needs [ENDPOINT]
        by bodies_are_400(&[r#"{"query": "{ users { id } }""#, "{query: '{ users { id } }'}", "{ users { id } }", ""]);
    /// Text after the JSON makes a body malformed: 400.
    text_after_the_json_is_refused judges ["errors/text-after-json"] needs [ENDPOINT]
        by bodies_are_400(&[r#"{"query": "{ users { id } }"} x"#]);
    /// Query is another key than query, 400, or the same.
    letter_case_counts_in_keys judges ["graphql-reduced/key-case"] needs [ENDPOINT] => |cx| {
        serves(cx)?;
        let reply = post(cx, &json!({ "Query": "{ users { id } }" }))?;
        cx.observe(&[("distinct", reply.is(400)), ("same", reply.is(200))], reply.summary())
    };
    /// Roots, fields and arguments that no form has are 400.
    other_names_are_400 judges ["graphql-reduced/unsupported-form"] needs [ENDPOINT] => |cx| {
        let id = any_id(cx)?;
        let mut queries = owned(&[
            "{ nadie { id } }",
            "{ posts { id } }",
            "{ usersfoo { id } }",
            "{ Users { id } }",
            "{ users { nada } }",
            "{ users { id nada } }",
            "{ users { Name } }",
            "{ users { __typename } }",
            "{ __schema { queryType { name } } }",
            "{ user { id } }",
            "{ user(name: \"Ada\") { id } }",
            "{ users(id: \"1\") { id } }",
            "{ users(first: 1) { id } }",
        ]);
        let selections = ["{ nada }", "{ name nada }", "{ posts { nada } }", "{ posts { userId } }"];
        queries.extend(selections.map(|selection| user_query(&id, selection)));
        queries.push(format!("{{ user(id: {0}, name: {0}) {{ id }} }}", quoted(&id)));
        refuses(cx, &queries)
    };
    /// Selections that are missing, empty or where none belongs are 400.
    other_selections_are_400 judges ["graphql-reduced/unsupported-form"] needs [ENDPOINT] => |cx| {
        let id = any_id(cx)?;
        let mut queries =
            owned(&["{ users }", "{ users { } }", "{ }", "{ users { name { first } } }", "{ users { id(x: 1) } }"]);
        let selections = [
            "",
            "{ }",
            "{ posts }",
            "{ posts { } }",
            "{ id { x } }",
            "{ posts { title { x } } }",
            "{ posts { id { x } } }",
            "{ posts { user { id } } }",
            "{ posts(first: 1) { id } }",
        ];
        queries.extend(selections.map(|selection| user_query(&id, selection)));
        refuses(cx, &queries)
    };
    /// Texts that are no query, or more than one, are 400.
    other_texts_are_400 judges ["graphql-reduced/unsupported-form"] needs [ENDPOINT] by refuses(&owned(&[
            "",
            "   ",
            "hola",
            "users",
            "users { id }",
            "{ users { id }",
            "{ users { id } } }",
            "{ users { id } } hola",
            "hola { users { id } }",
            "{ users { id } } { users { id } }",
            "{{ users { id } }}",
            "{ users [ id ] }",
            "subscription { users { id } }",
            "SELECT * FROM users",
        ]));
    /// Both fields inside posts are 400, inside users too.
    both_fields_of_posts_are_400 judges ["graphql-reduced/posts-both-fields"] needs [ENDPOINT] => |cx| {
        let id = any_id(cx)?;
        let selections = ["{ posts { id title } }", "{ posts { title id } }", "{ name posts { id title } }"];
        let queries = selections.map(|selection| user_query(&id, selection));
        refuses(cx, &queries)?;
        refuses(cx, &owned(&["{ users { posts { id title } } }"]))
    };
    /// The form is judged for unknown users, too.
    form_counts_before_the_user judges ["graphql-reduced/unsupported-form"] needs [ENDPOINT] => |cx| {
        let nobody = cx.unique("nadie");
        let selections = ["{ nada }", "", "{ }", "{ posts }", "{ posts { nada } }", "{ id { x } }"];
        let queries = selections.map(|selection| user_query(&nobody, selection));
        refuses(cx, &queries)
    };
    /// Variables, aliases, fragments, directives and several roots are 400.
    other_syntax_is_400 judges ["graphql-reduced/other-syntax"] needs [ENDPOINT] => |cx| {
        let id = quoted(&any_id(cx)?);
        let queries = [
            "{ todos: users { id } }".to_owned(),
            "{ users { quien: name } }".to_owned(),
            format!("{{ uno: user(id: {id}) {{ id }} }}"),
            format!("{{ user(id: {id}) {{ quien: name }} }}"),
            format!("{{ user(id: {id}) {{ escritos: posts {{ title }} }} }}"),
            format!("{{ user(id: {id}) {{ posts {{ titulo: title }} }} }}"),
            "{ users { ...F } } fragment F on User { id }".to_owned(),
            "{ users { id } } fragment F on User { id }".to_owned(),
            "{ users { ... on User { id } } }".to_owned(),
            "{ users { ... { id } } }".to_owned(),
            "{ users { id @include(if: true) } }".to_owned(),
            "{ users @skip(if: false) { id } }".to_owned(),
            format!("{{ users {{ id }} user(id: {id}) {{ id }} }}"),
            format!("{{ user(id: {id}) {{ id }} users {{ id }} }}"),
            "query A { users { id } } query B { users { id } }".to_owned(),
            "query($id: ID!) { user(id: $id) { id } }".to_owned(),
            "query Q($id: ID = \"1\") { users { id } }".to_owned(),
        ];
        refuses(cx, &queries)?;
        let query = "query($id: ID!) { user(id: $id) { id } }";
        post(cx, &json!({ "query": query, "variables": { "id": "1" } }))?.check().refused(400).map(drop)
    };
    /// A mutation is 400, and creates no user.
    mutations_are_400 judges ["graphql-reduced/no-mutation"] needs [ENDPOINT];
}

/// The plainest query is served: what is refused below is not refused for being a request.
fn serves(cx: &CaseContext<'_>) -> CaseResult {
    ask(cx, "{ users { id } }")?.prepared("reading all users", 200)?;
    Ok(())
}

fn post(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    cx.request_at(Interface::GraphqlReduced, "POST", "").json(body).send()
}

fn bodies_are_400(cx: &CaseContext<'_>, bodies: &[&str]) -> CaseResult {
    serves(cx)?;
    let post = |body: &str| cx.request_at(Interface::GraphqlReduced, "POST", "").json_text(body.as_bytes()).send();
    bodies.iter().try_for_each(|body| post(body)?.check().status(400).map(drop))
}

/// Every query is refused, one of a supported form beside it is not.
fn refuses(cx: &CaseContext<'_>, queries: &[String]) -> CaseResult {
    serves(cx)?;
    queries.iter().try_for_each(|query| ask(cx, query)?.check().of(query).refused(400).map(drop))
}

fn owned(queries: &[&str]) -> Vec<String> {
    queries.iter().map(|query| (*query).to_owned()).collect()
}

fn mutations_are_400(cx: &CaseContext<'_>) -> CaseResult {
    let name = cx.unique("Ada");
    let text = quoted(&name);
    let queries = [
        format!("mutation {{ createUser(name: {text}, age: 41) {{ id name age }} }}"),
        format!("mutation Crear {{ createUser(name: {text}, age: 41) {{ id }} }}"),
        "mutation { users { id } }".to_owned(),
        format!("{{ createUser(name: {text}, age: 41) {{ id }} }}"),
    ];
    refuses(cx, &queries)?;
    let users = ask(cx, "{ users { name } }")?;
    let listed = users.at("/data").unwrap_or_default();
    let is_there = listed.as_array().is_some_and(|users| users.iter().any(|user| user["name"] == name.as_str()));
    cx.check(!is_there, Place::body("/data").of("users afterwards"), "nobody created", "a user of the mutation's name")
}
