//! What each role holds, every permission against every operation, and how an operation is denied.

use super::operations::{ALL, Credential, INITIAL_ADMIN, MODERATOR, Subject, USER, admitted, are_exactly, tried};
use crate::chapters::prelude::*;

cases! { "permissions" by try_all;
    /// A registered admin holds all five permissions.
    registered_admin_holds_all_five judges ["permissions/role-admin"] by registered("admin", &ALL);
    /// A registered user of role `user` may read and nothing else.
    registered_user_may_only_read judges ["permissions/role-user"] by registered("user", USER);
    /// A registered moderator may read, write and delete books, and manage nothing.
    registered_moderator_holds_three judges ["permissions/role-moderator"] by registered("moderator", MODERATOR);
    /// A user whose role is outside the table has the permissions of `user`.
    role_outside_the_table_may_only_read judges ["permissions/role-other"] by registered("bibliotecaria", USER);
    /// The initial admin manages users but not API keys, unlike an admin who registers.
    initial_admin_cannot_manage_keys judges ["permissions/initial-admin"] by judge_initial_user("admin", INITIAL_ADMIN);
    /// The initial regular user may read and nothing else.
    initial_user_may_only_read judges ["permissions/initial-user"] by judge_initial_user("user", USER);
    /// A client with one permission is accepted for exactly the operations that need it.
    clients_with_one_permission_each judges ["permissions/list"] and [OTHER_OPERATIONS]:
        |cx| clients(cx, |one, held| one == held);
    /// A client with every permission but one is refused for exactly the operations that need that one.
    clients_with_every_permission_but_one judges ["permissions/list"] and [OTHER_OPERATIONS]:
        |cx| clients(cx, |one, held| one != held);
    /// A session of each role is accepted for exactly the operations that its permissions allow.
    sessions_of_each_role judges ["permissions/list"] and [OTHER_OPERATIONS]:
        |cx| users(cx, |tokens| Credential::Session(tokens.session));
    /// A JWT of each role is accepted for exactly the operations that its permissions allow.
    jwts_of_each_role judges ["permissions/list"] and [OTHER_OPERATIONS]:
        |cx| users(cx, |tokens| Credential::Jwt(tokens.jwt));
    /// Permissions to write, delete or manage imply no permission to read, and one to delete none to write.
    no_permission_implies_another judges ["permissions/no-implication"] => |cx| {
        let (_, admin) = users::register_and_log_in(cx, "admin")?;
        // What is held, what is asked for, and whether the one is the other.
        let [read, write, delete, users, keys] = ALL;
        let trials: [(&[&str], &[&str]); 6] = [
            (&[write], &[read, delete]),
            (&[delete], &[read, write]),
            (&[write, delete], &[read]),
            (&[read, write], &[delete]),
            (&[users, keys], &[read, write, delete]),
            (&[users, read, write, delete], &[keys]),
        ];
        for (held, lacked) in trials {
            let key = Credential::Key(clients::create_as(cx, &admin, held)?.key);
            for (operation, reply) in tried(cx, &key)? {
                if held.contains(&operation.permission) {
                    admitted(&reply)?;
                } else if lacked.contains(&operation.permission) {
                    let tried = format!("{} for a client that holds {}", operation.name, held.join(", "));
                    reply.check().of(&tried).status(401)?;
                }
            }
        }
        Ok(())
    };
    /// A client that lacks the permission is 401 API_KEY_INVALIDA, on every operation.
    client_without_the_permission judges ["permissions/denied-key"] => |cx| {
        const CODE: &str = "API_KEY_INVALIDA";
        let initial = Credential::Key(cx.test_key().to_owned());
        judge_denials(cx, CODE, &initial, &["read:libros", "write:libros"])?;
        let (_, admin) = users::register_and_log_in(cx, "admin")?;
        for holds in [["delete:libros"], ["manage:users"]] {
            let key = Credential::Key(clients::create_as(cx, &admin, &holds)?.key);
            judge_denials(cx, CODE, &key, &holds)?;
        }
        Ok(())
    };
    /// A session whose user lacks the permission is 401 TOKEN_INVALIDO, on every operation.
    session_without_the_permission judges ["permissions/denied-session"]
        by without_the_permission("TOKEN_INVALIDO", |tokens| Credential::Session(tokens.session));
    /// A JWT whose user lacks the permission is 401 JWT_INVALIDO, on every operation.
    jwt_without_the_permission judges ["permissions/denied-jwt"]
        by without_the_permission("JWT_INVALIDO", |tokens| Credential::Jwt(tokens.jwt));
}

/// Judges the permissions in a login's answer, and that both of its tokens are let into just these operations.
fn judge_holds(cx: &CaseContext<'_>, login: &Reply, holds: &[&str]) -> CaseResult {
    let want = format!("exactly {}", holds.join(", "));
    login.check().at_where(&users::principal_field(cx, "permissions"), &want, |held| are_exactly(held, holds))?;
    let tokens = Tokens { session: login.text_at("/tokens/sessionToken"), jwt: login.text_at("/tokens/jwtToken") };
    for way in Credential::both(&tokens) {
        for (operation, reply) in tried(cx, &way)? {
            let may = holds.contains(&operation.permission);
            let place = Place::STATUS.of(format_args!("{} with {}", operation.name, way.kind()));
            let want = if may { "let in" } else { "401" };
            reply.check().that(may != reply.is(401), place, want, reply.status())?;
        }
    }
    Ok(())
}

fn registered(cx: &CaseContext<'_>, role: &str, holds: &[&str]) -> CaseResult {
    let user = users::register(cx, role)?;
    judge_holds(cx, &users::login_reply(cx, &user.email, &user.password)?.prepared("logging in", 200)?, holds)
}

fn judge_initial_user(cx: &CaseContext<'_>, role: &str, holds: &[&str]) -> CaseResult {
    let known = &cx.target().credentials;
    let initial = if role == "admin" { &known.admin_user } else { &known.regular_user };
    let login = users::login_reply(cx, &initial.email, &initial.password)?;
    let login = login.prepared("logging in an initial user", 200)?;
    login.check().at(&users::principal_field(cx, "role"), &json!(role))?;
    judge_holds(cx, &login, holds)
}

/// The rules of the operations that every subject tries, besides listing.
const OTHER_OPERATIONS: [&str; 6] = [
    "permissions/read",
    "permissions/create",
    "permissions/replace",
    "permissions/delete",
    "permissions/create-key",
    "permissions/list-keys",
];

type Subjects = CaseResult<Vec<Subject>>;

/// Has every subject try every operation: let in where it holds the permission, 401 where it does not.
fn try_all(cx: &CaseContext<'_>, subjects: fn(&CaseContext<'_>) -> Subjects) -> CaseResult {
    for subject in subjects(cx)? {
        for (operation, reply) in tried(cx, &subject.credential)? {
            let may = subject.holds.contains(&operation.permission);
            let is_in = (200..300).contains(&reply.status());
            let (fits, want) = if may { (is_in, "let in") } else { (reply.is(401), "401") };
            let holds = if subject.holds.is_empty() { "nothing".into() } else { subject.holds.join(", ") };
            let by = format!("{} of {} that holds {holds}", subject.credential.kind(), subject.who);
            let place = Place::STATUS.of(format_args!("{} with {by}", operation.name));
            reply.check_rule(operation.rule).that(fits, place, want, reply.status())?;
        }
    }
    Ok(())
}

/// A client for each permission; it holds the permissions for which `holds(its own, that one)` is true.
fn clients(cx: &CaseContext<'_>, holds: fn(&str, &str) -> bool) -> Subjects {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    let client = |one| {
        let holds: Vec<&str> = ALL.into_iter().filter(|held| holds(one, held)).collect();
        let key = clients::create_as(cx, &admin, &holds)?.key;
        Ok(Subject { who: "a client".into(), credential: Credential::Key(key), holds })
    };
    ALL.into_iter().map(client).collect()
}

/// Users of every role and the initial ones, each with the credential that `pick` makes of its tokens.
fn users(cx: &CaseContext<'_>, pick: fn(Tokens) -> Credential) -> Subjects {
    let mut subjects = Vec::new();
    let roles = [("admin", &ALL[..]), ("moderator", MODERATOR), ("user", USER), ("bibliotecaria", USER)];
    for (role, holds) in roles {
        let (_, tokens) = users::register_and_log_in(cx, role)?;
        let who = format!("a registered user of role {role}");
        subjects.push(Subject { who, credential: pick(tokens), holds: holds.to_vec() });
    }
    let initial = &cx.target().credentials;
    for (who, login, holds) in [
        ("the initial admin", &initial.admin_user, INITIAL_ADMIN),
        ("the initial regular user", &initial.regular_user, USER),
    ] {
        let tokens = users::log_in(cx, &login.email, &login.password)?;
        subjects.push(Subject { who: who.into(), credential: pick(tokens), holds: holds.to_vec() });
    }
    Ok(subjects)
}

/// Judges the denial of every operation whose permission is not held; what is held must let in.
fn judge_denials(cx: &CaseContext<'_>, code: &str, by: &Credential, holds: &[&str]) -> CaseResult {
    for (operation, reply) in tried(cx, by)? {
        if holds.contains(&operation.permission) {
            // Shows that the denials below are for the permission, not the credential.
            admitted(&reply)?;
        } else {
            reply.check().denied(code)?;
        }
    }
    Ok(())
}

fn without_the_permission(cx: &CaseContext<'_>, code: &str, of: fn(Tokens) -> Credential) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    judge_denials(cx, code, &of(tokens), USER)
}
