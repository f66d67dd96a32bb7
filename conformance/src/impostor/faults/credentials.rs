//! Faults that break rules of the chapter credentials.

use super::Fault;
use crate::impostor::effect::catalogue::of_two_factor;
use crate::impostor::http::Request;
use crate::impostor::model::records::Client;
use crate::impostor::model::refusals::UNKNOWN_KEY;
use crate::impostor::policy::FirstCheck;
use crate::impostor::policy::auth::Access;

pub(crate) const FAULTS: &[Fault] = faults! {
    "lookup-before-credential" breaks "credentials/before-store": "An unknown id without a credential answers 404."
        => policy |p| p.books.first_check = FirstCheck::Book;
    "lookup-before-permission" breaks "credentials/permission-before-store": "An unknown id without the permission answers 404."
        => policy |p| p.books.first_check = FirstCheck::CredentialThenBook;
    "no-credential-is-403" breaks "credentials/none": "A request without a credential answers 403."
        => reply |_request, reply| if reply.is_denied_as("NO_AUTENTICADO") { reply.refuse(403) };
    "no-credential-is-token-invalid" breaks "credentials/none": "A request without a credential answers TOKEN_INVALIDO."
        => reply |_request, reply| if reply.is_denied_as("NO_AUTENTICADO") { reply.deny_as("TOKEN_INVALIDO") };
    "any-scheme-is-bearer" breaks "credentials/unsupported-scheme": "Authorization of any scheme is taken for a token: TOKEN_INVALIDO."
        => reply |request, reply| if reply.is_denied_as("NO_AUTENTICADO") && request.header("authorization").is_some() { reply.deny_as("TOKEN_INVALIDO") };
    "token-before-key" breaks "credentials/key-first": "Authorization counts before X-API-Key."
        => request |request| if sends_token(request) { request.remove("x-api-key") };
    "token-before-key-on-two-factor" breaks "credentials/key-first" and "credentials/key-no-fall-through": "On /2fa Authorization counts before X-API-Key."
        => request |request| if of_two_factor(request) && sends_token(request) { request.remove("x-api-key") };
    "token-before-key-on-api-keys" breaks "credentials/key-first" and "credentials/key-no-fall-through": "On /auth/api-keys Authorization counts before X-API-Key."
        => request |request| if request.path == "/auth/api-keys" && sends_token(request) { request.remove("x-api-key") };
    "failing-key-falls-through" breaks "credentials/key-no-fall-through": "After a failing key the Authorization header is tried."
        => policy |p| p.auth.credentials.tries_token_after_failing_key = true;
    "known-key-needs-manage-users" breaks "credentials/key-known": "Only the keys of administrators are let in."
        => policy |p| p.auth.credentials.is_key_of = |client, key| client.key == key && may(client, "manage:users");
    "unknown-key-is-unauthenticated" breaks "credentials/key-unknown": "An unknown key answers NO_AUTENTICADO."
        => reply |_request, reply| if reply.refuses_with(UNKNOWN_KEY) { reply.deny_as("NO_AUTENTICADO") };
    "keys-by-first-8" breaks "credentials/key-exact": "A key counts by its first 8 characters."
        => policy |p| p.auth.credentials.is_key_of = |client, key| key.len() >= 8 && client.key.get(..8) == key.get(..8);
    "keys-ignore-case" breaks "credentials/key-exact": "A key counts in any letter case."
        => policy |p| p.auth.credentials.is_key_of = |client, key| client.key.eq_ignore_ascii_case(key);
    "denied-delete-deletes" breaks "credentials/denied-changes-nothing": "A delete that is denied is carried out."
        => policy |p| p.books.first_check = FirstCheck::AfterDelete;
    "registration-needs-credential" breaks "credentials/open-routes": "Registration asks for a credential."
        => policy |p| p.auth.registration.access = Access::CredentialOnly;
    "login-refuses-failing-credential" breaks "credentials/open-routes": "A failing token sent along stops a login."
        => policy |p| p.auth.login.access = Access::UnlessTokenFails;
    "verification-needs-credential" breaks "credentials/open-routes": "Verification asks for a credential."
        => policy |p| p.two_factor.verification.access = Access::CredentialOnly;
    "test-client-deletes" breaks "credentials/initial-test-client": "The initial test client may delete."
        => policy |p| p.initial.clients = |clients| clients[0].permissions.push("delete:libros".to_owned());
    "test-client-only-reads" breaks "credentials/initial-test-client": "The initial test client may not write."
        => policy |p| p.initial.clients = |clients| clients[0].permissions.retain(|permission| permission == "read:libros");
    "admin-client-manages-keys" breaks "credentials/initial-admin-client": "The initial admin client may manage keys."
        => policy |p| p.initial.clients = |clients| clients[1].permissions.push("manage:api_keys".to_owned());
    "admin-client-cannot-delete" breaks "credentials/initial-admin-client": "The initial admin client may not delete."
        => policy |p| p.initial.clients = |clients| clients[1].permissions.retain(|permission| permission != "delete:libros");
    "test-client-rate-limit-5000" breaks "credentials/initial-test-rate-limit": "The initial test client has rateLimit 5000."
        => policy |p| p.initial.clients = |clients| clients[0].rate_limit = 5000.into();
    "admin-client-rate-limit-1000" breaks "credentials/initial-admin-rate-limit": "The initial admin client has rateLimit 1000."
        => policy |p| p.initial.clients = |clients| clients[1].rate_limit = 1000.into();
    "client-id-is-a-key" breaks "credentials/key-exact": "The id of a client is taken for its key."
        => policy |p| p.auth.credentials.is_key_of = |client, key| client.key == key || client.id == key;
    "denied-create-takes-effect" breaks "credentials/denied-changes-nothing": "A create is carried out before the credential is checked."
        => policy |p| p.books.first_check = FirstCheck::AfterCreate;
};

fn may(client: &Client, permission: &str) -> bool {
    client.permissions.iter().any(|held| held == permission)
}

fn sends_token(request: &Request) -> bool {
    request.header("authorization").is_some_and(|value| value.starts_with("Bearer ") || value.starts_with("JWT "))
}
