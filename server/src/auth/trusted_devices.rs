//! `/2fa/trusted-devices`: a user's own trusted devices, listed and removed.

use serde_json::json;

use crate::accounts::trusted_device::TrustedDevice;
use crate::auth::identity::Identity;
use crate::message::Request;
use crate::response::{content::Response, failure::Failure};
use libros_server_query::json;

/// Lists the user's devices, those past their time included.
pub(crate) async fn list(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let email = identity.guard_user(&request.headers).await?;
    let entries: Vec<_> = identity.read(|tables| {
        let devices = tables.devices.record(&email).map_or(&[][..], |devices| devices.as_slice());
        devices.iter().map(entry).collect()
    });
    // rule: devices/list-shape
    Ok(Response::ok(json::write(&json!({ "dispositivos": entries }))))
}

/// The id, as sent, in the path of a device.
pub(crate) fn id_in(path: &str) -> Option<&str> {
    path.strip_prefix("/2fa/trusted-devices/").filter(|id| !id.is_empty() && !id.contains('/'))
}

/// Removes a device; the answer is the same where it is not there.
pub(crate) async fn forget(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let email = identity.guard_user(&request.headers).await?;
    // rule: devices/remove-odd-id
    let device_id = id_in(request.path()).and_then(percent_decode).ok_or(Failure::DeviceIdUnreadable)?;
    let decided = identity.transact(|tables, changes| {
        // rule: devices/remove-takes-effect, devices/remove-unknown
        tables.devices.change(&email, changes, |devices| devices.retain(|device| device.device_id != device_id));
        // rule: devices/remove-shape
        Ok(Response::ok(json::write(&json!({ "mensaje": "The device is no longer trusted" }))))
    });
    decided.await
}

fn entry(device: &TrustedDevice) -> serde_json::Value {
    // rule: devices/record-shape
    json!({
        "deviceId": device.device_id,
        // rule: devices/first-used
        "firstUsed": device.first_used.iso(),
        // rule: devices/last-used
        "lastUsed": device.last_used.iso(),
        // rule: devices/user-agent
        "userAgent": device.user_agent,
    })
}

/// A path segment decoded as by JavaScript's `decodeURIComponent`; `None` where that would throw.
fn percent_decode(segment: &str) -> Option<String> {
    let is_escape = |after: &str| after.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    // The library leaves a malformed escape as it is.
    if !segment.split('%').skip(1).all(is_escape) {
        return None;
    }
    Some(percent_encoding::percent_decode_str(segment).decode_utf8().ok()?.into_owned())
}
