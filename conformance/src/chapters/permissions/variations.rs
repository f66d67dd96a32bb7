//! Variations of the chapter permissions.

use libros_conformance_model::accounts::permissions::{Operation, holds, needed, of_role};
use libros_conformance_model::refusals::{KEY_LACKS_PERMISSION, USER_LACKS_PERMISSION};

use crate::impostor::effect::prelude::*;

const ROLES: [&str; 3] = ["admin", "user", "moderator"];

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "admin-lacks-manage-keys" breaks "permissions/role-admin": "A registered admin lacks manage:api_keys."
        => steps |s| s.auth.registration.permissions_of =
            |role| if role == "admin" { &["read:libros", "write:libros", "delete:libros", "manage:users"] } else { of_role(role) };
    "user-may-write" breaks "permissions/role-user": "A registered user may write."
        => steps |s| s.auth.registration.permissions_of =
            |role| if role == "user" { &["read:libros", "write:libros"] } else { of_role(role) };
    "moderator-cannot-delete" breaks "permissions/role-moderator": "A registered moderator may not delete."
        => steps |s| s.auth.registration.permissions_of =
            |role| if role == "moderator" { &["read:libros", "write:libros"] } else { of_role(role) };
    "roles-in-any-case" breaks "permissions/role-other": "A role of the table gives its permissions in any letter case."
        => steps |s| s.auth.registration.permissions_of = |role| of_role(&role.to_lowercase());
    "unknown-role-may-nothing" breaks "permissions/role-other": "A user whose role is outside the table has no permission."
        => steps |s| s.auth.registration.permissions_of = |role| if ROLES.contains(&role) { of_role(role) } else { &[] };
    "unknown-role-may-write" breaks "permissions/role-other": "A user whose role is outside the table may write."
        => steps |s| s.auth.registration.permissions_of =
            |role| if ROLES.contains(&role) { of_role(role) } else { &["read:libros", "write:libros"] };
    "list-takes-no-permission" breaks "permissions/list": "Listing books needs no permission."
        => steps |s| s.auth.permission = |operation| if operation == Operation::ListBooks { None } else { needed(operation) };
    "read-takes-no-permission" breaks "permissions/read": "Reading one book needs no permission."
        => steps |s| s.auth.permission = |operation| if operation == Operation::ReadBook { None } else { needed(operation) };
    "create-takes-read" breaks "permissions/create": "Creating a book needs only read:libros."
        => steps |s| s.auth.permission = |operation| if operation == Operation::CreateBook { Some("read:libros") } else { needed(operation) };
    "replace-takes-read" breaks "permissions/replace": "Replacing a book needs only read:libros."
        => steps |s| s.auth.permission = |operation| if operation == Operation::ReplaceBook { Some("read:libros") } else { needed(operation) };
    "delete-takes-write" breaks "permissions/delete": "Deleting a book needs only write:libros."
        => steps |s| s.auth.permission = |operation| if operation == Operation::DeleteBook { Some("write:libros") } else { needed(operation) };
    "create-key-takes-manage-users" breaks "permissions/create-key": "Creating an API key needs manage:users instead of manage:api_keys."
        => steps |s| s.auth.permission = |operation| if operation == Operation::CreateKey { Some("manage:users") } else { needed(operation) };
    "list-keys-takes-manage-users" breaks "permissions/list-keys": "Listing API keys needs manage:users instead of manage:api_keys."
        => steps |s| s.auth.permission = |operation| if operation == Operation::ListKeys { Some("manage:users") } else { needed(operation) };
    "two-factor-takes-write" breaks "permissions/two-factor-any": "The /2fa routes need write:libros."
        => steps |s| s.auth.permission = |operation| if operation == Operation::TwoFactor { Some("write:libros") } else { needed(operation) };
    "write-implies-read" breaks "permissions/no-implication": "write:libros implies read:libros."
        => steps |s| s.auth.holds = |held, needed| holds(held, needed) || needed == "read:libros" && holds(held, "write:libros");
    "delete-implies-all" breaks "permissions/no-implication": "delete:libros implies read:libros and write:libros."
        => steps |s| s.auth.holds = |held, needed| holds(held, needed) || needed.ends_with(":libros") && holds(held, "delete:libros");
    "denied-key-is-unauthenticated" breaks "permissions/denied-key": "A client that lacks the permission is answered NO_AUTENTICADO."
        => reply |_request, reply| if reply.refuses_with(KEY_LACKS_PERMISSION) { reply.deny_as("NO_AUTENTICADO") };
    "key-refused-with-403" breaks "permissions/denied-key": "A client that lacks the permission is answered 403."
        => reply |_request, reply| if reply.json_body()["error"]["codigo"] == "API_KEY_INVALIDA" { reply.status = 403 };
    "denied-session-is-key-refused" breaks "permissions/denied-session": "A session whose user lacks the permission is answered API_KEY_INVALIDA."
        => reply |_request, reply| if reply.refuses_with(USER_LACKS_PERMISSION) && reply.is_denied_as("TOKEN_INVALIDO") { reply.deny_as("API_KEY_INVALIDA") };
    "sessions-hold-every-permission" breaks "permissions/denied-session": "A session holds every permission."
        => around |state, request, answer| {
            let all = of_role("admin").iter().copied().map(str::to_owned).collect();
            if bearer(request).is_some() { holding(state, all, request, answer) } else { answer(state, request) }
        };
    "denied-jwt-is-token-invalid" breaks "permissions/denied-jwt": "A JWT whose user lacks the permission is answered TOKEN_INVALIDO."
        => reply |_request, reply| if reply.refuses_with(USER_LACKS_PERMISSION) && reply.is_denied_as("JWT_INVALIDO") { reply.deny_as("TOKEN_INVALIDO") };
    "initial-admin-manages-keys" breaks "permissions/initial-admin": "The initial admin may manage API keys."
        => start |state| state.users[0].permissions.push("manage:api_keys".to_owned());
    "initial-user-writes" breaks "permissions/initial-user": "The initial regular user may write."
        => start |state| state.users[1].permissions.push("write:libros".to_owned());
};
