//! What each role holds, as its login tells and as it takes effect.

use super::operations::{Credential, OPERATIONS};
use super::permission_sets::{ALL, INITIAL_ADMIN, MODERATOR, USER, are_exactly};
use crate::chapters::prelude::*;

cases! { "permissions";
    /// A registered admin holds all five permissions.
    registered_admin_holds_all_five judges ["permissions/role-admin"] by registered("admin", &ALL);
    /// A registered user of role `user` may read and nothing else.
    registered_user_may_only_read judges ["permissions/role-user"] by registered("user", USER);
    /// A registered moderator may read, write and delete books, and manage nothing.
    registered_moderator_holds_three judges ["permissions/role-moderator"] by registered("moderator", MODERATOR);
    /// A role outside the table, however near to one in it, gives what `user` has.
    role_outside_the_table_may_only_read judges ["permissions/role-other"];
    /// The initial admin manages users but not API keys, unlike an admin who registers.
    initial_admin_cannot_manage_keys judges ["permissions/initial-admin"] by initial("admin", INITIAL_ADMIN);
    /// The initial regular user may read and nothing else.
    initial_user_may_only_read judges ["permissions/initial-user"] by initial("user", USER);
}

/// Judges the permissions a login tells, and that both tokens it issued open just what they allow.
fn judge_holds(cx: &CaseContext<'_>, login: &Reply, holds: &[&str]) -> CaseResult {
    let want = format!("exactly {}", holds.join(", "));
    login.check().at_where(&users::principal_field(cx, "permissions"), &want, |held| are_exactly(held, holds))?;
    let ways = [
        Credential::Session(login.text_at("/tokens/sessionToken")),
        Credential::Jwt(login.text_at("/tokens/jwtToken")),
    ];
    for way in ways {
        let book = books::create(cx, &json!({}))?;
        for operation in &OPERATIONS {
            let reply = operation.tried(cx, &way, &book)?;
            let may = holds.contains(&operation.permission);
            let place = Place::STATUS.of(format_args!("{} with {}", operation.name, way.kind()));
            let want = if may { "let in" } else { "401" };
            reply.check().that(may == (reply.status() != 401), place, want, reply.status())?;
        }
    }
    Ok(())
}

fn login_as(cx: &CaseContext<'_>, role: &str) -> Result<Reply, CaseError> {
    let user = users::register(cx, role)?;
    users::try_log_in(cx, &user.email, &user.password)?.prepared("logging in", 200)
}

fn registered(cx: &CaseContext<'_>, role: &str, holds: &[&str]) -> CaseResult {
    judge_holds(cx, &login_as(cx, role)?, holds)
}

/// Judges the role and the permissions of an initial user.
fn initial(cx: &CaseContext<'_>, role: &str, holds: &[&str]) -> CaseResult {
    let known = &cx.target().credentials;
    let initial = if role == "admin" { &known.admin_user } else { &known.regular_user };
    let login =
        users::try_log_in(cx, &initial.email, &initial.password)?.prepared("logging in an initial user", 200)?;
    login.check().at(&users::principal_field(cx, "role"), &json!(role))?;
    judge_holds(cx, &login, holds)
}

fn role_outside_the_table_may_only_read(cx: &CaseContext<'_>) -> CaseResult {
    registered(cx, "bibliotecaria", USER)?;
    // Other letter case is another role; and some names are found in any object of some languages.
    for role in ["Admin", "administrator", "constructor", "__proto__"] {
        let login = login_as(cx, role)?;
        let place = users::principal_field(cx, "permissions");
        login.check().at_where(&place, "exactly read:libros", |held| are_exactly(held, USER))?;
    }
    Ok(())
}
