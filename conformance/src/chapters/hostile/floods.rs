//! Probes of the chapter hostile: many connections that cost a service memory or threads.

use super::requests::{WAIT, head, open, ordinary, tell};
use crate::chapters::prelude::*;
use crate::http::connection::Connection;

cases! { "hostile";
    /// An ordinary request is answered beside three hundred connections that send nothing.
    many_connections judges [] needs [Need::Asked] => |cx| ordinary_meanwhile(cx, open_many(cx, 300, |_| String::new()));
    /// An ordinary request is answered beside two hundred clients that stop within a head or a body.
    many_halves judges [] needs [Need::Asked] => |cx| {
        let half_head = head(cx, "GET /libros")?;
        let half_body = format!("{}Content-Length: 1000000\r\n\r\n{}", head(cx, "POST /libros")?, "x".repeat(16 << 10));
        let half = |number: usize| if number.is_multiple_of(2) { half_head.clone() } else { half_body.clone() };
        ordinary_meanwhile(cx, open_many(cx, 200, half))
    };
    /// An ordinary request is answered beside fifty clients that ask for many lists and read none.
    abandoned_answers judges [] needs [Need::Asked] => |cx| {
        let requests = format!("{}\r\n", head(cx, "GET /libros?limit=100")?).repeat(200);
        ordinary_meanwhile(cx, open_many(cx, 50, |_| requests.clone()))
    };
    /// Two hundred requests sent at once on one connection.
    pipelined_requests judges [] needs [Need::Asked] => |cx| {
        const SENT: usize = 200;
        let requests = format!("{}\r\n", head(cx, "GET /libros?limit=1")?).repeat(SENT);
        let mut connection = open(cx)?;
        _ = connection.send_bytes(requests.as_bytes());
        let mut is_answered = || {
            connection.set_deadline_in(WAIT);
            connection.receive("GET").is_ok_and(|(reply, _)| reply.status == 200)
        };
        let outcome = match (0..SENT).take_while(|_| is_answered()).count() {
            SENT => "all",
            0 => "none",
            _ => "some",
        };
        drop(connection);
        let outcomes = [("all", "all of them, in order"), ("some", "the first ones, then none"), ("none", "none")];
        tell(cx, &outcomes, outcome)
    };
}

/// Opens connections until one is refused, and sends on each of them.
fn open_many(cx: &CaseContext<'_>, count: usize, sent: impl Fn(usize) -> String) -> Vec<Connection> {
    let opened = (0..count).map_while(|number| {
        let mut connection = open(cx).ok()?;
        // The service may close the connection at once.
        _ = connection.send_bytes(sent(number).as_bytes());
        Some(connection)
    });
    opened.collect()
}

/// Observes an ordinary request while the connections are open, and whether the service answers afterwards.
fn ordinary_meanwhile(cx: &CaseContext<'_>, open: Vec<Connection>) -> CaseResult {
    let outcome = match ordinary(cx) {
        Some(200) => "served",
        Some(_) => "refused",
        None => "nothing",
    };
    drop(open);
    let outcomes =
        [("served", "it is answered 200"), ("refused", "it gets an error status"), ("nothing", "it gets no answer")];
    tell(cx, &outcomes, outcome)
}
