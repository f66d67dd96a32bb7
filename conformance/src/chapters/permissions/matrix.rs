//! Every permission against every operation, with each kind of credential.

use super::operations::{Credential, OPERATIONS, Subject, admitted};
use super::permission_sets::{ALL, INITIAL_ADMIN, MODERATOR, USER};
use crate::chapters::prelude::*;
use crate::fixture::users::Tokens;

cases! { "permissions" by try_all;
    /// Clients that hold one permission each are let into the operations that take it, and into no other.
    clients_with_one_permission_each judges ["permissions/list"] and [OTHER_OPERATIONS]: clients_of_one;
    /// Clients that hold every permission but one are shut out of the operations that take that one, and of no other.
    clients_with_every_permission_but_one judges ["permissions/list"] and [OTHER_OPERATIONS]: clients_of_all_but_one;
    /// Sessions of each role are let into the operations their permissions allow, and into no other.
    sessions_of_each_role judges ["permissions/list"] and [OTHER_OPERATIONS]:
        |cx| users(cx, |tokens| Credential::Session(tokens.session));
    /// JWTs of each role are let into the operations their permissions allow, and into no other.
    jwts_of_each_role judges ["permissions/list"] and [OTHER_OPERATIONS]:
        |cx| users(cx, |tokens| Credential::Jwt(tokens.jwt));
    /// A permission to write, delete or manage gives no permission to read, and one to delete none to write.
    no_permission_implies_another judges ["permissions/no-implication"];
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

/// Those who try the operations.
type Subjects = Result<Vec<Subject>, CaseError>;

/// Has every subject try every operation: let in where it holds the permission, 401 where it does not.
fn try_all(cx: &CaseContext<'_>, subjects: fn(&CaseContext<'_>) -> Subjects) -> CaseResult {
    for subject in subjects(cx)? {
        let book = books::create(cx, &json!({}))?;
        for operation in &OPERATIONS {
            let reply = operation.tried(cx, &subject.credential, &book)?;
            let may = subject.holds.contains(&operation.permission);
            let (fits, want) =
                if may { ((200..300).contains(&reply.status()), "let in") } else { (reply.status() == 401, "401") };
            let place = Place::STATUS.of(format_args!(
                "{} with {} of {} that holds {}",
                operation.name,
                subject.credential.kind(),
                subject.who,
                if subject.holds.is_empty() { "nothing".into() } else { subject.holds.join(", ") }
            ));
            reply.check_rule(operation.rule).that(fits, place, want, reply.status())?;
        }
    }
    Ok(())
}

fn client(
    cx: &CaseContext<'_>,
    admin: &Tokens,
    holds: impl Iterator<Item = &'static str>,
) -> Result<Subject, CaseError> {
    let holds: Vec<&str> = holds.collect();
    let client = clients::create_as(cx, admin, &holds)?;
    Ok(Subject { who: "a client".into(), credential: Credential::Key(client.key), holds })
}

fn clients_of_one(cx: &CaseContext<'_>) -> Subjects {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    ALL.iter().map(|one| client(cx, &admin, [*one].into_iter())).collect()
}

fn clients_of_all_but_one(cx: &CaseContext<'_>) -> Subjects {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    let but = |one| ALL.into_iter().filter(move |other| other != one);
    ALL.iter().map(|one| client(cx, &admin, but(one))).collect()
}

/// Users of every role and the initial ones, each with the way in that `pick` takes of theirs.
fn users(cx: &CaseContext<'_>, pick: fn(Tokens) -> Credential) -> Subjects {
    let mut subjects = Vec::new();
    let roles = [("admin", &ALL[..]), ("moderator", MODERATOR), ("user", USER), ("bibliotecaria", USER)];
    for (role, holds) in roles {
        let (_, tokens) = users::register_and_log_in(cx, role)?;
        subjects.push(Subject {
            who: format!("a registered user of role {role}"),
            credential: pick(tokens),
            holds: holds.to_vec(),
        });
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

fn no_permission_implies_another(cx: &CaseContext<'_>) -> CaseResult {
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
        let book = books::create(cx, &json!({}))?;
        for operation in &OPERATIONS {
            let reply = operation.tried(cx, &key, &book)?;
            if held.contains(&operation.permission) {
                admitted(&reply)?;
            } else if lacked.contains(&operation.permission) {
                let tried = format!("{} for a client that holds {}", operation.name, held.join(", "));
                reply.check().of(&tried).status(401)?;
            }
        }
    }
    Ok(())
}
