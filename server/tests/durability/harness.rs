//! A whole catalogue without sockets, over a disk that works, is full, or hangs as the test says.

use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context as TaskContext, Waker};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use libros_server::app::{CatalogueSettings, build_catalogue};
use libros_server::books::Initial;
use libros_server::catalogue::Catalogue;
use libros_server::clock::Clock;
use libros_server::crypto::password::Cost;
use libros_server::crypto::secret::Secret;
use libros_server::entropy::Entropy;
use libros_server::message::{Interface as _, Request};
use libros_server::store::{Change, Kind, Loaded, Row, Store, Unreadable};
use serde_json::Value;

/// How a disk behaves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    #[default]
    Working,
    /// Every commit fails.
    Full,
    /// The next commit fails, those after it succeed.
    FailsOnce,
    /// Every commit waits until the mode is another one.
    Hanging,
}

/// A store in memory whose behaviour the test chooses; clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Disk(Arc<(Mutex<Contents>, Condvar)>);

#[derive(Debug, Default)]
struct Contents {
    changes: Vec<Change>,
    quarantined: Vec<Unreadable>,
    mode: Mode,
    /// Commits that wait for another mode.
    hanging: usize,
}

impl Store for Disk {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        let mut contents = self.contents();
        contents.hanging += 1;
        self.0.1.notify_all();
        while contents.mode == Mode::Hanging {
            contents = self.0.1.wait(contents).unwrap_or_else(PoisonError::into_inner);
        }
        contents.hanging -= 1;
        if contents.mode != Mode::Working {
            if contents.mode == Mode::FailsOnce {
                contents.mode = Mode::Working;
            }
            anyhow::bail!("the disk is full");
        }
        contents.changes.extend_from_slice(changes);
        Ok(())
    }

    fn quarantine(&mut self, unreadable: &[Unreadable]) -> anyhow::Result<()> {
        self.contents().quarantined.extend_from_slice(unreadable);
        Ok(())
    }
}

impl Disk {
    pub(crate) fn set(&self, mode: Mode) {
        self.contents().mode = mode;
        self.0.1.notify_all();
    }

    /// Returns once a commit hangs.
    pub(crate) fn wait_until_hanging(&self) {
        let mut contents = self.contents();
        while contents.hanging == 0 {
            contents = self.0.1.wait(contents).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn is_hanging(&self) -> bool {
        self.contents().hanging > 0
    }

    /// How many sessions are stored.
    pub(crate) fn sessions(&self) -> usize {
        self.loaded().take(Kind::SESSIONS).map_or(0, |rows| rows.len())
    }

    /// Records that a start could not read.
    pub(crate) fn quarantined(&self) -> Vec<Unreadable> {
        self.contents().quarantined.clone()
    }

    /// Puts a document under a key behind the service's back.
    pub(crate) fn meddle(&self, kind: Kind, key: &str, doc: &str) {
        let put = Change::Put { kind, key: key.to_owned(), doc: doc.into() };
        self.contents().changes.push(put);
    }

    /// What a start would find.
    fn loaded(&self) -> Loaded {
        let mut loaded = Loaded::default();
        for change in self.contents().changes.iter().cloned() {
            match change {
                Change::Put { kind, key, doc } => {
                    let rows = loaded.open(kind.0);
                    match rows.iter_mut().find(|row| row.key == key) {
                        Some(row) => row.doc = doc.to_string(),
                        None => rows.push(Row { key, doc: doc.to_string() }),
                    }
                }
                Change::Remove { kind, key } => loaded.open(kind.0).retain(|row| row.key != key),
                Change::Clear { kind } => loaded.open(kind.0).clear(),
            }
        }
        loaded
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A catalogue and its disk.
pub(crate) struct Service {
    catalogue: Catalogue,
    pub(crate) disk: Disk,
}

/// What a request came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) text: String,
    pub(crate) body: Value,
}

/// A request under way.
pub(crate) type Exchange<'a> = Pin<Box<dyn Future<Output = Reply> + 'a>>;

impl Service {
    /// One in the initial state.
    pub(crate) fn new() -> Self {
        Self::over(Disk::default())
    }

    /// The same after a stop and a start.
    pub(crate) fn restarted(self) -> Self {
        let disk = self.disk.clone();
        drop(self);
        Self::over(disk)
    }

    fn over(disk: Disk) -> Self {
        let settings = CatalogueSettings {
            initial: Initial::five().expect("five books"),
            secret: Secret::from(b"the secret of the tests".to_vec()),
            former_secret: None,
            password_cost: "8,1,1".parse::<Cost>().expect("a cost"),
            hashing_threads: 1,
            build: HeaderValue::from_static("testing"),
            clock: Clock::new(),
            entropy: Entropy::system(),
        };
        let catalogue = build_catalogue(settings, disk.clone(), disk.loaded()).expect("a catalogue");
        Self { catalogue, disk }
    }

    /// Starts a request; it goes on when it is polled.
    pub(crate) fn begin(&self, line: &str, credential: Credential<'_>, body: &str) -> Exchange<'_> {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        let (name, value) = credential.header();
        let request = Request {
            method: Method::from_bytes(method.as_bytes()).expect("a method"),
            uri: path.parse().expect("a target"),
            headers: HeaderMap::from_iter([(name, HeaderValue::from_str(&value).expect("a header value"))]),
            body: Bytes::from(body.to_owned()),
            peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        };
        Box::pin(async move {
            let reply = self.catalogue.answer(&request).await;
            let text = String::from_utf8(reply.body.to_vec()).expect("UTF-8");
            // A body may be too deep for this reader; then the text tells.
            let body = serde_json::from_str(&text).unwrap_or(Value::Null);
            Reply { status: reply.status.as_u16(), text, body }
        })
    }

    /// A whole exchange.
    pub(crate) fn send(&self, line: &str, credential: Credential<'_>, body: &str) -> Reply {
        wait(self.begin(line, credential, body))
    }
}

impl Drop for Service {
    /// A test that fails while the disk hangs shall end.
    fn drop(&mut self) {
        self.disk.set(Mode::Working);
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Credential<'a> {
    Nobody,
    /// The initial admin, who reads, writes and deletes books, by a JWT: its use leaves the store nothing to note.
    Admin,
    /// A session token.
    Session(&'a str),
}

impl Credential<'_> {
    fn header(self) -> (HeaderName, String) {
        match self {
            Self::Nobody => (HeaderName::from_static("user-agent"), "test".to_owned()),
            Self::Admin => {
                let payload = STANDARD.encode(r#"{"email":"admin@biblioteca.example"}"#);
                (HeaderName::from_static("authorization"), format!("JWT e30=.{payload}.x"))
            }
            Self::Session(token) => (HeaderName::from_static("authorization"), format!("Bearer {token}")),
        }
    }
}

/// Waits for a future on this thread.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    futures_executor::block_on(future)
}

/// Polls an exchange once; whether it is answered already.
pub(crate) fn is_answered(exchange: &mut Exchange<'_>) -> bool {
    exchange.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())).is_ready()
}

/// The text that a JSON value is.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}
