//! PostgreSQL on two nodes: one leads, and the other has each commit before it is confirmed. A leader that does not know that it was
//! replaced answers reads, and its commits wait for a standby; if it is made to wait for none, it loses them later.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Mutex as Row, Notify};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep};

use super::dice::Dice;
use crate::cluster::threads::locked;

pub(super) const NODES: usize = 2;

const ELECTED_AT_MOST_EVERY: Duration = Duration::from_secs(6);
/// How long a new leader commits alone; and how long, at most, one that no longer waits for a standby.
const ALONE_MS: usize = 3_000;

#[derive(Clone, Default)]
pub(super) struct Data {
    pub(super) has_tables: bool,
    /// Token and changes of each entry.
    pub(super) log: Vec<(String, String)>,
    /// Entries up to here are in the snapshot, and no longer in the log.
    pub(super) folded: usize,
}

#[derive(Default)]
pub(super) struct Node {
    pub(super) data: Data,
    pub(super) is_down: bool,
    /// Whether it takes itself for the leader.
    pub(super) leads: bool,
    /// Since when it leads.
    pub(super) timeline: u32,
    /// Whether it commits without a standby, also as a replaced leader.
    pub(super) is_alone: bool,
    /// Notified when it does.
    pub(super) released: Arc<Notify>,
    pub(super) head: Arc<Row<()>>,
    pub(super) sessions: Vec<AbortHandle>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) nodes: [Node; NODES],
    pub(super) leader: usize,
    pub(super) elected: Option<Duration>,
}

pub(super) struct Database {
    pub(super) state: Mutex<State>,
    pub(super) begun: Instant,
    pub(super) dice: Dice,
    /// Of a thousand commits these lose their answer.
    pub(super) swallowed: AtomicUsize,
}

impl Database {
    pub(super) fn new(dice: Dice, begun: Instant) -> Arc<Self> {
        let database = Self { state: Mutex::default(), begun, dice, swallowed: AtomicUsize::new(0) };
        locked(&database.state).nodes[0].leads = true;
        Arc::new(database)
    }

    /// Remembers the task that serves a session at `node`.
    pub(super) fn serves(&self, node: usize, session: AbortHandle) {
        let sessions = &mut locked(&self.state).nodes[node].sessions;
        sessions.retain(|session| !session.is_finished());
        sessions.push(session);
    }

    /// Ends all sessions at `node`, and takes no others while it is down.
    pub(super) fn set_down(&self, node: usize, is_down: bool) {
        let at = &mut locked(&self.state).nodes[node];
        at.is_down = is_down;
        at.sessions.drain(..).for_each(|session| session.abort());
    }

    pub(super) fn is_down(&self, node: usize) -> bool {
        locked(&self.state).nodes[node].is_down
    }

    /// Lets the other node lead, without telling the old leader. No node leads again sooner than the lease assumes.
    pub(super) fn fail_over(&self) {
        let now = self.begun.elapsed();
        {
            let state = locked(&self.state);
            let is_too_soon = state.elected.is_some_and(|elected| now < elected + ELECTED_AT_MOST_EVERY);
            if is_too_soon || state.nodes[state.leader].is_alone {
                return;
            }
        }
        self.rejoin();
        let state = &mut *locked(&self.state);
        let timeline = state.nodes[state.leader].timeline + 1;
        state.elected = Some(now);
        state.leader = (state.leader + 1) % NODES;
        let leader = &mut state.nodes[state.leader];
        (leader.leads, leader.timeline, leader.is_alone) = (true, timeline, false);
    }

    /// Tells a replaced leader, which loses everything that only it has committed.
    pub(super) fn rejoin(&self) {
        let mut state = locked(&self.state);
        let (leader, data) = (state.leader, state.nodes[state.leader].data.clone());
        state.nodes[leader].is_alone = false;
        let replaced = state.nodes.iter_mut().enumerate().filter(|(place, node)| node.leads && *place != leader);
        for (_, node) in replaced {
            node.data = data.clone();
            (node.leads, node.is_alone) = (false, false);
            node.sessions.drain(..).for_each(|session| session.abort());
        }
    }

    /// Makes the replaced leader, or the current one if none was replaced, wait for no standby until it rejoins.
    pub(super) fn release(self: &Arc<Self>) {
        let state = &mut *locked(&self.state);
        let replaced = (0..NODES).find(|place| state.nodes[*place].leads && *place != state.leader);
        let node = &mut state.nodes[replaced.unwrap_or(state.leader)];
        if replaced.is_some() && node.timeline > 0 {
            // The second within thirty seconds.
            return;
        }
        node.is_alone = true;
        node.released.notify_waiters();
        let (database, lasts) = (Arc::clone(self), self.dice.up_to_ms(ALONE_MS));
        tokio::spawn(async move {
            sleep(lasts).await;
            database.rejoin();
        });
    }

    /// Folds the older half of the log into the snapshot.
    pub(super) fn forget_entries(&self) {
        let state = &mut *locked(&self.state);
        let folded = state.nodes[state.leader].data.log.len() / 2;
        state.nodes.iter_mut().for_each(|node| node.data.folded = folded.min(node.data.log.len()));
    }

    /// The timeline of a node, and the standbys that its commits wait for.
    pub(super) fn sight(&self, node: usize) -> [String; 2] {
        let state = locked(&self.state);
        let Node { timeline, is_alone, .. } = state.nodes[node];
        let until = state.elected.unwrap_or_default() + Duration::from_millis(ALONE_MS as u64);
        let is_new = timeline > 0 && state.leader == node && self.begun.elapsed() < until;
        [format!("{timeline:08X}"), if is_alone || is_new { "" } else { "the other" }.to_owned()]
    }

    pub(super) fn is_head_held(&self) -> bool {
        let state = locked(&self.state);
        state.nodes[state.leader].head.try_lock().is_err()
    }

    pub(super) fn log(&self) -> Vec<String> {
        let state = locked(&self.state);
        state.nodes[state.leader].data.log.iter().map(|(_, changes)| changes.clone()).collect()
    }
}
