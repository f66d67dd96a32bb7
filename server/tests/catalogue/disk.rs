//! A disk that works, is full, or hangs as a test says, and a whole catalogue over it, without sockets.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use http::HeaderValue;
use serde_json::Value;

use libros_server::app::{CatalogueSettings, build_catalogue};
use libros_server::books::Initial;
use libros_server::catalogue::Catalogue;
use libros_server::crypto::password::Cost;
use libros_server::crypto::secret::Secret;
use libros_server_store::{Change, Kind, Loaded, Row, Rows, Store, Unreadable};
use libros_server_system::{clock::Clock, entropy::Entropy};

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

    /// The documents of one kind, as a start would find them.
    pub(crate) fn rows(&self, kind: Kind) -> Vec<Row> {
        self.loaded().take(kind).unwrap_or_default()
    }

    pub(crate) fn quarantined(&self) -> Vec<Unreadable> {
        self.contents().quarantined.clone()
    }

    /// Writes a document without the service's knowledge.
    pub(crate) fn meddle(&self, kind: Kind, key: &str, doc: &str) {
        let put = Change::Put { kind, key: key.to_owned(), doc: doc.into() };
        self.contents().changes.push(put);
    }

    pub(crate) fn loaded(&self) -> Loaded {
        let mut rows = Rows::default();
        self.contents().changes.iter().cloned().for_each(|change| rows.apply(change));
        rows.into_loaded()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The operator's secret, unless a test changes it.
pub(crate) const SECRET: &str = "the secret of the tests";

/// A catalogue that a start over the disk makes of what was loaded, with the operator's secrets: the current one, and the former one or
/// none.
pub(crate) fn catalogue(disk: &Disk, loaded: Loaded, clock: Clock, [current, former]: [&str; 2]) -> Catalogue {
    let secret = |text: &str| Secret::from(text.as_bytes().to_vec());
    let settings = CatalogueSettings {
        initial: Initial::five().expect("five books"),
        secret: secret(current),
        former_secret: (!former.is_empty()).then(|| secret(former)),
        password_cost: Cost { memory_kib: 8, passes: 1, lanes: 1 },
        hashing_threads: 2,
        build: HeaderValue::from_static("testing"),
        clock,
        entropy: Entropy::system(),
    };
    build_catalogue(settings, disk.clone(), loaded).expect("a sound store")
}

pub(crate) fn wait<F: IntoFuture>(future: F) -> F::Output {
    futures_executor::block_on(future.into_future())
}

/// The text that a JSON value is.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}
