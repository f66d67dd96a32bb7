//! Bodies: a request's read whole within limits, a reply's written in one piece.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use super::Limits;
use crate::message::Refusal;

/// How much of a body that is too large is read and dropped, so that its sender comes to read the answer ...
const DROP_MAX: usize = 64 << 20;
/// ... and for how long.
const DROP_WITHIN: Duration = Duration::from_secs(5);

/// Reads a body whole.
///
/// `waits` says that the sender waits for a go-ahead before sending (Expect); a body that is too large is then not asked for.
pub(super) async fn read(mut body: Incoming, limits: &Limits, waits: bool) -> Result<Bytes, Refusal> {
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    // rule: errors/body-too-large
    let result = if body.size_hint().lower() > limits.body_max as u64 {
        Err(Refusal::BodyTooLarge)
    } else {
        let whole = tokio::time::timeout(limits.body_within, read_within(&mut body, limits.body_max));
        whole.await.unwrap_or(Err(Refusal::BodyUnreadable))
    };
    if result == Err(Refusal::BodyTooLarge) && !waits {
        _ = tokio::time::timeout(DROP_WITHIN, read_and_drop(&mut body)).await;
    }
    result
}

async fn read_within(body: &mut Incoming, max: usize) -> Result<Bytes, Refusal> {
    let mut whole = BytesMut::new();
    let mut only = Bytes::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Refusal::BodyUnreadable)?.into_data() else {
            continue;
        };
        if only.len() + whole.len() + data.len() > max {
            return Err(Refusal::BodyTooLarge);
        }
        // Most bodies come in one piece, which is taken as it is.
        if whole.is_empty() && only.is_empty() {
            only = data;
        } else {
            whole.extend_from_slice(&std::mem::take(&mut only));
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() { only } else { whole.freeze() })
}

async fn read_and_drop(body: &mut Incoming) {
    let mut dropped = 0;
    while let Some(Ok(frame)) = body.frame().await {
        dropped += frame.data_ref().map_or(0, Bytes::len);
        if dropped > DROP_MAX {
            return;
        }
    }
}

/// The body of a reply.
pub(super) enum Outgoing {
    /// All of it, once.
    Whole(Bytes),
    /// All of it is sent.
    Sent,
    /// There never was one, which leaves the framing to the library: no Content-Length of 0 is claimed.
    None,
}

impl From<Bytes> for Outgoing {
    fn from(body: Bytes) -> Self {
        // rule: headers/bodiless-framing
        if body.is_empty() { Self::None } else { Self::Whole(body) }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match std::mem::replace(&mut *self, Self::Sent) {
            Self::Whole(body) => Poll::Ready(Some(Ok(Frame::data(body)))),
            Self::Sent | Self::None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Sent)
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            // The library makes Content-Length of it.
            // rule: headers/content-length
            Self::Whole(body) => SizeHint::with_exact(body.len() as u64),
            Self::Sent => SizeHint::with_exact(0),
            Self::None => SizeHint::default(),
        }
    }
}
