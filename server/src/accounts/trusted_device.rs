//! Trusted devices: recognised by two request headers and an address, trusted for 30 days after their last verification.

use std::net::IpAddr;

use http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use libros_server_system::clock::Timestamp;

/// How long a device is trusted after its last verification, the limit included.
pub(crate) const TRUST_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// A device as it is stored and listed. Source: catalogue-service, "Trusted device".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrustedDevice {
    pub(crate) device_id: String,
    pub(crate) first_used: Timestamp,
    pub(crate) last_used: Timestamp,
    /// Its User-Agent; empty when it sent none.
    pub(crate) user_agent: String,
}

impl TrustedDevice {
    /// Whether the device may skip the second factor.
    pub(crate) fn is_trusted(&self, now: Timestamp) -> bool {
        // rule: devices/trusted-30-days, devices/expires, devices/expiry-edge
        now <= self.last_used.plus_ms(TRUST_MS)
    }
}

/// The device of a request, as its headers and address describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeviceTraits {
    /// The id made of User-Agent, Accept-Language and the peer's address.
    pub(crate) device_id: String,
    /// Its User-Agent; empty when it sent none.
    pub(crate) user_agent: String,
}

impl DeviceTraits {
    /// Reads the device of a request; a missing header counts as an empty one.
    pub(crate) fn of(headers: &HeaderMap, peer: IpAddr) -> Self {
        // rule: devices/id-user-agent
        let user_agent = sent(headers, &header::USER_AGENT);
        // rule: devices/id-accept-language
        let language = sent(headers, &header::ACCEPT_LANGUAGE);
        Self {
            // rule: devices/id-peer, devices/forwarded-for
            device_id: id(&user_agent, &language, peer),
            // rule: devices/absent-headers
            user_agent: text(&user_agent),
        }
    }
}

/// Hashes the three texts to 16 hex digits.
fn id(user_agent: &[u8], language: &[u8], peer: IpAddr) -> String {
    let mut hash = Sha256::new();
    for part in [user_agent, language, peer.to_canonical().to_string().as_bytes()] {
        // The length keeps "ab" + "c" apart from "a" + "bc".
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    // rule: devices/id-form, devices/id-stable
    hex::encode(&hash.finalize()[..8])
}

/// A header's value: all its lines, joined as HTTP joins a list.
fn sent(headers: &HeaderMap, name: &header::HeaderName) -> Vec<u8> {
    let lines: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
    lines.join(&b", "[..])
}

/// The text of a header: UTF-8, or else Latin-1.
fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}

/// Adds a device, or refreshes a known one, which keeps its `first_used`.
pub(crate) fn remember(devices: &mut Vec<TrustedDevice>, device_id: &str, user_agent: &str, now: Timestamp) {
    // rule: devices/again-first-used
    if let Some(known) = devices.iter_mut().find(|device| device.device_id == device_id) {
        // rule: devices/again-refreshes
        known.last_used = now;
        user_agent.clone_into(&mut known.user_agent);
        return;
    }
    devices.push(TrustedDevice {
        device_id: device_id.to_owned(),
        first_used: now,
        last_used: now,
        user_agent: user_agent.to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    #[test]
    fn an_address_is_the_same_however_the_socket_writes_it() {
        let traits = |peer| DeviceTraits::of(&HeaderMap::new(), peer);
        let plain = traits(IpAddr::V4(Ipv4Addr::LOCALHOST));
        assert_eq!(plain, traits(IpAddr::V6(Ipv4Addr::LOCALHOST.to_ipv6_mapped())));
        assert_ne!(plain, traits(IpAddr::V6(Ipv6Addr::LOCALHOST)));
    }
}
