//! Faults that break rules of the chapter api-keys.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "created-key-is-200" breaks "api-keys/created": "Creating a key answers 200.";
    "created-key-lacks-advertencia" breaks "api-keys/answer-shape": "The answer to a created key lacks advertencia.";
    "created-client-has-created-at" breaks "api-keys/client-shape": "The object of a created client has createdAt.";
    "keys-in-upper-case" breaks "api-keys/key-form": "The digits of a key are in upper case.";
    "keys-of-20-bytes" breaks "api-keys/key-form": "A key has 40 digits.";
    "keys-without-prefix" breaks "api-keys/key-form": "A key lacks its prefix.";
    "client-ids-repeat" breaks "api-keys/key-distinct": "Every created client has the same id.";
    "created-keys-unknown" breaks "api-keys/key-works": "A created key is unknown.";
    "client-id-is-bare" breaks "api-keys/id-form": "The id of a created client is a bare number.";
    "client-name-in-lower-case" breaks "api-keys/name": "The name of a client is turned into lower case.";
    "permisos-ignored" breaks "api-keys/permissions": "permisos are not taken.";
    "permisos-default-write" breaks "api-keys/permissions-default": "Without permisos a client holds write:libros.";
    "rate-limit-ignored" breaks "api-keys/rate-limit": "rateLimit is not taken.";
    "rate-limit-default-is-100" breaks "api-keys/rate-limit-default": "Without rateLimit a client has 100.";
    "advertencia-empty" breaks "api-keys/advertencia": "advertencia is empty.";
    "key-list-wrapped" breaks "api-keys/list": "The list of keys is wrapped in an object.";
    "key-list-lacks-initial-clients" breaks "api-keys/list": "The list of keys lacks the initial clients.";
    "key-list-lacks-created-at" breaks "api-keys/list-entry-shape": "An entry of the list lacks createdAt.";
    "key-list-omits-null-last-used" breaks "api-keys/list-entry-shape" and "api-keys/last-used-null": "An entry of the list lacks lastUsed while it is null.";
    "key-list-unmasked" breaks "api-keys/list-mask": "Keys are listed in full.";
    "key-list-shows-last-4" breaks "api-keys/list-mask": "Keys are masked but for their last characters.";
    "client-created-at-without-milliseconds" breaks "api-keys/list-created-at": "createdAt has no milliseconds.";
    "client-last-used-on-creation" breaks "api-keys/last-used-null": "lastUsed is set on creation.";
};
