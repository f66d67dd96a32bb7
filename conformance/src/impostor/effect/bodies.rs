//! What effects do to the body of a request as lenient readers would. Knows no fault and no path.

use serde_json::{Deserializer, Value, json};

use crate::impostor::http::Request;
use crate::impostor::model::js;

/// The keys that the documents give to the bodies of these routes.
const CLOSED: &[(&str, &[&str])] = &[
    ("/auth/registro", &["email", "password", "nombre", "role"]),
    ("/auth/login", &["email", "password"]),
    ("/auth/verify-2fa", &["sessionId", "token", "trustDevice"]),
    ("/auth/api-keys", &["nombre", "permisos", "rateLimit"]),
    ("/2fa/enable", &["password"]),
    ("/2fa/disable", &["password"]),
    ("/2fa/regenerate-backup-codes", &["password"]),
    ("/users", &["name", "age"]),
    ("/api/users/register", &["email", "password"]),
];

/// Whether a body has keys that the documents do not name, where they name all.
pub(crate) fn has_further_keys(request: &Request) -> bool {
    let keys = CLOSED.iter().find(|(path, _)| *path == request.path && request.method == "POST").map(|(_, keys)| *keys);
    match (keys, js::parse(&request.body)) {
        (Some(keys), Ok(Value::Object(body))) => !body.keys().all(|key| keys.contains(&key.as_str())),
        _ => false,
    }
}

/// Cuts off what follows the first JSON value of a body.
pub(crate) fn cut_after_json(request: &mut Request) {
    let mut values = Deserializer::from_slice(&request.body).into_iter::<Value>();
    if matches!(values.next(), Some(Ok(_))) {
        let end = values.byte_offset();
        request.body.truncate(end);
    }
}

/// Puts null in the place of NaN and Infinity, if that makes the body JSON.
pub(crate) fn read_nan_as_null(request: &mut Request) {
    let text = String::from_utf8_lossy(&request.body).into_owned();
    let read = text.replace("-Infinity", "null").replace("Infinity", "null").replace("NaN", "null");
    if js::parse(text.as_bytes()).is_err() && js::parse(read.as_bytes()).is_ok() {
        request.body = read.into_bytes();
    }
}

/// Spells these keys of an object in lower case.
pub(crate) fn lower_keys(request: &mut Request, keys: &[&str]) {
    let Ok(Value::Object(fields)) = js::parse(&request.body) else { return };
    let lowered = |name: String| {
        let lower = name.to_lowercase();
        if keys.contains(&lower.as_str()) { lower } else { name }
    };
    let fields: serde_json::Map<_, _> = fields.into_iter().map(|(name, value)| (lowered(name), value)).collect();
    request.body = json!(fields).to_string().into_bytes();
}
