//! Logins that wait for their second factor: for 10 minutes, and for three wrong codes at most.

use crate::accounts::trusted_device::DeviceTraits;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;

/// How long a login waits; at this very age it still does.
pub(crate) const LIFETIME_MS: i64 = 10 * 60 * 1000;

/// Wrong codes after which a login waits no more.
pub(crate) const FAILURES_MAX: u32 = 3;

/// A login that waits. Source: catalogue-service, "PendingLogin two-factor login session".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct PendingLogin {
    /// E-mail of the user whose password was right.
    pub(crate) email: String,
    /// The device that logged in.
    #[serde(rename = "deviceId")]
    pub(crate) device_id: String,
    pub(crate) timestamp: Timestamp,
    pub(crate) intentos: u32,
    /// Where the login came from.
    pub(crate) contexto: Origin,
}

/// Where a login came from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Origin {
    pub(crate) ip: IpAddr,
    /// Its User-Agent; empty when it sent none.
    #[serde(rename = "userAgent")]
    pub(crate) user_agent: String,
    pub(crate) ubicacion: String,
}

impl PendingLogin {
    /// A login of `email` from a device at `peer`, waiting from now on.
    #[must_use]
    pub(crate) fn new(email: String, device: DeviceTraits, peer: IpAddr, now: Timestamp) -> Self {
        Self {
            email,
            device_id: device.device_id,
            timestamp: now,
            intentos: 0,
            contexto: Origin { ip: peer, user_agent: device.user_agent, ubicacion: rough_location(peer).to_owned() },
        }
    }

    /// Whether it has waited too long.
    #[must_use]
    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        // rule: pending/lives-10-minutes, pending/expiry-from-login
        now > self.timestamp.plus_ms(LIFETIME_MS)
    }

    /// Whether it has seen too many wrong codes.
    #[must_use]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.intentos >= FAILURES_MAX
    }

    pub(crate) fn fail(&mut self) {
        self.intentos += 1;
    }
}

/// What an address alone tells: whether it is this machine, a private network, or elsewhere.
fn rough_location(peer: IpAddr) -> &'static str {
    let is_private = match peer.to_canonical() {
        IpAddr::V4(address) => address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_unique_local() || address.is_unicast_link_local(),
    };
    if peer.to_canonical().is_loopback() {
        "this machine"
    } else if is_private {
        "private network"
    } else {
        "unknown"
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const MADE: Timestamp = Timestamp(1_000_000);

    fn pending() -> PendingLogin {
        let device = DeviceTraits { device_id: "0123456789abcdef".to_owned(), user_agent: "Firefox".to_owned() };
        PendingLogin::new("a@b".to_owned(), device, IpAddr::V4(Ipv4Addr::LOCALHOST), MADE)
    }

    #[test]
    fn a_login_waits_ten_minutes_to_the_millisecond() {
        assert!(!pending().is_over(MADE));
        assert!(!pending().is_over(MADE.plus_ms(600_000)));
        assert!(pending().is_over(MADE.plus_ms(600_001)));
    }

    #[test]
    fn the_third_wrong_code_exhausts_a_login() {
        let mut pending = pending();
        for wrong in 0..5 {
            assert_eq!(pending.intentos, wrong);
            assert_eq!(pending.is_exhausted(), wrong >= 3);
            pending.fail();
        }
    }

    #[test]
    fn it_keeps_where_it_came_from() {
        let kept = serde_json::to_value(pending()).expect("a value");
        assert_eq!(kept["contexto"]["ip"], "127.0.0.1");
        assert_eq!(kept["contexto"]["userAgent"], "Firefox");
        assert_eq!(serde_json::from_value::<PendingLogin>(kept).expect("as written"), pending());
    }

    #[test]
    fn a_location_is_no_more_than_an_address_tells() {
        for (address, label) in [
            ("127.0.0.1", "this machine"),
            ("::ffff:127.0.0.1", "this machine"),
            ("192.168.1.4", "private network"),
            ("fd00::1", "private network"),
            ("8.8.8.8", "unknown"),
        ] {
            assert_eq!(rough_location(address.parse().expect("an address")), label, "{address}");
        }
    }
}
