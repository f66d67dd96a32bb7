//! The byte stream to an interface: the only file of the kit that connects to one.
//!
//! Plain, or through TLS with the feature `tls`. Knows no HTTP.

use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use crate::implementation::profile::Address;

pub(super) trait Stream: Read + Write + Debug + Send {
    fn socket(&self) -> &TcpStream;

    /// Acknowledges at once what has arrived, instead of after 40 ms: a server that sends head and body apart may wait for that.
    fn acknowledge(&self) {
        #[cfg(target_os = "linux")]
        let _ = std::os::linux::net::TcpStreamExt::set_quickack(self.socket(), true);
    }
}

impl Stream for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

#[cfg(feature = "tls")]
impl Stream for super::tls::Secured {
    fn socket(&self) -> &TcpStream {
        self.get_ref()
    }
}

pub(super) fn open(address: &Address, timeout: Duration) -> io::Result<Box<dyn Stream>> {
    let authority = address.authority.as_str();
    let mut last = io::Error::new(io::ErrorKind::NotFound, format!("{authority} names no address"));
    for place in authority.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, timeout) {
            Ok(socket) => {
                socket.set_nodelay(true)?;
                #[cfg(feature = "tls")]
                if address.is_secure {
                    return Ok(Box::new(super::tls::secured(socket, address, timeout)?));
                }
                return Ok(Box::new(socket));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}
