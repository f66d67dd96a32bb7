//! The transport at its limits: clients beyond them get a 503, one that never reads is disconnected, and no panic ends a connection.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use libros_server::message::{Interface, Pending, Presence, Refusal, Reply, Request};
use libros_server::transport::{Limits, Transport, block_on};

/// More than any socket buffers.
const LARGE: usize = 32 << 20;

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

const SLOW: Duration = Duration::from_millis(700);

/// Answers `/large` with a large body, `/slow` late, `/wait` once its client has closed something, others at once; panics at `/panic...`.
struct Sizes {
    gone: Arc<AtomicUsize>,
}

impl Interface for Sizes {
    fn answer<'a>(&'a self, request: &'a Request) -> Pending<'a, Reply> {
        assert_ne!(request.path(), "/panic-at-once", "on purpose");
        Box::pin(async move {
            assert_ne!(request.path(), "/panic", "on purpose");
            if request.path() == "/slow" {
                tokio::time::sleep(SLOW).await;
            }
            if request.path() == "/wait" {
                while request.client.presence() == Presence::There {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
                let is_gone = request.client.presence() == Presence::Gone;
                self.gone.fetch_add(usize::from(is_gone), Ordering::Relaxed);
            }
            let large = request.path() == "/large";
            let body = if large { Bytes::from(vec![b'x'; LARGE]) } else { Bytes::from_static(b"{}") };
            Reply { status: StatusCode::OK, headers: HeaderMap::new(), body }
        })
    }

    fn refuse(&self, refusal: Refusal, _: &Request) -> Reply {
        let status =
            if refusal == Refusal::Crashed { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::BAD_REQUEST };
        Reply { status, headers: HeaderMap::new(), body: Bytes::new() }
    }
}

/// Calls `work` with the address of a transport of these limits, and the number of clients that it found gone.
fn with_transport(limits: Limits, work: impl FnOnce(SocketAddr, Arc<AtomicUsize>) + Send + 'static) {
    let served = async {
        let transport = Transport::new(limits);
        let gone = Arc::<AtomicUsize>::default();
        let sizes = Arc::new(Sizes { gone: Arc::clone(&gone) });
        let address = transport.open((Ipv4Addr::LOCALHOST, 0).into(), sizes).await.expect("it listens");
        tokio::task::spawn_blocking(move || work(address, gone)).await.expect("no panic");
    };
    block_on(NonZeroUsize::MIN.saturating_add(1), served).expect("a runtime");
}

fn connect(address: SocketAddr, sent: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(sent.as_bytes()).expect("sent");
    stream
}

/// Reads until the other side closes; returns nothing if it resets the connection.
fn read(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

const GET: &str = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// Repeats the request until it is served, or until the time limit of the tests.
fn served_at_last(ask: impl Fn() -> TcpStream) {
    while !read(ask()).starts_with("HTTP/1.1 200") {
        thread::sleep(Duration::from_millis(20));
    }
}

fn assert_busy(reply: &str) {
    assert!(reply.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), "{reply}");
    let head = reply.to_ascii_lowercase();
    assert!(head.contains("\r\nretry-after: 1\r\n") && head.contains("\r\nconnection: close\r\n"), "{reply}");
    assert!(reply.ends_with(r#"{"error":"The service is busy: try again in a moment"}"#), "{reply}");
}

#[test]
fn one_connection_too_many_is_told_to_come_back() {
    with_transport(Limits { connections_max: TWO, ..Limits::default() }, |address, _| {
        let mut waiting = [connect(address, "GET / HT"), connect(address, "GET / HT")];
        thread::sleep(Duration::from_millis(300));
        for sent in [GET, "", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n12345"] {
            assert_busy(&read(connect(address, sent)));
        }
        // The first connections are served all the same.
        waiting[0].write_all(b"TP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("open");
        let [first, _second] = waiting;
        assert!(read(first).starts_with("HTTP/1.1 200"));
        served_at_last(|| connect(address, GET));
    });
}

#[test]
fn bodies_beyond_the_bytes_of_the_service_are_told_to_come_back() {
    with_transport(Limits { bytes_max: 100_000, ..Limits::default() }, |address, _| {
        let post = |sent: usize| {
            let head = format!("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", 80_000);
            connect(address, &(head + &"x".repeat(sent)))
        };
        let half_sent = post(79_999);
        thread::sleep(Duration::from_millis(300));
        assert_busy(&read(post(79_999)));
        assert!(read(connect(address, GET)).starts_with("HTTP/1.1 200"), "what costs little is served");
        drop(half_sent);
        served_at_last(|| post(80_000));
    });
}

/// A body of unannounced length takes memory as it comes, not for the largest possible body.
#[test]
fn a_body_in_chunks_is_read_whatever_the_limit_of_a_body() {
    with_transport(Limits { body_max: 1 << 60, ..Limits::default() }, |address, _| {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
        let mut stream = connect(address, head);
        for _ in 0..20 {
            stream.write_all(format!("{:x}\r\n{}\r\n", 50_000, "x".repeat(50_000)).as_bytes()).expect("open");
        }
        stream.write_all(b"0\r\n\r\n").expect("open");
        assert!(read(stream).starts_with("HTTP/1.1 200"));
    });
}

#[test]
fn a_client_that_hangs_up_is_noticed_while_its_request_waits() {
    with_transport(Limits::default(), |address, gone| {
        let asks = "POST /wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\n1";
        let closed = connect(address, asks);
        let half_closed = connect(address, asks);
        thread::sleep(Duration::from_millis(50));
        assert_eq!(gone.load(Ordering::Relaxed), 0, "both wait");
        drop(closed);
        while gone.load(Ordering::Relaxed) < 1 {
            thread::sleep(Duration::from_millis(5));
        }
        half_closed.shutdown(Shutdown::Write).expect("open");
        let reply = read(half_closed);
        assert!(reply.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"), "it may wait still: {reply}");
        assert_eq!(gone.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn a_client_that_never_reads_keeps_others_out_until_its_connection_is_closed() {
    let limits = Limits { write_within: Duration::from_millis(500), ..Limits::default() };
    for limits in [Limits { connections_max: NonZeroUsize::MIN, ..limits }, Limits { bytes_max: 1 << 20, ..limits }] {
        with_transport(limits, |address, _| {
            let deaf = connect(address, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            thread::sleep(Duration::from_millis(300));
            assert_busy(&read(connect(address, GET)));
            served_at_last(|| connect(address, GET));
            drop(deaf);
        });
    }
}

#[test]
fn a_client_that_reads_slowly_gets_everything() {
    with_transport(Limits { write_within: Duration::from_millis(500), ..Limits::default() }, |address, _| {
        let mut stream = connect(address, "GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let mut buffer = vec![0; 2 << 20];
        let mut all = 0;
        loop {
            match stream.read(&mut buffer).expect("not reset") {
                0 => break,
                read => all += read,
            }
            thread::sleep(Duration::from_millis(50));
        }
        assert!(all > LARGE, "{all}");
    });
}

#[test]
fn a_client_that_sends_no_head_in_time_is_let_go() {
    with_transport(Limits { head_within: Duration::from_millis(300), ..Limits::default() }, |address, _| {
        for sent in ["", "GET / HTTP/1.1\r\nHost: x\r\n"] {
            assert_eq!(read(connect(address, sent)), "", "{sent}");
        }
        // Idle after an answer, too.
        let answered = read(connect(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        assert!(answered.starts_with("HTTP/1.1 200") && answered.ends_with("{}"), "{answered}");
    });
}

#[test]
fn the_time_for_a_head_begins_anew_after_each_answer() {
    with_transport(Limits { head_within: Duration::from_secs(2), ..Limits::default() }, |address, _| {
        let mut stream = connect(address, "");
        for _ in 0..6 {
            thread::sleep(Duration::from_millis(450));
            stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").expect("open");
            let mut answer = Vec::new();
            while !answer.ends_with(b"{}") {
                let mut byte = [0];
                stream.read_exact(&mut byte).expect("answered");
                answer.extend(byte);
            }
            assert!(answer.starts_with(b"HTTP/1.1 200 OK"));
        }
    });
}

#[test]
fn the_time_for_a_head_does_not_count_while_a_request_is_answered() {
    with_transport(Limits { head_within: Duration::from_millis(200), ..Limits::default() }, |address, _| {
        let slow = read(connect(address, "GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        assert!(slow.starts_with("HTTP/1.1 200"), "{slow}");
    });
}

#[test]
fn a_connection_survives_a_panic() {
    with_transport(Limits::default(), |address, _| {
        let requests = ["/panic", "/panic-at-once"].map(|path| format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"));
        let replies = read(connect(address, &(requests.concat() + GET)));
        let statuses: Vec<&str> = replies.split("HTTP/1.1 ").skip(1).map(|head| &head[..3]).collect();
        assert_eq!(statuses, ["500", "500", "200"]);
    });
}
