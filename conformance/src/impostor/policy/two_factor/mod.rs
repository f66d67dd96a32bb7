//! What the impostor does wherever an implementer may go wrong or choose: the second factor.
//! The default is right.

mod codes;
mod devices;
mod lockout;
mod management;
mod verification;

pub(crate) use codes::{BackupCodePolicy, CodePolicy, Spending};
pub(crate) use devices::{DevicePolicy, KnownDevice, Removal, UnknownDevice};
pub(crate) use lockout::{Counted, LockoutPolicy, RunsFrom};
pub(crate) use management::{ApiKeyOwner, ManagementPolicy};
pub(crate) use verification::{DeviceOf, PendingPolicy, VerificationPolicy};

/// Its values.
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
