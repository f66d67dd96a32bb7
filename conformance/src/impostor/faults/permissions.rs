//! Faults that break rules of the chapter permissions.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "admin-lacks-manage-keys" breaks "permissions/role-admin": "A registered admin lacks manage:api_keys.";
    "user-may-write" breaks "permissions/role-user": "A registered user may write.";
    "moderator-cannot-delete" breaks "permissions/role-moderator": "A registered moderator may not delete.";
    "unknown-role-may-nothing" breaks "permissions/role-other": "A role outside the table has no permission.";
    "unknown-role-may-write" breaks "permissions/role-other": "A role outside the table may write.";
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
    "create-key-takes-manage-users" breaks "permissions/create-key": "Creating a key takes manage:users.";
    "list-keys-takes-manage-users" breaks "permissions/list-keys": "Listing keys takes manage:users.";
    "two-factor-takes-write" breaks "permissions/two-factor-any": "The /2fa routes take write:libros.";
    "write-implies-read" breaks "permissions/no-implication": "Who may write may read.";
    "delete-implies-all" breaks "permissions/no-implication": "Who may delete may read and write.";
    "denied-key-is-unauthenticated" breaks "permissions/denied-key": "A client that lacks the permission answers NO_AUTENTICADO.";
    "key-refused-with-403" breaks "permissions/denied-key": "A refused key answers 403."
        => reply |_request, reply| if reply.json_body()["error"]["codigo"] == "API_KEY_INVALIDA" { reply.status = 403 };
    "denied-session-is-key-refused" breaks "permissions/denied-session": "A session that lacks the permission answers API_KEY_INVALIDA.";
    "sessions-hold-every-permission" breaks "permissions/denied-session" and "sessions/accepted": "A session may do anything.";
    "denied-jwt-is-token-invalid" breaks "permissions/denied-jwt": "A JWT that lacks the permission answers TOKEN_INVALIDO.";
    "initial-admin-manages-keys" breaks "permissions/initial-admin": "The initial admin may manage keys.";
    "initial-user-writes" breaks "permissions/initial-user": "The initial regular user may write.";
};
