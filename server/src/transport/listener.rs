//! One listener: accepts connections while there are places, and turns away others.

use std::io::ErrorKind;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

use super::{Limits, admission::Admission, connection, overload::Turnstile};
use crate::message::Interface;

/// How long to wait before accepting again after the system had no descriptor or memory left for a connection.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(50);
/// Failures in a row for one line in the log: with the wait above, one line a second.
const FAILURES_LOGGED: usize = 20;

pub(super) struct Listener {
    pub(super) socket: TcpListener,
    pub(super) interface: Arc<dyn Interface>,
    pub(super) shared: Shared,
}

#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) limits: Limits,
    pub(super) admission: Arc<Admission>,
    pub(super) turnstile: Turnstile,
    pub(super) stop: watch::Receiver<bool>,
    /// Held by every task; closed once all of them have ended.
    pub(super) alive: mpsc::Sender<()>,
}

impl Listener {
    pub(super) async fn accept_until_stopped(self) {
        let mut stop = self.shared.stop.clone();
        let mut failures = 0;
        loop {
            let accepted = tokio::select! {
                accepted = self.socket.accept() => accepted,
                _ = stop.wait_for(|stop| *stop) => return,
            };
            match accepted {
                Ok((stream, peer)) => {
                    failures = 0;
                    self.admit(stream, peer.ip());
                }
                // The client left before its turn came.
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    if failures % FAILURES_LOGGED == 0 {
                        tracing::warn!(%error, failures, "connections cannot be accepted");
                    }
                    failures += 1;
                    tokio::time::sleep(ACCEPT_AGAIN_AFTER).await;
                }
            }
        }
    }

    fn admit(&self, stream: TcpStream, peer: IpAddr) {
        let Shared { limits, admission, turnstile, stop, alive } = self.shared.clone();
        let Some(place) = admission.connection() else {
            tracing::debug!(%peer, "no place for a connection");
            return turnstile.turn_away(stream);
        };
        let interface = Arc::clone(&self.interface);
        tokio::spawn(async move {
            connection::serve(stream, peer, interface, limits, &admission, stop).await;
            drop(place);
            drop(alive);
        });
    }
}
