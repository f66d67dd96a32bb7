//! The 401 of a lacking permission, by kind of credential; and the routes that need no permission.

use super::operations::{Credential, OPERATIONS, admitted};
use super::permission_sets::USER;
use crate::chapters::prelude::*;
use crate::fixture::users::Tokens;

cases! { "permissions";
    /// A client that lacks the permission is 401 API_KEY_INVALIDA, on every operation.
    client_without_the_permission judges ["permissions/denied-key"];
    /// A session whose user lacks the permission is 401 TOKEN_INVALIDO, on every operation.
    session_without_the_permission judges ["permissions/denied-session"]
        by without_the_permission("TOKEN_INVALIDO", |tokens| Credential::Session(tokens.session));
    /// A JWT whose user lacks the permission is 401 JWT_INVALIDO, on every operation.
    jwt_without_the_permission judges ["permissions/denied-jwt"]
        by without_the_permission("JWT_INVALIDO", |tokens| Credential::Jwt(tokens.jwt));
    /// The two-factor routes take a valid credential of a user and no permission.
    two_factor_routes_take_no_permission judges ["permissions/two-factor-any"];
}

/// Judges the denial of every operation whose permission is not held; what is held must let in.
fn judge_denials(cx: &CaseContext<'_>, code: &str, by: &Credential, holds: &[&str]) -> CaseResult {
    let book = books::create(cx, &json!({}))?;
    for operation in &OPERATIONS {
        let reply = operation.tried(cx, by, &book)?;
        if holds.contains(&operation.permission) {
            // The twin: what fails below is the permission, not the credential.
            admitted(&reply)?;
        } else {
            reply.check().denied(code)?;
        }
    }
    Ok(())
}

fn client_without_the_permission(cx: &CaseContext<'_>) -> CaseResult {
    const CODE: &str = "API_KEY_INVALIDA";
    let initial = Credential::Key(cx.test_key().to_owned());
    judge_denials(cx, CODE, &initial, &["read:libros", "write:libros"])?;
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    for holds in [["delete:libros"], ["manage:users"]] {
        let key = Credential::Key(clients::create_as(cx, &admin, &holds)?.key);
        judge_denials(cx, CODE, &key, &holds)?;
    }
    Ok(())
}

fn without_the_permission(cx: &CaseContext<'_>, code: &str, of: fn(Tokens) -> Credential) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    judge_denials(cx, code, &of(tokens), USER)
}

fn two_factor_routes_take_no_permission(cx: &CaseContext<'_>) -> CaseResult {
    for role in ["user", "bibliotecaria"] {
        let (_, tokens) = users::register_and_log_in(cx, role)?;
        for way in Credential::both(&tokens) {
            for path in ["/2fa/status", "/2fa/trusted-devices"] {
                way.on(cx.get(path)).send()?.check().status(200)?;
            }
            let password = json!({ "password": PASSWORD });
            for path in ["/2fa/enable", "/2fa/regenerate-backup-codes", "/2fa/disable"] {
                way.on(cx.post(path)).json(&password).send()?.check().status(200)?;
            }
        }
    }
    Ok(())
}
