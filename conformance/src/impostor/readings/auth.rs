//! Permitted readings other than the reference's: credentials, registration, login, sessions, tokens, API keys.

use super::Reading;
use crate::impostor::policy::FirstCheck;

pub(crate) const READINGS: &[Reading] = readings! {
    "empty-permisos-are-default" by "api-keys/permissions-empty": "Empty permisos count as none.";
    "key-list-newest-first" by "api-keys/list-order": "Keys are listed newest first.";
    "key-name-optional" by "api-keys/nombre-missing": "A key needs no nombre.";
    "last-used-never-set" by "api-keys/last-used-set": "lastUsed of a client stays null.";
    "odd-rate-limit-stored" by "api-keys/rate-limit-invalid": "A rateLimit is stored whatever it is.";
    "rate-limit-0-is-default" by "api-keys/rate-limit-zero": "A rateLimit of 0 is 1000.";
    "unknown-permisos-refused" by "api-keys/permissions-unknown": "Unknown permission names are refused.";
    "bare-bearer-is-a-token" by "credentials/bearer-bare": "Bearer with nothing after it is an unknown token.";
    "empty-key-fails" by "credentials/key-empty": "An empty X-API-Key is a failing key.";
    "initial-clients-renamed" by "credentials/initial-client-names": "The initial clients have other names.";
    "path-and-body-before-credential" by "credentials/before-id" "credentials/before-body": "Path and body are looked at before the credential."
        => policy |p| p.books.first_check = FirstCheck::PathAndBody;
    "schemes-any-case" by "credentials/scheme-case": "Schemes count in any letter case.";
    "tokens-trimmed" by "credentials/spaces-after-scheme": "Spaces before a token are trimmed.";
    "second-shape-with-charset" by "login/second-content-type": "Content-Type of the second login shape names the charset.";
    "trusted-device-enabled-always" by "login/second-trusted": "trustedDeviceEnabled is always true.";
    "absent-nombre-is-null" by "registration/nombre-absent": "Without nombre the answers have it as null.";
    "email-form-checked" by "registration/email-form": "An e-mail has an at sign.";
    "emails-taken-in-any-case" by "registration/email-case": "An e-mail is taken in any letter case.";
    "empty-role-refused" by "registration/role-empty": "An empty role is refused.";
    "numbers-of-ids-jump" by "registration/id-number" "api-keys/id-number": "Numbers of ids do not count up one by one.";
    "odd-registration-accepted" by "registration/field-invalid": "An empty e-mail or password, or one that is no text, is accepted.";
    "odd-role-refused" by "registration/role-not-text": "A role that is no text is refused.";
    "password-optional" by "registration/password-missing": "A registration needs no password.";
    "unknown-role-stored-as-user" by "registration/role-unknown-kept": "A role outside the table is stored as user.";
    "jwt-falsy-exp-skipped" by "tokens/exp-odd": "An exp of 0 or null counts as absent.";
    "jwt-header-must-decode" by "tokens/header-unread": "The header of a token must decode.";
    "jwt-issued-url-safe" by "tokens/alphabet": "Tokens are issued in base64url.";
    "jwt-of-issued-alphabet-only" by "tokens/either-alphabet": "Tokens are read in the alphabet of issued ones only.";
};
