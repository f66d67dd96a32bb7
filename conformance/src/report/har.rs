//! The report as HAR 1.2: the kept traffic, an entry an exchange, a page a case. Of a run without `--trace` that of red cases.

use serde_json::{Value, json};

use crate::clock;
use crate::contract::edition;
use crate::http::exchange::{Exchange, is_left_out};
use crate::runner::outcome::{CaseOutcome, RunOutcome};

pub(super) fn value(outcome: &RunOutcome) -> Value {
    let cases: Vec<_> = outcome.cases.iter().filter(|case| !case.exchanges.is_empty()).collect();
    let entries = cases.iter().flat_map(|case| case.exchanges.iter().map(|exchange| entry(case, exchange)));
    json!({ "log": {
        "version": "1.2",
        "comment": format!("{}: {}", outcome.target, edition::label()),
        "creator": { "name": "libros-conformance", "version": edition::suite() },
        "pages": cases.iter().map(|case| page(case)).collect::<Vec<_>>(),
        "entries": entries.collect::<Vec<_>>(),
    } })
}

fn page(case: &CaseOutcome) -> Value {
    let began = case.exchanges.first().map_or(0, |exchange| exchange.sent_at_ms);
    json!({
        "id": case.id, "title": format!("{} {}", case.verdict.word(), case.id),
        "startedDateTime": clock::iso(began), "pageTimings": {},
    })
}

fn entry(case: &CaseOutcome, exchange: &Exchange) -> Value {
    let sent = &exchange.sent;
    let body = sent.body.as_deref().map(String::from_utf8_lossy);
    let lines: Vec<_> = sent.headers.iter().filter(|(name, value)| !is_left_out(name, value)).cloned().collect();
    let mut request = json!({
        "method": sent.method, "url": sent.url(), "httpVersion": "HTTP/1.1",
        "cookies": [], "headers": headers(&lines), "queryString": query(&sent.path),
        "headersSize": -1, "bodySize": sent.body.as_ref().map_or(0, Vec::len),
    });
    if let Some(text) = body {
        let mime =
            String::from_utf8_lossy(sent.values("content-type").first().copied().unwrap_or_default()).into_owned();
        request["postData"] = json!({ "mimeType": mime, "text": text });
    }
    json!({
        "pageref": case.id, "startedDateTime": clock::iso(exchange.sent_at_ms), "time": exchange.duration_ms,
        "request": request, "response": response(exchange), "cache": {},
        "timings": { "send": 0, "wait": exchange.duration_ms, "receive": 0 },
    })
}

fn response(exchange: &Exchange) -> Value {
    let (status, lines, body, comment) = match &exchange.received {
        Ok(received) => (received.status, headers(&received.headers), received.text(), String::new()),
        Err(why) => (0, Vec::new(), String::new(), why.to_string()),
    };
    let mime = exchange.received.as_ref().ok().and_then(|received| received.header("content-type")).unwrap_or_default();
    json!({
        "status": status, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": lines,
        "content": { "size": body.len(), "mimeType": mime, "text": body },
        "redirectURL": "", "headersSize": -1, "bodySize": body.len(), "comment": comment,
    })
}

fn headers(lines: &[(String, Vec<u8>)]) -> Vec<Value> {
    lines.iter().map(|(name, value)| json!({ "name": name, "value": String::from_utf8_lossy(value) })).collect()
}

fn query(path: &str) -> Vec<Value> {
    let pairs = path.split_once('?').map_or("", |(_, query)| query).split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| json!({ "name": name, "value": value })).collect()
}
