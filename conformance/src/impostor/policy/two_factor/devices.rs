//! Trusted devices. The default is right.

use crate::impostor::model::accounts::device::{self, DeviceTraits};

/// Its values.
#[derive(Clone, Debug)]
pub(crate) struct DevicePolicy {
    pub(crate) id: fn(&DeviceTraits) -> String,
    pub(crate) trusted_days: i64,
    pub(crate) trusted_for_every_user: bool,
    pub(crate) registered: bool,
    /// Whether a device is registered before the code is checked.
    pub(crate) registered_before_check: bool,
    pub(crate) known: KnownDevice,
    /// How many devices of a user are kept; a further one pushes out the first.
    pub(crate) kept_max: usize,
    /// Whether a verification that does not trust the device forgets it.
    pub(crate) forgotten_by_plain_verification: bool,
    pub(crate) kept_user_agent: fn(&str) -> String,
    pub(crate) login_refreshes: bool,
    /// Whether a device is listed whose days are over.
    pub(crate) expired_listed: bool,
    pub(crate) listed_of_every_user: bool,
    pub(crate) removal: Removal,
    pub(crate) unknown: UnknownDevice,
}

impl Default for DevicePolicy {
    fn default() -> Self {
        Self {
            id: device::id,
            trusted_days: 30,
            trusted_for_every_user: false,
            registered: true,
            registered_before_check: false,
            known: KnownDevice::default(),
            kept_max: usize::MAX,
            forgotten_by_plain_verification: false,
            kept_user_agent: str::to_owned,
            login_refreshes: false,
            expired_listed: true,
            listed_of_every_user: false,
            removal: Removal::default(),
            unknown: UnknownDevice::default(),
        }
    }
}

/// What verifying a registered device again does to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum KnownDevice {
    /// lastUsed is now.
    #[default]
    Refreshed,
    Untouched,
    /// firstUsed and lastUsed are now.
    Renewed,
    /// A second entry is added.
    AddedAgain,
}

/// What a removal removes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Removal {
    #[default]
    TheDevice,
    Nothing,
    EveryDevice,
    /// The device, of every user.
    OfEveryUser,
}

/// What removing an unknown device comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum UnknownDevice {
    #[default]
    Removed,
    Refused,
    Invalid,
}
