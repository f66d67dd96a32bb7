//! Variations of the chapter backup-codes.

use libros_conformance_model::accounts::code::new_backup_codes;
use libros_conformance_model::records::{BackupCode, TwoFactor};
use libros_conformance_model::refusals::{
    BLOCKED, PENDING_EXHAUSTED, PENDING_EXPIRED, PENDING_MISSING, PENDING_UNKNOWN,
};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "backup-codes-are-7" breaks "backup-codes/count": "Seven backup codes are issued."
        => steps |s| s.two_factor.backup_codes = || new_backup_codes(7, 5);
    "backup-codes-of-8-characters" breaks "backup-codes/form": "A backup code has eight characters."
        => steps |s| s.two_factor.backup_codes = || new_backup_codes(8, 4);
    "backup-codes-shown-in-lower-case" breaks "backup-codes/form": "Backup codes are shown in lower case."
        => reply |request, reply| if request.path.starts_with("/2fa/") { lower_case_codes(reply) };
    "backup-codes-reusable" breaks "backup-codes/single-use": "A backup code may be used again."
        => around |state, request, answer| leave_unused(state, request, answer);
    "backup-codes-race" breaks "backup-codes/single-use": "A backup code sent twice at the same moment is accepted twice."
        => race |world, request, answer| at_once(world, request, answer, pending_email, leave_unused);
    "backup-code-again-in-an-earlier-session" breaks "backup-codes/single-use": "A used backup code is accepted in a pending session opened before its use."
        => around |state, request, answer| {
            let pending = pending(state, request).map(|pending| (pending.email.clone(), pending.since));
            let used = pending.as_ref().and_then(|(email, _)| second_factor(state, email)?.last_used);
            if used > pending.map(|(_, opened)| opened) { leave_unused(state, request, answer) } else { answer(state, request) }
        };
    "trusting-spends-no-backup-code" breaks "backup-codes/single-use": "A backup code sent with trustDevice may be used again."
        => around |state, request, answer| if request.json_body()["trustDevice"] == true { leave_unused(state, request, answer) } else { answer(state, request) };
    "backup-code-spends-all" breaks "backup-codes/others-stay": "The use of one backup code uses up all of them."
        => around |state, request, answer| {
            let email = pending_email(state, request);
            let reply = answer(state, request);
            if let Some(email) = email.filter(|_| reply.json_body()["metodo2FA"] == "backup") {
                codes(state, &email).for_each(|code| code.used = true);
            }
            reply
        };
    "regenerate-keeps-earlier-codes" breaks "backup-codes/regenerate-invalidates": "Earlier backup codes still work after regenerating."
        => steps |s| s.two_factor.regenerated = |record, codes, _| TwoFactor { codes: [codes, record.codes].concat(), ..record };
    // It knows by the letter case of the secret, the same key in either, whether there was a regeneration before.
    "regenerate-again-keeps-codes" breaks "backup-codes/regenerate-invalidates": "The codes of one regeneration still work after the next."
        => steps |s| s.two_factor.regenerated = |record, codes, _| {
            let is_again = record.secret.contains(char::is_uppercase);
            let codes = if is_again { [codes, record.codes].concat() } else { codes };
            TwoFactor { secret: record.secret.to_uppercase(), codes, ..record }
        };
    "regenerate-keeps-used-marks" breaks "backup-codes/regenerate-unused": "Regenerated backup codes count as used where the codes that they replace were used."
        => steps |s| s.two_factor.regenerated = keep_used_marks;
    "backup-code-spent-before-checks" breaks "backup-codes/refused-stays-unused": "A backup code sent with an expired pending session is used up."
        => around |state, request, answer| spend_when(state, request, answer, &[PENDING_EXPIRED, PENDING_EXHAUSTED]);
    "backup-codes-in-any-case" breaks "backup-codes/lower-case": "A backup code in lower case is accepted."
        => request |request| respell_token(request, |token| token.to_uppercase());
    "ten-digits-refused" breaks "backup-codes/ten-digits": "A backup code of digits only is refused."
        => request |request| respell_token(request, |token| if token.len() == 10 && token.bytes().all(|b| b.is_ascii_digit()) { String::new() } else { token.to_owned() });
    "backup-code-spent-for-an-unknown-session" breaks "backup-codes/refused-stays-unused": "A backup code sent with an unknown pending session is used up."
        => after |state, request, reply| if reply.refuses_with(PENDING_UNKNOWN) || reply.refuses_with(PENDING_MISSING) { spend(state, request, None) };
    "backup-code-spent-while-blocked" breaks "backup-codes/refused-stays-unused": "A backup code sent during a block is used up."
        => around |state, request, answer| spend_when(state, request, answer, &[BLOCKED]);
};

fn lower_case_codes(reply: &mut Reply) {
    reply.edit(|body| {
        let codes = body.get_mut("backupCodes");
        codes.into_iter().for_each(|codes| each_item(codes, |code| edit_text(code, str::to_lowercase)));
    });
}

fn keep_used_marks(record: TwoFactor, mut codes: Vec<BackupCode>, _now: i64) -> TwoFactor {
    codes.iter_mut().zip(&record.codes).for_each(|(code, old)| code.used = old.used);
    TwoFactor { codes, ..record }
}

fn codes<'a>(state: &'a mut Shared, email: &str) -> impl Iterator<Item = &'a mut BackupCode> {
    second_factor(state, email).into_iter().flat_map(|record| &mut record.codes)
}

/// Answers as if every backup code were unused.
fn leave_unused(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let Some(email) = pending_email(state, request) else { return answer(state, request) };
    let used: Vec<bool> = codes(state, &email).map(|code| mem::take(&mut code.used)).collect();
    let reply = answer(state, request);
    codes(state, &email).zip(used).for_each(|(code, used)| code.used |= used);
    reply
}

/// Uses up a backup code when its check ends in one of these refusals.
fn spend_when(state: &mut Shared, request: &Request, answer: &Answer<'_>, refusals: &[&str]) -> Reply {
    let email = pending_email(state, request);
    let reply = answer(state, request);
    if refusals.iter().any(|text| reply.refuses_with(text)) {
        spend(state, request, email.as_deref());
    }
    reply
}
