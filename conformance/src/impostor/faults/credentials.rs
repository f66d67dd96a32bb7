//! Faults that break rules of the chapter credentials.

use super::Fault;
use crate::impostor::policy::FirstCheck;

pub(crate) const FAULTS: &[Fault] = faults! {
    "lookup-before-credential" breaks "credentials/before-store": "An unknown id without a credential answers 404."
        => policy |p| p.books.first_check = FirstCheck::Book;
    "lookup-before-permission" breaks "credentials/permission-before-store": "An unknown id without the permission answers 404."
        => policy |p| p.books.first_check = FirstCheck::CredentialThenBook;
    "no-credential-is-403" breaks "credentials/none": "A request without a credential answers 403.";
    "no-credential-is-token-invalid" breaks "credentials/none": "A request without a credential answers TOKEN_INVALIDO.";
    "any-scheme-is-bearer" breaks "credentials/unsupported-scheme": "Authorization of any scheme is taken for a token: TOKEN_INVALIDO.";
    "token-before-key" breaks "credentials/key-first": "Authorization counts before X-API-Key.";
    "failing-key-falls-through" breaks "credentials/key-no-fall-through": "After a failing key the Authorization header is tried.";
    "known-key-needs-manage-users" breaks "credentials/key-known": "Only the keys of administrators are let in.";
    "unknown-key-is-unauthenticated" breaks "credentials/key-unknown": "An unknown key answers NO_AUTENTICADO.";
    "keys-by-first-8" breaks "credentials/key-exact": "A key counts by its first 8 characters.";
    "keys-ignore-case" breaks "credentials/key-exact": "A key counts in any letter case.";
    "denied-delete-deletes" breaks "credentials/denied-changes-nothing": "A delete that is denied is carried out."
        => policy |p| p.books.first_check = FirstCheck::AfterDelete;
    "registration-needs-credential" breaks "credentials/open-routes": "Registration asks for a credential.";
    "login-refuses-failing-credential" breaks "credentials/open-routes": "A failing token sent along stops a login.";
    "verification-needs-credential" breaks "credentials/open-routes": "Verification asks for a credential.";
    "test-client-deletes" breaks "credentials/initial-test-client": "The initial test client may delete.";
    "test-client-only-reads" breaks "credentials/initial-test-client": "The initial test client may not write.";
    "admin-client-manages-keys" breaks "credentials/initial-admin-client": "The initial admin client may manage keys.";
    "admin-client-cannot-delete" breaks "credentials/initial-admin-client": "The initial admin client may not delete.";
    "test-client-rate-limit-5000" breaks "credentials/initial-test-rate-limit": "The initial test client has rateLimit 5000.";
    "admin-client-rate-limit-1000" breaks "credentials/initial-admin-rate-limit": "The initial admin client has rateLimit 1000.";
};
