//! The local sockets that listen (Linux). Opens no socket.

use std::collections::BTreeSet;
use std::fs;
use std::net::IpAddr;

use crate::implementation::profile::Address;

/// Port and inode of each socket that listened at the time of its creation; empty if the system has no such tables.
#[derive(Debug)]
pub struct Listening(BTreeSet<(u16, String)>);

impl Listening {
    pub fn now() -> Self {
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
        Self(tables.iter().filter_map(|table| fs::read_to_string(table).ok()).flat_map(|text| sockets(&text)).collect())
    }

    /// Whether a socket that listened at this address then still does. Another socket at the same port does not count.
    pub fn still_has(&self, address: &Address) -> bool {
        self.has(address) && Self(&self.0 & &Self::now().0).has(address) // a table may take 30 ms to read
    }

    fn has(&self, address: &Address) -> bool {
        let Some((host, port)) = address.authority.rsplit_once(':') else { return false };
        let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
        let is_here = host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified());
        is_here && port.parse().is_ok_and(|port: u16| self.0.iter().any(|(known, _)| *known == port))
    }
}

/// The listening sockets of a table; a line is `sl local_address rem_address st ... inode`, an address `0100007F:0BB8`.
fn sockets(table: &str) -> Vec<(u16, String)> {
    const LISTENS: &str = "0A";
    let socket = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, port) = fields.get(1)?.rsplit_once(':')?;
        let port = (*fields.get(3)? == LISTENS).then(|| u16::from_str_radix(port, 16).ok())??;
        Some((port, (*fields.get(9)?).to_owned()))
    };
    table.lines().filter_map(socket).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sockets_that_listen_count_and_only_of_this_machine() {
        let rest = "00000000:00000000 00:00000000 00000000  1000        0 4711 1";
        let table = format!(
            "  sl  local_address rem_address   st tx_queue\n   0: 0100007F:0BB8 00000000:0000 0A {rest}\n   \
             1: 0100007F:0BB9 0100007F:0BB8 01 {rest}\n"
        );
        assert_eq!(sockets(&table), [(3000, "4711".to_owned())]);
        let listening = Listening(sockets(&table).into_iter().collect());
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
