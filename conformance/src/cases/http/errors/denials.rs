//! What every 401 looks like, whatever led to it. Which request leads to one, and to which code, is other chapters' matter.

use serde_json::{Value, json};

use crate::case::Need;
use crate::cases;
use crate::clock;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::http::reply::{Reply, reading};

cases! { "errors";
    /// A 401 is { error } of exactly codigo, mensaje and timestamp.
    a_denial_has_three_fields judges ["errors/401-body"];
    /// What denies a user for lack of permission, with session or JWT, is no different.
    denials_of_a_user_look_like_any_other judges ["errors/401-body", "errors/401-mensaje", "errors/401-timestamp",
        "errors/401-challenge"];
    /// mensaje of a 401 is a text.
    a_denial_says_why judges ["errors/401-mensaje"];
    /// timestamp of a 401 is the time of the answer, in the documents' form.
    a_denial_tells_the_time judges ["errors/401-timestamp"];
    /// timestamp of a 401 follows the service's clock.
    a_denial_follows_the_clock judges ["errors/401-timestamp"] needs [Need::Clock];
    /// A 401 carries WWW-Authenticate with Bearer and a realm.
    a_denial_names_scheme_and_realm judges ["errors/401-challenge"];
    /// The realm of all 401s is one name, without quotes or with.
    the_realm_of_denials judges ["errors/401-realm"];
    /// Content-Type of a 401 is application/json, with or without a charset.
    the_content_type_of_denials judges ["errors/401-content-type"];
}

/// The 401 of every cause that needs no preparation; what answers otherwise is left out, for others to judge.
fn denials(t: &Trial<'_>) -> Result<Vec<Reply>, Stop> {
    let book = json!({ "titulo": "x", "autor": "y" });
    let requests = [
        t.get("/libros"),
        t.get("/libros/1"),
        t.post("/libros").json(&book),
        t.get("/libros").header("Authorization", "Basic YTpi"),
        t.get("/libros").key("ak_nobody"),
        t.get("/libros").bearer("0123456789abcdef"),
        t.get("/libros").jwt("a.b.c"),
        t.get("/libros").jwt("abc"),
        t.delete(&t.unknown_book()).key(t.test_key()),
        t.get("/auth/api-keys"),
        t.get("/auth/api-keys").key(t.admin_key()),
        t.post("/auth/api-keys").bearer("0123456789abcdef").json(&json!({ "nombre": "x" })),
        t.get("/2fa/status"),
        t.get("/2fa/status").jwt("a.b.c"),
    ];
    let mut denied = Vec::new();
    for request in requests {
        let reply = t.claim(request.send()?);
        if reply.status() == 401 {
            denied.push(reply);
        }
    }
    if denied.is_empty() {
        return Err(Stop::Blocked {
            step: "being denied".into(),
            why: "no request without a valid credential is 401".into(),
        });
    }
    Ok(denied)
}

fn a_denial_has_three_fields(t: &Trial<'_>) -> Judged {
    denials(t)?.iter().try_for_each(has_three_fields)
}

fn has_three_fields(reply: &Reply) -> Judged {
    let judge = reply.judge("errors/401-body").keys("", &["error"])?;
    judge.keys("/error", &["codigo", "mensaje", "timestamp"])?;
    Ok(())
}

fn denials_of_a_user_look_like_any_other(t: &Trial<'_>) -> Judged {
    let user = &t.target().credentials.regular_user;
    let tokens = t.log_in(&user.email, &user.password)?;
    let before = t.target_now()?;
    let create = || t.post("/libros").json(&json!({ "titulo": "x", "autor": "y" }));
    for request in [create().bearer(&tokens.session), create().jwt(&tokens.jwt)] {
        let reply = t.claim(request.send()?).prepared("being denied a create", 401)?;
        has_three_fields(&reply)?;
        says_why(&reply)?;
        tells_the_time(t, &reply, before)?;
        names_scheme_and_realm(&reply)?;
    }
    Ok(())
}

fn a_denial_says_why(t: &Trial<'_>) -> Judged {
    denials(t)?.iter().try_for_each(says_why)
}

fn says_why(reply: &Reply) -> Judged {
    let is_text = |mensaje: &Value| mensaje.as_str().is_some_and(|text| !text.trim().is_empty());
    let judge = reply.judge("errors/401-mensaje");
    judge.at_where("/error/mensaje", "a text", is_text)?;
    Ok(())
}

fn a_denial_tells_the_time(t: &Trial<'_>) -> Judged {
    let before = t.target_now()?;
    denials(t)?.iter().try_for_each(|reply| tells_the_time(t, reply, before))
}

fn tells_the_time(t: &Trial<'_>, reply: &Reply, before: i64) -> Judged {
    let judge = reply.judge("errors/401-timestamp");
    let text = reply.text_at("/error/timestamp");
    let time = clock::parse_iso(&text);
    judge.at_where("/error/timestamp", "YYYY-MM-DDThh:mm:ss.mmmZ", |_| time.is_some())?;
    let is_now = t.is_now(time.unwrap_or_default(), before)?;
    judge.that(is_now, "body /error/timestamp", format!("about {}", clock::iso(before)), text)?;
    Ok(())
}

fn a_denial_follows_the_clock(t: &Trial<'_>) -> Judged {
    t.advance(3_600.0)?;
    a_denial_tells_the_time(t)
}

/// What stands after `realm=` in a challenge of the scheme Bearer.
fn realm(reply: &Reply) -> Option<String> {
    let challenge = reply.header("WWW-Authenticate")?;
    let realm = challenge.strip_prefix("Bearer ")?.trim_start().strip_prefix("realm=")?;
    let is_named = !realm.trim_matches(['"', ' ']).is_empty();
    is_named.then(|| realm.to_owned())
}

fn a_denial_names_scheme_and_realm(t: &Trial<'_>) -> Judged {
    denials(t)?.iter().try_for_each(names_scheme_and_realm)
}

fn names_scheme_and_realm(reply: &Reply) -> Judged {
    let got = reply.header("WWW-Authenticate").unwrap_or_else(|| "absent".into());
    let judge = reply.judge("errors/401-challenge");
    judge.that(realm(reply).is_some(), "header WWW-Authenticate", "Bearer realm=<a name>", got)?;
    Ok(())
}

fn the_realm_of_denials(t: &Trial<'_>) -> Judged {
    let realms: Vec<Option<String>> = denials(t)?.iter().map(realm).collect();
    let Some(first) = realms.first().cloned().flatten() else {
        return Err(Stop::Blocked {
            step: "reading a challenge".into(),
            why: "there is no Bearer realm=<a name>".into(),
        });
    };
    let is_one = realms.iter().flatten().all(|realm| *realm == first);
    let is_quoted = first.len() > 2 && first.starts_with('"') && first.ends_with('"');
    let readings = [("without quotes", is_one && !first.contains('"')), ("in quotes", is_one && is_quoted)];
    reading(t, "errors/401-realm", &readings, format!("{realms:?}"))
}

fn the_content_type_of_denials(t: &Trial<'_>) -> Judged {
    for reply in denials(t)? {
        let got = reply.header("Content-Type").unwrap_or_default();
        let plain = got.to_ascii_lowercase().replace(' ', "");
        let readings = [
            ("`application/json`", plain == "application/json"),
            ("`application/json; charset=utf-8`", plain == "application/json;charset=utf-8"),
        ];
        reading(t, "errors/401-content-type", &readings, format!("header Content-Type: {got}"))?;
    }
    Ok(())
}
