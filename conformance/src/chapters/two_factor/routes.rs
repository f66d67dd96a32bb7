//! Who may use the management routes, and paths and methods that are none of them.

use crate::chapters::prelude::*;
use crate::fixture::users::Tokens;

cases! { "two-factor";
    /// Each route acts on the user of its credential, not on one named in the body, and leaves others as they were.
    each_route_acts_on_its_own_user judges ["two-factor/own-user"];
    /// Each management route is 401 without a credential or with an unknown one, where a user gets another answer.
    without_a_credential_each_route_is_401 judges ["two-factor/credential-required"];
    /// Each management route is 400 to a valid API key.
    to_an_api_key_each_route_is_400 judges ["two-factor/api-key-refused"];
    /// So it is to a key that may not even read: any valid credential is one.
    to_a_key_that_may_not_read_each_route_is_400 judges ["two-factor/api-key-refused"];
    /// Other paths under /2fa/ are 404 to a user.
    other_paths_are_404_to_a_user judges ["two-factor/unknown-path"];
    /// Other paths under /2fa/ without a credential or with an API key: 404, or the credential's refusal.
    what_other_paths_answer_to_others judges ["two-factor/unknown-path-credential"];
    /// A known path with a method that it does not have is refused.
    what_other_methods_answer judges ["two-factor/wrong-method"];
}

const ROUTES: [(&str, &str); 6] = [
    ("POST", "/2fa/enable"),
    ("POST", "/2fa/disable"),
    ("GET", "/2fa/status"),
    ("POST", "/2fa/regenerate-backup-codes"),
    ("GET", "/2fa/trusted-devices"),
    ("DELETE", "/2fa/trusted-devices/0123456789abcdef"),
];

fn request<'t>(cx: &'t CaseContext<'_>, method: &str, path: &str) -> Request<'t> {
    let request = cx.request(method, path);
    if method == "POST" { request.json(&json!({ "password": PASSWORD })) } else { request }
}

fn without_a_credential_each_route_is_401(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    two_factor::status(cx, &tokens)?;
    for (method, path) in ROUTES {
        let asked = || request(cx, method, path);
        let unknown =
            [asked(), asked().key("ak_nobody"), asked().bearer(&"0123456789abcdef".repeat(4)), asked().jwt("a.b.c")];
        for request in unknown {
            request.send()?.check().status(401)?;
        }
    }
    Ok(())
}

fn to_an_api_key_each_route_is_400(cx: &CaseContext<'_>) -> CaseResult {
    for (method, path) in ROUTES {
        for key in [cx.test_key(), cx.admin_key()] {
            request(cx, method, path).key(key).send()?.check().status(400)?;
        }
    }
    Ok(())
}

fn to_a_key_that_may_not_read_each_route_is_400(cx: &CaseContext<'_>) -> CaseResult {
    for permission in ["write:libros", "delete:libros"] {
        let key = clients::create_key(cx, &[permission])?;
        for (method, path) in ROUTES {
            request(cx, method, path).key(&key).send()?.check().status(400)?;
        }
    }
    Ok(())
}

const OTHER_PATHS: [(&str, &str); 8] = [
    ("GET", "/2fa/nada"),
    ("POST", "/2fa/nada"),
    ("GET", "/2fa/statuses"),
    ("GET", "/2fa/trusted-devices-old"),
    ("POST", "/2fa/enabled"),
    ("POST", "/2fa/enable/ahora"),
    ("POST", "/2fa/verify"),
    ("DELETE", "/2fa/devices/0123456789abcdef"),
];

fn other_paths_are_404_to_a_user(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    two_factor::status(cx, &tokens)?;
    for (method, path) in OTHER_PATHS {
        for request in [request(cx, method, path).bearer(&tokens.session), request(cx, method, path).jwt(&tokens.jwt)] {
            request.send()?.check().status(404)?;
        }
    }
    Ok(())
}

fn what_other_paths_answer_to_others(cx: &CaseContext<'_>) -> CaseResult {
    for path in ["/2fa/otra", "/2fa/nada"] {
        for (key, refusal) in [(None, 401), (Some(cx.admin_key()), 400)] {
            let request = request(cx, "GET", path);
            let request = match key {
                Some(key) => request.key(key),
                None => request,
            };
            let status = request.send()?.status();
            let readings = [("path", status == 404), ("credential", status == refusal)];
            cx.observe(&readings, format!("status {status} to GET {path}"))?;
        }
    }
    Ok(())
}

fn what_other_methods_answer(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    for (method, path) in [
        ("GET", "/2fa/enable"),
        ("DELETE", "/2fa/disable"),
        ("POST", "/2fa/status"),
        ("PUT", "/2fa/regenerate-backup-codes"),
        ("POST", "/2fa/trusted-devices"),
        ("GET", "/2fa/trusted-devices/0123456789abcdef"),
    ] {
        for with_credential in [true, false] {
            let request = request(cx, method, path);
            let request = if with_credential { request.bearer(&tokens.session) } else { request };
            let status = request.send()?.status();
            let readings = [
                ("404", status == 404),
                ("405", status == 405),
                ("400", status == 400),
                ("401", status == 401 && !with_credential),
            ];
            cx.observe(&readings, format!("status {status} to {method} {path}"))?;
        }
    }
    Ok(())
}

fn each_route_acts_on_its_own_user(cx: &CaseContext<'_>) -> CaseResult {
    let (other, others) = users::register_and_log_in(cx, "user")?;
    let (_, own) = users::register_and_log_in(cx, "user")?;
    let is_enabled = |tokens: &Tokens| Ok::<_, CaseError>(two_factor::status(cx, tokens)?.at("/habilitado"));
    // The key email may be refused: then nothing is done for any user.
    let named = json!({ "password": other.password, "email": other.email });
    let rounds = [("enable", false), ("enable", true), ("disable", true), ("regenerate-backup-codes", true)];
    let mut factor = None;
    for (nth, (route, was)) in rounds.into_iter().enumerate() {
        if was && factor.is_none() {
            factor = Some(two_factor::enable(cx, &others)?);
        }
        two_factor::manage(cx, "POST", "enable", &own).send()?.prepared("enabling two-factor", 200)?;
        cx.post(&format!("/2fa/{route}")).bearer(&own.session).json(&named).send()?;
        let is = is_enabled(&others)?;
        cx.check(is == Some(json!(was)), format!("the other user after {route}"), was, format!("{is:?}"))?;
        // Neither its secret nor its codes are others: one of them still lets it in.
        if let Some(factor) = &factor {
            let session = two_factor::pending_session(cx, &other)?;
            let status = two_factor::verify(cx, &session, factor.backup_code(nth)?)?.status();
            cx.check(status == 200, format!("a backup code of the other user after {route}"), 200, status)?;
        }
    }
    Ok(())
}
