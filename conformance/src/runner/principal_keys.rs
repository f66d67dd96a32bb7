//! Finds the JSON keys of the user and the client in answers, before a run, if those of the profile are absent. Judges no rule.

use std::time::Duration;

use serde_json::{Value, json};

use crate::fixture::users::PASSWORD;
use crate::implementation::profile::{Interface, Login, Target};
use crate::random;
use crate::runner::plain_requests::{ask, log_in, with_session};

/// Asks for a user and a client, and sets the keys of the target to those in the answers. A key that is not found stays as it is.
pub fn find(target: &mut Target, timeout: Duration) {
    let Ok(login) = log_in(target, &target.credentials.admin_user, timeout) else { return };
    let login = login.json().unwrap_or_default();
    let Some(principal) = key_in(login, &target.principal).map(str::to_owned) else { return };
    if target.client == target.principal {
        target.client.clone_from(&principal);
    }
    target.principal = principal;
    let listed = keys_listed(target, timeout).unwrap_or_default();
    let found = listed.as_array().into_iter().flatten().find_map(|entry| key_in(entry, &target.client));
    if let Some(client) = found.map(str::to_owned) {
        target.client = client;
    }
}

/// The list of API keys, asked by a new admin: the initial users need not be allowed to see it.
fn keys_listed(target: &Target, timeout: Duration) -> Option<Value> {
    let admin = Login { email: format!("claves.{}@example.com", random::nonce()), password: PASSWORD.to_owned() };
    let body = json!({ "email": admin.email, "password": admin.password, "nombre": "Claves", "role": "admin" });
    ask(target, Interface::Catalogue, ("POST", "/auth/registro"), timeout, |sent| sent.json(&body)).ok()?;
    let login = log_in(target, &admin, timeout).ok()?.json()?.clone();
    let with_session = |sent| with_session(sent, &login);
    ask(target, Interface::Catalogue, ("GET", "/auth/api-keys"), timeout, with_session).ok()?.json().cloned()
}

/// The key under which an answer has an object with an `id`: the known one, or the only one.
pub(super) fn key_in<'v>(answer: &'v Value, known: &str) -> Option<&'v str> {
    let object = answer.as_object()?;
    let mut keys = object.iter().filter(|(_, value)| value.get("id").is_some()).map(|(key, _)| key.as_str());
    let first = keys.next()?;
    match keys.next() {
        None => Some(first),
        Some(second) => [first, second].into_iter().chain(keys).find(|key| *key == known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementation::reference;
    use crate::impostor::faults::Faults;
    use crate::impostor::{Impostor, Options};

    #[test]
    fn the_only_object_with_an_id_is_the_principal_and_of_several_the_one_known() {
        let answer = json!({"requiere2FA": false, "usuario": {"id": "user_1"}, "tokens": {"expiresIn": 3600}});
        assert_eq!(key_in(&answer, "the service"), Some("usuario"));
        let two = json!({"a": {"id": 1}, "b": {"id": 2}});
        assert_eq!((key_in(&two, "b"), key_in(&two, "c")), (Some("b"), None));
        for nothing in [json!([]), json!(null), json!({}), json!({"tokens": {}})] {
            assert_eq!(key_in(&nothing, "the service"), None, "{nothing}");
        }
    }

    #[test]
    fn keys_that_no_profile_names_are_found() {
        let found = |readings: &[&str]| {
            let faults = Faults::none().reading(readings);
            let impostor = Impostor::start(Options { faults, ..Options::default() }).unwrap();
            let mut target = reference::catalogue_at(&impostor.catalogue()).unwrap();
            find(&mut target, Duration::from_secs(10));
            [target.principal, target.client]
        };
        assert_eq!(found(&[]), ["the service", "the service"]);
        assert_eq!(found(&["user-and-client-under-two-keys"]), ["usuario", "cliente"]);
    }
}
