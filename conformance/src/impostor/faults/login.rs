//! Faults that break rules of the chapter login.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "login-is-201" breaks "login/success": "A login answers 201.";
    "passwords-not-checked" breaks "login/password-wrong": "Any password is right.";
    "login-has-mensaje" breaks "login/first-shape": "The answer to a login has a mensaje.";
    "login-requires-2fa-always" breaks "login/first-requires": "requiere2FA is true without a second factor too.";
    "login-user-has-hash" breaks "login/user-shape": "The object of the user has the password's hash.";
    "login-user-lacks-permissions" breaks "login/user-shape": "The object of the user lacks the permissions.";
    "login-id-without-prefix" breaks "login/user-identity": "The id at login is a bare number.";
    "login-nombre-is-email" breaks "login/user-identity": "nombre at login is the e-mail.";
    "login-role-in-upper-case" breaks "login/user-role": "The role at login is in upper case.";
    "login-says-two-factor-once-configured" breaks "login/two-factor-disabled": "twoFactorEnabled stays true after disabling.";
    "login-says-no-two-factor-when-trusted" breaks "login/two-factor-trusted": "twoFactorEnabled is false at a login from a trusted device.";
    "tokens-have-a-type" breaks "login/tokens-shape" and "verification/tokens-shape": "tokens has a tokenType too.";
    "expires-in-a-day" breaks "login/expires-in": "expiresIn is 86400.";
    "trusted-device-still-asked" breaks "login/trusted-skips": "A login from a trusted device asks for the second factor.";
    "second-factor-answer-has-tokens" breaks "login/second-shape": "The answer that asks for the second factor has tokens.";
    "second-factor-answer-has-id" breaks "login/second-shape": "The answer that asks for the second factor has the user's id.";
    "second-factor-requires-false" breaks "login/second-requires": "requiere2FA is false where a second factor is needed.";
    "pending-id-of-16-bytes" breaks "login/second-session-id": "sessionId has 32 digits.";
    "pending-id-reused" breaks "login/second-session-id": "A second login gets the sessionId of the first.";
    "login-drops-earlier-pending" breaks "login/second-sessions-both": "A second login ends the pending session of the first.";
    "second-factor-masks-email" breaks "login/second-email": "The e-mail is masked in the answer.";
    "second-factor-lacks-authenticator" breaks "login/second-authenticator": "metodosDisponibles lacks authenticator.";
    "second-factor-says-totp" breaks "login/second-authenticator": "metodosDisponibles says totp instead of authenticator.";
    "second-factor-never-backup-codes" breaks "login/second-backup-codes": "metodosDisponibles never has backup_codes.";
    "second-factor-always-backup-codes" breaks "login/second-no-backup-codes": "metodosDisponibles always has backup_codes.";
    "second-factor-mensaje-empty" breaks "login/second-mensaje": "mensaje is empty.";
    "second-factor-answer-fully-dressed" breaks "login/second-headers": "The answer that asks for the second factor carries every group.";
    "second-factor-answer-with-cors" breaks "login/second-headers": "The answer that asks for the second factor carries Access-Control-Allow-Origin.";
    "unknown-email-is-404" breaks "login/email-unknown": "A login with an unknown e-mail answers 404.";
    "wrong-password-is-401" breaks "login/password-wrong": "A login with a wrong password answers 401.";
    "passwords-trimmed" breaks "login/password-exact": "Spaces around a password do not count.";
    "passwords-hashed-as-ascii" breaks "login/password-exact": "Of a password's letters beyond ASCII only their number counts.";
    "passwords-hashed-as-latin-1" breaks "login/password-exact": "Of a password's letters beyond Latin-1 only the lowest byte counts.";
    "passwords-hashed-without-accents" breaks "login/password-exact": "Letters of a password beyond ASCII do not count.";
    "passwords-in-any-case" breaks "login/password-exact": "Letter case of a password does not count.";
    "login-without-password-is-500" breaks "login/field-missing": "A login without password answers 500.";
    "wrong-passwords-block" breaks "login/wrong-passwords-do-not-block": "Three wrong passwords block the e-mail.";
};
