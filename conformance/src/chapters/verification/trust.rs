//! `trustDevice`: absent, false, true, and of another type; and what `esDispositivoNuevo` says of it.

use crate::chapters::devices::trusted::devices;
use crate::chapters::prelude::*;

cases! { "verification";
    /// Without trustDevice no device is listed, and the next login asks for a code again.
    without_trust_device_nothing_is_registered judges ["verification/trust-default"] by registers_nothing(None);
    /// With trustDevice false no device is listed, and the next login asks for a code again.
    with_trust_device_false_nothing_is_registered judges ["verification/trust-default"]
        by registers_nothing(Some(&json!(false)));
    /// esDispositivoNuevo is true where trustDevice is absent or false, also for a device that is registered already.
    a_device_that_is_not_to_be_trusted_is_called_new judges ["verification/new-device-true"] by verified_in_each_way();
    /// esDispositivoNuevo is false where trustDevice is true, for a new device and for a registered one.
    a_device_to_be_trusted_is_not_called_new judges ["verification/new-device-false"] by verified_in_each_way();
    /// A trustDevice of another type: by its truth, as false, or refused.
    whether_trust_device_of_another_type_counts judges ["verification/trust-other-type"];
}

/// The answer to a backup code with that trustDevice.
fn answer(cx: &CaseContext<'_>, session: &str, code: &str, trust: Option<&Value>) -> Result<Reply, CaseError> {
    let mut body = json!({ "sessionId": session, "token": code });
    if let (Some(body), Some(trust)) = (body.as_object_mut(), trust) {
        body.insert("trustDevice".into(), trust.clone());
    }
    two_factor::verification(cx, &body).send()
}

fn registers_nothing(cx: &CaseContext<'_>, trust: Option<&Value>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    answer(cx, &session, enrolled.factor.backup_code(0)?, trust)?.prepared("verifying a backup code", 200)?;
    let login = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    let check = login.check();
    check.at("/requiere2FA", &json!(true))?;
    let listed = devices(cx, &enrolled.tokens)?.len();
    check.that(listed == 0, "the list of trusted devices", "empty", listed).map(drop)
}

/// What every answer must hold is judged of each: not to be trusted, to be trusted, and both again with the device registered.
fn verified_in_each_way(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let ways = [None, Some(json!(false)), Some(json!(true)), None, Some(json!(true))];
    // Sessions that are opened before the device is trusted: a login from it asks for no code afterwards.
    let sessions =
        ways.iter().map(|_| two_factor::pending_session(cx, &enrolled.user)).collect::<Result<Vec<_>, _>>()?;
    for (index, (session, trust)) in sessions.iter().zip(&ways).enumerate() {
        let reply = answer(cx, session, enrolled.factor.backup_code(index)?, trust.as_ref())?;
        reply.prepared("verifying a backup code", 200)?;
    }
    Ok(())
}

fn whether_trust_device_of_another_type_counts(cx: &CaseContext<'_>) -> CaseResult {
    for (sent, is_truthy) in [(json!("si"), true), (json!(1), true), (json!(0), false)] {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let reply = answer(cx, &session, enrolled.factor.backup_code(0)?, Some(&sent))?;
        let status = reply.status();
        let is_registered = status == 200 && devices(cx, &enrolled.tokens)?.len() == 1;
        let readings = [
            ("truthiness", status == 200 && is_registered == is_truthy),
            ("false", status == 200 && !is_registered),
            ("400", status == 400),
        ];
        cx.observe(&readings, format!("status {status} to {sent}, registered: {is_registered}"))?;
    }
    Ok(())
}
