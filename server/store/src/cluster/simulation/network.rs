//! Links between processes and the nodes of the database. Each may be silent one way or both, slow, or lose its connections.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::database::{Database, NODES};
use super::dice::Dice;
use super::protocol;
use super::session::Session;
use crate::cluster::simulated::{self, Opening};
use crate::cluster::threads::locked;

/// Bytes that a connection buffers: until they are full a sender does not wait.
const ROOM: usize = 1 << 16;
const SLOW_PIECE: usize = 512;
const CONNECT_WITHIN: Duration = Duration::from_secs(3);

/// The links of one process, in the order of the nodes.
#[derive(Clone)]
pub(super) struct Network {
    pub(super) links: [Arc<Link>; NODES],
    pub(super) database: Arc<Database>,
    pub(super) dice: Dice,
}

#[derive(Default)]
pub(super) struct Link {
    /// Whether nothing passes: to the node, from it.
    silent: [AtomicBool; 2],
    slow: AtomicBool,
    changed: Notify,
    connections: Mutex<Vec<(Arc<AtomicBool>, [AbortHandle; 2])>>,
}

impl Link {
    pub(super) fn silence(&self, to: bool, from: bool) {
        self.silent[0].store(to, Ordering::Relaxed);
        self.silent[1].store(from, Ordering::Relaxed);
        self.changed.notify_waiters();
    }

    pub(super) fn slow(&self, is_slow: bool) {
        self.slow.store(is_slow, Ordering::Relaxed);
    }

    /// Ends all connections, for both sides.
    pub(super) fn reset(&self) {
        locked(&self.connections).drain(..).for_each(|(_, carriers)| carriers.iter().for_each(AbortHandle::abort));
    }

    /// Carries no more bytes over the present connections, and neither side learns it.
    pub(super) fn forget(&self) {
        locked(&self.connections).iter().for_each(|(is_forgotten, _)| is_forgotten.store(true, Ordering::Relaxed));
    }

    async fn pass(&self, direction: usize, dice: &Dice) {
        let slow = if self.slow.load(Ordering::Relaxed) { 300 } else { 0 };
        sleep(Duration::from_millis((dice.below(3) + slow) as u64)).await;
        while self.silent[direction].load(Ordering::Relaxed) {
            self.changed.notified().await;
        }
    }
}

impl simulated::Network for Network {
    fn connect(&self, host: &str) -> Opening {
        let node = host.trim_start_matches("node").parse().expect("a node");
        let network = self.clone();
        Box::pin(async move { network.open(node).await })
    }
}

impl Network {
    async fn open(&self, node: usize) -> DuplexStream {
        let (client, near) = duplex(ROOM);
        let link = Arc::clone(&self.links[node]);
        let reached = async {
            link.pass(0, &self.dice).await;
            link.pass(1, &self.dice).await;
        };
        let is_reached = timeout(CONNECT_WITHIN, reached).await.is_ok();
        let Some(session) = Session::open(&self.database, node).filter(|_| is_reached) else { return client };
        let (far, server) = duplex(ROOM);
        self.database.serves(node, tokio::spawn(protocol::serve(server, session)).abort_handle());
        let (near, far) = (split(near), split(far));
        let is_forgotten = Arc::new(AtomicBool::new(false));
        let carriers = [(near.0, far.1, 0), (far.0, near.1, 1)].map(|(from, to, direction)| {
            let carrying = carry(from, to, Arc::clone(&link), direction, Arc::clone(&is_forgotten), self.dice.clone());
            tokio::spawn(carrying).abort_handle()
        });
        let mut connections = locked(&link.connections);
        connections.retain(|(_, carriers)| !carriers.iter().all(AbortHandle::is_finished));
        connections.push((is_forgotten, carriers));
        client
    }
}

async fn carry(
    mut from: ReadHalf<DuplexStream>,
    mut to: WriteHalf<DuplexStream>,
    link: Arc<Link>,
    direction: usize,
    is_forgotten: Arc<AtomicBool>,
    dice: Dice,
) {
    let mut bytes = vec![0; ROOM];
    loop {
        let most = if link.slow.load(Ordering::Relaxed) { SLOW_PIECE } else { ROOM };
        let read = from.read(&mut bytes[..most]).await.unwrap_or(0);
        link.pass(direction, &dice).await;
        if is_forgotten.load(Ordering::Relaxed) {
            return std::future::pending().await;
        }
        if read == 0 || to.write_all(&bytes[..read]).await.is_err() {
            // The receiver learns that the connection has ended; the sender learns it when this task ends.
            _ = to.shutdown().await;
            return;
        }
    }
}
