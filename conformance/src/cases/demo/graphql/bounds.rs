//! How much a query may ask for, to the level and to the byte: the documents leave it open, a reader wants to know it.

use serde_json::{Value, json};

use super::endpoint::{ENDPOINT, ask, known_users, posts_of, user_field};
use crate::case::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::fixture::demo;
use crate::fixture::limits::{bound, largest};
use crate::http::reply::Reply;
use crate::target::profile::Interface;

cases! { "graphql";
    /// How deep a query may be, by selections and by fragments, and how many fields it may name.
    how_deep_and_rich_a_query_may_be judges ["graphql/limits"] needs [ENDPOINT];
    /// How many bytes a query may have.
    how_long_a_query_may_be judges ["graphql/limits"] needs [ENDPOINT];
    /// How far an answer may grow when each level doubles it, and lists of introspection within each other.
    how_far_an_answer_may_grow judges ["graphql/limits"] needs [ENDPOINT];
}

/// Asks without keeping the exchange, of which there are many and large ones.
fn asked(cx: &CaseContext<'_>, query: &str) -> Result<Option<Reply>, CaseError> {
    let exchange = demo::query(cx, Interface::Graphql, query).send_unrecorded()?;
    if exchange.received.is_ok() { cx.reply(exchange).map(Some) } else { Ok(None) }
}

/// Whether a query is answered with data and no errors.
fn is_answered(cx: &CaseContext<'_>, query: &str) -> Result<bool, CaseError> {
    let reply = asked(cx, query)?;
    let answered = |reply: Reply| reply.status() == 200 && reply.at("/data").is_some() && reply.at("/errors").is_none();
    Ok(reply.is_some_and(answered))
}

/// Notes a bound, when ordinary queries are still answered behind it.
fn noted(cx: &CaseContext<'_>, what: &str, largest: usize, most: usize) -> CaseResult {
    let goes_on = ask(cx, "{ users { id } }")?.status() == 200;
    cx.check(goes_on, "an ordinary query afterwards", 200, "no answer, or another")?;
    cx.tell(bound(what, largest, most))
}

fn nobody(selection: &str) -> String {
    format!("{{ {} }}", user_field(&json!("nadie"), selection))
}

fn how_deep_and_rich_a_query_may_be(cx: &CaseContext<'_>) -> CaseResult {
    const LEVELS_MOST: usize = 1024;
    const FIELDS_MOST: usize = 8192;
    let inline = |levels: usize| nobody(&format!("{{ {} id {} }}", "... {".repeat(levels), "}".repeat(levels)));
    let levels = largest(LEVELS_MOST, |levels| is_answered(cx, &inline(levels)))?;
    noted(cx, "levels", levels, LEVELS_MOST)?;
    let spread = |levels: usize| {
        let next = |level: usize| format!("fragment f{level} on User {{ name ...f{} }} ", level + 1);
        let fragments: String = (0..levels).map(next).collect();
        format!("{} {fragments} fragment f{levels} on User {{ id }}", nobody("{ ...f0 }"))
    };
    let levels = largest(LEVELS_MOST, |levels| is_answered(cx, &spread(levels)))?;
    noted(cx, "fragments within each other", levels, LEVELS_MOST)?;
    let fields = largest(FIELDS_MOST, |fields| is_answered(cx, &nobody(&format!("{{ {} }}", "id ".repeat(fields)))))?;
    noted(cx, "fields", fields, FIELDS_MOST)?;
    let twice = |fields: usize| {
        let query = format!("{{ a: {0} b: {0} }}", user_field(&json!("nadie"), "{ ...f ... { ...f } }"));
        format!("{query} fragment f on User {{ {} }}", "id ".repeat(fields))
    };
    let fields = largest(FIELDS_MOST, |fields| is_answered(cx, &twice(fields)))?;
    noted(cx, "fields of a fragment that is spread four times", fields, FIELDS_MOST)
}

fn how_long_a_query_may_be(cx: &CaseContext<'_>) -> CaseResult {
    const BYTES_MOST: usize = 1 << 20;
    let query = |bytes: usize| {
        let empty = nobody("{ id }");
        format!("{empty}{}", " ".repeat(bytes.saturating_sub(empty.len())))
    };
    let bytes = largest(BYTES_MOST, |bytes| is_answered(cx, &query(bytes)))?;
    noted(cx, "bytes", bytes, BYTES_MOST)
}

fn how_far_an_answer_may_grow(cx: &CaseContext<'_>) -> CaseResult {
    let users = known_users(cx)?;
    if let Some(user) = users.iter().find(|user| posts_of(user).len() > 1) {
        let posts = posts_of(user).len();
        // As far as a hundred thousand posts, which no server is asked for twice.
        let most = (1..).take_while(|times| posts.saturating_pow(*times) <= 100_000).last().unwrap_or(1);
        let growing = |times: usize| "posts { user { ".repeat(times) + "id" + &" } }".repeat(times);
        let mut grown = 0;
        for times in (1..=most as usize).rev() {
            if is_answered(cx, &format!("{{ {} }}", user_field(&user["id"], &format!("{{ {} }}", growing(times)))))? {
                grown = times;
                break;
            }
        }
        noted(cx, &format!("levels of {posts} posts"), grown, most as usize)?;
    }
    const LISTS_MOST: usize = 4;
    let nested = |lists: usize| {
        format!(
            "{{ __schema {{ types {} }} }}",
            "{ name fields { type ".repeat(lists) + "{ name }" + &" } }".repeat(lists)
        )
    };
    let introspects = |lists: usize| -> Result<bool, CaseError> {
        let reply = asked(cx, &nested(lists))?;
        let shown = |reply: Reply| {
            reply.status() == 200 && reply.at("/data/__schema/types").is_some_and(|types| types != Value::Null)
        };
        Ok(reply.is_some_and(shown))
    };
    let lists = largest(LISTS_MOST, introspects)?;
    noted(cx, "lists of introspection within each other", lists, LISTS_MOST)
}
