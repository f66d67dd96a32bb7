//! Tokens that the target did not issue and must let in: the final segment is not verified, and the stored user decides.
//!
//! A target that checks a signature is careful, and not conformant: these cases say so.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::holder::{Holder, holder, holder_let_in, list_with, seconds_from_now};
use crate::chapters::prelude::*;
use crate::fixture::tokens::{HEADER, cut, segment_of_text};

cases! { "tokens";
    /// An issued token with any other signature as final segment is ACCEPTED: the documents say that it is not verified.
    tampered_signature_is_accepted judges ["tokens/final-unverified"];
    /// A token with a payload of own making, naming a user who is there, is ACCEPTED: nothing proves who made it.
    token_of_own_making_is_accepted judges ["tokens/final-unverified"];
    /// The first segment is looked at not at all, or only for whether it decodes; what it says never matters.
    first_segment_says_nothing judges ["tokens/header-unread"];
    /// A payload is read in base64 and base64url, padded or not, or in the alphabet of issued tokens alone.
    payload_is_read_in_either_alphabet judges ["tokens/either-alphabet"];
    /// role, permissions and userId of the payload give nothing to a user who lacks the permission.
    payload_cannot_give_permissions judges ["tokens/stored-user-counts"];
    /// role, permissions and userId of the payload take nothing from a user who holds the permission.
    payload_cannot_take_permissions judges ["tokens/stored-user-counts"];
}

/// Header and payload signed as a real JWT would be, with a secret of our own.
fn signature(unsigned: &str) -> String {
    Hmac::<Sha256>::new_from_slice(b"una clave que nadie conoce")
        .map(|mut mac| {
            mac.update(unsigned.as_bytes());
            URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
        })
        .unwrap_or_default()
}

fn tampered_signature_is_accepted(cx: &CaseContext<'_>) -> CaseResult {
    let Holder { jwt, .. } = holder(cx, "user")?;
    list_with(cx, &jwt)?.prepared("using an issued token", 200)?;
    let (unsigned, last) = cut(&jwt)?;
    // All of them base64url: a reader may decode what it does not verify.
    for other in [signature(&unsigned), signature(&last), signature("otra"), "0".repeat(300), "abcd".to_owned()] {
        list_with(cx, &format!("{unsigned}.{other}"))?.check().status(200)?;
    }
    Ok(())
}

fn token_of_own_making_is_accepted(cx: &CaseContext<'_>) -> CaseResult {
    let holder = holder(cx, "user")?;
    list_with(cx, &holder.jwt)?.prepared("using an issued token", 200)?;
    let email = &holder.user.email;
    let exp = seconds_from_now(cx, 3_600)?;
    let far = seconds_from_now(cx, 100 * 365 * 86_400)?;
    let payloads = [
        json!({ "email": email, "userId": holder.user.id, "role": "user", "permissions": ["read:libros"],
            "iat": exp - 86_400, "exp": exp }),
        json!({ "email": email, "exp": exp }),
        json!({ "exp": far, "email": email, "iss": "otra", "admin": true }),
    ];
    for payload in payloads {
        for last in [holder.mint.last.as_str(), "firma-de-otro-XX"] {
            let token = format!("{HEADER}.{}.{last}", segment_of_text(&payload.to_string()));
            list_with(cx, &token)?.check().status(200)?;
        }
    }
    Ok(())
}

fn first_segment_says_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let Holder { jwt, .. } = holder(cx, "user")?;
    list_with(cx, &jwt)?.prepared("using an issued token", 200)?;
    let rest = jwt.split_once('.').map(|(_, rest)| rest).unwrap_or_default();
    for header in [json!({ "alg": "none" }), json!({ "alg": "RS256", "typ": "JWT", "kid": "1" })] {
        let reply = list_with(cx, &format!("{}.{rest}", segment_of_text(&header.to_string())))?;
        cx.observe(&[("unread", reply.status() == 200)], format!("status {} for the header {header}", reply.status()))?;
    }
    for undecodable in ["x", "%%%", &segment_of_text("no JSON")] {
        let reply = list_with(cx, &format!("{undecodable}.{rest}"))?;
        cx.observe(
            &[("unread", reply.status() == 200), ("decoded", is_refused(&reply))],
            format!("status {} for the first segment {undecodable}", reply.status()),
        )?;
    }
    Ok(())
}

fn is_refused(reply: &Reply) -> bool {
    reply.status() == 401 && reply.text_at("/error/codigo") == "JWT_INVALIDO"
}

fn payload_is_read_in_either_alphabet(cx: &CaseContext<'_>) -> CaseResult {
    let holder = holder_let_in(cx, "user")?;
    // The two alphabets differ on `???` and `~~~`; the length asks for padding.
    let payload = json!({ "email": holder.user.email, "exp": seconds_from_now(cx, 3_600)?, "userId": "???~~~" });
    let mut text = payload.to_string();
    while text.len() % 3 != 1 {
        text.push(' ');
    }
    let mut answers = Vec::new();
    for segment in
        [STANDARD.encode(&text), STANDARD_NO_PAD.encode(&text), URL_SAFE.encode(&text), URL_SAFE_NO_PAD.encode(&text)]
    {
        answers.push(list_with(cx, &holder.mint.token_of_segment(&segment))?);
    }
    let statuses: Vec<u16> = answers.iter().map(Reply::status).collect();
    let is_in = |reply: &Reply| reply.status() == 200;
    let one_alphabet = answers.iter().any(is_in) && answers.iter().all(|reply| is_in(reply) || is_refused(reply));
    cx.observe(
        &[("both", answers.iter().all(is_in)), ("issued", one_alphabet)],
        format!("statuses {statuses:?} for base64, unpadded, base64url, unpadded"),
    )
    .seen_in(answers.iter().filter(|reply| !is_in(reply)).take(2))
}

/// What a payload says of a user, beside its e-mail.
fn claims_of(cx: &CaseContext<'_>, email: &str, id: &str, role: &str, held: &[&str]) -> Result<Value, CaseError> {
    let exp = seconds_from_now(cx, 3_600)?;
    Ok(json!({ "email": email, "userId": id, "role": role, "permissions": held, "iat": exp - 86_400, "exp": exp }))
}

fn payload_cannot_give_permissions(cx: &CaseContext<'_>) -> CaseResult {
    let weak = holder_let_in(cx, "user")?;
    let strong = users::register(cx, "admin")?;
    let book = books::create(cx, &json!({}))?;
    let all = crate::chapters::permissions::permission_sets::ALL;
    let payloads = [
        claims_of(cx, &weak.user.email, &weak.user.id, "admin", &all)?,
        claims_of(cx, &weak.user.email, &strong.id, "admin", &all)?,
    ];
    for payload in payloads {
        let token = weak.mint.token(&payload);
        let fields = json!({ "titulo": "La tregua", "autor": "Mario Benedetti" });
        let created = cx.post("/libros").jwt(&token).json(&fields).send()?;
        books::adopt(cx, created).check().status(401)?;
        cx.delete(&book.path()).jwt(&token).send()?.check().status(401)?;
        cx.get("/auth/api-keys").jwt(&token).send()?.check().status(401)?;
    }
    Ok(())
}

fn payload_cannot_take_permissions(cx: &CaseContext<'_>) -> CaseResult {
    let strong = holder_let_in(cx, "admin")?;
    let weak = users::register(cx, "user")?;
    let payloads = [
        claims_of(cx, &strong.user.email, &strong.user.id, "user", &[])?,
        claims_of(cx, &strong.user.email, &weak.id, "user", &["read:libros"])?,
        claims_of(cx, &strong.user.email, "user_0", "", &["nada"])?,
    ];
    for payload in payloads {
        let token = strong.mint.token(&payload);
        let book = books::create(cx, &json!({}))?;
        let fields = json!({ "titulo": "Los adioses", "autor": "Juan Carlos Onetti" });
        cx.put(&book.path()).jwt(&token).json(&fields).send()?.check().status(200)?;
        cx.delete(&book.path()).jwt(&token).send()?.check().status(204)?;
        cx.get("/auth/api-keys").jwt(&token).send()?.check().status(200)?;
    }
    Ok(())
}
