//! Permitted readings other than the reference's: the second factor: codes, backup codes, lockout, devices, pending logins.

use super::Reading;

pub(crate) const READINGS: &[Reading] = readings! {
    "codes-not-replayed" by "codes/replay": "A time-based code is accepted once.";
    "odd-tokens-spare-the-lockout" by "codes/other-forms-count": "A token of no known form counts for its session alone.";
    "tokens-spelled-freely" by "codes/token-spelling": "A code may be a number or have spaces.";
    "absent-user-agent-is-null" by "devices/absent-headers": "An absent User-Agent is recorded as null.";
    "device-of-the-verification" by "devices/device-of-login": "The device registered is that of the verification.";
    "disable-removes-devices" by "devices/disable-keeps": "Disabling removes the trusted devices.";
    "expired-devices-dropped" by "devices/expired-listed": "Devices past their 30 days are not listed.";
    "forwarded-for-honoured" by "devices/forwarded-for": "X-Forwarded-For is the peer address.";
    "odd-device-id-is-404" by "devices/remove-odd-id": "A deviceId that cannot be decoded answers 404.";
    "trusted-login-refreshes-device" by "devices/login-keeps-last-used": "A login that skipped the second factor refreshes the device.";
    "unknown-device-refused" by "devices/remove-unknown": "Removing an unknown device answers 404.";
    "remove-without-id-is-400" by "devices/remove-without-id": "Removing a device without naming it answers 400.";
    "ended-block-clears-failures" by "lockout/after-block": "The end of a block clears its failures.";
    "failures-counted-at-every-check" by "lockout/oldest-leaves": "A block is over when fewer than three failures are an hour old at most.";
    "refused-checks-prolong-the-block" by "lockout/refused-not-counted": "A check refused by the block counts as a failure.";
    "success-clears-failures" by "lockout/success-keeps-failures": "A success clears the failures before it.";
    "devices-told-as-list" by "two-factor/status-devices": "dispositivosConfiables is a list.";
    "disable-again-is-200" by "two-factor/disable-again": "Disabling what is disabled answers 200.";
    "enable-again-keeps-last-use" by "two-factor/enable-again-last-use": "Enabling again keeps ultimoUso.";
    "qr-at-sign-literal" by "two-factor/qr-encoding": "The at sign in qrUrl is left as it is.";
    "since-null-when-disabled" by "two-factor/status-disabled": "habilitadoDesde is null after disabling.";
    "two-factor-credential-first" by "two-factor/unknown-path-credential": "Under /2fa/ the credential is looked at before the path.";
    "two-factor-wrong-method-is-405" by "two-factor/wrong-method": "A known /2fa path answers 405 to another method.";
    "missing-token-not-counted" by "verification/missing-token-counts": "A missing token is no failed attempt.";
    "trust-device-true-only" by "verification/trust-other-type": "Only true trusts the device.";
};
