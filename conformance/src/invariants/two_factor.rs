//! Bodies of `/2fa`: what enabling and regenerating issue, the status, the trusted devices.

use serde_json::{Value, json};

use crate::invariants::answer::{Answer, Findings};
use crate::invariants::form::{Form, closed};
use crate::invariants::route::Route;

pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let (Some(body), 200) = (answer.json(), answer.status()) else { return };
    match answer.route {
        Route::Enable => enabled(body, found),
        Route::Disable => message(body, "two-factor/disable-shape", found),
        Route::RemoveDevice => message(body, "devices/remove-shape", found),
        Route::Regenerate => {
            let shape = "two-factor/regenerate-shape";
            let members = [("backupCodes", "backup-codes/count", Form::Any), ("mensaje", shape, Form::Text)];
            closed(found, shape, "", Some(body), &members);
            codes(body, found);
        }
        Route::Status => status(body, found),
        Route::ListDevices => devices(body, found),
        _ => {}
    }
}

fn message(body: &Value, shape: &'static str, found: &mut Findings<'_>) {
    closed(found, shape, "", Some(body), &[("mensaje", shape, Form::Text)]);
}

fn enabled(body: &Value, found: &mut Findings<'_>) {
    let shape = "two-factor/enable-shape";
    let url = "otpauth://totp/<issuer>:<user>?secret, issuer, algorithm=SHA1, digits=6, period=30";
    let members = [
        ("secret", "two-factor/secret-form", Form::HexAnyCase(40)),
        ("qrUrl", "two-factor/qr-shape", Form::Where(url, is_qr_url)),
        ("backupCodes", "backup-codes/count", Form::Any),
        ("mensaje", shape, Form::Text),
    ];
    closed(found, shape, "", Some(body), &members);
    codes(body, found);
    let (secret, url) = (body["secret"].as_str(), body["qrUrl"].as_str());
    let named = url.and_then(|url| url.split_once("?secret=")).and_then(|(_, rest)| rest.split('&').next());
    found.body("two-factor/qr-secret", named.is_none() || named == secret, "/qrUrl", "the secret beside it");
}

/// `otpauth://totp/<issuer>:<user>?secret=..&issuer=<issuer>&algorithm=SHA1&digits=6&period=30`
fn is_qr_url(value: &Value) -> bool {
    let Some((label, query)) =
        value.as_str().and_then(|url| url.strip_prefix("otpauth://totp/")).and_then(|rest| rest.split_once('?'))
    else {
        return false;
    };
    let Some((issuer, user)) = label.split_once(':') else { return false };
    let parts: Vec<&str> = query.split('&').collect();
    let [secret, again, "algorithm=SHA1", "digits=6", "period=30"] = parts[..] else { return false };
    let same = |text: &str| text.replace('+', "%20").to_ascii_lowercase();
    !issuer.is_empty()
        && !user.is_empty()
        && !user.contains(['/', ':', '#'])
        && secret.starts_with("secret=")
        && again.strip_prefix("issuer=").is_some_and(|again| same(again) == same(issuer))
}

/// Eight codes of ten, no two alike.
fn codes(body: &Value, found: &mut Findings<'_>) {
    let codes = body.get("backupCodes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let are_eight = codes.len() == 8 && codes.iter().enumerate().all(|(index, code)| !codes[..index].contains(code));
    found.body("backup-codes/count", are_eight, "/backupCodes", "eight codes, no two alike");
    for (index, code) in codes.iter().enumerate() {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
        let is_code = code.as_str().is_some_and(|code| code.len() == 10 && code.bytes().all(is_digit));
        found.body("backup-codes/form", is_code, &format!("/backupCodes/{index}"), "ten of 0-9 and A-F");
    }
}

fn status(body: &Value, found: &mut Findings<'_>) {
    let shape = "two-factor/status-shape";
    if body.as_object().is_some_and(|members| members.len() == 1) {
        let (rule, never) = ("two-factor/status-unconfigured", json!(false));
        closed(found, rule, "", Some(body), &[("habilitado", rule, Form::Is(&never))]);
        return;
    }
    let (methods, eight) = (json!(["authenticator", "backup_codes"]), json!(8));
    let left = Form::Where("a whole number from 0 to 8", |value| value.as_u64().is_some_and(|left| left <= 8));
    let devices = Form::Where("their number, or a list", |value| value.is_u64() || value.is_array());
    // An enabled second factor has been enabled at some time.
    let since = if body["habilitado"] == true { Form::Time } else { Form::TimeOrNull };
    let members = [
        ("habilitado", "two-factor/status-enabled", Form::Bool),
        ("habilitadoDesde", "two-factor/time-form", since),
        ("ultimoUso", "two-factor/time-form", Form::TimeOrNull),
        ("backupCodesDisponibles", "two-factor/status-codes-available", left),
        ("totalBackupCodes", "two-factor/status-codes-total", Form::Is(&eight)),
        ("dispositivosConfiables", shape, devices),
        ("metodosDisponibles", "two-factor/status-methods-constant", Form::Is(&methods)),
    ];
    closed(found, shape, "", Some(body), &members);
}

fn devices(body: &Value, found: &mut Findings<'_>) {
    let shape = "devices/list-shape";
    let is_list = Form::Where("a list", Value::is_array);
    closed(found, shape, "", Some(body), &[("dispositivos", shape, is_list)]);
    let devices = body.get("dispositivos").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (index, device) in devices.iter().enumerate() {
        let members = [
            ("deviceId", "devices/id-form", Form::HexAnyCase(16)),
            ("firstUsed", "two-factor/time-form", Form::Time),
            ("lastUsed", "two-factor/time-form", Form::Time),
            // A device whose login sent no User-Agent may show none.
            ("userAgent?", "devices/user-agent", Form::TextOrNull),
        ];
        closed(found, "devices/record-shape", &format!("/dispositivos/{index}"), Some(device), &members);
        let moment = |name: &str| device[name].as_str().and_then(crate::clock::parse_iso);
        let is_ordered = moment("firstUsed").zip(moment("lastUsed")).is_none_or(|(first, last)| first <= last);
        found.body("devices/last-used", is_ordered, &format!("/dispositivos/{index}/lastUsed"), "not before firstUsed");
    }
}
