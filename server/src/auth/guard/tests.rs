//! Every credential, right and wrong, held against the guard.

use http::{HeaderName, HeaderValue};
use serde_json::json;

use super::*;
use crate::accounts::api_client::{Client, DEFAULT_RATE_LIMIT};
use crate::accounts::permission::Permissions;
use crate::accounts::session::Session;
use crate::accounts::user::User;
use crate::crypto::password::PasswordHash;
use crate::store::{Change, Kind, Loaded};

const NOW: Timestamp = Timestamp(1_767_323_045_678);
const MINUTE_MS: i64 = 60_000;

fn user(email: &str, role: &str) -> User {
    let hash = PasswordHash::from(String::new());
    User::new(9, email.to_owned(), hash, None, json!(role), NOW)
}

/// A client with the key `key` that writes, a moderator `mod@` with the session `mod`, a `gone@` who is inactive,
/// and a session `orphan` of nobody.
fn tables() -> Tables {
    let mut changes = Changes::default();
    let (mut tables, _) = Tables::load(&mut Loaded::default(), &mut Vec::new());
    let writes: Permissions = [Permission::WriteBooks].into_iter().collect();
    let client = Client::new(3, "key", "kiosk".to_owned(), writes, DEFAULT_RATE_LIMIT, NOW);
    tables.add_clients(vec![client], &mut changes);
    let inactive = User { is_active: false, ..user("gone@", "admin") };
    tables.add_users(vec![user("mod@", "moderator"), inactive], &mut changes);
    for (token, email) in [("mod", "mod@"), ("gone", "gone@"), ("orphan", "nobody@")] {
        let session = Session::new(email.to_owned(), "user_9".to_owned(), NOW);
        tables.sessions.put(Fingerprint::of(token.as_bytes()), session, &mut changes);
    }
    tables
}

fn headers(sent: &[(&str, &str)]) -> HeaderMap {
    sent.iter()
        .map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            (name, HeaderValue::from_str(value).expect("a value"))
        })
        .collect()
}

fn verdict(
    tables: &Tables,
    sent: &[(&str, &str)],
    needed: &[Permission],
    now: Timestamp,
) -> Result<Principal, Failure> {
    let credential = Credential::of(&headers(sent), now)?;
    admit(tables, credential, needed, now, &mut None).map(Principal::from)
}

fn check(sent: &[(&str, &str)], needed: &[Permission], expected: &Result<&str, Failure>) {
    let verdict = verdict(&tables(), sent, needed, NOW);
    let author = verdict.as_ref().map(Principal::author).map_err(Clone::clone);
    assert_eq!(&author, expected, "{sent:?} for {needed:?}");
}

fn jwt(email: &str) -> String {
    format!("JWT {}", jwt::issue(&user(email, "admin"), NOW))
}

#[test]
fn each_kind_lets_in_whoever_it_stands_for() {
    check(&[("x-api-key", "key")], &[Permission::WriteBooks], &Ok("kiosk"));
    check(&[("authorization", "Bearer mod")], &[Permission::DeleteBooks], &Ok("mod@"));
    check(&[("authorization", &jwt("mod@"))], &[Permission::DeleteBooks], &Ok("mod@"));
    check(&[("authorization", "Bearer mod")], &[], &Ok("mod@"));
}

#[test]
fn a_lacking_permission_is_the_401_of_the_kind() {
    check(&[("x-api-key", "key")], &[Permission::ReadBooks], &Err(Failure::ApiKeyInvalid));
    check(&[("authorization", "Bearer mod")], &[Permission::ManageApiKeys], &Err(Failure::TokenInvalid));
    check(&[("authorization", &jwt("mod@"))], &[Permission::ManageApiKeys], &Err(Failure::JwtInvalid));
}

#[test]
fn whoever_is_unknown_or_inactive_is_the_401_of_the_kind() {
    for key in ["ke", "Key", "key ", "other"] {
        check(&[("x-api-key", key)], &[], &Err(Failure::ApiKeyInvalid));
    }
    for token in ["mo", "gone", "orphan", &"0".repeat(64), &jwt("mod@")[4..]] {
        check(&[("authorization", &format!("Bearer {token}"))], &[], &Err(Failure::TokenInvalid));
    }
    for email in ["gone@", "nobody@", "MOD@"] {
        check(&[("authorization", &jwt(email))], &[], &Err(Failure::JwtInvalid));
    }
    check(&[("authorization", "JWT mod")], &[], &Err(Failure::JwtInvalid));
}

#[test]
fn without_a_credential_of_a_supported_kind_nobody_is_authenticated() {
    check(&[], &[], &Err(Failure::Unauthenticated));
    for sent in ["", "Bearer", "Bearer ", "JWT", "bearer mod", "BEARER mod", "jwt x", "Basic bW9k", "Token mod", "mod"]
    {
        check(&[("authorization", sent)], &[], &Err(Failure::Unauthenticated));
    }
}

#[test]
fn further_spaces_belong_to_the_token() {
    check(&[("authorization", "Bearer  mod")], &[], &Err(Failure::TokenInvalid));
    check(&[("authorization", &jwt("mod@").replace("JWT ", "JWT  "))], &[], &Err(Failure::JwtInvalid));
}

#[test]
fn the_key_counts_first_and_its_failure_is_final() {
    let bearer = ("authorization", "Bearer mod");
    check(&[("x-api-key", "key"), bearer], &[], &Ok("kiosk"));
    check(&[("x-api-key", "key"), ("authorization", "Bearer wrong")], &[], &Ok("kiosk"));
    check(&[("x-api-key", "wrong"), bearer], &[], &Err(Failure::ApiKeyInvalid));
    check(&[("x-api-key", "key"), bearer], &[Permission::DeleteBooks], &Err(Failure::ApiKeyInvalid));
    check(&[("x-api-key", ""), bearer], &[], &Ok("mod@"));
}

#[test]
fn a_session_over_its_time_is_refused_and_gone() {
    let tables = tables();
    let bearer = [("authorization", "Bearer mod")];
    let late = NOW.plus_ms(60 * MINUTE_MS + 1);
    assert_eq!(verdict(&tables, &bearer, &[], late), Err(Failure::TokenInvalid));
    assert_eq!(verdict(&tables, &bearer, &[], NOW), Err(Failure::TokenInvalid), "gone for good");
}

#[test]
fn a_use_slides_the_expiry_and_a_denial_does_not() {
    let tables = tables();
    let bearer = [("authorization", "Bearer mod")];
    let denied = verdict(&tables, &bearer, &[Permission::ManageUsers], NOW.plus_ms(MINUTE_MS));
    assert_eq!(denied, Err(Failure::TokenInvalid));
    let first = NOW.plus_ms(60 * MINUTE_MS);
    assert!(verdict(&tables, &bearer, &[], first).is_ok(), "the denial did not shorten the hour");
    let second = first.plus_ms(30 * MINUTE_MS);
    assert!(verdict(&tables, &bearer, &[], second).is_ok());
    assert!(verdict(&tables, &bearer, &[], second.plus_ms(30 * MINUTE_MS + 1)).is_err());
}

#[test]
fn a_successful_use_of_a_key_is_noted_and_a_denied_one_is_not() {
    let tables = tables();
    let key = Fingerprint::of(b"key");
    let _ = verdict(&tables, &[("x-api-key", "key")], &[Permission::ReadBooks], NOW);
    assert_eq!(tables.clients.record(&key).and_then(Client::last_used), None);
    let _ = verdict(&tables, &[("x-api-key", "key")], &[Permission::WriteBooks], NOW);
    assert_eq!(tables.clients.record(&key).and_then(Client::last_used), Some(NOW));
}

#[test]
fn the_store_hears_of_the_first_use_of_a_second_and_of_a_session_that_is_over() {
    let mut tables = tables();
    let token = Fingerprint::of(b"mod");
    let noted = |now| {
        let mut note = None;
        let _ = admit(&tables, Credential::Session(token), &[], now, &mut note);
        note
    };
    assert_eq!(noted(NOW), Some(Note::SessionUsed(token)), "its hour became half an hour");
    assert_eq!(noted(NOW.plus_ms(999)), None);
    let over = noted(NOW.plus_ms(60 * MINUTE_MS));
    assert_eq!(over, Some(Note::SessionOver(token)));
    let mut changes = Changes::default();
    over.expect("a note").write(&mut tables, &mut changes);
    Note::SessionUsed(token).write(&mut tables, &mut changes);
    let removed = Change::Remove { kind: Kind::SESSIONS, key: token.hex() };
    assert_eq!(changes.into_list(), [removed], "a late use does not bring it back");
}

#[test]
fn what_the_store_kept_is_let_in_again() {
    use crate::store::Row;
    let mut loaded = Loaded::default();
    let client = tables().clients.records().next().map(|client| serde_json::to_string(client).expect("a text"));
    let row = Row { key: Fingerprint::of(b"key").hex(), doc: client.expect("a client") };
    loaded.push("clients", row);
    let (mut read, missing) = Tables::load(&mut loaded, &mut Vec::new());
    assert!(missing.users && !missing.clients);
    assert!(verdict(&read, &[("x-api-key", "key")], &[Permission::WriteBooks], NOW).is_ok());
    assert_eq!(read.next_client_number(), 4);
}
