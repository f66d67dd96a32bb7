//! The fuzz targets, each a function of an input, and a catalogue in this process over a store in memory.

pub mod credential;
pub mod graphql;
pub mod list;
pub mod record;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_executor::block_on;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use libros_server::app::{CatalogueSettings, build_catalogue};
use libros_server::books::InitialBooks;
use libros_server::catalogue::Catalogue;
use libros_server::crypto::password::Cost;
use libros_server::crypto::secret::Secret;
use libros_server::message::{Client, Interface, Reply, Request};
use libros_server_store::{Change, Rows, Store};
use libros_server_system::clock::Clock;
use libros_server_system::entropy::Entropy;
use serde_json::Value;

/// The key of the initial admin client.
const KEY: &str = "ak_ad3100c11e270000000000000000c0de";

/// A store in memory; clones share it.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Rows>>);

impl Store for Memory {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        let mut rows = self.0.lock().expect("no panic");
        changes.iter().cloned().for_each(|change| rows.apply(change));
        Ok(())
    }
}

impl Memory {
    /// An independent copy.
    fn copied(&self) -> Self {
        Self(Arc::new(Mutex::new(self.0.lock().expect("no panic").clone())))
    }
}

/// A catalogue over this store.
fn catalogue(memory: &Memory) -> Catalogue {
    let settings = CatalogueSettings {
        initial: InitialBooks::five().expect("five books"),
        secret: Secret::from(b"of the fuzz targets".to_vec()),
        former_secret: None,
        password_cost: "8,1,1".parse::<Cost>().expect("a cost"),
        hashing_threads: 1,
        build: HeaderValue::from_static("fuzz"),
        clock: Clock::default(),
        entropy: Entropy::system(),
    };
    let rows = memory.0.lock().expect("no panic").clone();
    build_catalogue(settings, memory.clone(), rows.into_loaded()).expect("it starts")
}

/// A request as the transport passes it on; `line` is method and target.
fn request(line: &str, headers: &[(&str, &[u8])], body: &[u8]) -> Option<Request> {
    let (method, target) = line.split_once(' ')?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_bytes(value).ok()?);
    }
    Some(Request {
        method: Method::from_bytes(method.as_bytes()).ok()?,
        uri: target.parse().ok()?,
        headers: map,
        body: Bytes::copy_from_slice(body),
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        client: Client::default(),
    })
}

/// The answer of an interface; fails on a 5xx.
fn answer(interface: &dyn Interface, request: &Request) -> Reply {
    let reply = block_on(interface.answer(request));
    assert!(reply.status.as_u16() < 500, "{} {}: {}", request.method, request.path(), reply.status);
    reply
}

/// Sends with the admin client's key.
fn ask(catalogue: &Catalogue, line: &str, body: &[u8]) -> Reply {
    answer(catalogue, &request(line, &[("x-api-key", KEY.as_bytes())], body).expect("a request"))
}

fn json(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).expect("a body of JSON")
}
