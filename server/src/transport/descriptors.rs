//! Descriptors of the process: each connection takes one, and the system gives few unless asked for more.

/// Descriptors left for files, listeners and the database: a server with every listener has 19 open on a folder, 23 on a database.
const OWN: usize = 32;

/// Clients answered with 503 at a time, where there are enough descriptors.
const ANSWERED_MAX: usize = 64;

/// The numbers of connections at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shares {
    pub(super) served: usize,
    /// Further ones, which are answered with 503.
    pub(super) answered: usize,
}

/// The shares of a limit on descriptors, for at most `connections`.
fn shares(limit: usize, connections: usize) -> Shares {
    let left = limit.saturating_sub(OWN);
    let answered = ANSWERED_MAX.min(left / 4);
    Shares { served: (left - answered).max(1).min(connections), answered }
}

/// As many connections as the system gives descriptors for, at most `connections`.
#[cfg(target_os = "linux")]
pub(super) fn enough_for(connections: usize) -> Shares {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let wanted = connections.saturating_add(OWN + ANSWERED_MAX) as u64;
    let limit = getrlimit(Resource::Nofile);
    let mut current = limit.current.unwrap_or(u64::MAX);
    if current < wanted {
        let raised = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
        match setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum: limit.maximum }) {
            Ok(()) => current = raised,
            Err(error) => tracing::warn!(%error, "the system gives no more descriptors"),
        }
    }
    let shares = shares(usize::try_from(current).unwrap_or(usize::MAX), connections);
    if shares.served < connections {
        tracing::warn!(
            connections = shares.served,
            descriptors = current,
            "the system gives fewer descriptors than connections may be open: raise `ulimit -n`, or lower --max-connections"
        );
    }
    shares
}

#[cfg(not(target_os = "linux"))]
pub(super) fn enough_for(connections: usize) -> Shares {
    shares(usize::MAX, connections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_few_descriptors_are_for_connections() {
        for (limit, served, answered) in
            [(0, 1, 0), (33, 1, 0), (64, 24, 8), (256, 168, 56), (1024, 928, 64), (65_536, 10_000, 64)]
        {
            assert_eq!(shares(limit, 10_000), Shares { served, answered }, "{limit}");
        }
    }
}
