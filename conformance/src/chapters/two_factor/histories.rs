//! Histories of the whole flow, drawn by the run's seed and compared with the model: enabling, logins, codes, devices, waits, disabling.
//!
//! A history that goes wrong is shrunk to the steps that matter; the run's seed plays it again.

use serde_json::{Value, json};

use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::contract::violation::Place;
use crate::fixture::time::{HOUR_MS, MINUTE_MS};
use crate::fixture::two_factor::{laptop, phone};
use crate::fixture::users::{self, PASSWORD};
use crate::generate::histories::{
    BLOCKED, Chapter, Difference, Done, INVALID_CODE, NOT_CONFIGURED, NOT_ENABLED, Names, Side, StepRequest,
    WRONG_PASSWORD, follow, two_factor,
};
use crate::generate::inputs::each;
use crate::http::exchange::Received;

cases! { "two-factor";
    /// Codes, pending sessions, blocks and devices are as in the model, whatever a user does, in any order and at any time.
    walks_follow_the_model judges ["two-factor/enable-takes-effect", "two-factor/enable-again",
        "two-factor/disable-takes-effect", "two-factor/disable-wrong-password", "two-factor/disable-unconfigured",
        "two-factor/regenerate-wrong-password", "two-factor/regenerate-not-enabled", "two-factor/status-unconfigured",
        "two-factor/status-enabled", "two-factor/status-codes-available", "two-factor/status-codes-total",
        "verification/shape", "verification/invalid-code", "backup-codes/single-use",
        "backup-codes/regenerate-invalidates", "lockout/three-failures", "lockout/two-failures", "lockout/window",
        "lockout/ends", "lockout/login-open", "lockout/success-keeps-failures", "lockout/after-block",
        "devices/registered", "devices/remove-takes-effect", "devices/trusted-30-days", "devices/expires",
        "pending/success-removes", "pending/failure-keeps", "pending/expires"] needs [Need::Clock] => |cx| {
        let draws = cx.session().cases / INPUTS_A_HISTORY;
        each(cx, draws, &two_factor(), |history, show| follow(cx, CHAPTER, &names(cx), history, show))
    };
}

/// A history takes a dozen requests and some passwords to hash, so it counts for several inputs.
const INPUTS_A_HISTORY: u32 = 5;

const CHAPTER: Chapter = Chapter { parts, leaves_out, overlooks: is_longer_list, rule };

fn names(cx: &CaseContext<'_>) -> Names {
    let agents = [laptop(cx), phone(cx)].map(|device| (device.user_agent, device.accept_language));
    let people = vec![(users::email(cx, "user"), PASSWORD.to_owned())];
    Names { people, agents: agents.into(), ..Names::default() }
}

/// A token that has expired is judged elsewhere, and what disabling again answers is open.
fn leaves_out(request: &StepRequest, foreseen: &Received) -> bool {
    let is_refused = |text: &str| foreseen.json().is_some_and(|body| body["error"] == text);
    request.path.starts_with("/2fa/")
        && (foreseen.status == 401 || request.path == "/2fa/disable" && is_refused(NOT_ENABLED))
}

fn parts(request: &StepRequest, side: Side<'_>) -> Vec<(Place, Value)> {
    let empty = Value::Null;
    let body = side.reply.json().unwrap_or(&empty);
    let at = |pointer: &str| (Place::body(pointer), body.pointer(pointer).cloned().unwrap_or_default());
    let mut parts = vec![(Place::STATUS, json!(side.reply.status))];
    match (request.method, request.path.as_str()) {
        ("POST", "/auth/login") => parts.push(at("/requiere2FA")),
        // What a disabled second factor still counts is not said.
        ("GET", "/2fa/status") if body["habilitado"] == true => {
            parts.extend(["/habilitado", "/backupCodesDisponibles", "/totalBackupCodes"].map(at));
        }
        ("GET", "/2fa/status") => parts.push(at("/habilitado")),
        ("GET", "/2fa/trusted-devices") => {
            let count = body["dispositivos"].as_array().map(Vec::len);
            parts.push((Place::body("/dispositivos"), json!(count)));
        }
        _ => {}
    }
    parts
}

/// Overlooks devices that should not be listed: a later login shows whether they are trusted.
fn is_longer_list(difference: &Difference) -> bool {
    difference.place == Place::body("/dispositivos") && difference.got.as_u64() > difference.want.as_u64()
}

fn rule(_: &CaseContext<'_>, log: &[Done], difference: &Difference) -> CaseResult<&'static str> {
    let Some((last, before)) = log.split_last() else { return Err(CaseError::Broken("nothing was sent".into())) };
    let pointer = |text: &str| difference.place == Place::body(text);
    let toggled = before.iter().rev().find(|done| is_toggle(done));
    Ok(match (last.asked.method, last.asked.path.as_str()) {
        (_, "/auth/registro") => return Err(blocked("registering a user", last)),
        (_, "/auth/login") if before.len() == 1 && last.got.status != 200 => return Err(blocked("logging in", last)),
        (_, "/auth/login") if pointer("/requiere2FA") => login_rule(before, last, toggled),
        (_, "/auth/login") => "lockout/login-open",
        (_, "/auth/verify-2fa") => verification_rule(before, last),
        (_, "/2fa/enable") if toggled.is_some_and(|done| done.asked.path == "/2fa/enable") => "two-factor/enable-again",
        (_, "/2fa/enable") => "two-factor/enable-takes-effect",
        (_, "/2fa/disable") if toggled.is_none() || last.is_refused_as(NOT_CONFIGURED) => {
            "two-factor/disable-unconfigured"
        }
        (_, "/2fa/disable") if last.is_refused_as(WRONG_PASSWORD) => "two-factor/disable-wrong-password",
        (_, "/2fa/disable") => "two-factor/disable-takes-effect",
        (_, "/2fa/regenerate-backup-codes") => match last.want.status {
            200 => "backup-codes/regenerate-invalidates",
            _ if toggled.is_some_and(|done| done.asked.path == "/2fa/enable") => "two-factor/regenerate-wrong-password",
            _ => "two-factor/regenerate-not-enabled",
        },
        (_, "/2fa/status") if pointer("/backupCodesDisponibles") => "two-factor/status-codes-available",
        (_, "/2fa/status") if pointer("/totalBackupCodes") => "two-factor/status-codes-total",
        (_, "/2fa/status") if toggled.is_none() => "two-factor/status-unconfigured",
        (_, "/2fa/status") => "two-factor/status-enabled",
        ("GET", _) => "devices/registered",
        _ => "devices/remove-takes-effect",
    })
}

fn blocked(step: &str, last: &Done) -> CaseError {
    CaseError::blocked(step, format!("want status {}, got {}", last.want.status, last.got.status))
}

fn is_toggle(done: &Done) -> bool {
    matches!(done.asked.path.as_str(), "/2fa/enable" | "/2fa/disable") && done.want.status == 200
}

/// The rule about whether a login asks for a code.
fn login_rule(before: &[Done], last: &Done, toggled: Option<&Done>) -> &'static str {
    let is_asking = last.want.json().is_some_and(|body| body["requiere2FA"] == true);
    if !is_asking && toggled.is_none_or(|done| done.asked.path == "/2fa/disable") {
        return "two-factor/disable-takes-effect";
    }
    if !is_asking {
        return "devices/trusted-30-days";
    }
    // The latest change of the trust in the device, whose number its template has.
    let number = last.template.value_of("User-Agent").and_then(|agent| agent.chars().find(char::is_ascii_digit));
    let id = number.map(|number| format!("‹listed-device {number}›")).unwrap_or_default();
    let removes = |done: &&Done| done.asked.method == "DELETE" && done.template.path.ends_with(&id);
    let trusts = |done: &&Done| {
        let has_its_agent = done.asked.value_of("User-Agent") == last.asked.value_of("User-Agent");
        is_completed(done) && done.asked.field("trustDevice") == true && has_its_agent
    };
    match before.iter().rev().find(|done| removes(done) || trusts(done)) {
        None => "two-factor/enable-takes-effect",
        Some(done) if trusts(&done) => "devices/expires",
        Some(_) => "devices/remove-takes-effect",
    }
}

fn is_completed(done: &Done) -> bool {
    done.asked.path == "/auth/verify-2fa" && done.want.status == 200
}

fn verification_rule(before: &[Done], last: &Done) -> &'static str {
    let id = last.asked.field("sessionId");
    let own = || before.iter().filter(|done| done.asked.field("sessionId") == id);
    let failed = before.iter().filter(|done| done.is_refused_as(INVALID_CODE));
    if last.want.status == 200 {
        let failures: Vec<i64> = failed.map(|done| done.at_ms).collect();
        let recent = failures.iter().filter(|at| last.at_ms - **at <= HOUR_MS).count();
        return match recent {
            0 if failures.is_empty() => "verification/shape",
            0 => "lockout/window",
            1 | 2 if own().any(|done| done.is_refused_as(INVALID_CODE)) => "pending/failure-keeps",
            1 | 2 => "lockout/two-failures",
            _ => "lockout/ends",
        };
    }
    let opened = before.iter().find(|done| done.want.json().is_some_and(|body| body["sessionId"] == id));
    let code = last.template.field("token");
    let code = code.as_str().unwrap_or_default();
    if own().any(is_completed) {
        "pending/success-removes"
    } else if opened.is_some_and(|done| last.at_ms - done.at_ms > 10 * MINUTE_MS) {
        "pending/expires"
    } else if last.is_refused_as(BLOCKED) {
        block_rule(before, &failed.map(|done| done.at_ms).collect::<Vec<_>>())
    } else if !last.is_refused_as(INVALID_CODE) {
        "lockout/three-failures"
    } else if code.starts_with("‹used") {
        "backup-codes/single-use"
    } else if code.starts_with("‹replaced") {
        let renews = |done: &&Done| done.want.json().is_some_and(|body| body["backupCodes"].is_array());
        let renewal = before.iter().rev().find(renews).map(|done| done.asked.path.as_str());
        if renewal == Some("/2fa/enable") { "two-factor/enable-again" } else { "backup-codes/regenerate-invalidates" }
    } else {
        "verification/invalid-code"
    }
}

/// The rule about a block, by the steps among the three failures that cause it.
fn block_rule(before: &[Done], failures: &[i64]) -> &'static str {
    let [.., first, second, third] = failures else { return "lockout/three-failures" };
    if before.iter().any(|done| is_completed(done) && done.at_ms > *first) {
        "lockout/success-keeps-failures"
    } else if failures.len() > 3 && third - second > 15 * MINUTE_MS {
        "lockout/after-block"
    } else {
        "lockout/three-failures"
    }
}
