//! Changes of request bodies, as lenient parsers make them, and of reply bodies. Knows no fault and no path.

use chrono::DateTime;
use libros_conformance_model::js;
use libros_conformance_model::message::Request;
use serde_json::{Deserializer, Value, json};

/// The documented keys of the bodies of these routes.
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

/// A time in a body, in milliseconds since 1970; `None` if the value is not a time.
pub(crate) fn milliseconds(time: &Value) -> Option<i64> {
    DateTime::parse_from_rfc3339(time.as_str()?).ok().map(|time| time.timestamp_millis())
}

/// Whether the body has keys that its route does not know, on routes whose keys the documents name.
pub(crate) fn has_further_keys(request: &Request) -> bool {
    let keys = CLOSED.iter().find(|(path, _)| *path == request.path && request.method == "POST").map(|(_, keys)| *keys);
    match (keys, js::parse(&request.body)) {
        (Some(keys), Ok(Value::Object(body))) => !body.keys().all(|key| keys.contains(&key.as_str())),
        _ => false,
    }
}

/// Changes each item of a list; any other value stays as it is.
pub(crate) fn each_item(list: &mut Value, change: impl FnMut(&mut Value)) {
    list.as_array_mut().into_iter().flatten().for_each(change);
}

/// Changes the members of all objects in a value, by name and value.
pub(crate) fn each_member(value: &mut Value, change: &mut dyn FnMut(&str, &mut Value)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each_member(item, change)),
        Value::Object(members) => {
            for (name, member) in members {
                change(name, member);
                each_member(member, change);
            }
        }
        _ => {}
    }
}

pub(crate) fn spoil_body(request: &mut Request) {
    request.body = b"{".to_vec();
}

pub(crate) fn cut_after_json(request: &mut Request) {
    let mut values = Deserializer::from_slice(&request.body).into_iter::<Value>();
    if matches!(values.next(), Some(Ok(_))) {
        let end = values.byte_offset();
        request.body.truncate(end);
    }
}

/// Replaces NaN and Infinity by null, if that makes the body JSON.
pub(crate) fn read_nan_as_null(request: &mut Request) {
    let text = String::from_utf8_lossy(&request.body).into_owned();
    let read = text.replace("-Infinity", "null").replace("Infinity", "null").replace("NaN", "null");
    if js::parse(text.as_bytes()).is_err() && js::parse(read.as_bytes()).is_ok() {
        request.body = read.into_bytes();
    }
}

pub(crate) fn lower_keys(request: &mut Request, keys: &[&str]) {
    let Ok(Value::Object(fields)) = js::parse(&request.body) else { return };
    let lowered = |name: String| {
        let lower = name.to_lowercase();
        if keys.contains(&lower.as_str()) { lower } else { name }
    };
    let fields: serde_json::Map<_, _> = fields.into_iter().map(|(name, value)| (lowered(name), value)).collect();
    request.body = json!(fields).to_string().into_bytes();
}

/// A gzip file that stores the bytes as they are: RFC 1952, around the stored blocks of RFC 1951.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 0xffff;
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let blocks = bytes.len().div_ceil(BLOCK);
    for (block, number) in bytes.chunks(BLOCK).zip(1..) {
        let length = block.len() as u16;
        file.push(u8::from(number == blocks));
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend(block);
    }
    file.extend(crc32(bytes).to_le_bytes());
    file.extend((bytes.len() as u32).to_le_bytes());
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    let turned = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| turned(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_ends_in_the_check_value_that_all_know() {
        let file = gzip(b"123456789");
        assert_eq!(file[file.len() - 8..], [0x26, 0x39, 0xf4, 0xcb, 9, 0, 0, 0]);
        assert_eq!(file[10..15], [1, 9, 0, 246, 255]);
    }
}
