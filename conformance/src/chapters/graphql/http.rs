//! How much a query may ask for, which the documents leave open. Accepts and reports every answer after which the endpoint still serves.

use std::cell::Cell;

use super::endpoint::{ENDPOINT, ask, known_users, posts_of, user_field};
use crate::chapters::prelude::*;
use crate::fixture::limits::{bound, largest};

cases! { "graphql";
    /// Reports how deep a query may be, by selections and by fragments, and how many fields it may name.
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
    /// Reports how many bytes a query may have.
    how_long_a_query_may_be judges ["graphql/limits"] needs [ENDPOINT] => |cx| {
        const BYTES_MOST: usize = 1 << 20;
        let empty = nobody("{ id }");
        let query = |bytes: usize| format!("{empty}{}", " ".repeat(bytes.saturating_sub(empty.len())));
        cx.tell(climb(cx, "bytes", BYTES_MOST, query)?)
    };
    /// Reports how far an answer may grow by nested posts and by nested introspection.
    how_far_an_answer_may_grow judges ["graphql/limits"] needs [ENDPOINT, Need::Alone] => |cx| {
        let user = known_users(cx)?.into_iter().find(|user| posts_of(user).len() > 1);
        let bounds = concurrency::simultaneously(2, |nth| match (nth, &user) {
            (0, Some(user)) => levels_of_posts(cx, user).map(Some),
            (0, None) => Ok(None),
            _ => lists_of_introspection(cx).map(Some),
        })?;
        bounds.into_iter().flatten().try_for_each(|bound| cx.tell(bound))
    };
}

/// Asks for posts of the user of posts of the user, as far as ten thousand posts, level by level.
fn levels_of_posts(cx: &CaseContext<'_>, user: &Value) -> CaseResult<String> {
    let posts = posts_of(user).len();
    let most = (1..).take_while(|times| posts.saturating_pow(*times) <= 10_000).last().unwrap_or(1) as usize;
    let growing = |times: usize| "posts { user { ".repeat(times) + "id" + &" } }".repeat(times);
    let query = |times| format!("{{ {} }}", user_field(&user["id"], &format!("{{ {} }}", growing(times))));
    let climb = Climb::new(cx);
    let mut grown = 0;
    while grown < most && climb.is_answered(&query(grown + 1))? {
        grown += 1;
    }
    climb.bound(&format!("levels of {posts} posts"), grown, most)
}

fn lists_of_introspection(cx: &CaseContext<'_>) -> CaseResult<String> {
    const LISTS_MOST: usize = 2;
    let nested = |lists: usize| "{ name fields { type ".repeat(lists) + "{ name }" + &" } }".repeat(lists);
    let climb = Climb::new(cx);
    let introspects = |lists: usize| -> Result<bool, CaseError> {
        let reply = climb.asked(&format!("{{ __schema {{ types {} }} }}", nested(lists)))?;
        let types = reply.filter(|reply| reply.is(200)).and_then(|reply| reply.at("/data/__schema/types"));
        Ok(types.is_some_and(|types| types != Value::Null))
    };
    let lists = largest(LISTS_MOST, introspects)?;
    climb.bound("lists of introspection within each other", lists, LISTS_MOST)
}

/// After an answer slower than this, stops asking for more.
const SLOW_MS: u64 = 1_500;

/// Sends larger and larger queries, until an answer is slow.
struct Climb<'c> {
    cx: &'c CaseContext<'c>,
    is_slow: Cell<bool>,
}

impl<'c> Climb<'c> {
    fn new(cx: &'c CaseContext<'c>) -> Self {
        Self { cx, is_slow: Cell::new(false) }
    }

    /// Sends the query without recording the exchange, since there are many large ones.
    fn asked(&self, query: &str) -> Result<Option<Reply>, CaseError> {
        if self.is_slow.get() {
            return Ok(None);
        }
        let exchange = demo::query(self.cx, Interface::Graphql, query).exchange_unrecorded()?;
        self.is_slow.set(exchange.duration_ms > SLOW_MS);
        if exchange.received.is_ok() { self.cx.reply(exchange).map(Some) } else { Ok(None) }
    }

    /// Whether a query is answered with data and no errors.
    fn is_answered(&self, query: &str) -> Result<bool, CaseError> {
        let reply = self.asked(query)?;
        let has = |reply: &Reply, key: &str| reply.received().json().is_some_and(|body| body.get(key).is_some());
        Ok(reply.is_some_and(|reply| reply.is(200) && has(&reply, "data") && !has(&reply, "errors")))
    }

    /// The bound in words; fails if an ordinary query is not answered after it.
    fn bound(&self, what: &str, largest: usize, most: usize) -> Result<String, CaseError> {
        let after = ask(self.cx, "{ users { id } }");
        let step = format!("an ordinary query after those with many {what}");
        CaseError::blocked_unless(after.is_ok(), &step, "no answer: the target may still work on the last of them")?;
        self.cx.check(after?.is(200), "an ordinary query afterwards", 200, "another status")?;
        let bound = bound(what, largest, most);
        Ok(if self.is_slow.get() { format!("{bound}, the last one slowly") } else { bound })
    }
}

/// Finds the largest answered query; returns its size in words.
fn climb(cx: &CaseContext<'_>, what: &str, most: usize, query: impl Fn(usize) -> String) -> Result<String, CaseError> {
    let climb = Climb::new(cx);
    let largest = largest(most, |measure| climb.is_answered(&query(measure)))?;
    climb.bound(what, largest, most)
}

fn nobody(selection: &str) -> String {
    format!("{{ {} }}", user_field(&json!("nadie"), selection))
}
