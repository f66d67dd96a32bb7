//! Prepares recorded traffic for reports: cuts long bodies, replaces the secrets of the profile and those that the target issued for them.
//!
//! Sends nothing, judges nothing.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::memmem::Finder;
use serde_json::json;

use crate::context::session::Session;
use crate::http::exchange::{Exchange, variable_of_header};
use crate::mutex::locked;
use crate::runner::outcome::CaseOutcome;

/// Bodies and headers kept of a whole run, in bytes: a report holds them several times over.
const RUN_BYTES: usize = 24 << 20;
const SHORT_BYTES: usize = 512;
const HEADER_LINES: usize = 64;
/// A shorter secret would also be replaced where it is part of another text by chance.
const SECRET_BYTES_MIN: usize = 6;

#[derive(Debug, Default)]
pub(super) struct Budget {
    bytes_kept: AtomicUsize,
}

impl Budget {
    /// Counts the traffic of a case; cuts exchanges for which nothing is left of it.
    pub(super) fn admit(&self, exchanges: &mut [Exchange]) {
        for exchange in exchanges {
            if self.bytes_kept.load(Ordering::Relaxed) + exchange.bytes() > RUN_BYTES {
                *exchange = exchange.cut_to(SHORT_BYTES).with_headers_cut_to(SHORT_BYTES, HEADER_LINES);
            }
            self.bytes_kept.fetch_add(exchange.bytes(), Ordering::Relaxed);
        }
    }
}

/// Texts that no report may show, each with its replacement.
#[derive(Debug)]
struct Secrets(Vec<(Finder<'static>, String)>);

/// Remembers tokens issued for a password of the profile, to redact them later: the exchange that issued them may be dropped.
pub(super) fn note_issued(session: &Session, exchanges: &[Exchange]) {
    let own = &session.target.credentials;
    let passwords = [&own.admin_user.password, &own.regular_user.password];
    let shows = |sent: &str| passwords.iter().any(|own| own.len() >= SECRET_BYTES_MIN && sent.contains(&in_json(own)));
    for exchange in exchanges {
        let sent = exchange.sent.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let Some(received) = exchange.received.as_ref().ok().filter(|_| shows(&sent)) else { continue };
        let body = received.json().unwrap_or_default();
        let tokens = [
            ("/tokens/sessionToken", "session"),
            ("/tokens/jwtToken", "jwt"),
            ("/sessionId", "pending login"),
            ("/secret", "totp secret"),
        ];
        let found = tokens.map(|(pointer, label)| Some((label, body.pointer(pointer)?.as_str()?.to_owned())));
        locked(&session.issued).extend(found.into_iter().flatten());
    }
}

/// Replaces the profile's credentials by `${test_key}` and the like, and what the target issued for them by `${session 1}`.
pub fn redact(session: &Session, cases: &mut [CaseOutcome]) {
    let own = &session.target.credentials;
    let mut secrets = Secrets(Vec::new());
    secrets.add(&own.test_key, "test_key");
    secrets.add(&own.admin_key, "admin_key");
    secrets.add(&own.admin_user.password, "admin_password");
    secrets.add(&own.regular_user.password, "regular_password");
    for (name, value) in session.target.urls.values().flat_map(|address| &address.headers) {
        secrets.add(value, &variable_of_header(name));
    }
    for (label, token) in &*locked(&session.issued) {
        let number = 1 + secrets.0.iter().filter(|(_, known)| known.starts_with(&format!("${{{label} "))).count();
        secrets.add(token, &format!("{label} {number}"));
    }
    for case in cases {
        secrets.redact_case(case);
    }
}

/// The text as JSON spells it, without the quotes around it.
fn in_json(text: &str) -> String {
    let spelled = json!(text).to_string();
    spelled[1..spelled.len() - 1].to_owned()
}

impl Secrets {
    fn add(&mut self, secret: &str, label: &str) {
        let in_json = in_json(secret);
        // PHP writes `/` as `\/` in JSON.
        for spelled in [secret, &in_json, &in_json.replace('/', r"\/")] {
            let is_known = self.0.iter().any(|(known, _)| known.needle() == spelled.as_bytes());
            if spelled.len() >= SECRET_BYTES_MIN && !is_known {
                self.0.push((Finder::new(spelled).into_owned(), format!("${{{label}}}")));
            }
        }
    }

    fn redact_case(&self, case: &mut CaseOutcome) {
        if let Some(message) = &mut case.message {
            self.redact_text(message);
        }
        if let Some(mismatch) = &mut case.mismatch {
            mismatch.each_text(|text| self.redact_text(text));
        }
        for note in &mut case.notes {
            self.redact_text(&mut note.reading);
            self.redact_text(&mut note.meaning);
        }
        for exchange in &mut case.exchanges {
            let sent = &mut exchange.sent;
            self.redact_text(&mut sent.path);
            sent.headers.iter_mut().for_each(|(_, value)| self.redact_bytes(value));
            sent.body.iter_mut().for_each(|body| self.redact_bytes(body));
            match &mut exchange.received {
                Ok(received) => Arc::make_mut(received).each_value(|value| self.redact_bytes(value)),
                Err(none) => self.redact_text(&mut none.why),
            }
        }
    }

    fn redact_text(&self, text: &mut String) {
        let mut bytes = std::mem::take(text).into_bytes();
        self.redact_bytes(&mut bytes);
        *text = String::from_utf8_lossy(&bytes).into_owned();
    }

    fn redact_bytes(&self, bytes: &mut Vec<u8>) {
        let mut from = 0;
        // The longest of those that begin first: one secret may begin with another.
        let first = |bytes: &[u8]| {
            let found = self.0.iter().filter_map(|known| Some((known.0.find(bytes)?, known)));
            found.min_by_key(|(at, (secret, _))| (*at, Reverse(secret.needle().len())))
        };
        while let Some((at, (secret, label))) = first(&bytes[from..]) {
            let at = from + at;
            bytes.splice(at..at + secret.needle().len(), label.bytes());
            // A label may contain a secret: `${admin_password}` contains `password`.
            from = at + label.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::http::exchange::{Received, Sent};
    use crate::implementation::profile::{Address, Target};
    use crate::implementation::reference::REFERENCE_PROFILE;
    use crate::runner::outcome::Verdict;

    fn exchange(sent: &str, received: &str) -> Exchange {
        let address = Address::parse("http://127.0.0.1:1").unwrap();
        let body = Some(sent.as_bytes().to_vec());
        let sent = Sent { body, ..Sent::new("GET", &address, "/").header("X-API-Key", sent) };
        Exchange::new(sent, Ok(Received::new(200, Vec::new(), received.as_bytes().to_vec(), false)))
    }

    #[test]
    fn no_secret_of_the_profile_and_nothing_issued_for_it_is_kept() {
        let session = Session::new(Target::parse(REFERENCE_PROFILE).unwrap(), None, 1, 1, Duration::ZERO);
        let own = &session.target.credentials;
        let mut case = CaseOutcome::without_traffic("a::b".to_owned(), &[], Verdict::Fail, Some(own.admin_key.clone()));
        let login = format!("{{\"password\":\"{}\"}}", own.admin_user.password);
        // A case that passed: its exchanges are not kept.
        note_issued(&session, &[exchange(&login, r#"{"tokens":{"sessionToken":"5e551011aa"}}"#)]);
        case.exchanges.push(exchange(&own.test_key, r#""Bearer 5e551011aa""#));
        let json = |case: &CaseOutcome| case.exchanges[0].received.as_ref().unwrap().json().cloned();
        // As a check of the case reads it.
        assert!(json(&case).is_some());
        let mut cases = [case];
        redact(&session, &mut cases);
        let kept = format!("{:?} {} {:?}", cases[0].message, cases[0].exchanges[0].transcript(), json(&cases[0]));
        for secret in [&own.admin_key, &own.test_key, &own.admin_user.password, &"5e551011aa".to_owned()] {
            assert!(!kept.contains(secret.as_str()), "{secret} in {kept}");
        }
        assert!(kept.contains("${admin_key}") && kept.contains("${session 1}"), "{kept}");
    }

    #[test]
    fn secrets_that_are_part_of_others_or_of_labels_are_replaced_whole() {
        let mut secrets = Secrets(Vec::new());
        for (secret, label) in [
            ("ak_123", "test_key"),
            ("ak_12345", "admin_key"),
            ("password", "admin_password"),
            ("cGF/c3M", "jwt 1"),
            (r#"a"b\cd"#, "secret"),
        ] {
            secrets.add(secret, label);
        }
        let mut text = r#"ak_12345, ak_123, password, cGF\/c3M, a"b\cd, a\"b\\cd"#.to_owned();
        secrets.redact_text(&mut text);
        assert_eq!(text, "${admin_key}, ${test_key}, ${admin_password}, ${jwt 1}, ${secret}, ${secret}");
    }

    #[test]
    fn a_run_keeps_no_more_than_its_budget_and_says_what_it_cut() {
        let budget = Budget::default();
        let body = "x".repeat(1 << 20);
        let kept: usize = (0..60)
            .map(|_| {
                let mut exchanges = [exchange("", &body)];
                budget.admit(&mut exchanges);
                exchanges[0].bytes()
            })
            .sum();
        assert!((RUN_BYTES / 2..=RUN_BYTES + 60 * 600).contains(&kept), "{kept}");
        let mut late = [exchange("", &body)];
        budget.admit(&mut late);
        assert!(late[0].cut_to(64).received.unwrap().text().ends_with("(1048576 bytes in all)"));
    }
}
