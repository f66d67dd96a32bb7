//! The byte stream to an interface: the only file that connects to one.
//!
//! Plain, or through TLS with the feature `tls`. Knows no HTTP.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

#[cfg(feature = "tls")]
use crate::http::tls::Secured;
use crate::implementation::profile::Address;

#[derive(Debug)]
pub(super) enum Stream {
    Plain(TcpStream),
    #[cfg(feature = "tls")]
    Secured(Box<Secured>),
}

impl Stream {
    /// Connects to the first address of the host that accepts.
    pub(super) fn open(address: &Address, timeout: Duration) -> io::Result<Self> {
        let authority = address.authority.as_str();
        let mut last = io::Error::new(io::ErrorKind::NotFound, format!("{authority} names no address"));
        for place in authority.to_socket_addrs()? {
            match TcpStream::connect_timeout(&place, timeout) {
                Ok(socket) => {
                    socket.set_nodelay(true)?;
                    return Self::over(socket, address, timeout);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    #[cfg(feature = "tls")]
    fn over(socket: TcpStream, address: &Address, timeout: Duration) -> io::Result<Self> {
        if !address.is_secure {
            return Ok(Self::Plain(socket));
        }
        Ok(Self::Secured(Box::new(Secured::over(socket, address, timeout)?)))
    }

    #[cfg(not(feature = "tls"))]
    fn over(socket: TcpStream, _: &Address, _: Duration) -> io::Result<Self> {
        Ok(Self::Plain(socket))
    }

    /// The socket, for its timeouts.
    pub(super) fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(socket) => socket,
            #[cfg(feature = "tls")]
            Self::Secured(stream) => stream.socket(),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(bytes),
            #[cfg(feature = "tls")]
            Self::Secured(stream) => stream.read(bytes),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.write(bytes),
            #[cfg(feature = "tls")]
            Self::Secured(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(socket) => socket.flush(),
            #[cfg(feature = "tls")]
            Self::Secured(stream) => stream.flush(),
        }
    }
}
