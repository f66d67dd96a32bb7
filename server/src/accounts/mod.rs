//! The second factor: codes, backup codes, trusted devices, waiting logins and the lockout. Each record and its
//! transitions stand in a file of their own, pure, with now passed in.

pub mod backup;
pub mod device;
pub mod lockout;
mod management;
pub mod pending;
pub mod record;
pub mod totp;
mod trusted_devices;
mod verification;

use crate::auth::Identity;
use crate::catalogue::{Answer, Failure, TwoFactorRoute};
use crate::message::Request;

impl Identity {
    /// Answers a route under `/2fa/`, its credential included.
    ///
    /// # Errors
    /// Whatever the route refuses.
    pub async fn two_factor(&self, route: TwoFactorRoute, request: &Request) -> Result<Answer, Failure> {
        match route {
            TwoFactorRoute::Enable => self.enable_two_factor(request).await,
            TwoFactorRoute::Disable => self.disable_two_factor(request).await,
            TwoFactorRoute::Status => self.two_factor_status(&request.headers),
            TwoFactorRoute::RegenerateBackupCodes => self.regenerate_backup_codes(request).await,
            TwoFactorRoute::ListDevices => self.list_devices(&request.headers),
            TwoFactorRoute::ForgetDevice(id) => self.forget_device(&request.headers, &id).await,
        }
    }
}
