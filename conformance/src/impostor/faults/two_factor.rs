//! Faults that break rules of the chapter two-factor.

use super::Fault;

pub(super) const FAULTS: &[Fault] = faults! {
    "two-factor-without-credential-is-400" breaks "two-factor/credential-required": "A /2fa route without a credential answers 400.";
    "two-factor-api-key-is-401" breaks "two-factor/api-key-refused": "A /2fa route with an API key answers 401.";
    "api-key-acts-for-first-user" breaks "two-factor/api-key-refused": "An API key acts for the first user on /2fa routes.";
    "enable-answers-habilitado" breaks "two-factor/enable-shape": "The answer to enabling has habilitado.";
    "enable-is-201" breaks "two-factor/enable-shape": "Enabling answers 201.";
    "enable-checks-password" breaks "two-factor/enable-password-unchecked": "Enabling checks the password.";
    "enable-waits-for-a-code" breaks "two-factor/enable-takes-effect": "Enabling takes no effect until a code was sent.";
    "enable-again-refused" breaks "two-factor/enable-again": "Enabling a second time answers 400.";
    "enable-again-keeps-secret" breaks "two-factor/enable-again": "Enabling a second time keeps the secret.";
    "enable-again-keeps-codes" breaks "two-factor/enable-again": "Enabling a second time keeps the earlier backup codes.";
    "secret-of-16-bytes" breaks "two-factor/secret-form": "The secret has 32 digits.";
    "qr-colon-encoded" breaks "two-factor/qr-shape": "The colon of the label is percent-encoded.";
    "qr-lacks-period" breaks "two-factor/qr-shape": "qrUrl lacks the period.";
    "qr-says-sha256" breaks "two-factor/qr-shape": "qrUrl names SHA256.";
    "qr-email-not-encoded" breaks "two-factor/qr-encoding": "The e-mail in qrUrl is not encoded.";
    "qr-secret-in-upper-case" breaks "two-factor/qr-secret": "The secret in qrUrl is in upper case.";
    "qr-issuer-of-its-own" breaks "two-factor/qr-issuer-is-realm": "The issuer is another name than the realm.";
    "disable-answers-habilitado" breaks "two-factor/disable-shape": "The answer to disabling has habilitado.";
    "disable-mensaje-empty" breaks "two-factor/disable-shape": "mensaje of the answer to disabling is empty.";
    "disable-checks-no-password" breaks "two-factor/disable-wrong-password": "Disabling checks no password.";
    "disable-does-nothing" breaks "two-factor/disable-takes-effect": "Disabling leaves two-factor enabled.";
    "disable-forgets-the-record" breaks "two-factor/status-disabled": "Disabling forgets the record, so that status says never configured.";
    "disable-unconfigured-is-200" breaks "two-factor/disable-unconfigured": "Disabling what was never configured answers 200.";
    "enable-ends-sessions" breaks "two-factor/sessions-survive": "Enabling ends the sessions of the user.";
    "disable-ends-sessions" breaks "two-factor/sessions-survive": "Disabling ends the sessions of the user.";
    "status-unconfigured-has-devices" breaks "two-factor/status-unconfigured": "Status of a user who never configured two-factor has dispositivosConfiables.";
    "status-unconfigured-is-400" breaks "two-factor/status-unconfigured": "Status of a user who never configured two-factor answers 400.";
    "status-shows-secret" breaks "two-factor/status-shape": "Status shows the secret.";
    "status-omits-null-last-use" breaks "two-factor/status-shape": "Status lacks ultimoUso while it is null.";
    "status-never-habilitado" breaks "two-factor/status-enabled": "Status always says habilitado false.";
    "status-since-a-number" breaks "two-factor/status-enabled-since": "habilitadoDesde is a number.";
    "status-since-is-now" breaks "two-factor/status-enabled-since": "habilitadoDesde is the time of the answer.";
    "status-last-use-never-set" breaks "two-factor/status-last-use": "ultimoUso stays null.";
    "status-counts-used-codes-too" breaks "two-factor/status-codes-available": "backupCodesDisponibles counts used codes too.";
    "status-total-without-used" breaks "two-factor/status-codes-total": "totalBackupCodes counts unused codes only.";
    "status-methods-follow-codes" breaks "two-factor/status-methods-constant": "metodosDisponibles in status lacks backup_codes once all are used.";
    "status-methods-empty-when-disabled" breaks "two-factor/status-methods-constant": "metodosDisponibles in status is empty after disabling.";
    "regenerate-answers-total" breaks "two-factor/regenerate-shape": "The answer to regenerating has a total.";
    "regenerate-checks-no-password" breaks "two-factor/regenerate-wrong-password": "Regenerating checks no password.";
    "regenerate-when-disabled" breaks "two-factor/regenerate-not-enabled": "Regenerating works while two-factor is disabled.";
    "two-factor-unknown-path-is-400" breaks "two-factor/unknown-path": "An unknown /2fa path answers 400.";
};
