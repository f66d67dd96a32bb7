//! Starts servers: the catalogue, and bare hyper with a fixed answer. Both live as long as the process.

use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::{io, thread};

use anyhow::Context as _;
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Response};
use hyper_util::rt::TokioIo;
use libros_server::app::{CatalogueSettings, build_catalogue};
use libros_server::books::InitialBooks;
use libros_server::catalogue::Catalogue;
use libros_server::crypto::password::Cost;
use libros_server::crypto::secret::Secret;
use libros_server::transport::{self, Limits, Transport};
use libros_server::worker_pool::threads_beside;
use libros_server_store::{Loaded, MemoryStore};
use libros_server_system::{clock::Clock, entropy::Entropy, processors};
use memchr::memmem;
use tokio::net::TcpListener;

use crate::asker::reading;

/// The catalogue with its five books in memory.
pub fn interface(password_cost: Cost) -> anyhow::Result<Catalogue> {
    let entropy = Entropy::system();
    let settings = CatalogueSettings {
        initial: InitialBooks::five()?,
        secret: Secret::random(&entropy),
        former_secret: None,
        password_cost,
        hashing_threads: threads_beside(processors()),
        build: "bench".parse()?,
        clock: Clock::default(),
        entropy,
    };
    build_catalogue(settings, MemoryStore, Loaded::default())
}

/// Starts the catalogue with its five books in memory; returns its address.
pub fn catalogue(password_cost: Cost) -> anyhow::Result<SocketAddr> {
    let catalogue = Arc::new(interface(password_cost)?);
    let (sender, receiver) = channel();
    thread::spawn(move || {
        transport::block_on(processors(), async {
            let transport = Transport::new(Limits::default());
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            sender.send(transport.open(any, catalogue).await).map_err(drop)?;
            transport.serve_until_signalled(|| ()).await.map_err(drop)
        })
    });
    Ok(receiver.recv()??)
}

/// Starts bare hyper, which answers every request with 200, and with the headers and body of `like`'s answer to `path`.
pub fn bare(like: SocketAddr, path: &str, threads: NonZeroUsize) -> anyhow::Result<SocketAddr> {
    let answer = Arc::new(answer_of(like, path)?);
    let (sender, receiver) = channel();
    thread::spawn(move || {
        transport::block_on(threads, async {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
            // If the receiver is gone, no request will come either.
            _ = sender.send(listener.local_addr());
            answer_all(&listener, &answer).await
        })
    });
    Ok(receiver.recv()??)
}

/// The answer of a server, without the headers that hyper adds itself.
fn answer_of(server: SocketAddr, path: &str) -> anyhow::Result<(HeaderMap, Bytes)> {
    let mut stream = TcpStream::connect(server)?;
    stream.write_all(reading(path).replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n").as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = memmem::find(&answer, b"\r\n\r\n").context("no answer")?;
    let mut headers = HeaderMap::new();
    for (name, value) in str::from_utf8(&answer[..end])?.lines().skip(1).filter_map(|line| line.split_once(": ")) {
        if !["date", "connection", "content-length"].contains(&name.to_ascii_lowercase().as_str()) {
            headers.append(HeaderName::try_from(name)?, HeaderValue::from_str(value)?);
        }
    }
    Ok((headers, answer.split_off(end + 4).into()))
}

async fn answer_all(listener: &TcpListener, answer: &Arc<(HeaderMap, Bytes)>) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = Arc::clone(answer);
        tokio::spawn(async move {
            let service = service_fn(|_| {
                let mut response = Response::new(Full::new(answer.1.clone()));
                response.headers_mut().clone_from(&answer.0);
                async move { Ok::<_, Infallible>(response) }
            });
            http1::Builder::new().pipeline_flush(false).serve_connection(TokioIo::new(stream), service).await
        });
    }
}
