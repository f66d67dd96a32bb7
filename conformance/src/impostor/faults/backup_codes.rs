//! Faults that break rules of the chapter backup-codes.

use serde_json::{Value, json};

use super::Fault;
use super::codes::respell_token;
use crate::impostor::http::Reply;
use crate::impostor::model::records::{BackupCode, TwoFactor};

pub(crate) const FAULTS: &[Fault] = faults! {
    "backup-codes-are-7" breaks "backup-codes/count": "Seven backup codes are issued."
        => policy |p| p.two_factor.backup_codes.count = 7;
    "backup-codes-of-8-characters" breaks "backup-codes/form": "A backup code has eight characters."
        => policy |p| p.two_factor.backup_codes.bytes = 4;
    "backup-codes-shown-in-lower-case" breaks "backup-codes/form": "Backup codes are shown in lower case."
        => reply |request, reply| if request.path.starts_with("/2fa/") { lower_case_codes(reply) };
    "backup-codes-reusable" breaks "backup-codes/single-use": "A backup code may be used again."
        => policy |p| p.two_factor.backup_codes.used_again = true;
    "backup-code-spends-all" breaks "backup-codes/others-stay": "Using one backup code uses up all of them."
        => policy |p| p.two_factor.backup_codes.one_spends_all = true;
    "regenerate-keeps-earlier-codes" breaks "backup-codes/regenerate-invalidates": "Earlier codes still work after regenerating."
        => policy |p| p.two_factor.management.regenerated = |record, codes, _| TwoFactor { codes: [codes, record.codes].concat(), ..record };
    "regenerate-keeps-used-marks" breaks "backup-codes/regenerate-unused": "New codes in the place of used ones count as used."
        => policy |p| p.two_factor.management.regenerated = keep_used_marks;
    "backup-code-spent-before-checks" breaks "backup-codes/refused-stays-unused": "A backup code sent with an expired session is used up."
        => policy |p| p.two_factor.pending.expired_spends_code = true;
    "backup-codes-in-any-case" breaks "backup-codes/lower-case": "A backup code in lower case is accepted."
        => request |request| respell_token(request, |token| token.to_uppercase());
    "ten-digits-refused" breaks "backup-codes/ten-digits": "A backup code of nothing but digits is refused."
        => request |request| respell_token(request, |token| if token.len() == 10 && all_digits(token) { String::new() } else { token.to_owned() });
    "backup-code-spent-for-an-unknown-session" breaks "backup-codes/refused-stays-unused": "A backup code sent with a session that is none is used up."
        => policy |p| p.two_factor.pending.unknown_spends_code = true;
    "backup-code-spent-while-blocked" breaks "backup-codes/refused-stays-unused": "A backup code sent during a block is used up."
        => policy |p| p.two_factor.lockout.refused_check_spends_code = true;
};

fn lower_case_codes(reply: &mut Reply) {
    reply.edit(|body| {
        for code in body.get_mut("backupCodes").and_then(Value::as_array_mut).into_iter().flatten() {
            *code = json!(code.as_str().unwrap_or_default().to_lowercase());
        }
    });
}

fn keep_used_marks(record: TwoFactor, mut codes: Vec<BackupCode>, _now: i64) -> TwoFactor {
    codes.iter_mut().zip(&record.codes).for_each(|(code, old)| code.used = old.used);
    TwoFactor { codes, ..record }
}

fn all_digits(token: &str) -> bool {
    token.bytes().all(|b| b.is_ascii_digit())
}
