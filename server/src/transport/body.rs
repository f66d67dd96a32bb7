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

/// How much of a too large body is read and dropped, so that its sender gets to read the answer ...
const DROP_MAX: usize = 64 << 20;
/// ... and for how long.
const DROP_WITHIN: Duration = Duration::from_secs(5);

/// Reads a body whole.
///
/// `waits` says that the sender waits for a go-ahead before sending (Expect); a body that is too large is then not asked for.
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
    let result = if body.size_hint().lower() > limits.body_max as u64 {
        Err(BodyError::Refused(Refusal::BodyTooLarge))
    } else {
        let whole = tokio::time::timeout(limits.body_within, read_within(&mut body, limits.body_max, charge));
        whole.await.unwrap_or(Err(BodyError::Refused(Refusal::BodyUnreadable)))
    };
    if result == Err(BodyError::Refused(Refusal::BodyTooLarge)) && !waits {
        _ = tokio::time::timeout(DROP_WITHIN, read_and_drop(&mut body)).await;
    }
    result
}

async fn read_within(body: &mut Incoming, max: usize, charge: &mut Charge) -> Result<Bytes, BodyError> {
    const UNREADABLE: BodyError = BodyError::Refused(Refusal::BodyUnreadable);
    let announced = usize::try_from(body.size_hint().upper().unwrap_or(max as u64)).unwrap_or(max).min(max);
    // Most bodies come in one piece, which is taken as it is.
    let mut only = Bytes::new();
    // Pages of the system: room for all of a body, of which only what comes takes memory, and which goes back to the system when
    // the body does. The allocator would keep what a flood of bodies took.
    let mut pages: Option<MmapMut> = None;
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| UNREADABLE)?.into_data() else {
            continue;
        };
        let end = length + data.len();
        if end > max {
            return Err(BodyError::Refused(Refusal::BodyTooLarge));
        }
        charge.add(data.len())?;
        if length == 0 {
            only = data;
        } else {
            if pages.is_none() {
                let mut map = MmapMut::map_anon(announced).map_err(|_| BodyError::Overloaded)?;
                map.get_mut(..length).ok_or(UNREADABLE)?.copy_from_slice(&std::mem::take(&mut only));
                pages = Some(map);
            }
            // No room is left where more comes than was announced.
            let room = pages.as_mut().and_then(|pages| pages.get_mut(length..end));
            room.ok_or(UNREADABLE)?.copy_from_slice(&data);
        }
        length = end;
    }
    Ok(pages.map_or(only, |pages| Bytes::from_owner(pages).slice(..length)))
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
        // No end of it is announced, which leaves the framing to the library: no Content-Length of 0 is claimed.
        // rule: headers/bodiless-framing
        Either::Right(StreamBody::new(empty()))
    } else {
        // The library makes Content-Length of it.
        // rule: headers/content-length
        Either::Left(Full::new(Charged::new(body, charge)))
    }
}
