//! What must hold however requests fall together: one registration wins, a code works once, three wrong ones are three.

use super::harness::{Harness, PASSWORD, credentials, in_parallel, post, post_as};
use crate::disk::{text, wait};
use libros_server::accounts::permission::Permission;
use libros_server::catalogue::{AuthRoute, TwoFactorRoute};
use libros_server::response::failure::Failure;
use serde_json::{Value, json};

/// Registers a user with a second factor; the secret's and the backup codes' answer.
fn protected(harness: &Harness, email: &str) -> Value {
    harness.register(email, "user");
    let token = harness.token(email);
    harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session of a user")
}

fn waiting(harness: &Harness, email: &str) -> String {
    text(&harness.login(email)["sessionId"])
}

#[test]
fn of_64_registrations_of_one_email_exactly_one_is_created() {
    let harness = Harness::new();
    let outcomes = in_parallel(64, |number| {
        let body = json!({ "email": "one@race", "password": format!("{PASSWORD} {number}") });
        harness.auth(AuthRoute::Register, &post(&body))
    });
    let won: Vec<usize> = (0..64).filter(|&number| outcomes[number].is_ok()).collect();
    assert_eq!(won.len(), 1, "{outcomes:?}");
    let lost = outcomes.iter().filter(|outcome| **outcome == Err(Failure::UserExists));
    assert_eq!(lost.count(), 63);
    let winner = format!("{PASSWORD} {}", won[0]);
    assert!(harness.auth(AuthRoute::Login, &credentials("one@race", &winner)).is_ok());
}

#[test]
fn users_registered_at_once_have_ids_of_their_own() {
    let harness = Harness::new();
    let mut ids = in_parallel(32, |number| {
        let body = json!({ "email": format!("{number}@race"), "password": PASSWORD });
        text(&harness.auth(AuthRoute::Register, &post(&body)).expect("a free e-mail")["id"])
    });
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 32);
}

#[test]
fn a_backup_code_sent_by_many_lets_in_one() {
    let harness = Harness::new();
    let enabled = protected(&harness, "code@race");
    let code = text(&enabled["backupCodes"][3]);
    // Two failures at most can come of it, else the lockout would answer for the code.
    let sessions: Vec<String> = (0..3).map(|_| waiting(&harness, "code@race")).collect();
    let outcomes = in_parallel(3, |number| harness.verify(&sessions[number], &code, false));
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let lost = outcomes.iter().filter(|outcome| **outcome == Err(Failure::CodeWrong));
    assert_eq!(lost.count(), 2);
}

#[test]
fn one_waiting_login_completed_by_many_gives_tokens_once() {
    let harness = Harness::new();
    let enabled = protected(&harness, "once@race");
    let session = waiting(&harness, "once@race");
    let outcomes = in_parallel(8, |number| harness.verify(&session, &text(&enabled["backupCodes"][number]), false));
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let lost = outcomes.iter().filter(|outcome| **outcome == Err(Failure::PendingUnknown));
    assert_eq!(lost.count(), 7);
}

#[test]
fn wrong_codes_sent_at_once_cannot_buy_a_fourth() {
    let harness = Harness::new();
    protected(&harness, "guess@race");
    let sessions: Vec<String> = (0..16).map(|_| waiting(&harness, "guess@race")).collect();
    let outcomes =
        in_parallel(16, |number| harness.verify(&sessions[number], "ZZZZZZZZZZ", false).expect_err("a wrong code"));
    let checked = outcomes.iter().filter(|outcome| **outcome == Failure::CodeWrong);
    assert_eq!(checked.count(), 3, "{outcomes:?}");
    let refused = outcomes.iter().filter(|outcome| **outcome == Failure::TooManyAttempts);
    assert_eq!(refused.count(), 13);
}

#[test]
fn uses_of_one_session_at_once_all_succeed() {
    let harness = Harness::new();
    harness.register("many@race", "user");
    let token = harness.token("many@race");
    let outcomes = in_parallel(32, |_| harness.bearer(&token, &[Permission::ReadBooks]));
    assert!(outcomes.iter().all(Result::is_ok));
}

#[test]
fn a_reset_amid_registrations_leaves_a_sound_state() {
    let harness = Harness::new();
    let outcomes = in_parallel(16, |number| {
        if number % 4 == 0 {
            wait(harness.identity().reset()).map_err(|error| error.to_string())
        } else {
            let body = json!({ "email": format!("{number}@race"), "password": PASSWORD });
            let created = harness.auth(AuthRoute::Register, &post(&body));
            created.map(|_| ()).map_err(|failure| format!("{failure:?}"))
        }
    });
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    wait(harness.identity().reset()).expect("the initial state");
    let harness = harness.restarted();
    for number in 0..16 {
        let login = harness.auth(AuthRoute::Login, &credentials(&format!("{number}@race"), PASSWORD));
        assert_eq!(login, Err(Failure::UserUnknown));
    }
}
