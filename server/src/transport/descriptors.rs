//! Descriptors of the process: each connection takes one, and the system gives few unless asked for more.

/// Descriptors left for files, listeners and connections that are turned away.
const BESIDE: usize = 128;

/// As many connections as descriptors can be had for, at most `connections`.
#[cfg(target_os = "linux")]
pub(super) fn enough_for(connections: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let wanted = connections.saturating_add(BESIDE) as u64;
    let limit = getrlimit(Resource::Nofile);
    let mut current = limit.current.unwrap_or(u64::MAX);
    if current < wanted {
        let raised = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
        match setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum: limit.maximum }) {
            Ok(()) => current = raised,
            Err(error) => tracing::warn!(%error, "the system gives no more descriptors"),
        }
    }
    let connections_had = usize::try_from(current).unwrap_or(usize::MAX).saturating_sub(BESIDE).max(1);
    if connections_had < connections {
        tracing::warn!(
            connections = connections_had,
            "the system gives fewer descriptors than connections may be open"
        );
    }
    connections_had.min(connections)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn enough_for(connections: usize) -> usize {
    connections
}
