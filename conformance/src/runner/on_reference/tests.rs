//! Differences between an answer and the same on the reference.

use serde_json::json;

use super::*;
use crate::http::exchange::{Received, Sent};
use crate::implementation::profile::Address;

fn exchange(number: u32, path: &str, headers: &[(&str, &str)], body: &serde_json::Value) -> Exchange {
    let sent = Sent::new("GET", &Address::parse("http://h:1").unwrap(), path);
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect();
    let received = Received::new(200, headers, body.to_string().into_bytes(), false);
    Exchange { number, ..Exchange::new(sent, Ok(received)) }
}

/// The places that differ, those that are wrong marked with `!`.
fn differing(own: &[Exchange], reference: &[Exchange], part: Option<&Part>) -> Vec<String> {
    let failing = Failing { exchanges: own, judged: own.len() - 1, part };
    let (_, steps) = pair_exchanges(failing, reference, "ab12");
    let differences = &steps.last().unwrap().differences;
    differences.iter().map(|found| format!("{}{}", if found.is_wrong { "!" } else { "" }, found.part)).collect()
}

#[test]
fn a_header_that_differs_is_shown_and_one_of_the_transport_or_of_the_target_alone_is_not() {
    let own = [exchange(
        0,
        "/x",
        &[("Cache-Control", "public"), ("Date", "1"), ("X-Powered-By", "x"), ("ETag", "\"a\"")],
        &json!({}),
    )];
    let reference = [exchange(0, "/x", &[("cache-control", "no-cache"), ("Date", "2"), ("ETag", "\"b\"")], &json!({}))];
    let part = Part::Header("Cache-Control".to_owned());
    assert_eq!(differing(&own, &reference, Some(&part)), ["!header Cache-Control"]);
    let tag = Part::Header("ETag".to_owned());
    assert_eq!(differing(&own, &reference, Some(&tag)), ["!header ETag", "header cache-control"]);
}

#[test]
fn ids_times_tokens_and_names_of_the_run_are_aligned() {
    let body = |id: u32, name: &str, token: &str, time: &str, total: u32| json!({ "id": id, "titulo": name, "sessionToken": token, "jwtToken": format!("${{jwt {id}{id}}}"), "at": time, "error": token, "email": format!("user.{token}@example.com"), "total": total });
    let own = [exchange(
        0,
        "/l/7?q=t-ab12-3-x",
        &[],
        &body(7, "t-ab12-3-x", "0123456789abcdef", "2026-01-01T00:00:00.000Z", 4),
    )];
    let other = [exchange(
        0,
        "/l/9?q=t-ab12-41-x",
        &[],
        &body(9, "t-ab12-41-x", "f123456789abcde0", "2026-01-02T00:00:00.000Z", 5),
    )];
    assert_eq!(differing(&own, &other, None), ["body /total"]);
}

#[test]
fn a_missing_member_and_a_surplus_item_stand_at_their_place() {
    let own = [exchange(0, "/x", &[], &json!({ "datos": [{ "a": 1 }, { "a": 2 }], "b": null }))];
    let reference = [exchange(0, "/x", &[], &json!({ "datos": [{ "a": 1, "c": 1 }] }))];
    let part = Part::Body("/datos/0/c".to_owned());
    assert_eq!(differing(&own, &reference, Some(&part)), ["!body /datos/0/c", "body /b", "body /datos/1"]);
}

#[test]
fn an_exchange_finds_the_same_request_though_others_lie_between() {
    let plain = |number, path| exchange(number, path, &[], &json!({}));
    let own = [plain(0, "/a"), plain(1, "/shrunk"), plain(2, "/b/12")];
    let reference = [plain(0, "/a"), plain(1, "/b/7"), plain(2, "/c")];
    let (_, steps) = pair_exchanges(Failing { exchanges: &own, judged: 2, part: None }, &reference, "");
    assert_eq!(steps.iter().map(|step| step.counterpart).collect::<Vec<_>>(), [Some(0), None, Some(1)]);
}
