//! Logins that wait for their second factor: for 10 minutes, and for three wrong codes at most.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::accounts::trusted_device::DeviceTraits;
use libros_server_system::clock::Timestamp;

/// How long a login waits, the limit included.
pub(crate) const LIFETIME_MS: i64 = 10 * 60 * 1000;

pub(crate) const FAILURES_MAX: u32 = 3;

/// A login that waits for its second factor. Source: catalogue-service, "Pending two-factor login session".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct PendingLogin {
    pub(crate) email: String,
    #[serde(rename = "deviceId")]
    pub(crate) device_id: String,
    pub(crate) timestamp: Timestamp,
    pub(crate) intentos: u32,
    pub(crate) contexto: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Origin {
    pub(crate) ip: IpAddr,
    #[serde(rename = "userAgent")]
    pub(crate) user_agent: String,
    pub(crate) ubicacion: String,
}

impl PendingLogin {
    pub(crate) fn new(email: String, device: DeviceTraits, peer: IpAddr, now: Timestamp) -> Self {
        Self {
            email,
            device_id: device.device_id,
            timestamp: now,
            intentos: 0,
            contexto: Origin { ip: peer, user_agent: device.user_agent, ubicacion: rough_location(peer).to_owned() },
        }
    }

    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        // rule: pending/lives-10-minutes, pending/expiry-from-login
        now > self.timestamp.plus_ms(LIFETIME_MS)
    }
}

/// The location as the address shows it: this machine, a private network, or elsewhere.
fn rough_location(peer: IpAddr) -> &'static str {
    let is_private = match peer.to_canonical() {
        address if address.is_loopback() => return "this machine",
        IpAddr::V4(address) => address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_unique_local() || address.is_unicast_link_local(),
    };
    if is_private { "private network" } else { "unknown" }
}
