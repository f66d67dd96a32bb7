//! What is taken for a backup code: upper case alone, and ten digits too.

use crate::chapters::prelude::*;

cases! { "backup-codes";
    /// A code in lower case is refused, the same in upper case accepted.
    a_code_in_lower_case_is_refused judges ["backup-codes/lower-case"];
    /// A code that happens to have digits alone is accepted.
    a_code_of_ten_digits_is_accepted judges ["backup-codes/ten-digits"];
}

fn a_code_in_lower_case_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let codes = enrolled.factor.backup_codes.iter();
    let mut lettered = codes.filter(|code| code.to_lowercase() != **code);
    let (Some(code), Some(other)) = (lettered.next(), lettered.next()) else {
        return Err(CaseError::blocked(
            "finding two backup codes with capital letters",
            format!("there are none among {}", enrolled.factor.backup_codes.join(", ")),
        ));
    };
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, &code.to_lowercase())?.check().status(400)?;
    // One letter is enough.
    let letter = other.find(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
    let (head, tail) = other.split_at(letter);
    let (letter, tail) = tail.split_at(1);
    let mixed = format!("{head}{}{tail}", letter.to_lowercase());
    two_factor::verify(cx, &session, &mixed)?.check().status(400)?;
    two_factor::verify(cx, &session, code)?.prepared("verifying the code in upper case", 200).map(|_| ())
}

fn a_code_of_ten_digits_is_accepted(cx: &CaseContext<'_>) -> CaseResult {
    // One issue in fourteen has such a code.
    const ISSUES_MAX: usize = 400;
    let mut enrolled = two_factor::enroll(cx)?;
    for _ in 0..ISSUES_MAX {
        let is_digits = |code: &&String| code.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(code) = enrolled.factor.backup_codes.iter().find(is_digits) {
            let session = two_factor::pending_session(cx, &enrolled.user)?;
            two_factor::verify(cx, &session, code)?.check().status(200)?;
            return Ok(());
        }
        enrolled.factor = two_factor::enable(cx, &enrolled.tokens)?;
    }
    Err(CaseError::blocked(
        "enabling two-factor until a backup code has digits alone",
        format!("none had in {ISSUES_MAX} issues"),
    ))
}
