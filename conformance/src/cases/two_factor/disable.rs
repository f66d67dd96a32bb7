//! Disabling.

use serde_json::{Value, json};

use super::has_message;
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::fixture::users::{PASSWORD, Tokens};
use crate::http::reply::{Reply, reading};

cases! { "two-factor";
    /// Disabling answers 200 with mensaje alone.
    disabling_answers_with_a_message judges ["two-factor/disable-shape"];
    /// A wrong password, and none, are 400, and a login still asks for a second factor.
    disabling_checks_the_password judges ["two-factor/disable-wrong-password"];
    /// A login asks for no second factor after disabling.
    disabling_takes_effect judges ["two-factor/disable-takes-effect"];
    /// Disabling what was never configured is 400, the password right or wrong.
    disabling_what_was_never_configured_is_refused judges ["two-factor/disable-unconfigured"];
    /// Disabling what is disabled is refused, or answers as before.
    what_disabling_again_answers judges ["two-factor/disable-again"];
}

fn disable(t: &Trial<'_>, tokens: &Tokens, body: &Value) -> Result<Reply, Stop> {
    t.post("/2fa/disable").bearer(&tokens.session).json(body).send()
}

fn disabling_answers_with_a_message(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    let reply = disable(t, &enrolled.tokens, &json!({ "password": PASSWORD }))?;
    let judge = reply.judge("two-factor/disable-shape").status(200)?;
    has_message(judge.keys("", &["mensaje"])?)?;
    Ok(())
}

fn disabling_checks_the_password(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    let upper = PASSWORD.to_uppercase();
    for body in [
        json!({ "password": "no-es-esta" }),
        json!({}),
        json!({ "password": "" }),
        json!({ "password": null }),
        json!({ "password": upper }),
    ] {
        let reply = disable(t, &enrolled.tokens, &body)?;
        reply.judge("two-factor/disable-wrong-password").status(400)?;
    }
    let reply = t.log_in_from(&enrolled.user, &t.laptop())?;
    let judge = reply.judge("two-factor/disable-wrong-password");
    judge.at("/requiere2FA", &json!(true))?;
    // The twin: the right one does.
    t.disable(&enrolled.tokens).map(|_| ())
}

fn disabling_takes_effect(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    t.disable(&enrolled.tokens)?;
    let reply = t.log_in_from(&enrolled.user, &t.laptop())?;
    let judge = reply.judge("two-factor/disable-takes-effect");
    let is_token = |token: &Value| token.as_str().is_some_and(|token| !token.is_empty());
    judge.at("/requiere2FA", &json!(false))?.at_where("/tokens/sessionToken", "a token", is_token)?;
    Ok(())
}

fn disabling_what_was_never_configured_is_refused(t: &Trial<'_>) -> Judged {
    let (_, tokens) = t.register_and_log_in("user")?;
    for password in [PASSWORD, "no-es-esta"] {
        let reply = disable(t, &tokens, &json!({ "password": password }))?;
        reply.judge("two-factor/disable-unconfigured").status(400)?;
    }
    Ok(())
}

fn what_disabling_again_answers(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    t.disable(&enrolled.tokens)?;
    let reply = disable(t, &enrolled.tokens, &json!({ "password": PASSWORD }))?;
    let login = t.log_in_from(&enrolled.user, &t.laptop())?;
    let is_disabled = login.at("/requiere2FA") == Some(json!(false));
    let status = reply.status();
    let readings = [
        ("400, since only an enabled second factor can be disabled", status == 400 && is_disabled),
        ("200, and it stays disabled", status == 200 && is_disabled),
    ];
    let got = format!("status {status}, disabled afterwards: {is_disabled}");
    reading(t, "two-factor/disable-again", &readings, got)
}
