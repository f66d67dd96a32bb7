//! What must hold however requests fall together, where no client sees it: three wrong codes are three, uses succeed, a reset is whole.

use super::harness::{Harness, PASSWORD, credentials, in_parallel, post, post_as};
use crate::disk::{text, wait};
use libros_server::accounts::permission::Permission;
use libros_server::catalogue::{AuthRoute, TwoFactorRoute};
use libros_server::response::failure::Failure;
use serde_json::json;

#[test]
fn wrong_codes_sent_at_once_cannot_buy_a_fourth() {
    let harness = Harness::new();
    harness.register("guess@race", "user");
    let token = harness.token("guess@race");
    harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session of a user");
    let sessions: Vec<String> = (0..16).map(|_| text(&harness.login("guess@race")["sessionId"])).collect();
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
