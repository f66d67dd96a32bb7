//! Faults that break rules of the chapter permissions.

use super::Fault;
use crate::impostor::model::accounts::user::{holds, permissions_of};
use crate::impostor::model::refusals::{KEY_LACKS_PERMISSION, USER_LACKS_PERMISSION};

/// The roles that the documents' table has.
const ROLES: [&str; 3] = ["admin", "user", "moderator"];

pub(crate) const FAULTS: &[Fault] = faults! {
    "admin-lacks-manage-keys" breaks "permissions/role-admin": "A registered admin lacks manage:api_keys."
        => policy |p| p.auth.registration.permissions_of =
            |role| if role == "admin" { &["read:libros", "write:libros", "delete:libros", "manage:users"] } else { permissions_of(role) };
    "user-may-write" breaks "permissions/role-user": "A registered user may write."
        => policy |p| p.auth.registration.permissions_of =
            |role| if role == "user" { &["read:libros", "write:libros"] } else { permissions_of(role) };
    "moderator-cannot-delete" breaks "permissions/role-moderator": "A registered moderator may not delete."
        => policy |p| p.auth.registration.permissions_of =
            |role| if role == "moderator" { &["read:libros", "write:libros"] } else { permissions_of(role) };
    "unknown-role-may-nothing" breaks "permissions/role-other": "A role outside the table has no permission."
        => policy |p| p.auth.registration.permissions_of = |role| if ROLES.contains(&role) { permissions_of(role) } else { &[] };
    "unknown-role-may-write" breaks "permissions/role-other": "A role outside the table may write."
        => policy |p| p.auth.registration.permissions_of =
            |role| if ROLES.contains(&role) { permissions_of(role) } else { &["read:libros", "write:libros"] };
    "list-takes-no-permission" breaks "permissions/list": "Listing takes no permission."
        => policy |p| p.books.permissions.list = None;
    "read-takes-no-permission" breaks "permissions/read": "Reading one book takes no permission."
        => policy |p| p.books.permissions.read = None;
    "create-takes-read" breaks "permissions/create": "Creating takes read:libros only."
        => policy |p| p.books.permissions.create = Some("read:libros");
    "replace-takes-read" breaks "permissions/replace": "Replacing takes read:libros only."
        => policy |p| p.books.permissions.replace = Some("read:libros");
    "delete-takes-write" breaks "permissions/delete": "Deleting takes write:libros only."
        => policy |p| p.books.permissions.delete = Some("write:libros");
    "create-key-takes-manage-users" breaks "permissions/create-key": "Creating a key takes manage:users."
        => policy |p| p.auth.api_keys.create_takes = "manage:users";
    "list-keys-takes-manage-users" breaks "permissions/list-keys": "Listing keys takes manage:users."
        => policy |p| p.auth.api_keys.list_takes = "manage:users";
    "two-factor-takes-write" breaks "permissions/two-factor-any": "The /2fa routes take write:libros."
        => policy |p| p.two_factor.management.takes = Some("write:libros");
    "write-implies-read" breaks "permissions/no-implication": "Who may write may read."
        => policy |p| p.auth.credentials.holds = |held, needed| holds(held, needed) || needed == "read:libros" && holds(held, "write:libros");
    "delete-implies-all" breaks "permissions/no-implication": "Who may delete may read and write."
        => policy |p| p.auth.credentials.holds = |held, needed| holds(held, needed) || needed.ends_with(":libros") && holds(held, "delete:libros");
    "denied-key-is-unauthenticated" breaks "permissions/denied-key": "A client that lacks the permission answers NO_AUTENTICADO."
        => reply |_request, reply| if reply.refuses_with(KEY_LACKS_PERMISSION) { reply.deny_as("NO_AUTENTICADO") };
    "key-refused-with-403" breaks "permissions/denied-key": "A refused key answers 403."
        => reply |_request, reply| if reply.json_body()["error"]["codigo"] == "API_KEY_INVALIDA" { reply.status = 403 };
    "denied-session-is-key-refused" breaks "permissions/denied-session": "A session that lacks the permission answers API_KEY_INVALIDA."
        => reply |_request, reply| if reply.refuses_with(USER_LACKS_PERMISSION) && reply.is_denied_as("TOKEN_INVALIDO") { reply.deny_as("API_KEY_INVALIDA") };
    "sessions-hold-every-permission" breaks "permissions/denied-session": "A session may do anything."
        => policy |p| p.auth.sessions.rights_are_unlimited = true;
    "denied-jwt-is-token-invalid" breaks "permissions/denied-jwt": "A JWT that lacks the permission answers TOKEN_INVALIDO."
        => reply |_request, reply| if reply.refuses_with(USER_LACKS_PERMISSION) && reply.is_denied_as("JWT_INVALIDO") { reply.deny_as("TOKEN_INVALIDO") };
    "initial-admin-manages-keys" breaks "permissions/initial-admin": "The initial admin may manage keys."
        => policy |p| p.initial.users = |users| users[0].permissions.push("manage:api_keys".to_owned());
    "initial-user-writes" breaks "permissions/initial-user": "The initial regular user may write."
        => policy |p| p.initial.users = |users| users[1].permissions.push("write:libros".to_owned());
};
