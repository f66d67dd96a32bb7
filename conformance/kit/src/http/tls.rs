//! TLS: checks certificates against the authorities of this machine.
//!
//! `SSL_CERT_FILE` names others. No case looks at TLS itself.

use std::io;
use std::net::TcpStream;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::clock;
use crate::implementation::profile::Address;

/// The trusted authorities; an error message if there are none.
static CONFIG: LazyLock<Result<Arc<ClientConfig>, String>> = LazyLock::new(|| {
    let found = rustls_native_certs::load_native_certs();
    let mut trusted = RootCertStore::empty();
    trusted.add_parsable_certificates(found.certs);
    if trusted.is_empty() {
        let why = found.errors.first().map_or_else(String::new, |error| format!(" ({error})"));
        return Err(format!("this machine names no certificate authority{why}; name a file of them in SSL_CERT_FILE"));
    }
    Ok(Arc::new(ClientConfig::builder().with_root_certificates(trusted).with_no_client_auth()))
});

pub(super) type Secured = StreamOwned<ClientConnection, TcpStream>;

/// A stream whose peer has shown a trusted certificate.
pub(super) fn secured(mut socket: TcpStream, address: &Address, timeout: Duration) -> io::Result<Secured> {
    let config = CONFIG.as_ref().map_err(|why| io::Error::other(why.clone()))?;
    let host = address.authority.rsplit_once(':').map_or(address.authority.as_str(), |(host, _)| host);
    let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).map_err(io::Error::other)?;
    let mut connection = ClientConnection::new(Arc::clone(config), name).map_err(io::Error::other)?;
    socket.set_read_timeout(Some(timeout))?;
    socket.set_write_timeout(Some(timeout))?;
    let begun = clock::stopwatch();
    while connection.is_handshaking() {
        connection.complete_io(&mut socket)?;
        if begun.elapsed() > timeout {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    Ok(Secured::new(connection, socket))
}
