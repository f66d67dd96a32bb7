//! The local ports on which a process listens (Linux). Opens no socket.

use std::collections::BTreeSet;
use std::fs;
use std::net::IpAddr;

use crate::implementation::profile::Address;

/// The ports at the time of its creation; empty if the system has no such tables.
#[derive(Debug)]
pub struct Listening(BTreeSet<u16>);

impl Listening {
    pub fn now() -> Self {
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
        Self(tables.iter().filter_map(|table| fs::read_to_string(table).ok()).flat_map(|text| ports(&text)).collect())
    }

    /// Whether a process listened at this address.
    pub fn has(&self, address: &Address) -> bool {
        let Some((host, port)) = address.authority.rsplit_once(':') else { return false };
        let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
        let is_here = host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified());
        is_here && port.parse().is_ok_and(|port| self.0.contains(&port))
    }
}

/// The ports of listening sockets; a line is `sl local_address rem_address st ...`, an address `0100007F:0BB8`.
fn ports(table: &str) -> Vec<u16> {
    const LISTENS: &str = "0A";
    let port = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, port) = fields.get(1)?.rsplit_once(':')?;
        (*fields.get(3)? == LISTENS).then(|| u16::from_str_radix(port, 16).ok())?
    };
    table.lines().filter_map(port).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sockets_that_listen_count_and_only_of_this_machine() {
        let table = "  sl  local_address rem_address   st tx_queue\n   \
                     0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000\n   \
                     1: 0100007F:0BB9 0100007F:0BB8 01 00000000:00000000\n";
        assert_eq!(ports(table), [3000]);
        let listening = Listening([3000].into());
        for (url, is_taken) in [
            ("http://127.0.0.1:3000", true),
            ("http://localhost:3000/api", true),
            ("http://[::1]:3000", true),
            ("http://127.0.0.1:3001", false),
            ("http://192.0.2.1:3000", false),
        ] {
            assert_eq!(listening.has(&Address::parse(url).unwrap()), is_taken, "{url}");
        }
    }
}
