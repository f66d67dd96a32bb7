//! Habits of readers: how a platform changes a query string or a body before the handler gets it.

use libros_conformance_model::accounts::jwt;
use libros_conformance_model::records::User;

use crate::impostor::effect::prelude::*;

pub(crate) const HABITS: &[Variation] = variations! {
    // Go, net/url, ParseQuery: a pair that cannot be decoded is left out.
    "bad-percent-left-out": "A parameter with a bad percent sign is left out."
        => request |request| request.query = retain_pairs(&request.query, |pair| !has_bad_percent(pair));
    // Java, Integer.parseInt: what does not fit 32 bits cannot be parsed.
    "integers-of-32-bits": "A page, limit or id beyond 32 bits is unparsable."
        => request |request| {
            request.query = retain_pairs(&request.query, |pair| !(is_page_or_limit(pair) && is_wide(value_of(pair))));
            if id_of(&request.path).is_some_and(is_wide) {
                request.path = "/libros".to_owned();
            }
        };
    // PHP manual, "Numeric strings" and intval: what does not fit 64 bits is the greatest integer.
    "integers-at-the-edge": "A page, limit or id beyond 64 bits is the greatest integer."
        => request |request| respell_integers(request, within_64_bits);
    // PHP manual, "Numeric strings" and intval: 1e3 is 1000.
    "numbers-with-exponent": "A page, limit or id with an exponent is the number that it spells."
        => request |request| respell_integers(request, without_exponent);
    // Python package email-validator, under Pydantic's EmailStr: the domain is normalised to lower case.
    "email-domain-in-lower-case": "The domain of an e-mail is taken in lower case."
        => request |request| edit(request, &CREDENTIALS, |body| edit_text_member(body, "email", lower_case_domain));
    // Ruby on Rails, ActionController::RateLimiting, rate_limit: 429 to a client that tries too often.
    "many-wrong-passwords-wait": "After ten wrong passwords a login for the e-mail answers 429."
        => around |held, request, answer| stop_wrong_passwords(held, request, answer, 10, 429);
    // Laravel, "Requests", TrimStrings: spaces around input are trimmed, except for passwords.
    "registration-trimmed": "Spaces around an e-mail and a name are trimmed."
        => request |request| edit(request, &CREDENTIALS, |body| {
            ["email", "nombre"].iter().for_each(|name| edit_text_member(body, name, |text| text.trim().to_owned()));
        });
    // Laravel, "Requests", TrimStrings, again.
    "user-names-trimmed": "Spaces around the name of a demonstration user are trimmed."
        => request |request| edit(request, &["/users"], |body| edit_text_member(body, "name", |text| text.trim().to_owned()));
    // Jackson, "MapperFeature.ALLOW_COERCION_OF_SCALARS", on by default: a number is taken where a String is due.
    "numbers-taken-as-texts": "A number in place of a password is taken as its text."
        => request |request| edit(request, &CREDENTIALS, |body| number_as_text(body, "password"));
    // PyJWT, decode with verify_signature False: the signature is decoded all the same, base64url as it must be.
    "jwt-last-segment-decoded": "A token whose last segment is not base64url is refused."
        => request |request| if has_undecodable_signature(request) { request.set("Authorization", "JWT x") };
    // Python, time.time: a number of seconds with its fraction.
    "jwt-times-with-fraction": "iat and exp of a token have a fraction."
        => steps |s| s.auth.tokens.payload = payload_with_fraction;
};

/// Whether the last segment is no base64url: it has other characters, or a length that no bytes encode to.
fn has_undecodable_signature(request: &Request) -> bool {
    let value = request.header("authorization").unwrap_or_default();
    let last = value.strip_prefix("JWT ").and_then(|token| token.splitn(3, '.').nth(2)).unwrap_or_default();
    let is_digit = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    !last.chars().all(is_digit) || last.len() % 4 == 1
}

fn payload_with_fraction(user: &User, now: i64) -> Value {
    let mut payload = jwt::payload(user, now);
    let iat = now as f64 / 1000.0;
    (payload["iat"], payload["exp"]) = (json!(iat), json!(iat + 86_400.0));
    payload
}

/// The paths whose bodies hold an e-mail and a password.
const CREDENTIALS: [&str; 3] = ["/auth/registro", "/auth/login", "/api/users/register"];

/// Changes the body of a request on one of the paths, if it is an object.
fn edit(request: &mut Request, paths: &[&str], change: fn(&mut Map<String, Value>)) {
    if paths.contains(&request.path.as_str())
        && let Ok(Value::Object(mut body)) = serde_json::from_slice(&request.body)
    {
        change(&mut body);
        request.body = json!(body).to_string().into_bytes();
    }
}

fn edit_text_member(body: &mut Map<String, Value>, name: &str, edited: fn(&str) -> String) {
    if let Some(Value::String(text)) = body.get_mut(name) {
        *text = edited(text);
    }
}

fn lower_case_domain(email: &str) -> String {
    let Some((name, domain)) = email.rsplit_once('@') else { return email.to_owned() };
    format!("{name}@{}", domain.to_lowercase())
}

fn number_as_text(body: &mut Map<String, Value>, name: &str) {
    if let Some(value) = body.get_mut(name).filter(|value| value.is_number()) {
        *value = json!(value.to_string());
    }
}

fn retain_pairs(query: &str, is_kept: impl Fn(&str) -> bool) -> String {
    query.split('&').filter(|pair| is_kept(pair)).collect::<Vec<_>>().join("&")
}

fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or_default()
}

fn is_page_or_limit(pair: &str) -> bool {
    matches!(name_of(pair), "page" | "limit")
}

fn has_bad_percent(pair: &str) -> bool {
    let is_bad = |code: &str| code.bytes().take(2).filter(u8::is_ascii_hexdigit).count() < 2;
    pair.split('%').skip(1).any(is_bad)
}

fn is_wide(text: &str) -> bool {
    let digits = text.trim_start_matches('-');
    digits.bytes().all(|b| b.is_ascii_digit()) && !digits.is_empty() && text.parse::<i32>().is_err()
}

fn value_of(pair: &str) -> &str {
    pair.split_once('=').map_or("", |(_, value)| value)
}

fn id_of(path: &str) -> Option<&str> {
    path.strip_prefix("/libros/").map(|rest| rest.split('/').next().unwrap_or_default())
}

/// Caps an integer at the greatest of 64 bits.
fn within_64_bits(text: &str) -> Option<String> {
    let is_greater = text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty() && text.parse::<i64>().is_err();
    is_greater.then(|| i64::MAX.to_string())
}

/// What 1e3 spells: 1000.
fn without_exponent(text: &str) -> Option<String> {
    let (digits, exponent) = text.split_once(['e', 'E'])?;
    let number = format!("{digits}e{exponent}").parse::<f64>().ok().filter(|number| number.abs() < 1e15)?;
    Some(format!("{}", number.trunc()))
}

fn respell_integers(request: &mut Request, respell: fn(&str) -> Option<String>) {
    let edited = |pair: &str| match respell(value_of(pair)) {
        Some(number) if is_page_or_limit(pair) => format!("{}={number}", name_of(pair)),
        _ => pair.to_owned(),
    };
    request.query = request.query.split('&').map(edited).collect::<Vec<_>>().join("&");
    if let Some(number) = id_of(&request.path).and_then(respell) {
        request.path = format!("/libros/{number}");
    }
}
