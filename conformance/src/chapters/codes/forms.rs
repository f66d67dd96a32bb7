//! Tokens that are no codes: other lengths, other characters, other types.
//!
//! A user is good for two of them: a third failure would block the checks, and hide what is judged here.

use crate::chapters::codes::chosen_secret::enrolled_with;
use crate::chapters::prelude::*;
use crate::fixture::two_factor::Enrolled;

cases! { "codes";
    /// The current code without its leading zero, or with a digit after it, is refused.
    five_digits_and_seven_are_refused judges ["codes/other-lengths"];
    /// The current code with a zero before it is refused, and so is the code of eight digits.
    a_zero_in_front_and_eight_digits_are_refused judges ["codes/other-lengths"];
    /// A token without a character, and one of six letters, are refused.
    an_empty_token_and_letters_are_refused judges ["codes/other-forms"];
    /// The current code with its last digit replaced by a letter, or in digits of another script, is refused.
    digits_that_are_not_all_ascii_digits_are_refused judges ["codes/other-forms"];
    /// A backup code with a character too few or too many is refused.
    backup_codes_of_another_length_are_refused judges ["codes/other-forms"];
    /// A backup code with a hyphen in its middle, or a sign in the place of its last character, is refused.
    backup_codes_with_signs_are_refused judges ["codes/other-forms"];
    /// A token that is no text at all is refused.
    tokens_of_other_types_are_refused judges ["codes/other-forms"];
}

fn send(cx: &CaseContext<'_>, session: &str, token: &Value) -> Result<Reply, CaseError> {
    two_factor::verification(cx, &json!({ "sessionId": session, "token": token })).send()
}

/// Each of two tokens is refused, and the user's current code is accepted after them.
fn refused(cx: &CaseContext<'_>, enrolled: &Enrolled, tokens: [&Value; 2]) -> CaseResult {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    let mut replies = Vec::new();
    for token in tokens {
        let reply = send(cx, &session, token)?;
        reply.check().status(400)?;
        replies.push(reply);
    }
    let twin = two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))?;
    twin.prepared("verifying the current code", 200).map(|_| ())
}

fn five_digits_and_seven_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, step) = enrolled_with(cx, |enrolled, step| enrolled.factor.code(step).starts_with('0'))?;
    let code = enrolled.factor.code(step);
    let tokens = [&json!(code[1..]), &json!(format!("{code}0"))];
    refused(cx, &enrolled, tokens)
}

fn a_zero_in_front_and_eight_digits_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let step = totp_steps::current(cx)?;
    let word = crate::oracle::totp::word(&enrolled.factor.key, step) & 0x7fff_ffff;
    let eight = format!("{:08}", word % 100_000_000);
    let tokens = [&json!(format!("0{}", enrolled.factor.code(step))), &json!(eight)];
    refused(cx, &enrolled, tokens)
}

fn an_empty_token_and_letters_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let tokens = [&json!(""), &json!("codigo")];
    refused(cx, &two_factor::enroll(cx)?, tokens)
}

fn digits_that_are_not_all_ascii_digits_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let code = enrolled.factor.code(totp_steps::current(cx)?);
    let arabic_indic: String = code.chars().filter_map(|digit| char::from_u32(0x660 + digit.to_digit(10)?)).collect();
    let tokens = [&json!(format!("{}a", &code[..5])), &json!(arabic_indic)];
    refused(cx, &enrolled, tokens)
}

fn backup_codes_of_another_length_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let first = enrolled.factor.backup_code(0)?;
    let shorter: String = first.chars().take(9).collect();
    let longer = format!("{}0", enrolled.factor.backup_code(1)?);
    let tokens = [&json!(shorter), &json!(longer)];
    refused(cx, &enrolled, tokens)
}

fn backup_codes_with_signs_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let code: Vec<char> = enrolled.factor.backup_code(0)?.chars().collect();
    let halves: Vec<String> = code.chunks(5).map(|half| half.iter().collect()).collect();
    let signed: String = code.iter().take(9).chain(&['!']).collect();
    let tokens = [&json!(halves.join("-")), &json!(signed)];
    refused(cx, &enrolled, tokens)
}

fn tokens_of_other_types_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    refused(cx, &two_factor::enroll(cx)?, [&json!(true), &json!({})])?;
    refused(cx, &two_factor::enroll(cx)?, [&json!([]), &json!({ "a": 1 })])
}
