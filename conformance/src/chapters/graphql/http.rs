//! What the documents say nothing of: how much a query may ask for, to the level and to the byte; media types, the
//! query string of GET, whole numbers as variables. Every answer is accepted that leaves the endpoint serving, and
//! reported.

use std::cell::Cell;

use super::endpoint::{ENDPOINT, ask, known_users, posts_of, user_field};
use crate::chapters::prelude::*;
use crate::fixture::limits::{bound, largest};

cases! { "graphql";
    /// How deep a query may be, by selections and by fragments, and how many fields it may name.
    how_deep_and_rich_a_query_may_be judges ["graphql/limits"] needs [ENDPOINT, Need::Alone] => |cx| {
        const LEVELS_MOST: usize = 1024;
        const FIELDS_MOST: usize = 8192;
        let inline = |levels: usize| nobody(&format!("{{ {} id {} }}", "... {".repeat(levels), "}".repeat(levels)));
        let spread = |levels: usize| {
            let next = |level: usize| format!("fragment f{level} on User {{ name ...f{} }} ", level + 1);
            let fragments: String = (0..levels).map(next).collect();
            format!("{} {fragments} fragment f{levels} on User {{ id }}", nobody("{ ...f0 }"))
        };
        let many = |fields: usize| nobody(&format!("{{ {} }}", "id ".repeat(fields)));
        let twice = |fields: usize| {
            let query = format!("{{ a: {0} b: {0} }}", user_field(&json!("nadie"), "{ ...f ... { ...f } }"));
            format!("{query} fragment f on User {{ {} }}", "id ".repeat(fields))
        };
        let bounds = concurrency::simultaneously(4, |nth| match nth {
            0 => climb(cx, "levels", LEVELS_MOST, inline),
            1 => climb(cx, "fragments within each other", LEVELS_MOST, spread),
            2 => climb(cx, "fields", FIELDS_MOST, many),
            _ => climb(cx, "fields of a fragment that is spread four times", FIELDS_MOST, twice),
        })?;
        bounds.into_iter().try_for_each(|bound| cx.tell(bound))
    };
    /// How many bytes a query may have.
    how_long_a_query_may_be judges ["graphql/limits"] needs [ENDPOINT] => |cx| {
        const BYTES_MOST: usize = 1 << 20;
        let empty = nobody("{ id }");
        let query = |bytes: usize| format!("{empty}{}", " ".repeat(bytes.saturating_sub(empty.len())));
        cx.tell(climb(cx, "bytes", BYTES_MOST, query)?)
    };
    /// How far an answer may grow when each level doubles it, and lists of introspection within each other.
    how_far_an_answer_may_grow judges ["graphql/limits"] needs [ENDPOINT, Need::Alone] => |cx| {
        let users = known_users(cx)?;
        if let Some(user) = users.iter().find(|user| posts_of(user).len() > 1) {
            let posts = posts_of(user).len();
            // As far as ten thousand posts, level by level.
            let most = (1..).take_while(|times| posts.saturating_pow(*times) <= 10_000).last().unwrap_or(1) as usize;
            let growing = |times: usize| "posts { user { ".repeat(times) + "id" + &" } }".repeat(times);
            let query = |times| format!("{{ {} }}", user_field(&user["id"], &format!("{{ {} }}", growing(times))));
            let climb = Climb::new(cx);
            let mut grown = 0;
            while grown < most && climb.is_answered(&query(grown + 1))? {
                grown += 1;
            }
            cx.tell(climb.bound(&format!("levels of {posts} posts"), grown, most)?)?;
        }
        const LISTS_MOST: usize = 2;
        let nested = |lists: usize| "{ name fields { type ".repeat(lists) + "{ name }" + &" } }".repeat(lists);
        let climb = Climb::new(cx);
        let introspects = |lists: usize| -> Result<bool, CaseError> {
            let reply = climb.asked(&format!("{{ __schema {{ types {} }} }}", nested(lists)))?;
            let types = reply.filter(|reply| reply.is(200)).and_then(|reply| reply.at("/data/__schema/types"));
            Ok(types.is_some_and(|types| types != Value::Null))
        };
        let lists = largest(LISTS_MOST, introspects)?;
        cx.tell(climb.bound("lists of introspection within each other", lists, LISTS_MOST)?)
    };
    /// Whatever media types a client accepts, a query is answered with data or 406, and a wrong one refused.
    media_types_a_client_accepts judges ["graphql/request-extras"] needs [ENDPOINT] => |cx| {
        const RESPONSE: &str = "application/graphql-response+json";
        let accepts = [
            "*/*".to_owned(),
            "application/*".to_owned(),
            "application/json".to_owned(),
            "Application/JSON; charset=utf-8".to_owned(),
            RESPONSE.to_owned(),
            format!("{RESPONSE}, application/json;q=0.9"),
            format!("application/json;q=0.9, {RESPONSE}"),
            format!("application/json, {RESPONSE}"),
            format!("{RESPONSE}, application/json"),
            format!("{RESPONSE};q=0.5, application/json;q=0.4, */*;q=0.1"),
            format!("{RESPONSE};Q=0.5, application/json"),
            format!("{RESPONSE};q=0, application/json;q=0"),
            format!("{RESPONSE};q=x, */*;q=0.1"),
            "text/html".to_owned(),
            "text/html, */*;q=0.1, application/json;q=0.05".to_owned(),
        ];
        for accept in accepts {
            for (what, query) in [("a query", USERS), ("a wrong one", "{ nadie { id } }")] {
                let reply = demo::query(cx, Interface::Graphql, query).header("Accept", &accept).send()?;
                civil(cx, &format!("{what}, Accept: {accept}"), &reply)?;
            }
        }
        Ok(())
    };
    /// A query under another media type than JSON, or another charset, is answered or refused.
    media_types_a_query_comes_as judges ["graphql/request-extras"] needs [ENDPOINT] => |cx| {
        let body = json!({ "query": USERS }).to_string();
        let kinds = [
            Some("application/json;charset=\"UTF-8\""),
            Some("application/json ; v=1; Charset=utf-8"),
            Some("application/json; charset=latin1"),
            Some("text/plain"),
            Some("text/plain; charset=utf-8"),
            Some("application/x-www-form-urlencoded"),
            None,
        ];
        for kind in kinds {
            let request = cx.request_at(Interface::Graphql, "POST", "").body_of_type(kind, body.as_bytes());
            let what = kind.map_or("no Content-Type".to_owned(), |kind| format!("Content-Type: {kind}"));
            civil(cx, &what, &request.send()?)?;
        }
        Ok(())
    };
    /// GET with variables, operation name and extensions, empty or wrong, is answered or refused, and the endpoint goes on.
    get_with_more_than_a_query judges ["graphql/other-path-or-method"] needs [ENDPOINT] => |cx| {
        let one = "query A($i: ID!) { user(id: $i) { id } }";
        let both = "query A { a: users { id } } query B { b: users { id } } mutation M { __typename }";
        let creates = "mutation { createUser(name: \"Ada\", age: 41) { id } }";
        let creates_by_name = "mutation M { createUser(name: \"Ada\", age: 41) { id } }";
        let asked = [
            (USERS, ""),
            (USERS, "&variables=&operationName=&extensions="),
            (USERS, "&variables=x"),
            (USERS, "&variables=[]"),
            (USERS, "&variables=null"),
            (USERS, "&extensions=x"),
            (USERS, "&extensions={}"),
            (USERS, "&otro=1"),
            (one, ""),
            (one, "&variables={\"i\":\"1\"}"),
            (one, "&variables={\"i\":1}"),
            (both, "&operationName=A"),
            (both, "&operationName=B"),
            (both, "&operationName=M"),
            (both, "&operationName=C"),
            (both, ""),
            (creates, ""),
            (creates_by_name, ""),
            ("", ""),
        ];
        for (query, more) in asked {
            let path = format!("?query={}{}", percent_encoded(query), encoded(more));
            any(cx, &format!("GET {query} {more}"), &cx.request_at(Interface::Graphql, "GET", &path).send()?)?;
        }
        any(cx, "GET without a query", &cx.request_at(Interface::Graphql, "GET", "?variables=%7B%7D").send()?)
    };
    /// Variables for ages are whole numbers, however they are written.
    numbers_as_variables judges ["graphql/request-extras"] needs [ENDPOINT] => |cx| {
        let query = "mutation M($age: Int!) { createUser(name: \"Ada\", age: $age) { age } }";
        for age in ["41", "41.0", "4.1e1", "-0.0", "41.5", "2147483648", "1e300", "\"41\"", "true", "null"] {
            let body = format!("{{\"query\":{},\"variables\":{{\"age\":{age}}}}}", json!(query));
            let reply = cx.request_at(Interface::Graphql, "POST", "").json_text(body.as_bytes()).send()?;
            let what = format!("age {age}, shown {}", reply.at("/data/createUser/age").unwrap_or_default());
            any(cx, &what, &reply)?;
        }
        Ok(())
    };
    /// Which operation of several is run, and what else may stand beside the query.
    operations_and_extensions judges ["graphql/request-extras"] needs [ENDPOINT] => |cx| {
        let both = "query A { a: users { id } } query B { b: users { id } }";
        let bodies = [
            json!({ "query": both }),
            json!({ "query": both, "operationName": "B" }),
            json!({ "query": both, "operationName": "C" }),
            json!({ "query": both, "operationName": "" }),
            json!({ "query": both, "operationName": 1 }),
            json!({ "query": USERS, "operationName": null, "variables": null, "extensions": null }),
            json!({ "query": USERS, "variables": [] }),
            json!({ "query": USERS, "variables": "{}" }),
            json!({ "query": USERS, "variables": { "otra": [1.0, { "a": 2.5 }] } }),
            json!({ "query": USERS, "extensions": {} }),
            json!({ "query": USERS, "extensions": false }),
        ];
        for body in bodies {
            any(cx, &body.to_string(), &cx.request_at(Interface::Graphql, "POST", "").json(&body).send()?)?;
        }
        Ok(())
    };
}

/// An answer that took longer is the last one of its kind.
const SLOW_MS: u64 = 1_500;

/// Asks for more and more, until an answer is slow.
struct Climb<'c> {
    cx: &'c CaseContext<'c>,
    is_slow: Cell<bool>,
}

impl<'c> Climb<'c> {
    fn new(cx: &'c CaseContext<'c>) -> Self {
        Self { cx, is_slow: Cell::new(false) }
    }

    /// Asks without keeping the exchange, of which there are many and large ones.
    fn asked(&self, query: &str) -> Result<Option<Reply>, CaseError> {
        if self.is_slow.get() {
            return Ok(None);
        }
        let exchange = demo::query(self.cx, Interface::Graphql, query).send_unrecorded()?;
        self.is_slow.set(exchange.duration_ms > SLOW_MS);
        if exchange.received.is_ok() { self.cx.reply(exchange).map(Some) } else { Ok(None) }
    }

    /// Whether a query is answered with data and no errors.
    fn is_answered(&self, query: &str) -> Result<bool, CaseError> {
        let reply = self.asked(query)?;
        let answered = |reply: Reply| reply.is(200) && reply.at("/data").is_some() && reply.at("/errors").is_none();
        Ok(reply.is_some_and(answered))
    }

    /// A bound in words, when ordinary queries are still answered behind it.
    fn bound(&self, what: &str, largest: usize, most: usize) -> Result<String, CaseError> {
        let goes_on = ask(self.cx, "{ users { id } }")?.is(200);
        self.cx.check(goes_on, "an ordinary query afterwards", 200, "no answer, or another")?;
        let bound = bound(what, largest, most);
        Ok(if self.is_slow.get() { format!("{bound}, the last one slowly") } else { bound })
    }
}

/// The largest measure that is answered, in words.
fn climb(cx: &CaseContext<'_>, what: &str, most: usize, query: impl Fn(usize) -> String) -> Result<String, CaseError> {
    let climb = Climb::new(cx);
    let largest = largest(most, |measure| climb.is_answered(&query(measure)))?;
    climb.bound(what, largest, most)
}

fn nobody(selection: &str) -> String {
    format!("{{ {} }}", user_field(&json!("nadie"), selection))
}

const USERS: &str = "{ users { id } }";

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

/// Notes an answer, whatever it is, when ordinary queries are still answered behind it.
fn any(cx: &CaseContext<'_>, what: &str, reply: &Reply) -> CaseResult {
    let goes_on = demo::query(cx, Interface::Graphql, USERS).send()?.is(200);
    cx.check(goes_on, "an ordinary query afterwards", 200, "no answer, or another")?;
    cx.tell(format!("{what}: {}", outcome(reply)))
}

/// Notes an answer of 200, whatever it has, or a refusal of the client.
fn civil(cx: &CaseContext<'_>, what: &str, reply: &Reply) -> CaseResult {
    cx.check(matches!(reply.status(), 200 | 400..=499), Place::STATUS, "200 or a 4xx", reply.summary())?;
    cx.tell(format!("{what}: {}", outcome(reply)))
}

/// Values percent-encoded, names as they are.
fn encoded(parameters: &str) -> String {
    let pairs = parameters.split('&').skip(1).filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| format!("&{name}={}", percent_encoded(value))).collect()
}
