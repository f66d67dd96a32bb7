//! A step of an entry: a request, or one for each combination of values, and what its answer must be.

use indexmap::IndexMap;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::expectation::Expectation;
use super::scope::{Each, Scope};
#[cfg(test)]
use super::scope::{Lists, UNKNOWN_IDS};
use super::when::When;
use crate::chapters::prelude::*;
use crate::json::text_of;
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
    /// Lines of the head, or the name of a list of them; an empty line is skipped, and `Content-Type:` leaves that header out.
    headers: Value,
    json: Option<Value>,
    /// Sent as JSON, which it need not be, unless a header names another type.
    body: Option<String>,
    each: Each,
    when: Option<When>,
    /// The name of the moment when it was sent, from which later steps reckon.
    moment: Option<String>,
    /// Needs a target with a second factor, and is left out without.
    second_factor: bool,
    /// Left out where the interface has the catalogue's origin: the documents want another answer of a path that either may have.
    apart: bool,
    /// The rule that it judges, where the case has several.
    rule: Option<String>,
    /// `POINTER = VALUE`, by name of a placeholder: the place in the list, which the answer is, of the item that has this value there.
    find: IndexMap<String, String>,
    ready: Option<Expectation>,
    /// Where the answer is another, that is reported, and the rest of its row is left out.
    only_where: Option<Expectation>,
    want: Option<Expectation>,
    /// By the id of an open rule's reading: the first that holds is noted.
    reads: IndexMap<String, Expectation>,
    /// What the readings are of, where the rule is read of several things.
    of: String,
    /// Reports the answer, with what it has at `header NAME` or this JSON pointer unless it is empty.
    tell: Option<String>,
    /// Instead of a request: steps that are taken in a row, for each combination of values.
    steps: Vec<Step>,
    /// The steps within this one must be taken within one step of the codes of `${secret}`, around which all codes differ; else the entry is repeated.
    within_a_time_step: bool,
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
    /// Takes steps in a row; skips steps of the second factor if the target has none.
    pub(super) fn take_all(steps: &'static [Self], scope: &mut Scope<'_>, chosen: &[(&str, String)]) -> CaseResult {
        let cx = scope.cx;
        let origin_of = |interface| cx.target().address(interface).map(|address| &address.authority);
        let interface = scope.interface;
        let is_due = |step: &&Self| {
            (!step.second_factor || cx.holds_second_factor())
                && (!step.apart || origin_of(interface) != origin_of(Interface::Catalogue))
        };
        for step in steps.iter().filter(is_due) {
            step.take_when_due(scope, chosen)?;
            if std::mem::take(&mut scope.leaves_out_rest) {
                break;
            }
        }
        Ok(())
    }

    /// Waits until it is due, and takes it for every combination of its values beside those chosen already. Before an edge what is sent
    /// until the next wait must be answered in time; if it is not, the scope says so.
    fn take_when_due(&'static self, scope: &mut Scope<'_>, outer: &[(&str, String)]) -> CaseResult {
        if let Some(when) = &self.when {
            scope.deadline_ms = when.wait(scope)?;
        }
        let taken = scope.for_each(&self.each, &mut |scope, inner| self.take(scope, &[outer, inner].concat()));
        match scope.deadline_ms {
            Some(deadline_ms) if scope.cx.target_now()? > deadline_ms => {
                scope.is_late = true;
                Err(CaseError::blocked("sending a request shortly before a limit", "the answer came after it"))
            }
            _ => taken,
        }
    }

    /// Takes the steps within it. If they must fall within one step of codes and do not, the scope says so.
    fn take_own_steps(&'static self, scope: &mut Scope<'_>, chosen: &[(&str, String)]) -> CaseResult {
        if !self.within_a_time_step {
            return Self::take_all(&self.steps, scope, chosen);
        }
        let step = totp_steps::current_away_from_edges(scope.cx)?;
        let done = Self::take_all(&self.steps, scope, chosen);
        let now = totp_steps::current_if_certain(scope.cx);
        scope.is_late |= now.as_ref().is_ok_and(|now| *now != Some(step)) || !scope.has_distinct_codes(step)?;
        done.and(now.map(drop))
    }

    /// Sends the request and judges its answer; `chosen` are the values of this combination.
    fn take(&'static self, scope: &mut Scope<'_>, chosen: &[(&str, String)]) -> CaseResult {
        if !self.steps.is_empty() {
            return self.take_own_steps(scope, chosen);
        }
        let cx = scope.cx;
        let query = self.query.as_ref().map(|query| scope.text(query)).transpose()?;
        let line = if query.is_some() { "POST".to_owned() } else { scope.text(&self.send)? };
        let mut subject = subject(query.as_ref().unwrap_or(&line), chosen);
        self.when.iter().for_each(|when| subject += &format!(", {}", when.written));
        let send = |scope: &Scope<'_>| self.reply(scope, &line, query.as_deref());
        let (reply, after) = if let Some(name) = &self.moment {
            let (sent, at) = time::timed(cx, |_| send(scope))?;
            scope.moments.insert(name.clone(), at);
            sent
        } else {
            send(scope)?
        };
        for (name, item) in &self.find {
            let place = place_in(&reply.json(), &scope.text(item)?).ok_or_else(|| reply.blocked(&subject, item))?;
            scope.set(name, place.into());
        }
        // A preparation breaks no rule: which one it names does not matter.
        let prepares = self.ready.is_some() || self.only_where.is_some();
        let first = cx.client().rules.0.first().copied().filter(|_| prepares);
        let rule = self.rule.as_deref().or(first);
        let plain = rule.map_or_else(|| reply.check(), |rule| reply.check_rule(rule));
        let check = plain.of(&subject);
        if let Some(only_where) = &self.only_where
            && !only_where.holds(&reply, check, scope)?
        {
            scope.leaves_out_rest = true;
            return cx.tell(format!("{subject}: {}, and the rest is left out", reply.summary()));
        }
        if let Some(ready) = &self.ready {
            ready.judge(&reply, plain, scope).map_err(|stop| match stop {
                CaseError::Mismatch(mismatch) => {
                    CaseError::blocked(&subject, mismatch.summary()).seen_in(&[reply.exchange().number])
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
            let got = format!("{} to {subject}", reply.summary());
            cx.observe_of(&scope.text(&self.of)?, &seen, got).seen_in([&reply])?;
        }
        let part = |what: &str| match what.strip_prefix("header ") {
            Some(header) => reply.header(header).map(Value::from),
            None if what == "status" => Some(reply.status().into()),
            None => reply.at(what),
        };
        if let Some(what) = &self.tell {
            let value = part(what).filter(|_| !what.is_empty());
            let value = value.map_or_else(String::new, |value| format!(", {what} is {value}"));
            cx.tell(format!("{subject}: {}{value}", outcome(&reply)))?;
        }
        for (name, what) in &self.capture {
            let what = &scope.text(what)?;
            match part(what) {
                Some(value) => scope.set(name, value),
                None if scope.defines(name) => {}
                None => return Err(reply.blocked(&subject, what)),
            }
        }
        Ok(())
    }

    /// Sends the request; returns the answer, and the bytes behind it if the step judges those.
    fn reply(&self, scope: &Scope<'_>, line: &str, query: Option<&str>) -> CaseResult<(Reply, Vec<u8>)> {
        let (method, path) = line.split_once(' ').unwrap_or((line, ""));
        let request = self.request(scope, method, path, query)?;
        if self.want.as_ref().is_some_and(Expectation::is_of_the_end) {
            return request.send_and_close();
        }
        let reply = request.send()?;
        let is_creation = scope.interface == Interface::Catalogue && method == "POST" && path.starts_with("/libros");
        Ok((if is_creation { books::adopt(scope.cx, reply) } else { reply }, Vec::new()))
    }

    fn request<'c>(&self, scope: &Scope<'c>, method: &str, path: &str, query: Option<&str>) -> CaseResult<Request<'c>> {
        let cx = scope.cx;
        let request = cx.request_at(scope.interface, method, path);
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
            request = request.creating_no_user();
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
    pub(super) fn names(&self) -> Vec<&str> {
        let own = self.each.keys().chain(self.capture.keys()).chain(self.find.keys()).map(String::as_str);
        own.chain(self.steps.iter().flat_map(Self::names)).collect()
    }

    /// The rules that it names.
    pub(super) fn rules(&self) -> Vec<&str> {
        self.rule.as_deref().into_iter().chain(self.steps.iter().flat_map(Self::rules)).collect()
    }

    /// Why the step cannot be taken, if it cannot.
    pub(super) fn problem(&self, case: &Case, lists: &Lists) -> Option<String> {
        let contract = Contract::built_in();
        let rule = self.rule.as_deref().or((case.rules.len() == 1).then(|| case.rules[0]));
        let accepts =
            |id: &str| rule.and_then(|rule| contract.rule(rule)).is_some_and(|rule| rule.reading(id).is_some());
        let is_list = |values: &&Value| {
            values.as_str().is_none_or(|name| {
                lists.contains_key(name) || [UNKNOWN_IDS, "${"].iter().any(|kind| name.starts_with(kind))
            })
        };
        let judges = self.want.is_some() || !self.reads.is_empty();
        let acts = [!self.send.is_empty(), self.query.is_some(), !self.steps.is_empty()];
        if acts.iter().filter(|acts| **acts).count() != 1 {
            Some("a step sends a request or a query, or has steps".to_owned())
        } else if judges && !rule.is_some_and(|rule| case.rules.contains(&rule)) {
            Some(format!("{} judges {rule:?}, which the case does not", self.send))
        } else if let Some(id) = self.reads.keys().find(|id| !accepts(id)) {
            Some(format!("{rule:?} does not accept `{id}`"))
        } else {
            let unknown = self.each.values().chain([&self.headers]).find(|values| !is_list(values));
            let unknown = unknown.map(|name| format!("no list is called {name}"));
            unknown.or_else(|| self.steps.iter().find_map(|step| step.problem(case, lists)))
        }
    }
}

fn place_in(list: &Value, item: &str) -> Option<usize> {
    let (pointer, value) = item.split_once(" = ")?;
    list.as_array()?.iter().position(|item| item.pointer(pointer).is_some_and(|held| text_of(held) == value))
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
    // The innermost value varies fastest and tells most.
    let hidden = hidden.rev().map(|(name, value)| format!(", {name} {value}"));
    hidden.fold(line.trim_end().to_owned(), |subject, value| subject + &value)
}
