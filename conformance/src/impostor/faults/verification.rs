//! Faults that break rules of the chapter verification.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "verification-answers-email" breaks "verification/shape": "The answer to a verification has the e-mail.";
    "verification-lacks-verificado" breaks "verification/shape": "The answer to a verification lacks verificado.";
    "verification-expires-in-1800" breaks "verification/tokens-shape": "expiresIn is 1800 after a verification.";
    "verification-session-not-stored" breaks "verification/session-token": "The session token issued by a verification is unknown.";
    "verification-jwt-cut-short" breaks "verification/jwt-token": "The JWT issued by a verification lacks its final segment.";
    "method-says-authenticator" breaks "verification/method-totp": "metodo2FA says authenticator instead of totp.";
    "method-always-totp" breaks "verification/method-backup": "metodo2FA says totp after a backup code.";
    "devices-trusted-by-default" breaks "verification/trust-default": "Without trustDevice the device is registered.";
    "new-device-says-whether-unknown" breaks "verification/new-device-true" and "verification/new-device-false": "esDispositivoNuevo says whether the device was unknown.";
    "new-device-always-true" breaks "verification/new-device-false": "esDispositivoNuevo is always true.";
    "missing-session-is-404" breaks "verification/missing-session": "A verification without sessionId answers 404.";
    "unknown-pending-is-401" breaks "verification/unknown-session": "An unknown sessionId answers 401.";
    "missing-token-is-500" breaks "verification/missing-token": "A verification without token answers 500.";
    "invalid-code-is-401" breaks "verification/invalid-code": "A wrong code answers 401.";
    "verify-get-is-404" breaks "verification/non-post-405": "GET on the verification path answers 404.";
    "verify-put-verifies" breaks "verification/non-post-405": "PUT on the verification path verifies.";
};
