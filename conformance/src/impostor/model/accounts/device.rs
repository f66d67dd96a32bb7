//! What makes a device.

use crate::impostor::model::secrets;

/// The device of a request; texts are empty where a header is absent.
#[derive(Clone, Debug)]
pub(crate) struct DeviceTraits {
    pub(crate) user_agent: String,
    pub(crate) accept_language: String,
    pub(crate) peer: String,
    /// The port of the peer; no part of a device.
    pub(crate) port: u16,
    /// The time of the request, in milliseconds; no part of a device.
    pub(crate) now: i64,
}

/// The digest that ids are cut from: User-Agent, Accept-Language and peer address.
pub(crate) fn digest(device: &DeviceTraits) -> String {
    secrets::sha256(&format!("{}|{}|{}", device.user_agent, device.accept_language, device.peer))
}

/// 16 hex digits.
pub(crate) fn id(device: &DeviceTraits) -> String {
    digest(device)[..16].to_owned()
}
