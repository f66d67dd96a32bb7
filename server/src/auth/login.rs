//! `POST /auth/login`: the password opens either a session or a login that waits for its second factor.

use serde_json::{Value, json};

use crate::accounts::{
    pending_login::PendingLogin, session::Session, tables::Tables, trusted_device::DeviceTraits, two_factor::TwoFactor,
    user::User,
};
use crate::auth::identity::{Identity, PRINCIPAL_KEY};
use crate::auth::{jwt, passwords::recheck_password};
use crate::crypto::fingerprint::Fingerprint;
use crate::json_body::{object, text};
use crate::message::Request;
use crate::response::content::{HeaderProfile, Response};
use crate::response::failure::Failure;
use libros_server_query::json;
use libros_server_store::Changes;
use libros_server_system::clock::Timestamp;

/// Lifetime of tokens as every answer states it, in seconds.
// rule: login/expires-in
const EXPIRES_IN_S: u32 = 3600;

pub(crate) async fn login(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let mut fields = object(&request.body)?;
    // rule: login/field-missing
    let (email, password) = (text(&mut fields, "email")?, text(&mut fields, "password")?);
    let checked = identity.check_password(&email, password, &request.client).await?;
    let now = identity.context.clock.now();
    let random = identity.context.entropy.bytes();
    let decided = identity.transact(|tables, changes| {
        let user = recheck_password(tables, &email, &checked)?;
        // rule: login/inactive
        if !user.is_active {
            return Err(Failure::UserInactive);
        }
        tables.sweep(now, changes);
        if let Some(waiting) = pending_login_for(tables, &user, request, now) {
            return Ok(ask_for_second_factor(tables, &user, waiting, random, changes));
        }
        let tokens = issue_tokens(tables, &user, random, now, changes);
        // rule: login/first-shape, login/first-requires, login/principal-key
        let body = json!({ "requiere2FA": false, (PRINCIPAL_KEY): description(&user), "tokens": tokens });
        // rule: login/success
        Ok(Response::ok(json::write(&body)))
    });
    decided.await
}

/// The login that waits for a second factor; `None` if the password is enough.
fn pending_login_for(tables: &Tables, user: &User, request: &Request, now: Timestamp) -> Option<PendingLogin> {
    user.two_factor()?;
    let device = DeviceTraits::of(&request.headers, request.peer);
    // rule: devices/per-user
    let mut devices = tables.devices.record(&user.email).into_iter().flat_map(|devices| devices.iter());
    // rule: login/trusted-skips, devices/login-keeps-last-used
    if devices.any(|known| known.device_id == device.device_id && known.is_trusted(now)) {
        return None;
    }
    Some(PendingLogin::new(user.email.clone(), device, request.peer, now))
}

fn description(user: &User) -> Value {
    // rule: login/user-shape, login/user-identity
    let mut shown = json!({ "id": user.id, "email": user.email });
    if let Some(nombre) = &user.nombre {
        shown["nombre"] = nombre.clone();
    }
    // rule: login/user-role
    shown["role"] = user.role.clone();
    shown["permissions"] = json!(user.permissions.names);
    // rule: login/two-factor-disabled, login/two-factor-trusted
    shown["twoFactorEnabled"] = json!(user.two_factor().is_some());
    shown
}

/// A session and a JWT for the user, as an answer shows them.
pub(crate) fn issue_tokens(
    tables: &mut Tables,
    user: &User,
    random: [u8; 32],
    now: Timestamp,
    changes: &mut Changes,
) -> Value {
    // rule: sessions/form, sessions/distinct
    let token = hex::encode(random);
    // rule: sessions/record
    let session = Session::new(user.email.clone(), user.id.clone(), now);
    tables.sessions.put(Fingerprint::of(token.as_bytes()), session, changes);
    // rule: login/tokens-shape, verification/tokens-shape
    json!({ "sessionToken": token, "jwtToken": jwt::issue(user, now), "expiresIn": EXPIRES_IN_S })
}

/// Asks for the second factor: the answer with the id to send back.
fn ask_for_second_factor(
    tables: &mut Tables,
    user: &User,
    waiting: PendingLogin,
    random: [u8; 32],
    changes: &mut Changes,
) -> Response {
    // rule: login/second-session-id
    let session_id = hex::encode(random);
    // rule: login/second-authenticator, login/second-backup-codes, login/second-no-backup-codes
    let methods: &[&str] = match user.two_factor().map_or(0, TwoFactor::codes_left) {
        0 => &["authenticator"],
        _ => &["authenticator", "backup_codes"],
    };
    let any_device = tables.devices.record(&user.email).is_some_and(|devices| !devices.is_empty());
    // rule: login/second-shape, login/second-requires, login/second-email, login/second-mensaje
    let body = json!({
        "requiere2FA": true,
        "sessionId": session_id,
        "email": user.email,
        "metodosDisponibles": methods,
        "mensaje": "A second factor is needed: send sessionId and a code to /auth/verify-2fa",
        "trustedDeviceEnabled": any_device,
    });
    // rule: login/second-sessions-both, lockout/login-open, pending/context
    tables.pending.put(Fingerprint::of(session_id.as_bytes()), waiting, changes);
    // rule: login/second-headers, login/second-content-type
    Response { profile: HeaderProfile::Bare, ..Response::ok(json::write(&body)) }
}
