//! The id of a device, and how long a device is trusted.

use crate::clock::DAY_MS;
use crate::records::Device;
use crate::secrets;

/// The device of a request; texts are empty where a header is absent.
#[derive(Clone, Debug)]
pub struct DeviceTraits {
    pub user_agent: String,
    pub accept_language: String,
    pub peer: String,
    /// The port of the peer; not part of the id.
    pub port: u16,
    /// The time of the request, in milliseconds; not part of the id.
    pub now: i64,
}

pub fn digest(device: &DeviceTraits) -> String {
    secrets::sha256(&format!("{}|{}|{}", device.user_agent, device.accept_language, device.peer))
}

/// The id of a device: the first 16 hex digits of its digest.
pub fn id(device: &DeviceTraits) -> String {
    digest(device)[..16].to_owned()
}

/// Whether the device belongs to the e-mail and was verified within 30 days.
pub fn is_trusted(device: &Device, email: &str, now: i64) -> bool {
    device.email == email && now <= device.last_used + 30 * DAY_MS
}
