//! The second step of a login, and the pending login it ends. The default is right.

use crate::impostor::model::clock::MINUTE_MS;
use crate::impostor::policy::auth::Access;

/// A login that waits for its second factor.
#[derive(Clone, Debug)]
pub(crate) struct PendingPolicy {
    pub(crate) lives_ms: i64,
    /// How many failures end it.
    pub(crate) failures: u32,
    pub(crate) survives_success: bool,
    pub(crate) failure_restarts_life: bool,
    /// Whether a backup code sent with an expired one is used up.
    pub(crate) expired_spends_code: bool,
    /// Whether a backup code sent with none is used up, whoever's it is.
    pub(crate) unknown_spends_code: bool,
    /// Whether another login of the user begins the ten minutes anew.
    pub(crate) login_restarts_life: bool,
    pub(crate) outlives_disabling: bool,
}

impl Default for PendingPolicy {
    fn default() -> Self {
        Self {
            lives_ms: 10 * MINUTE_MS,
            failures: 3,
            survives_success: false,
            failure_restarts_life: false,
            expired_spends_code: false,
            unknown_spends_code: false,
            login_restarts_life: false,
            outlives_disabling: false,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct VerificationPolicy {
    pub(crate) access: Access,
    pub(crate) device_of: DeviceOf,
    /// How long its session lives; `None` is as long as that of a login.
    pub(crate) session_lives_ms: Option<i64>,
    /// esDispositivoNuevo, by whether the device is to be trusted and whether it was.
    pub(crate) new_device: fn(bool, bool) -> bool,
}

impl Default for VerificationPolicy {
    fn default() -> Self {
        Self {
            access: Access::default(),
            device_of: DeviceOf::default(),
            session_lives_ms: None,
            new_device: |trusted, _| !trusted,
        }
    }
}

/// Whose device is registered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum DeviceOf {
    #[default]
    Login,
    Verification,
}
