//! Bodies: a request's read whole within limits, a reply's written in one piece.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{Empty, empty};
use http_body_util::{BodyExt as _, Either, Full, StreamBody};
use hyper::body::{Body as _, Frame, Incoming};
use memmap2::MmapMut;

use super::Limits;
use super::admission::{BodyError, Charge, Charged};
use crate::message::Refusal;

/// Bytes of a too large body to read and drop, so that its sender can read the answer ...
const DROP_MAX: usize = 64 << 20;
/// ... and for how long.
const DROP_WITHIN: Duration = Duration::from_secs(5);

/// Reads a whole body. `waits` says that the sender waits for a go-ahead (Expect); it gets none if its body is announced as too large.
pub(super) async fn read(
    mut body: Incoming,
    limits: &Limits,
    waits: bool,
    charge: &mut Charge,
) -> Result<Bytes, BodyError> {
    charge.add(0)?;
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    // rule: errors/body-too-large
    let is_announced = body.size_hint().lower() > limits.body_max as u64;
    let result = if is_announced {
        Err(BodyError::Refused(Refusal::BodyTooLarge))
    } else {
        let whole = tokio::time::timeout(limits.body_within, read_within(&mut body, limits.body_max, charge));
        whole.await.unwrap_or(Err(BodyError::Refused(Refusal::BodyUnreadable)))
    };
    if result == Err(BodyError::Refused(Refusal::BodyTooLarge)) && !(waits && is_announced) {
        _ = tokio::time::timeout(DROP_WITHIN, read_and_drop(&mut body)).await;
    }
    result
}

async fn read_within(body: &mut Incoming, max: usize, charge: &mut Charge) -> Result<Bytes, BodyError> {
    const UNREADABLE: BodyError = BodyError::Refused(Refusal::BodyUnreadable);
    let announced = body.size_hint().upper().and_then(|length| usize::try_from(length).ok());
    // Most bodies come in one piece, which needs no copy.
    let mut only = Bytes::new();
    let mut pages: Option<Pages> = None;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| UNREADABLE)?.into_data() else { continue };
        let length = pages.as_ref().map_or(only.len(), |pages| pages.length) + data.len();
        if length > max {
            return Err(BodyError::Refused(Refusal::BodyTooLarge));
        }
        charge.add(data.len())?;
        match &mut pages {
            Some(pages) => pages.push(&data)?,
            None if only.is_empty() => only = data,
            None => {
                let first = Pages::with_room(announced.unwrap_or(length))?;
                let pages = pages.insert(first);
                pages.push(&std::mem::take(&mut only))?;
                pages.push(&data)?;
            }
        }
    }
    Ok(pages.map_or(only, Pages::into_bytes))
}

/// A body in pages of the system, which go back with the body: the allocator would keep the memory of a flood of bodies.
struct Pages {
    map: MmapMut,
    length: usize,
}

impl Pages {
    fn with_room(bytes: usize) -> Result<Self, BodyError> {
        let map = MmapMut::map_anon(bytes).map_err(|_| BodyError::Overloaded)?;
        Ok(Self { map, length: 0 })
    }

    /// Adds bytes. If there is no room, moves all to twice as many pages.
    fn push(&mut self, bytes: &[u8]) -> Result<(), BodyError> {
        let (start, end) = (self.length, self.length + bytes.len());
        if end > self.map.len() {
            let mut wider = Self::with_room(end.saturating_mul(2))?;
            wider.map[..start].copy_from_slice(&self.map[..start]);
            self.map = wider.map;
        }
        self.map[start..end].copy_from_slice(bytes);
        self.length = end;
        Ok(())
    }

    fn into_bytes(self) -> Bytes {
        let length = self.length;
        Bytes::from_owner(self.map).slice(..length)
    }
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

/// All of a body in one piece, or none.
pub(super) type Outgoing = Either<Full<Charged>, StreamBody<Empty<Result<Frame<Charged>, Infallible>>>>;

pub(super) fn outgoing(body: Bytes, charge: Charge) -> Outgoing {
    if body.is_empty() {
        // Announces no end, so that the library does the framing and sends no Content-Length of 0.
        // rule: headers/bodiless-framing
        Either::Right(StreamBody::new(empty()))
    } else {
        // The library makes Content-Length of it.
        // rule: headers/content-length
        Either::Left(Full::new(Charged::new(body, charge)))
    }
}
