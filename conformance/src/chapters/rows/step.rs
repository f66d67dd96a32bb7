//! A step of an entry: a request, or one for each combination of values, and what its answer must be.

use indexmap::IndexMap;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::expectation::Expectation;
use super::scope::{Each, Scope, text_of};
#[cfg(test)]
use super::scope::{Lists, UNKNOWN_IDS};
use crate::chapters::prelude::*;
#[cfg(test)]
use crate::{case::Case, contract::rule::Contract};

/// One request, or one for each combination of values, and what its answer must be: `want` is judged, and `reads` noted; what is `ready`
/// is a preparation, without which the case is blocked. Without any of them, what every answer must hold is judged of this one.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Step {
    /// `METHOD path`; the path is appended to the URL of the interface that the case needs, of the catalogue if it needs none.
    send: String,
    /// Instead: a GraphQL query, posted.
    query: Option<String>,
    #[serde(rename = "as")]
    sender: Option<Sender>,
    /// Lines of the head, or the name of a list of them; an empty one is none, and `Content-Type:` leaves that header out.
    headers: Value,
    json: Option<Value>,
    /// Sent as JSON, which it need not be, unless a header names another type.
    body: Option<String>,
    pub(super) each: Each,
    /// Needs a target with a second factor, and is left out without.
    pub(super) second_factor: bool,
    /// The rule that it judges, where the case has several.
    rule: Option<String>,
    ready: Option<Expectation>,
    want: Option<Expectation>,
    /// By the id of an open rule's reading: the first that holds is noted.
    reads: IndexMap<String, Expectation>,
    /// Reports what came, with the value at this JSON pointer unless it is empty.
    tell: Option<String>,
    /// By name of a placeholder: `status`, `header NAME` or a JSON pointer of the answer.
    capture: IndexMap<String, String>,
}

/// Whose credential a request has.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Sender {
    /// The key of the initial admin client.
    Admin,
    /// The key of the initial test client.
    Test,
    /// The session given.
    Session,
    /// The JWT of the session given.
    Jwt,
}

impl Step {
    /// Sends the request and judges its answer; `chosen` are the values of this combination.
    pub(super) fn take(&'static self, scope: &mut Scope<'_>, chosen: &[(&str, String)]) -> CaseResult {
        let cx = scope.cx();
        let query = self.query.as_ref().map(|query| scope.text(query)).transpose()?;
        let line = if query.is_some() { "POST".to_owned() } else { scope.text(&self.send)? };
        let subject = subject(query.as_ref().unwrap_or(&line), chosen);
        let (reply, after) = self.reply(scope, &line, query.as_deref())?;
        // A preparation breaks no rule: which one it names does not matter.
        let first = cx.client().rules().0.first().copied().filter(|_| self.ready.is_some());
        let rule = self.rule.as_deref().or(first);
        let check = rule.map_or_else(|| reply.check(), |rule| reply.check_rule(rule)).of(&subject);
        if let Some(ready) = &self.ready {
            ready.judge(&reply, check, scope).map_err(|stop| match stop {
                CaseError::Mismatch(mismatch) => {
                    CaseError::blocked(&subject, mismatch.summary()).seen_in(reply.exchange().number)
                }
                other => other,
            })?;
        }
        if let Some(want) = &self.want {
            want.judge(&reply, check, scope)?;
            want.judge_end(check, &after)?;
        }
        if !self.reads.is_empty() {
            let seen = self.reads.iter().map(|(id, reading)| Ok((id.as_str(), reading.holds(&reply, check, scope)?)));
            let seen: Vec<_> = seen.collect::<CaseResult<_>>()?;
            cx.observe(&seen, format!("{subject}: {}", reply.summary())).seen_in([&reply])?;
        }
        if let Some(pointer) = &self.tell {
            let value = reply.at(pointer).filter(|_| !pointer.is_empty());
            let value = value.map_or_else(String::new, |value| format!(", {pointer} is {value}"));
            cx.tell(format!("{subject}: {}{value}", outcome(&reply)))?;
        }
        for (name, what) in &self.capture {
            let value = match what.split_once(' ') {
                Some((_, header)) => reply.header(header).map(Value::from),
                None if what == "status" => Some(reply.status().into()),
                None => reply.at(what),
            };
            match value {
                Some(value) => scope.set(name, value),
                None if scope.defines(name) => {}
                None => return Err(reply.blocked(&subject, what)),
            }
        }
        Ok(())
    }

    /// The answer, and what follows it, as far as the step wants to know.
    fn reply(&self, scope: &Scope<'_>, line: &str, query: Option<&str>) -> CaseResult<(Reply, Vec<u8>)> {
        let (method, path) = line.split_once(' ').unwrap_or((line, ""));
        let request = self.request(scope, method, path, query)?;
        if self.want.as_ref().is_some_and(Expectation::is_of_the_end) {
            return request.send_and_close();
        }
        let reply = request.send()?;
        let is_creation = scope.interface() == Interface::Catalogue && method == "POST" && path.starts_with("/libros");
        Ok((if is_creation { books::adopt(scope.cx(), reply) } else { reply }, Vec::new()))
    }

    fn request<'c>(&self, scope: &Scope<'c>, method: &str, path: &str, query: Option<&str>) -> CaseResult<Request<'c>> {
        let cx = scope.cx();
        let request = cx.request_at(scope.interface(), method, path);
        let mut request = match self.sender {
            Some(Sender::Admin) => request.key(cx.admin_key()),
            Some(Sender::Test) => request.key(cx.test_key()),
            Some(Sender::Session) => request.bearer(&scope.text("${session}")?),
            Some(Sender::Jwt) => request.jwt(&scope.text("${jwt}")?),
            None => request,
        };
        let mut media_type = Some("application/json");
        for line in scope.list(&self.headers)? {
            let line = scope.text(&text_of(&line))?;
            media_type = media_type.filter(|_| !line.starts_with("Content-Type:"));
            if let Some((name, value)) = line.split_once(": ") {
                request = request.header(name, value);
            }
        }
        if self.want.as_ref().is_some_and(Expectation::is_refusal) {
            request = request.to_fail();
        }
        Ok(match (query, &self.json, &self.body) {
            (Some(query), ..) => request.json(&json!({ "query": query })),
            (_, Some(json), _) => request.json_where_due(&scope.value(json)?),
            (_, _, Some(body)) => request.body_of_type(media_type, scope.text(body)?.as_bytes()),
            _ => request,
        })
    }
}

#[cfg(test)]
impl Step {
    /// The placeholders that it defines.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.each.keys().chain(self.capture.keys()).map(String::as_str)
    }

    /// What keeps it from being taken, if anything does.
    pub(super) fn problem(&self, case: &Case, lists: &Lists) -> Option<String> {
        let contract = Contract::built_in();
        let rule = self.rule.as_deref().or((case.rules.len() == 1).then(|| case.rules[0]));
        let accepts =
            |id: &str| rule.and_then(|rule| contract.rule(rule)).is_some_and(|rule| rule.reading(id).is_some());
        let is_list = |values: &&Value| {
            values.as_str().is_none_or(|name| lists.contains_key(name) || name.starts_with(UNKNOWN_IDS))
        };
        let judges = self.want.is_some() || !self.reads.is_empty();
        if self.send.is_empty() != self.query.is_some() {
            Some("a step sends either a request or a query".to_owned())
        } else if judges && !rule.is_some_and(|rule| case.rules.contains(&rule)) {
            Some(format!("{} judges {rule:?}, which the case does not", self.send))
        } else if let Some(id) = self.reads.keys().find(|id| !accepts(id)) {
            Some(format!("{rule:?} does not accept `{id}`"))
        } else {
            let unknown = self.each.values().chain([&self.headers]).find(|values| !is_list(values));
            unknown.map(|name| format!("no list is called {name}"))
        }
    }
}

/// Status, what the body holds, its media type, and the allowed methods if it names them.
fn outcome(reply: &Reply) -> String {
    let has = |name: &str| reply.at(name).is_some_and(|value| value != Value::Null);
    let held = match (has("/data"), has("/errors"), has("/error")) {
        (true, false, _) => "data",
        (true, true, _) => "data and errors",
        (false, true, _) => "errors",
        (false, false, true) => "error",
        _ => "nothing",
    };
    let media = reply.header("Content-Type").unwrap_or_default().to_ascii_lowercase();
    let allow = reply.header("Allow").map(|methods| format!(", Allow: {methods}")).unwrap_or_default();
    format!("{} {held}, {}{allow}", reply.status(), media.split(';').next().unwrap_or_default().trim())
}

/// The request as failures name it: its line, the query string decoded, or its GraphQL query; and the values that do not show there.
fn subject(line: &str, chosen: &[(&str, String)]) -> String {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (path, query) = line.split_at(line.find('?').unwrap_or(line.len()));
    let line = path.to_owned() + &decoded(query);
    let shows = |value: &str| match serde_json::from_str(value) {
        Ok(Value::Object(fields)) => fields.values().all(|field| line.contains(&decoded(&text_of(field)))),
        _ => line.contains(value),
    };
    let hidden = chosen.iter().filter(|(_, value)| !shows(value));
    let hidden = hidden.map(|(name, value)| format!(", {name} {value}"));
    hidden.fold(line.trim_end().to_owned(), |subject, value| subject + &value)
}
