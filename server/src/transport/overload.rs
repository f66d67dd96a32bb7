//! The answer when a limit of the whole service is reached: 503, and when to try again.

use std::sync::Arc;
use std::time::Duration;

use http::header::{CONNECTION, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::message::Reply;

const BODY: &str = r#"{"error":"The service is busy: try again in a moment"}"#;

/// How long a refused client may take to read its answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);

pub(super) fn reply() -> Reply {
    let mut reply = Reply::json(StatusCode::SERVICE_UNAVAILABLE, BODY);
    reply.headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    reply.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

/// Answers connections for which there is no place, without waiting for their requests.
#[derive(Debug, Clone)]
pub(super) struct Turnstile(Arc<Semaphore>);

impl Turnstile {
    /// Answers at most `answered_max` refused clients at a time; the connections of the others are closed without an answer.
    pub(super) fn new(answered_max: usize) -> Self {
        Self(Arc::new(Semaphore::new(answered_max)))
    }

    pub(super) fn turn_away(&self, stream: TcpStream) {
        if let Ok(permit) = Arc::clone(&self.0).try_acquire_owned() {
            tokio::spawn(async move {
                // It does not matter whether the client gets it.
                _ = timeout(ANSWERED_WITHIN, answer(stream)).await;
                drop(permit);
            });
        }
    }
}

async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let head =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close";
    let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{BODY}", BODY.len());
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Closing with unread bytes would reset the connection and lose the answer.
    let mut unread = [0; 4096];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
