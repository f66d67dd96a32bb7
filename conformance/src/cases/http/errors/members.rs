//! Nothing stands beside `error` in a refusal: a member more fails here, and no case that meets the refusal by the way.

use serde_json::json;

use super::envelopes::{
    Requests, books_refused_for_their_id, refused_creates, refused_key_creations, refused_logins,
    refused_methods_of_books, refused_methods_of_verification, two_factor_requests_of_a_user, unknown_auth_paths,
    unknown_books, unknown_paths, unknown_two_factor_paths,
};
use crate::case::{CaseContext, CaseResult, Need, rows};
use crate::http::request::Request;
use crate::implementation::profile::Interface;

rows! { "errors" by have_error_alone;
    /// A 400 of a book has nothing beside error.
    nothing_beside_error_in_400s_of_books judges ["errors/nothing-beside-error"]: &[refused_creates, books_refused_for_their_id];
    /// A 400 of /auth has nothing beside error.
    nothing_beside_error_in_400s_of_auth judges ["errors/nothing-beside-error"]: &[refused_logins, refused_key_creations];
    /// A 400 of /2fa has nothing beside error.
    nothing_beside_error_in_400s_of_two_factor judges ["errors/nothing-beside-error"]: &[two_factor_requests_of_a_user];
    /// The 404 of an unknown path has nothing beside error.
    nothing_beside_error_in_404s_of_paths judges ["errors/nothing-beside-error"]: &[unknown_paths];
    /// The 404 of an unknown book has nothing beside error.
    nothing_beside_error_in_404s_of_books judges ["errors/nothing-beside-error"]: &[unknown_books];
    /// The 404 of an unknown path under /auth or /2fa has nothing beside error.
    nothing_beside_error_in_404s_of_auth judges ["errors/nothing-beside-error"]: &[unknown_auth_paths, unknown_two_factor_paths];
    /// A 405 has nothing beside error.
    nothing_beside_error_in_405s judges ["errors/nothing-beside-error"]: &[refused_methods_of_books, refused_methods_of_verification];
    /// A refusal of the users interface has nothing beside error.
    nothing_beside_error_of_users judges ["errors/nothing-beside-error"] needs [Need::Interface(Interface::Users)]: &[refused_by_users];
    /// A refusal of the reduced GraphQL endpoint has nothing beside error.
    nothing_beside_error_of_the_reduced_form judges ["errors/nothing-beside-error"]
        needs [Need::Interface(Interface::GraphqlReduced)]: &[refused_by_the_reduced_form];
}

/// What is refused in that shape has no other member; which status and shape it has is judged elsewhere.
fn have_error_alone(cx: &CaseContext<'_>, groups: &[for<'c> fn(&'c CaseContext<'_>) -> Requests<'c>]) -> CaseResult {
    for requests in groups {
        for reply in requests(cx)?.into_iter().map(Request::send) {
            let reply = reply?;
            if matches!(reply.status(), 400 | 404 | 405) && reply.at("/error").is_some() {
                reply.check().keys("", &["error"])?;
            }
        }
    }
    Ok(())
}

fn refused_by_users<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let at = |method: &str, path: &str| cx.request_at(Interface::Users, method, path);
    Ok(vec![
        at("POST", "/users").json(&json!({ "age": 41 })),
        at("POST", "/users").json_text(b"{\"name\":"),
        at("GET", &format!("/users/{}", cx.unique("nadie"))),
        at("GET", &format!("/users/{}/posts", cx.unique("nadie"))),
        at("GET", &format!("/{}", cx.unique("nada"))),
    ])
}

fn refused_by_the_reduced_form<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let at = |method: &str, path: &str| cx.request_at(Interface::GraphqlReduced, method, path);
    Ok(vec![
        at("POST", "").json(&json!({})),
        at("POST", "").json(&json!({ "query": "{ users { nada } }" })),
        at("GET", ""),
        at("POST", "/nada").json(&json!({ "query": "{ users { id } }" })),
    ])
}
