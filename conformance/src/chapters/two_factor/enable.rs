//! The routes of the second factor, and switching it on.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Factor;

cases! { "two-factor";
    /// Each route acts on the user of its credential, not on one named in the body, and leaves others as they were.
    each_route_acts_on_its_own_user judges ["two-factor/own-user"] => |cx| {
        let (other, others) = users::register_and_log_in(cx, "user")?;
        let (_, own) = users::register_and_log_in(cx, "user")?;
        // The key email may be refused: then nothing is done for any user.
        let named = json!({ "password": other.password, "email": other.email });
        let rounds = [("enable", false), ("enable", true), ("disable", true), ("regenerate-backup-codes", true)];
        let mut factor = None;
        for (nth, (route, was)) in rounds.into_iter().enumerate() {
            if was && factor.is_none() {
                factor = Some(two_factor::enable(cx, &others)?);
            }
            two_factor::enable(cx, &own)?;
            two_factor::manage_with(cx, route, &own, &named).send()?;
            let is = two_factor::status_at(cx, &others, "/habilitado")?;
            cx.check(is == json!(was), format!("the other user after {route}"), was, is)?;
            // Neither its secret nor its codes are others: one of them still lets it in.
            if let Some(factor) = &factor {
                let session = two_factor::pending_session(cx, &other)?;
                let status = two_factor::verify(cx, &session, factor.backup_code(nth)?)?.status();
                cx.check(status == 200, format!("a backup code of the other user after {route}"), 200, status)?;
            }
        }
        Ok(())
    };
    /// Each management route is 401 without a credential or with an unknown one, where a user gets another answer.
    without_a_credential_each_route_is_401 judges ["two-factor/credential-required"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        two_factor::status(cx, &tokens)?;
        for (method, path) in ROUTES {
            let asked = || request(cx, method, path);
            let unknown = "0123456789abcdef".repeat(4);
            each_answers(401, [asked(), asked().key("ak_nobody"), asked().bearer(&unknown), asked().jwt("a.b.c")])?;
        }
        Ok(())
    };
    /// Each management route is 400 to a valid API key.
    to_an_api_key_each_route_is_400 judges ["two-factor/api-key-refused"]
        => |cx| each_route_is_400(cx, &[cx.test_key(), cx.admin_key()]);
    /// So it is to a key that may not even read: any valid credential is one.
    to_a_key_that_may_not_read_each_route_is_400 judges ["two-factor/api-key-refused"] => |cx| {
        let keys = [clients::create_key(cx, &["write:libros"])?, clients::create_key(cx, &["delete:libros"])?];
        each_route_is_400(cx, &[&keys[0], &keys[1]])
    };
    /// Other paths under /2fa/ are 404 to a user.
    other_paths_are_404_to_a_user judges ["two-factor/unknown-path"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        two_factor::status(cx, &tokens)?;
        OTHER_PATHS.into_iter().try_for_each(|(method, path)| {
            let asked = || request(cx, method, path);
            each_answers(404, [asked().bearer(&tokens.session), asked().jwt(&tokens.jwt)])
        })
    };
    /// Other paths under /2fa/ without a credential or with an API key: 404, or the credential's refusal.
    what_other_paths_answer_to_others judges ["two-factor/unknown-path-credential"] => |cx| {
        for path in ["/2fa/otra", "/2fa/nada"] {
            let asked = || request(cx, "GET", path);
            for (request, refusal) in [(asked(), 401), (asked().key(cx.admin_key()), 400)] {
                let status = request.send()?.status();
                let readings = [("path", status == 404), ("credential", status == refusal)];
                cx.observe(&readings, format!("status {status} to GET {path}"))?;
            }
        }
        Ok(())
    };
    /// A known path with a method that it does not have is refused.
    what_other_methods_answer judges ["two-factor/wrong-method"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        for (method, path) in [
            ("GET", "/2fa/enable"),
            ("DELETE", "/2fa/disable"),
            ("POST", "/2fa/status"),
            ("PUT", "/2fa/regenerate-backup-codes"),
            ("POST", "/2fa/trusted-devices"),
            ("GET", "/2fa/trusted-devices/0123456789abcdef"),
        ] {
            let asked = || request(cx, method, path);
            for (request, is_bare) in [(asked().bearer(&tokens.session), false), (asked(), true)] {
                let status = request.send()?.status();
                let is = |wanted| status == wanted;
                let readings = [("404", is(404)), ("405", is(405)), ("400", is(400)), ("401", is(401) && is_bare)];
                cx.observe(&readings, format!("status {status} to {method} {path}"))?;
            }
        }
        Ok(())
    };
    /// The letters of the secret and of a pending session are lower case, or upper.
    the_letter_case_of_hexadecimal_digits judges ["two-factor/hex-case"] => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "user")?;
        let secret = two_factor::enable(cx, &tokens)?.secret;
        let session = two_factor::pending_session(cx, &user)?;
        for (what, text) in [("the secret", secret), ("a pending session", session)] {
            let has = |is_case: fn(&char) -> bool| text.chars().any(|c| is_case(&c));
            let readings = [("lower", !has(char::is_ascii_uppercase)), ("upper", !has(char::is_ascii_lowercase))];
            cx.observe_of(what, &readings, text.clone())?;
        }
        Ok(())
    };
    /// Enabling, and enabling again, answers 200 with its four keys and a secret of 40 hexadecimal digits.
    enabling_is_answered_in_full judges ["two-factor/enable-shape", "two-factor/secret-form"]
        => |cx| two_factor::enable(cx, &two_factor::enroll(cx)?.tokens).map(drop);
    /// Enabling with a wrong password, or without one, succeeds.
    enabling_does_not_check_the_password judges ["two-factor/enable-password-unchecked"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        each_answers(200, wrong_passwords().iter().map(|body| two_factor::manage_with(cx, "enable", &tokens, body)))
    };
    /// A login asks for a second factor after enabling, and not before.
    enabling_takes_effect judges ["two-factor/enable-takes-effect"] => |cx| asks(cx, &two_factor::enroll(cx)?.user).map(drop);
    /// A login asks for a second factor after disabling and enabling again.
    enabling_after_disabling_takes_effect judges ["two-factor/enable-takes-effect"] => |cx| {
        let mut enrolled = two_factor::enroll(cx)?;
        two_factor::disable(cx, &enrolled.tokens)?;
        enrolled.factor = two_factor::enable(cx, &enrolled.tokens)?;
        let session = two_factor::pending_session_in(&asks(cx, &enrolled.user)?)?;
        two_factor::judge_check(cx, &session, &enrolled.code(cx)?, 200)
    };
    /// Enabling again issues another secret and other backup codes.
    enabling_again_issues_another_secret judges ["two-factor/enable-again"]
        => |cx| is_other_than_before(cx, &two_factor::enroll(cx)?).map(drop);
    /// After enabling again the codes of the earlier secret are refused, those of the new one accepted.
    enabling_again_ends_the_earlier_secret judges ["two-factor/enable-again"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let step = totp_steps::current(cx)?;
        let earlier = enrolled.factor.code(step);
        let mut factor = two_factor::enable(cx, &enrolled.tokens)?;
        // Two random secrets may have a code in common; hardly the next one too.
        if (step - 2..=step + 3).any(|near| factor.code(near) == earlier) {
            factor = two_factor::enable(cx, &enrolled.tokens)?;
        }
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::judge_check(cx, &session, &earlier, 400)?;
        two_factor::judge_check(cx, &session, &factor.code(totp_steps::current(cx)?), 200)
    };
    /// After enabling again the earlier backup codes are refused, used or not, the new ones accepted.
    enabling_again_ends_the_earlier_backup_codes judges ["two-factor/enable-again"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let used = enrolled.backup_code(0)?;
        two_factor::log_in_with(cx, &enrolled.user, used)?;
        let factor = two_factor::enable(cx, &enrolled.tokens)?;
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        for earlier in [enrolled.backup_code(1)?, used] {
            two_factor::judge_check(cx, &session, earlier, 400)?;
        }
        two_factor::judge_check(cx, &session, factor.backup_code(0)?, 200)
    };
    /// Enabling after disabling issues another secret and other backup codes, and the earlier are refused.
    enabling_after_disabling_issues_another_secret judges ["two-factor/enable-again"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        two_factor::disable(cx, &enrolled.tokens)?;
        let factor = Factor::parse(&is_other_than_before(cx, &enrolled)?)?;
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::judge_check(cx, &session, enrolled.backup_code(0)?, 400)?;
        two_factor::judge_check(cx, &session, factor.backup_code(0)?, 200)
    };
    /// Enabling again sets ultimoUso back to null, or keeps it.
    whether_enabling_again_forgets_the_last_use judges ["two-factor/enable-again-last-use"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(0)?)?;
        let last_use = || two_factor::status_at(cx, &enrolled.tokens, "/ultimoUso");
        let before = last_use()?;
        two_factor::enable(cx, &enrolled.tokens)?;
        let after = last_use()?;
        cx.observe(&[("null", after.is_null()), ("kept", after == before)], after)
    };
    /// A session token issued before works after enabling and after disabling.
    sessions_outlive_enabling_and_disabling judges ["two-factor/sessions-survive"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        let (_, twin) = users::register_and_log_in(cx, "user")?;
        let using = |tokens: &Tokens| cx.get("/libros?limit=1").bearer(&tokens.session);
        using(&twin).send()?.prepared("using a session", 200)?;
        two_factor::enable(cx, &tokens)?;
        each_answers(200, [using(&tokens)])?;
        two_factor::disable(cx, &tokens)?;
        each_answers(200, [using(&tokens)])
    };
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

fn each_route_is_400(cx: &CaseContext<'_>, keys: &[&str]) -> CaseResult {
    let with_keys = |(method, path)| keys.iter().map(move |key| request(cx, method, path).key(key));
    each_answers(400, ROUTES.into_iter().flat_map(with_keys))
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

/// Wrong passwords, and none.
pub(crate) fn wrong_passwords() -> [Value; 4] {
    [json!({ "password": "no-es-esta" }), json!({}), json!({ "password": "" }), json!({ "password": null })]
}

/// A login asks for a second factor.
fn asks(cx: &CaseContext<'_>, user: &MadeUser) -> CaseResult<Reply> {
    let reply = two_factor::log_in(cx, user)?;
    reply.check().at("/requiere2FA", &json!(true))?.nothing_at("/tokens")?;
    Ok(reply)
}

/// Two-factor enabled once more, with nothing of before.
fn is_other_than_before(cx: &CaseContext<'_>, enrolled: &Enrolled) -> CaseResult<Reply> {
    let reply = two_factor::manage(cx, "POST", "enable", &enrolled.tokens).send()?;
    let check = reply.check().status(200)?;
    check.at_where("/secret", "another than before", |secret| {
        secret.as_str().is_some_and(|secret| secret != enrolled.factor.secret)
    })?;
    check.at_where("/backupCodes", "none of those before", |codes| {
        let codes = codes.as_array().map_or(&[][..], Vec::as_slice);
        let earlier = json!(enrolled.factor.backup_codes);
        !codes.is_empty() && !codes.iter().any(|code| earlier.as_array().is_some_and(|them| them.contains(code)))
    })?;
    Ok(reply)
}
