//! Tests that every common platform takes what the suite sends, except a case's subject; and that cases name only accepted readings.
//!
//! `odd.toml` lists each case that sends something odd. Preparations send nothing odd.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::judging::session;
use super::*;
use crate::contract::rule::Contract;
use crate::http::client::Judge;
use crate::http::exchange::Exchange;
use crate::impostor::Impostor;
use crate::impostor::effect::Effect;
use crate::impostor::effect::bodies::has_further_keys;
use libros_conformance_model::message::Request;

// What may be odd about a request.
const NOT_JSON: &str = "a body that is not sent as JSON";
const EMAIL: &str = "an e-mail that a validator may refuse";
const TARGET: &str = "characters that a target may not hold";
const FURTHER_KEYS: &str = "keys that the documents do not name";
const MALFORMED: &str = "malformed JSON other than cut off";

/// The requests of the current case.
static SENT: Mutex<Vec<Request>> = Mutex::new(Vec::new());

fn record(request: &mut Request) {
    SENT.lock().unwrap().push(request.clone());
}

fn has_type(request: &Request) -> bool {
    request.body.is_empty() || request.header("content-type").as_deref() == Some("application/json")
}

fn is_legal_target(request: &Request) -> bool {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@/?%".contains(c);
    let target = format!("{}?{}", request.path, request.query);
    let is_code = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|b| b.is_ascii_hexdigit());
    target.chars().all(is_legal) && target.split('%').skip(1).all(is_code)
}

fn is_plain_email(value: &Value) -> bool {
    let Some((local, domain)) = value.as_str().and_then(|email| email.split_once('@')) else { return false };
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-_".contains(c);
    local.len() <= 40 && local.chars().all(is_plain) && domain == "example.com"
}

/// What is odd about a request; `known` are the e-mails of the initial users.
fn oddities(request: &Request, known: &[&str]) -> Vec<&'static str> {
    let mut odd = Vec::new();
    let mut note = |is_odd: bool, what| odd.extend(is_odd.then_some(what));
    note(!has_type(request), NOT_JSON);
    note(!is_legal_target(request), TARGET);
    let body: Result<Value, _> = serde_json::from_slice(&request.body);
    // Every reader refuses JSON that ends too early: the plainest malformed body.
    let is_cut_off = body.as_ref().is_err_and(serde_json::Error::is_eof);
    note(!request.body.is_empty() && body.is_err() && !is_cut_off, MALFORMED);
    note(has_further_keys(request), FURTHER_KEYS);
    let Ok(Value::Object(body)) = body else { return odd };
    let is_known = |email: &Value| email.as_str().is_some_and(|email| known.contains(&email));
    if let Some(email) = body.get("email") {
        note(!is_known(email) && !is_plain_email(email), EMAIL);
    }
    odd
}

/// Every rule and reading that a case named, whether or not it held.
#[derive(Debug, Default)]
struct Named(Mutex<BTreeSet<(String, String)>>);

impl Judge for Named {
    fn see(&self, _: &Exchange, _: &str) {}

    fn reading(&self, rule: &str, id: &str) -> Option<&str> {
        self.0.lock().unwrap().insert((rule.to_owned(), id.to_owned()));
        Contract::built_in().rule(rule)?.reading(id).map(|reading| reading.text.as_str())
    }
}

#[test]
fn only_cases_about_something_odd_send_it_and_every_accepted_reading_is_named() {
    let impostor = Impostor::start(impostor_with(Faults::none().having(&[Effect::Request(record)]))).unwrap();
    let mut session = session(&impostor, 1, 2).unwrap();
    session.timeout = Duration::from_secs(60);
    let users = &session.target.credentials;
    let known = [users.admin_user.email.as_str(), users.regular_user.email.as_str()];
    let (named, mut failed) = (Arc::<Named>::default(), Vec::new());
    let mut seen = BTreeSet::new();
    for case in selftest_cases() {
        let cx = case.context(&session, Arc::<Named>::clone(&named));
        if let Err(error) = (case.judge)(&cx) {
            failed.push(format!("{}: {error:?}", case.id()));
        }
        for request in SENT.lock().unwrap().drain(..) {
            seen.extend(oddities(&request, &known).into_iter().map(|what| format!("{} sends {what}", case.id())));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    let odd: BTreeMap<String, Vec<String>> = toml::from_str(include_str!("odd.toml")).unwrap();
    let declared = odd.iter().flat_map(|(what, cases)| cases.iter().map(move |case| format!("{case} sends {what}")));
    let declared: BTreeSet<String> = declared.collect();
    let differs: Vec<_> = seen.symmetric_difference(&declared).collect();
    assert!(differs.is_empty(), "what is sent and what is declared differ: {differs:#?}");
    // A reading that a case names and no rule accepts breaks the case.
    let judged: BTreeSet<&str> = selftest_cases().into_iter().flat_map(|case| case.rules.iter().copied()).collect();
    let rules = Contract::built_in().rules().filter(|rule| judged.contains(rule.id.as_str()));
    let accepted = rules.flat_map(|rule| rule.accepts.iter().map(|reading| (rule.id.clone(), reading.id.clone())));
    let unnamed: Vec<_> = accepted.filter(|reading| !named.0.lock().unwrap().contains(reading)).collect();
    assert!(unnamed.is_empty(), "no case names the accepted readings {unnamed:?}");
}
