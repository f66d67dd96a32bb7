//! Histories of registrations, logins, uses and waiting, drawn by the run's seed and held against the model.
//!
//! A history that goes wrong is shrunk to the steps that matter; the run's seed plays it again.

use serde_json::{Value, json};

use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::contract::violation::Place;
use crate::fixture::time::{HOUR_MS, SECOND_MS};
use crate::fixture::{books, users};
use crate::generate::histories::{
    Chapter, Difference, Done, Names, Side, StepRequest, USER_LACKS_PERMISSION, follow, sessions,
};
use crate::generate::inputs::each;

cases! { "sessions";
    /// Sessions and JWTs are valid exactly as long as in the model, whatever users do and however long they wait.
    sequences_with_waiting_follow_the_model judges ["sessions/accepted"] and [RULES] needs [Need::Clock] => |cx| {
        let draws = cx.session().cases * HISTORIES_OF_5 / 5;
        each(cx, draws, &sessions(true), |history, show| follow(cx, CHAPTER, &names(cx), history, show))
    };
    /// Sessions and JWTs are accepted as in the model, whatever users do without waiting.
    sequences_without_waiting_follow_the_model judges ["sessions/accepted"] and [RULES] => |cx| {
        let draws = cx.session().cases * HISTORIES_OF_5 / 5 / 8;
        each(cx, draws, &sessions(false), |history, show| follow(cx, CHAPTER, &names(cx), history, show))
    };
}

/// Further rules that a history may find broken.
const RULES: [&str; 23] = [
    "registration/created",
    "registration/email-taken",
    "registration/email-taken-keeps-first",
    "login/success",
    "login/email-unknown",
    "login/password-wrong",
    "sessions/unknown",
    "sessions/distinct",
    "sessions/first-hour",
    "sessions/use-extends",
    "sessions/use-shortens",
    "sessions/use-then-failure",
    "sessions/use-anywhere",
    "sessions/denied-keeps-expiry",
    "sessions/unsupported-method-keeps-expiry",
    "sessions/removed",
    "tokens/accepted",
    "tokens/segments-wrong",
    "tokens/day",
    "permissions/role-admin",
    "permissions/role-moderator",
    "permissions/role-user",
    "permissions/role-other",
];

/// A history takes a dozen requests and some passwords to hash, so two of them count for five inputs.
const HISTORIES_OF_5: u32 = 2;

const CHAPTER: Chapter = Chapter { parts, leaves_out: |_, _| false, overlooks: |_| false, rule };

fn names(cx: &CaseContext<'_>) -> Names {
    let people = ["Una-clave-larga-2026!", "Otra-clave-larga-2026!"];
    let people = people.map(|password| (users::email(cx, "user"), password.to_owned()));
    Names { people: people.into(), unknown_book: books::unknown_path(cx), ..Names::default() }
}

/// The status of registrations and logins, and whether other requests are let in; a 405 is judged elsewhere.
fn parts(request: &StepRequest, side: Side<'_>) -> Vec<(Place, Value)> {
    let status = side.reply.status;
    match request.path.as_str() {
        "/auth/registro" => vec![(Place::STATUS, json!(status))],
        "/auth/login" => {
            let token = side.reply.json().and_then(|body| body["tokens"]["sessionToken"].as_str());
            let is_new =
                token.map(|token| if side.memory.holds(token) { "one given before" } else { "a token of its own" });
            vec![(Place::STATUS, json!(status)), (Place::body("/tokens/sessionToken"), json!(is_new))]
        }
        _ if request.method == "PATCH" => Vec::new(),
        _ => vec![(Place::STATUS, if status == 401 { json!(401) } else { json!("let in") })],
    }
}

fn rule(cx: &CaseContext<'_>, log: &[Done], difference: &Difference) -> CaseResult<&'static str> {
    let Some((last, before)) = log.split_last() else { return Err(CaseError::Broken("nothing was sent".into())) };
    let is_in = difference.got != json!(401);
    Ok(match last.asked.path.as_str() {
        "/auth/registro" if last.want.status == 201 => "registration/created",
        "/auth/registro" => "registration/email-taken",
        "/auth/login" if difference.place != Place::STATUS => match difference.got {
            Value::Null => return Err(CaseError::blocked("logging in", "want two tokens, got none")),
            _ => "sessions/distinct",
        },
        "/auth/login" => {
            let email = last.asked.field("email");
            let is_of_it = |done: &&Done| done.asked.path == "/auth/registro" && done.asked.field("email") == email;
            match (before.iter().filter(is_of_it).count(), last.want.status) {
                (0, _) => "login/email-unknown",
                (1, 200) => "login/success",
                (1, _) => "login/password-wrong",
                _ => "registration/email-taken-keeps-first",
            }
        }
        _ => {
            let Some(issued) = issued(before, last) else {
                return Ok(if is_jwt(last) { "tokens/segments-wrong" } else { "sessions/unknown" });
            };
            // A request that every role may make shows whether the token has ended or its permissions are too few.
            let is_denied = last.is_refused_as(USER_LACKS_PERMISSION);
            if is_denied || !is_in && reads_list(cx, last)? {
                role_rule(before, issued)
            } else {
                life_rule(before, issued, last, is_in)
            }
        }
    })
}

fn credential(done: &Done) -> Option<&str> {
    done.asked.value_of("Authorization")
}

fn is_jwt(done: &Done) -> bool {
    credential(done).is_some_and(|value| value.starts_with("JWT"))
}

/// The login that gave the token of a request.
fn issued<'a>(before: &'a [Done], last: &Done) -> Option<&'a Done> {
    let (_, token) = credential(last)?.split_once(' ')?;
    before.iter().find(|done| {
        let tokens = done.want.json().map(|body| &body["tokens"]);
        tokens.is_some_and(|tokens| tokens["sessionToken"] == token || tokens["jwtToken"] == token)
    })
}

fn reads_list(cx: &CaseContext<'_>, last: &Done) -> CaseResult<bool> {
    let credential = last.sent.value_of("Authorization").unwrap_or_default();
    Ok(cx.get("/libros?limit=1").header("Authorization", credential).send_unrecorded()?.status() != 401)
}

fn role_rule(before: &[Done], issued: &Done) -> &'static str {
    let email = issued.asked.field("email");
    let registered = before.iter().find(|done| done.want.status == 201 && done.asked.field("email") == email);
    match registered.map(|done| done.asked.field("role")).unwrap_or_default().as_str() {
        Some("admin") => "permissions/role-admin",
        Some("moderator") => "permissions/role-moderator",
        Some("user") => "permissions/role-user",
        _ => "permissions/role-other",
    }
}

/// The rule about how long a token lives, by what happened to it last.
fn life_rule(before: &[Done], issued: &Done, last: &Done, is_in: bool) -> &'static str {
    let age_ms = last.at_ms - issued.at_ms;
    if is_jwt(last) {
        return if !is_in && age_ms < 2 * SECOND_MS { "tokens/accepted" } else { "tokens/day" };
    }
    let since_login = before.iter().filter(|done| done.step > issued.step);
    let (mut latest_use, mut since, mut is_removed) = (None, None, false);
    for done in since_login {
        let is_own = credential(done) == credential(last);
        match done.want.status {
            405 if is_own => since = Some("sessions/unsupported-method-keeps-expiry"),
            401 if is_own && done.is_refused_as(USER_LACKS_PERMISSION) => since = Some("sessions/denied-keeps-expiry"),
            401 if is_own => is_removed = true,
            _ if is_own => (latest_use, since) = (Some(done), None),
            200 if done.asked.path == "/auth/login" && done.asked.field("email") == issued.asked.field("email") => {
                since = since.or(Some("sessions/distinct"));
            }
            _ => {}
        }
    }
    let use_rule = latest_use.map(|done| match done.asked.path.as_str() {
        "/libros?limit=1" if !is_in || age_ms >= HOUR_MS => "sessions/use-extends",
        "/libros?limit=1" => "sessions/use-shortens",
        path if path.starts_with("/libros/") => "sessions/use-then-failure",
        _ => "sessions/use-anywhere",
    });
    match since.filter(|since| !is_in || *since != "sessions/distinct") {
        _ if is_in && is_removed => "sessions/removed",
        Some(since) => since,
        None if !is_in && use_rule.is_none() && age_ms < SECOND_MS => "sessions/accepted",
        None => use_rule.unwrap_or("sessions/first-hour"),
    }
}
