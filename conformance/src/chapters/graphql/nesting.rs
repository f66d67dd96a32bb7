//! Users and posts in each other: generated queries against what flat ones show, and against the REST interface of the
//! same target where both show one collection; queries of many levels.

use super::endpoint::{ENDPOINT, ask, ask_for_user, data, known_users, posts_of, user_field};
use super::selection::{Kind, Selection, covers, has_no_more};
use super::transport::observe_refusal;
use crate::chapters::prelude::*;
use crate::generate::inputs::{Show, each};

cases! { "graphql";
    /// Generated nested queries show on every level what flat queries show.
    nested_queries_agree_with_flat_ones judges ["graphql/nesting"] needs [ENDPOINT] by judge_generated("graphql/nesting");
    /// The user of a post of a user of a post, and so on, is there on every level.
    nesting_goes_on judges ["graphql/nesting"] needs [ENDPOINT] => |cx| {
        for start in starts(cx, 12)? {
            for levels in 1..=start.levels {
                judge(cx, "graphql/nesting", &start, &Selection::chain(Kind::User, levels), Show::Record)?;
            }
        }
        Ok(())
    };
    /// Generated nested queries return no field that they do not select, on any level.
    nested_queries_bring_nothing_unasked judges ["graphql/only-requested"] needs [ENDPOINT]
        by judge_generated("graphql/only-requested");
    /// The users interface and the GraphQL endpoint have the same users and posts, or each has its own.
    collections_are_shared_or_not judges ["graphql/own-data"] needs [ENDPOINT, Need::Interface(Interface::Users)]
        => |cx| {
        const USERS_MAX: usize = 12;
        let mutated = demo::create_by_mutation(cx)?;
        let posted = demo::create_user(cx)?;
        let over_rest = demo::get(cx, &format!("/users/{}", mutated.id))?;
        let reply = ask_for_user(cx, &json!(posted.id), "{ id name }")?;
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
    };
    /// A query dozens and hundreds of levels deep is answered right on every level, or refused.
    deep_queries_are_answered_or_refused judges ["graphql/limits"] needs [ENDPOINT] => |cx| {
        // With one post on each level, as deep as an ordinary JSON reader follows the answer.
        const TIMES: [(usize, &[usize]); 2] = [(0, &[5, 20, 50, 200]), (1, &[5, 20, 40])];
        demo::create_by_mutation(cx)?;
        let users = known_users(cx)?;
        // With more than one post on each level an answer has no end.
        for (posts, all_times) in TIMES {
            let Some(user) = users.iter().rev().find(|user| posts_of(user).len() == posts) else { continue };
            for &times in all_times {
                let reply = ask_for_user(cx, &user["id"], &selection(times))?;
                let data = reply.at("/data/user").unwrap_or_default();
                let is_whole = reply.is(200) && covers(&shown(user, 0, times), &data);
                let is_refused = matches!(reply.status(), 400..=499) || reply.is(200) && data.is_null();
                let readings = [("answered", is_whole), ("refused", is_refused)];
                cx.observe_of(&format!("{times} times"), &readings, reply.summary())?;
            }
        }
        Ok(())
    };
    /// A query of posts and users nested 32 levels deep is answered.
    queries_of_32_levels_are_answered judges ["graphql/nesting-32-levels"] needs [ENDPOINT] => |cx| {
        // The selection of the root is one of them.
        const BELOW_THE_ROOT: usize = 31;
        demo::create_by_mutation(cx)?;
        let chain = Selection::chain(Kind::User, BELOW_THE_ROOT);
        // With more than one post on each level an answer has no end.
        for posts in [0, 1] {
            let users = known_users(cx)?;
            let Some(user) = users.iter().rev().find(|user| posts_of(user).len() == posts) else { continue };
            let reply = ask_for_user(cx, &user["id"], &chain.text(Kind::User))?;
            let check = reply.check().status(200)?.nothing_at("/errors/0")?;
            check.at_where("/data/user", "what is there on every level", |got| covers(&chain.of_user(user), got))?;
        }
        Ok(())
    };
    /// The error of a query names the line and column of the mistake, near the top and far down, or no place.
    errors_say_where_or_nothing judges ["graphql/query-error"] needs [ENDPOINT] => |cx| {
        demo::create_by_mutation(cx)?;
        let users = known_users(cx)?;
        let Some(user) = users.iter().max_by_key(|user| posts_of(user).len()) else {
            return cx.tell("no user is listed");
        };
        // Selections of posts and their user, a line each, and an unknown field on a line of its own below them.
        for levels in [1, 2, 20, 40, 80] {
            let down = "posts { id # ñ\n user {\n".repeat(levels);
            let unknown = format!("{{\n{down}   id nada @skip(if: false)\n{}", "}}\n".repeat(levels) + "}");
            let reply = ask(cx, &format!("{{ {}\n}}", user_field(&user["id"], &unknown)))?;
            if reply.is(200) && reply.at("/errors/0").is_none() && !reply.received().text().contains("nada") {
                // A target that checks fields as it resolves them, or not at all.
                cx.tell(format!("{levels} levels: the field is left out"))?;
                continue;
            }
            let place = |name: &str| reply.at(&format!("/errors/0/locations/0/{name}")).and_then(|at| at.as_u64());
            let line = 2 + 2 * levels as u64;
            observe_refusal(cx, &reply)?;
            let seen = match (place("line"), place("column")) {
                (Some(at), Some(7)) if at == line => "the place of the field",
                (None, _) => "no place",
                _ => "another place",
            };
            cx.tell(format!("{levels} levels: {seen}"))?;
        }
        Ok(())
    };
}

/// How many posts one answer may repeat.
const POSTS_MAX: usize = 200;
/// How many selections are drawn for each user to start from.
const DRAWN_MAX: u32 = 40;

/// A user to start queries from, as flat queries show it, and how deep they may go.
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
    let reply = ask_for_user(cx, &user["id"], "{ id name age posts { id title } }")?;
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

fn judge_generated(cx: &CaseContext<'_>, rule: &'static str) -> CaseResult {
    starts(cx, 8)?.iter().try_for_each(|start| {
        let drawn = Selection::any(Kind::User, start.levels);
        each(cx, cx.session().cases.min(DRAWN_MAX), &drawn, |drawn, show| judge(cx, rule, start, drawn, show))
    })
}

fn judge(cx: &CaseContext<'_>, rule: &'static str, start: &Start, selection: &Selection, show: Show) -> CaseResult {
    let query = format!("{{ {} }}", user_field(&start.user["id"], &selection.text(Kind::User)));
    let reply = show.send(demo::query(cx, Interface::Graphql, &query))?;
    let wanted = selection.of_user(&start.user);
    let got = reply.at("/data/user").unwrap_or_default();
    let (holds, bound) = match rule {
        "graphql/nesting" => (reply.is(200) && covers(&wanted, &got), "200, "),
        _ => (has_no_more(&wanted, &got), "no field beyond "),
    };
    let want = format!("{bound}{}", brief(&wanted.to_string()));
    reply.check().that(holds, format!("the answer to {query}"), want, reply.summary()).map(drop)
}

/// Posts by id and title, in the order of their ids.
fn by_id(posts: &Value) -> Vec<(String, String)> {
    let posts = posts.as_array().into_iter().flatten();
    let mut posts: Vec<_> = posts.map(|post| (post["id"].to_string(), post["title"].to_string())).collect();
    posts.sort();
    posts
}

/// Selections of posts and their user in each other, `times` deep; each level has its own name for ids, its own line and a comment.
fn selection(times: usize) -> String {
    let level = |number: usize| format!("{{ i{number}: id # {{ \"\n posts {{ ... {{ t{number}: id }} user ");
    let levels: String = (0..times).map(level).collect();
    format!("{levels}{{ id }} {}", "} }".repeat(times))
}

/// What [`selection`] shows of a user, from the level `number` on.
fn shown(user: &Value, number: usize, times: usize) -> Value {
    if number == times {
        return json!({ "id": user["id"] });
    }
    let below = |post: &Value| {
        let id = (format!("t{number}"), post["id"].clone());
        Value::Object(Map::from_iter([id, ("user".to_owned(), shown(user, number + 1, times))]))
    };
    let posts: Vec<Value> = posts_of(user).iter().map(below).collect();
    Value::Object(Map::from_iter([(format!("i{number}"), user["id"].clone()), ("posts".to_owned(), posts.into())]))
}
