//! HTTP/1.1 of the impostor: a listener with a thread for each connection, all of which end when it is dropped. Knows no path.

mod read;

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use libros_conformance_model::message::{Framing, Reply, Request};
use serde_json::json;

use read::{Incoming, read};

/// Enough for the deepest nesting of JSON and queries that the parsers accept.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// What answers requests; the flag says whether the connection may be kept afterwards.
pub(crate) type Handler = dyn Fn(&Request) -> (Reply, bool) + Send + Sync;

/// A listening address; dropping it closes it and every connection it accepted.
pub(crate) struct Listener {
    pub(crate) addr: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    handler: Box<Handler>,
    stopped: AtomicBool,
    connections: Mutex<BTreeMap<u64, TcpStream>>,
}

impl Shared {
    fn connections(&self) -> MutexGuard<'_, BTreeMap<u64, TcpStream>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener {
    /// Listens on the address and answers with the handler; fails if it cannot bind.
    pub(crate) fn start(addr: SocketAddr, handler: Box<Handler>) -> io::Result<Self> {
        let located = |error: io::Error| io::Error::new(error.kind(), format!("{addr}: {error}"));
        let listener = TcpListener::bind(addr).map_err(located)?;
        let addr = listener.local_addr()?;
        let shared =
            Arc::new(Shared { handler, stopped: AtomicBool::new(false), connections: Mutex::new(BTreeMap::new()) });
        let accepting = Arc::clone(&shared);
        let thread = thread::Builder::new().spawn(move || accept(&listener, &accepting))?;
        Ok(Self { addr, shared, thread: Some(thread) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // A connection of our own wakes the accepting thread, which then sees that it is over.
        let mut wake = self.addr;
        if wake.ip().is_unspecified() {
            wake.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        let woken = TcpStream::connect(wake).is_ok();
        if let Some(thread) = self.thread.take().filter(|_| woken) {
            _ = thread.join();
        }
        for stream in self.shared.connections().values() {
            _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for (number, stream) in (0..).zip(listener.incoming()) {
        if shared.stopped.load(Ordering::SeqCst) {
            return;
        }
        let Ok((stream, kept)) = stream.and_then(|stream| Ok((stream.try_clone()?, stream))) else { continue };
        shared.connections().insert(number, kept);
        let shared = Arc::clone(shared);
        let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
            // A connection that breaks off is no error here.
            _ = converse(stream, &shared);
            shared.connections().remove(&number);
        });
        drop(spawned);
    }
}

fn converse(stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let peer = stream.peer_addr()?;
    let mut out = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    loop {
        match read(&mut reader, peer)? {
            Incoming::Closed => return Ok(()),
            Incoming::Malformed => return refuse(out, &mut reader, 400, "this is no HTTP request"),
            Incoming::TooLarge => return refuse(out, &mut reader, 413, "the body is too large"),
            Incoming::Request(request, keep) => {
                let (reply, may_keep) = (shared.handler)(&request);
                let honest = matches!(reply.framing, Framing::Length | Framing::Chunked);
                let keep = keep && may_keep && honest;
                write(&mut out, &reply, &request.method, keep)?;
                if !keep {
                    return out.shutdown(Shutdown::Both);
                }
            }
        }
    }
}

/// Refuses an unreadable request, and reads on for a while, so that the answer gets through.
fn refuse(mut out: TcpStream, reader: &mut BufReader<TcpStream>, status: u16, text: &str) -> io::Result<()> {
    let reply = Reply::json(status, &json!({"error": text}));
    write(&mut out, &reply, "GET", false)?;
    out.shutdown(Shutdown::Write)?;
    out.set_read_timeout(Some(Duration::from_millis(500)))?;
    io::copy(&mut reader.take(16 * 1024 * 1024), &mut io::sink()).map(|_| ())
}

/// Writes the reply, framed; `keep` says whether the connection stays open afterwards.
pub(crate) fn write(stream: &mut TcpStream, reply: &Reply, method: &str, keep: bool) -> io::Result<()> {
    let bodiless = matches!(reply.status, 204 | 304) && reply.framing != Framing::Forced;
    // A reason phrase may be empty.
    let mut out = format!("HTTP/1.1 {} \r\n", reply.status).into_bytes();
    for (name, value) in &reply.headers {
        out.extend(format!("{name}: ").bytes());
        out.extend(value.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')));
        out.extend(b"\r\n");
    }
    if !keep {
        out.extend(b"Connection: close\r\n");
    }
    let length = match reply.framing {
        Framing::WrongLength(length) => length,
        _ => reply.body.len(),
    };
    let chunked = reply.framing == Framing::Chunked && !bodiless;
    if chunked {
        out.extend(b"Transfer-Encoding: chunked\r\n");
    } else if !bodiless {
        out.extend(format!("Content-Length: {length}\r\n").bytes());
    }
    out.extend(b"\r\n");
    if chunked && method != "HEAD" {
        for piece in reply.body.chunks(reply.body.len().div_ceil(2).max(1)) {
            out.extend(format!("{:x}\r\n", piece.len()).bytes());
            out.extend(piece);
            out.extend(b"\r\n");
        }
        out.extend(b"0\r\n\r\n");
    } else if method != "HEAD" && !bodiless {
        out.extend(&reply.body);
    }
    stream.write_all(&out)
}
