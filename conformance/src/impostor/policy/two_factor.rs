//! The steps of the second factor. The default is right; decides nothing. Times are milliseconds.

use serde_json::{Value, json};

use super::auth::Access;
use crate::impostor::model::accounts::device::{self, DeviceTraits};
use crate::impostor::model::accounts::{code, two_factor};
use crate::impostor::model::clock::{MINUTE_MS, iso};
use crate::impostor::model::records::{BackupCode, Device, Pending, TwoFactor};
use crate::impostor::model::steps::steps;

/// The second factor.
#[derive(Clone, Debug, Default)]
pub struct TwoFactorPolicy {
    pub(crate) management: ManagementPolicy,
    pub(crate) pending: PendingPolicy,
    pub(crate) verification: VerificationPolicy,
    pub(crate) codes: CodePolicy,
    pub(crate) backup_codes: BackupCodePolicy,
    pub(crate) lockout: LockoutPolicy,
    pub(crate) devices: DevicePolicy,
}

steps! {
    pub(crate) struct ManagementPolicy {
        /// Whether an unknown path asks for a credential before it is 404.
        credential_before_path: bool = false;
        /// The permission that every route takes.
        takes: Option<&'static str> = None;
        /// Whether an API key acts for the first user.
        key_acts_for_first_user: bool = false;
        /// Whether the route of that path acts on the user whose e-mail is in the body.
        acts_on_body_email: fn(path: &str) -> bool = |_| false;
        enable_checks_password: bool = false;
        enable_again_refused: bool = false;
        secret_bytes: usize = 20;
        /// The record after enabling, by the earlier one and a fresh one.
        enabled: fn(Option<TwoFactor>, TwoFactor) -> TwoFactor = two_factor::enabled;
        enable_ends_sessions: bool = false;
        disable_checks_password: bool = true;
        /// The record after disabling.
        disabled: fn(TwoFactor) -> Option<TwoFactor> = two_factor::disabled;
        disable_ends_sessions: bool = false;
        disable_removes_devices: bool = false;
        regenerate_checks_password: bool = true;
        regenerate_needs_enabled: bool = true;
        /// The record after regenerating, by the earlier one, fresh codes and the time.
        regenerated: fn(TwoFactor, Vec<BackupCode>, i64) -> TwoFactor = two_factor::regenerated;
        /// habilitadoDesde, by the time of enabling and the time of the answer.
        told_since: fn(i64, i64) -> Value = |enabled_at, _| json!(iso(enabled_at));
        /// dispositivosConfiables, by the ids of the devices.
        told_devices: fn(&[&str]) -> Value = |ids| json!(ids.len());
    }
}

steps! {
    /// A login that waits for its second factor.
    pub(crate) struct PendingPolicy {
        lives_ms: i64 = 10 * MINUTE_MS;
        /// How many failures end it.
        failures: u32 = 3;
        survives_success: bool = false;
        failure_restarts_life: bool = false;
        /// Whether a backup code sent with an expired one is used up.
        expired_spends_code: bool = false;
        /// Whether a backup code sent with an unknown one is used up, of any user.
        unknown_spends_code: bool = false;
        /// Whether another login of the user begins the ten minutes anew.
        login_restarts_life: bool = false;
        outlives_disabling: bool = false;
    }
}

steps! {
    pub(crate) struct VerificationPolicy {
        access: Access = Access::default();
        registers_its_own_device: bool = false;
        /// How long its session lives; `None` is as long as that of a login.
        session_lives_ms: Option<i64> = None;
        /// esDispositivoNuevo, by whether the device is to be trusted and whether it was.
        new_device: fn(bool, bool) -> bool = |trusted, _| !trusted;
    }
}

steps! {
    /// Time-based codes.
    pub(crate) struct CodePolicy {
        /// Whether a code that was accepted is accepted again.
        accepted_again: bool = true;
        step_seconds: i64 = 30;
        /// How many steps ago a code may be of.
        steps_back: i64 = 1;
        /// How many steps ahead a code may be of.
        steps_ahead: i64 = 1;
        key: fn(&str) -> Vec<u8> = code::key;
        mac: fn(&[u8], &[u8]) -> Vec<u8> = code::mac;
        digits: fn(u32) -> String = code::digits;
    }
}

steps! {
    /// Backup codes.
    pub(crate) struct BackupCodePolicy {
        used_again: bool = false;
        one_spends_all: bool = false;
        count: usize = 8;
        /// Random bytes of a code: two digits a byte.
        bytes: usize = 5;
    }
}

steps! {
    pub(crate) struct LockoutPolicy {
        /// How many failures within the window block.
        failures: usize = 3;
        window_ms: i64 = 60 * MINUTE_MS;
        block_ms: i64 = 15 * MINUTE_MS;
        /// The start of a block, given the times of its failures.
        start: fn(&[i64]) -> Option<i64> = |failures| failures.last().copied();
        /// Whose failure a failed check is: that of the e-mail.
        counts_for: fn(&Pending) -> String = |pending| pending.email.clone();
        missing_token: Counted = Counted::default();
        /// A token of no known form.
        odd_token: Counted = Counted::default();
        backup_code: Counted = Counted::default();
        spares_backup_codes: bool = false;
        closes_login: bool = false;
        /// Whether a check that a block refuses is a failure.
        refused_check_counts: bool = false;
        /// Whether a backup code that a block refuses is used up.
        refused_check_spends_code: bool = false;
        success_clears_failures: bool = false;
        end_clears_failures: bool = false;
        /// Whether a block is over when too few of its failures are left in the window.
        over_when_failures_leave: bool = false;
    }
}

/// Where a failed check counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Counted {
    #[default]
    Everywhere,
    /// For its pending login alone.
    InItsLogin,
    Nowhere,
}

steps! {
    pub(crate) struct DevicePolicy {
        id: fn(&DeviceTraits) -> String = device::id;
        trusted_days: i64 = 30;
        trusted_for_every_user: bool = false;
        registered: bool = true;
        /// Whether a device is registered before the code is checked.
        registered_before_check: bool = false;
        /// The entries of a known device that is registered again, given the time.
        registered_again: fn(Device, i64) -> Vec<Device> = |device, now| vec![Device { last_used: now, ..device }];
        /// How many devices of a user are kept; a further one pushes out the first.
        kept_max: usize = usize::MAX;
        /// Whether a verification that does not trust the device forgets it.
        forgotten_by_plain_verification: bool = false;
        kept_user_agent: fn(&str) -> String = str::to_owned;
        login_refreshes: bool = false;
        /// Whether a device is listed whose days are over.
        expired_listed: bool = true;
        listed_of_every_user: bool = false;
        /// Whether the removal of an id of a user removes a device.
        is_removed: fn(&Device, &str, &str) -> bool = |device, email, id| device.email == email && device.id == id;
        /// Status of removing an unknown device; without one it counts as removed.
        unknown_status: Option<u16> = None;
    }
}
