//! Users and posts in each other: generated queries held against what flat ones show, and against the REST interface of the
//! same target where both show one collection.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::endpoint::{ENDPOINT, ask, data, known_users, posts_of, user_field};
use super::selection::{Kind, Selection, covers, has_no_more};
use crate::chapters::prelude::*;

cases! { "graphql";
    /// Generated selections show on every level what flat queries show.
    nested_queries_agree_with_flat_ones judges ["graphql/nesting"] needs [ENDPOINT] by judge_drawn("graphql/nesting");
    /// The user of a post of a user of a post, and so on: every level is there.
    nesting_goes_on judges ["graphql/nesting"] needs [ENDPOINT];
    /// Generated selections bring no field that they do not name, on any level.
    nested_queries_bring_nothing_unasked judges ["graphql/only-requested"] needs [ENDPOINT]
        by judge_drawn("graphql/only-requested");
    /// The REST interface and this endpoint keep one collection, and show the same users and posts, or each has its own.
    collections_are_shared_or_not judges ["graphql/own-data"] needs [ENDPOINT, Need::Interface(Interface::Users)];
}

/// As many posts as one answer may repeat.
const POSTS_MAX: usize = 200;

/// A user from whom queries may start, as flat queries show it, and how deep they may go.
struct Start {
    user: Value,
    levels: usize,
}

/// Users to start from: some with few posts, and one that has none.
fn starts(cx: &CaseContext<'_>, levels_max: usize) -> Result<Vec<Start>, CaseError> {
    demo::create_by_mutation(cx)?;
    let mut users = known_users(cx)?;
    let mut seen = BTreeSet::new();
    if !users.iter().flat_map(posts_of).all(|post| seen.insert(post["id"].to_string())) {
        return Err(CaseError::blocked("reading all users", "a post stands with two users"));
    }
    users.sort_by_key(|user| posts_of(user).len());
    let (with, without): (Vec<_>, Vec<_>) = users.into_iter().partition(|user| !posts_of(user).is_empty());
    if with.is_empty() {
        cx.tell("no user of the target has posts: nothing was nested")?;
    }
    let chosen = with.into_iter().take(3).chain(without.into_iter().next());
    chosen.map(|user| start(cx, user, levels_max)).collect()
}

fn start(cx: &CaseContext<'_>, user: Value, levels_max: usize) -> Result<Start, CaseError> {
    let reply = ask(cx, &format!("{{ {} }}", user_field(&user["id"], "{ id name age posts { id title } }")))?;
    let alone = data(&reply, "reading a user")?["user"].clone();
    if !covers(&user, &alone) {
        return Err(CaseError::blocked("reading a user", format!("want {user} as in users, got {alone}")));
    }
    let width = posts_of(&user).len().max(1);
    let mut levels = 2;
    let mut posts = width;
    while levels + 2 <= levels_max && posts * width <= POSTS_MAX {
        posts *= width;
        levels += 2;
    }
    Ok(Start { user, levels })
}

/// Judges the answer to one selection.
fn judge(cx: &CaseContext<'_>, rule: &'static str, start: &Start, selection: &Selection, is_kept: bool) -> CaseResult {
    let query = format!("{{ {} }}", user_field(&start.user["id"], &selection.text(Kind::User)));
    let request = demo::query(cx, Interface::Graphql, &query);
    let reply = if is_kept { request.send()? } else { request.send_forgotten()? };
    let wanted = selection.of_user(&start.user);
    let got = reply.at("/data/user").unwrap_or_default();
    let holds = match rule {
        "graphql/nesting" => reply.status() == 200 && covers(&wanted, &got),
        _ => has_no_more(&wanted, &got),
    };
    reply
        .check()
        .that(
            holds,
            format!("the answer to {query}"),
            format!("200, {}", brief(&wanted.to_string())),
            format!("{} {}", reply.status(), brief(&reply.received().text())),
        )
        .map(drop)
}

/// Draws selections from the run's seed, and tells of the simplest one that does not hold.
fn judge_drawn(cx: &CaseContext<'_>, rule: &'static str) -> CaseResult {
    const DRAWN_MAX: u32 = 40;
    for start in starts(cx, 8)? {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&cx.seed().to_le_bytes());
        let config = Config {
            cases: cx.session().cases.min(DRAWN_MAX),
            failure_persistence: None,
            max_shrink_iters: 100,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let last = RefCell::new(None);
        let outcome = runner.run(&Selection::any(Kind::User, start.levels), |selection| {
            judge(cx, rule, &start, &selection, false).map_err(|stop| {
                *last.borrow_mut() = Some(stop);
                TestCaseError::fail("it does not hold")
            })
        });
        match outcome {
            Ok(()) => {}
            Err(TestError::Fail(_, simplest)) => {
                judge(cx, rule, &start, &simplest, true)?;
                return last.into_inner().map_or(Ok(()), Err);
            }
            Err(TestError::Abort(why)) => {
                return Err(CaseError::Broken(format!("drawing selections: {why}")));
            }
        }
    }
    Ok(())
}

fn nesting_goes_on(cx: &CaseContext<'_>) -> CaseResult {
    for start in starts(cx, 12)? {
        for levels in 1..=start.levels {
            let chain = Selection::chain(Kind::User, levels);
            judge(cx, "graphql/nesting", &start, &chain, true)?;
        }
    }
    Ok(())
}

/// Posts by id and title, in the order of their ids.
fn by_id(posts: &Value) -> Vec<(String, String)> {
    let posts = posts.as_array().into_iter().flatten();
    let mut posts: Vec<_> = posts.map(|post| (post["id"].to_string(), post["title"].to_string())).collect();
    posts.sort();
    posts
}

fn collections_are_shared_or_not(cx: &CaseContext<'_>) -> CaseResult {
    const USERS_MAX: usize = 12;
    let mutated = demo::create_by_mutation(cx)?;
    let posted = demo::create_user(cx)?;
    let over_rest = demo::get(cx, &format!("/users/{}", mutated.id))?;
    let reply = ask(cx, &format!("{{ {} }}", user_field(&json!(posted.id), "{ id name }")))?;
    let by_query = data(&reply, "reading a user")?["user"].clone();
    let is_seen = [over_rest.json()["name"] == mutated.name.as_str(), by_query["name"] == posted.name.as_str()];
    let is_shared = is_seen == [true, true];
    let got = format!("seen over REST: {}; by query: {}", is_seen[0], is_seen[1]);
    if !is_shared {
        return cx.observe(&[("own", true), ("shared", false), ("users", false)], got).seen_in([&over_rest, &reply]);
    }
    let (users, mut are_same) = (known_users(cx)?, true);
    let (with, without): (Vec<_>, Vec<_>) = users.iter().partition(|user| !posts_of(user).is_empty());
    for user in with.into_iter().take(USERS_MAX).chain(without.into_iter().take(2)) {
        let path = format!("/users/{}", user["id"].as_str().unwrap_or_default());
        let replies = [demo::get(cx, &path)?, demo::get(cx, &format!("{path}/posts"))?];
        let [alone, posts] = replies.each_ref().map(Reply::json);
        let is_same = ["id", "name", "age"].iter().all(|field| same(&alone[*field], &user[*field]));
        are_same &= by_id(&posts) == by_id(&user["posts"]);
        cx.check(is_same, Place::BODY.of(&path), user, alone).seen_in(&replies)?;
    }
    cx.observe(&[("shared", are_same), ("users", !are_same)], got)
}
