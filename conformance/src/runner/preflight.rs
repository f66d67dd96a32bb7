//! Checks before a run that the target answers, takes the profile's four credentials, and receives session tokens. Judges no rule.

use std::io::ErrorKind;
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::exchange::Received;
use crate::implementation::profile::{Address, Interface, Target};
use crate::runner::plain_requests::{ask, ask_with_key, log_in, with_session};
use crate::runner::principal_keys::key_in;
use crate::runner::rate_limit;

#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The target refuses a credential: the line of the profile to correct, and the answer.
    Credential(String),
    /// A proxy in front of the target removes parts of requests: which parts, and which proxy may do it.
    Removed(String),
    /// The target accepts connections but answers no request, or another service answers instead.
    NoAnswer(String),
}

/// Checks that the target answers at all, and accepts the credentials of the profile.
pub fn credentials(target: &Target, timeout: Duration) -> Result<(), Refusal> {
    let own = &target.credentials;
    let mut silence = None;
    let (mut has_answered, mut has_no_list) = (false, false);
    for (line, key) in [("test_key", &own.test_key), ("admin_key", &own.admin_key)] {
        match ask_with_key(target, ("GET", "/libros?limit=1"), key, timeout) {
            Ok(received) if received.status == 401 => {
                let why = format!("`{line}` under [credentials] is refused: GET /libros with it answers 401");
                return Err(Refusal::Credential(why));
            }
            Ok(received) => {
                misplaced(target, Interface::Catalogue, ("GET", "/libros"), &received)?;
                (has_answered, has_no_list) = (true, received.status == 404);
            }
            // An answer too long to read is an answer.
            Err(why) if why.kind() == ErrorKind::FileTooLarge => has_answered = true,
            Err(why) => {
                silence = Some(why.to_string());
                // Another request would take as long.
                if why.kind() == ErrorKind::TimedOut {
                    break;
                }
            }
        }
    }
    if let Some(why) = silence.filter(|_| !has_answered) {
        let url = target.address(Interface::Catalogue).map(Address::url).unwrap_or_default();
        return Err(Refusal::NoAnswer(format!("GET {url}/libros has no readable answer: {why}")));
    }
    if has_no_list && lists_books(target, Interface::Users, timeout) {
        return Err(exchanged("catalogue", "users"));
    }
    graphql(target, timeout)?;
    if introspects(target, Interface::GraphqlReduced, timeout) == Some(true)
        && introspects(target, Interface::Graphql, timeout) == Some(false)
    {
        return Err(exchanged("graphql", "graphql_reduced"));
    }
    users(target, timeout)?;
    if are_keys_exchanged(target, timeout) {
        let why = "`test_key` and `admin_key` under [credentials] are exchanged: DELETE is refused with `admin_key` and allowed with `test_key`";
        return Err(Refusal::Credential(why.to_owned()));
    }
    Ok(())
}

fn exchanged(one: &str, other: &str) -> Refusal {
    let why = format!("`{one}` and `{other}` under [urls] are exchanged: the second answers requests of the first");
    Refusal::NoAnswer(why)
}

/// Whether an interface refuses the list of books as the catalogue does without a credential.
fn lists_books(target: &Target, interface: Interface, timeout: Duration) -> bool {
    let received = ask(target, interface, ("GET", "/libros?limit=1"), timeout, |sent| sent);
    received.is_ok_and(|received| received.json().is_some_and(|body| body["error"]["codigo"].is_string()))
}

/// Whether an interface answers introspection, as only the full GraphQL does; `None` without an answer.
fn introspects(target: &Target, interface: Interface, timeout: Duration) -> Option<bool> {
    let query = json!({ "query": "{ __typename }" });
    let received = ask(target, interface, ("POST", ""), timeout, |sent| sent.json(&query)).ok()?;
    Some(received.json().is_some_and(|body| body["data"]["__typename"].is_string()))
}

/// Checks that a GraphQL URL leads to a GraphQL endpoint: often its path is forgotten.
fn graphql(target: &Target, timeout: Duration) -> Result<(), Refusal> {
    for interface in [Interface::Graphql, Interface::GraphqlReduced] {
        let query = json!({ "query": "{ users { id } }" });
        if target.offers(interface)
            && let Ok(received) = ask(target, interface, ("POST", ""), timeout, |sent| sent.json(&query))
        {
            misplaced(target, interface, ("POST", ""), &received)?;
        }
    }
    Ok(())
}

/// Refuses an answer from something else: a rate limit, a proxy without a service behind it, or another service's page.
fn misplaced(target: &Target, interface: Interface, asked: (&str, &str), received: &Received) -> Result<(), Refusal> {
    let (key, status) = (interface.key(), received.status);
    let Some(address) = target.address(interface) else { return Ok(()) };
    let asked = format!("{} {}{}", asked.0, address.url(), asked.1);
    if status == 429 || rate_limit::is_from_proxy(received) {
        let advice = rate_limit::profile_advice(target.per_minute);
        let limit = "the target enforces a rate limit";
        let why = if status == 429 { limit } else { "only a proxy in front of the target answers" };
        return Err(Refusal::NoAnswer(format!("{why}: {asked} answers {status}; if requests are limited, {advice}")));
    }
    let kind = received.header("Content-Type").map_or_else(
        || "no Content-Type".to_owned(),
        |kind| kind.split(';').next().unwrap_or_default().trim().to_owned(),
    );
    // A catalogue may yet lack its list, but GraphQL is all at one path.
    let is_elsewhere = interface != Interface::Catalogue && status == 404;
    let is_a_page = kind.eq_ignore_ascii_case("text/html") && matches!(status, 200 | 404) && received.json().is_none();
    if !is_elsewhere && !is_a_page {
        return Ok(());
    }
    let lacks_path = is_elsewhere && address.prefix.is_empty();
    let hint = if lacks_path { format!(" A path is missing, as in {}/graphql", address.url()) } else { String::new() };
    Err(Refusal::NoAnswer(format!("{asked} answers {status} with {kind}: is `{key}` under [urls] right?{hint}")))
}

/// Checks that the initial users can log in, each in its role, and that the session of the admin reaches the target.
fn users(target: &Target, timeout: Duration) -> Result<(), Refusal> {
    let own = &target.credentials;
    let (mut roles, mut logins) = (Vec::new(), Vec::new());
    for (line, login) in [("admin_user", &own.admin_user), ("regular_user", &own.regular_user)] {
        // The cases report any other failure better.
        let Ok(received) = log_in(target, login, timeout) else { break };
        let answer = received.json().cloned().unwrap_or_default();
        roles.push(key_in(&answer, &target.principal).map(|key| answer[key]["role"].clone()).unwrap_or_default());
        logins.push(answer);
        if matches!(received.status, 400 | 401) {
            let text: String = received.text().chars().take(200).collect();
            let status = received.status;
            return Err(Refusal::Credential(format!(
                "`{line}` under [credentials] cannot log in: POST /auth/login as {} answers {status} {text}{}",
                login.email,
                address_hint(target)
            )));
        }
    }
    if roles == ["user", "admin"] {
        let why = "`admin_user` and `regular_user` under [credentials] are exchanged: the first logs in as user, the other as admin";
        return Err(Refusal::Credential(why.to_owned()));
    }
    logins.first().map_or(Ok(()), |admin| session_arrives(target, admin, timeout))
}

/// Fails if the target answers as without a token. If it refuses the token itself, the cases report that better.
fn session_arrives(target: &Target, login: &Value, timeout: Duration) -> Result<(), Refusal> {
    const NO_CREDENTIAL: &str = "NO_AUTENTICADO";
    if !login["tokens"]["sessionToken"].is_string() {
        return Ok(());
    }
    let with_session = |sent| with_session(sent, login);
    let Ok(received) = ask(target, Interface::Catalogue, ("GET", "/libros?limit=1"), timeout, with_session) else {
        return Ok(());
    };
    let answer = received.json().cloned().unwrap_or_default();
    if received.status == 401 && answer["error"]["codigo"].as_str().is_none_or(|code| code == NO_CREDENTIAL) {
        return Err(Refusal::Removed(
            "GET /libros with the session token of a login answers 401 as without a token: a proxy in front of the service \
             removes the Authorization header, as Apache does before PHP (there `CGIPassAuth On`, or \
             `SetEnvIf Authorization \"(.*)\" HTTP_AUTHORIZATION=$1`, lets it through)"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Whether the test key may delete and the admin key may not: then the profile has exchanged them. Deletes a book that does not exist.
fn are_keys_exchanged(target: &Target, timeout: Duration) -> bool {
    const UNKNOWN: &str = "/libros/2147483647";
    let own = &target.credentials;
    let status = |method: &str, key: &str| {
        ask_with_key(target, (method, UNKNOWN), key, timeout).ok().map(|received| received.status)
    };
    let answers =
        |key: &str, to_delete: u16| status("GET", key) == Some(404) && status("DELETE", key) == Some(to_delete);
    answers(&own.admin_key, 401) && answers(&own.test_key, 404)
}

/// A catalogue URL that ends in `/libros` lists books, but has no login.
fn address_hint(target: &Target) -> &'static str {
    let is_of_books = target.address(Interface::Catalogue).is_some_and(|address| address.prefix.ends_with("/libros"));
    if is_of_books { "; is `catalogue` under [urls] the address before /libros?" } else { "" }
}

#[cfg(test)]
mod tests {
    use std::mem::swap;

    use super::*;
    use crate::implementation::reference;
    use crate::impostor::effect::Effect;
    use crate::impostor::faults::Faults;
    use crate::impostor::{Impostor, Options};
    use libros_conformance_model::message::{Reply, Request};

    /// The preflight of an impostor with this effect, its profile changed.
    fn preflight_of(effect: Option<Effect>, change: &dyn Fn(&Impostor, &mut Target)) -> Result<(), Refusal> {
        let faults = Faults::none().having(effect.as_slice());
        let impostor = Impostor::start(Options { faults, ..Options::default() }).unwrap();
        let mut target = reference::catalogue_at(&impostor.catalogue()).unwrap();
        change(&impostor, &mut target);
        credentials(&target, Duration::from_secs(10))
    }

    #[test]
    fn exchanged_credentials_are_told_apart_from_wrong_ones() {
        assert_eq!(preflight_of(None, &|_, _| ()), Ok(()));
        let changes: [(fn(&mut Target), &str); 3] = [
            (
                |target| swap(&mut target.credentials.admin_user, &mut target.credentials.regular_user),
                "`admin_user` and `regular_user` under [credentials] are exchanged",
            ),
            (
                |target| swap(&mut target.credentials.test_key, &mut target.credentials.admin_key),
                "`test_key` and `admin_key` under [credentials] are exchanged",
            ),
            (|target| target.credentials.test_key.push('0'), "`test_key` under [credentials] is refused"),
        ];
        for (change, words) in changes {
            let refused = preflight_of(None, &|_, target| change(target));
            assert!(matches!(&refused, Err(Refusal::Credential(why)) if why.contains(words)), "{refused:?}");
        }
    }

    #[test]
    fn a_header_that_does_not_come_through_is_named_and_a_token_that_is_refused_is_not() {
        let refusal = |change| preflight_of(Some(Effect::Request(change)), &|_, _| ());
        let taken = refusal(|request| request.remove("Authorization"));
        let words = "removes the Authorization header";
        assert!(matches!(&taken, Err(Refusal::Removed(why)) if why.contains(words)), "{taken:?}");
        let unknown = |request: &mut Request| {
            if request.header("Authorization").is_some() {
                request.set("Authorization", "Bearer 0");
            }
        };
        assert_eq!(refusal(unknown), Ok(()));
    }

    #[test]
    fn another_service_in_the_place_of_an_interface_is_named_with_its_key() {
        const PAGE: fn(&Request, &mut Reply) = |request, reply| {
            if request.path.starts_with("/libros") {
                reply.status = 404;
                reply.set("Content-Type", "text/html; charset=utf-8");
                reply.body = b"<h1>Cannot GET /libros</h1>".to_vec();
            }
        };
        const LIMIT: fn(&Request, &mut Reply) = |_, reply| reply.status = 429;
        const FRONT: fn(&Request, &mut Reply) = |_, reply| {
            reply.status = 502;
            reply.body = b"<h1>502</h1>".to_vec();
        };
        let lacks_a_path = |impostor: &Impostor, target: &mut Target| {
            let mut urls = impostor.urls();
            let reduced = urls["graphql_reduced"].trim_end_matches("/graphql").to_owned();
            urls.insert("graphql_reduced".to_owned(), reduced);
            target.place_only(&urls).unwrap();
        };
        let exchanges = |one: &str, other: &str| {
            let [one, other] = [one, other].map(str::to_owned);
            move |impostor: &Impostor, target: &mut Target| {
                let mut urls = impostor.urls();
                let [first, second] = [urls[&one].clone(), urls[&other].clone()];
                urls.extend([(one.clone(), second), (other.clone(), first)]);
                target.place_only(&urls).unwrap();
            }
        };
        let unchanged = |_: &Impostor, _: &mut Target| ();
        for (refused, words) in [
            (
                preflight_of(Some(Effect::Reply(PAGE)), &unchanged),
                "/libros answers 404 with text/html: is `catalogue` under [urls] right?",
            ),
            (preflight_of(Some(Effect::Reply(LIMIT)), &unchanged), "the target enforces a rate limit: GET http"),
            (
                preflight_of(Some(Effect::Reply(FRONT)), &unchanged),
                "only a proxy in front of the target answers: GET http",
            ),
            (
                preflight_of(None, &lacks_a_path),
                "is `graphql_reduced` under [urls] right? A path is missing, as in http",
            ),
            (
                preflight_of(None, &exchanges("users", "catalogue")),
                "`catalogue` and `users` under [urls] are exchanged",
            ),
            (
                preflight_of(None, &exchanges("graphql", "graphql_reduced")),
                "`graphql` and `graphql_reduced` under [urls] are exchanged",
            ),
        ] {
            assert!(matches!(&refused, Err(Refusal::NoAnswer(why)) if why.contains(words)), "{refused:?}");
        }
    }
}
