//! Queries of many levels, and texts that look deep and are not.

use serde_json::Map;

use super::endpoint::{ENDPOINT, ask, known_users, posts_of, user_field};
use super::selection::{Kind, Selection, covers};
use super::transport::observe_refusal;
use crate::chapters::prelude::*;
use crate::fixture::demo::{AGE, quoted};

cases! { "graphql";
    /// A query dozens and hundreds of levels deep shows what is there on every level, or is refused.
    deep_queries_are_answered_or_refused judges ["graphql/limits"] needs [ENDPOINT];
    /// Selections of posts and their user in each other, 32 in all, are answered.
    queries_of_32_levels_are_answered judges ["graphql/nesting-32-levels"] needs [ENDPOINT];
    /// The error of a query says the line and column of what is wrong, near the top and far down, or says no place.
    errors_say_where_or_nothing judges ["graphql/query-error"] needs [ENDPOINT];
    /// Brackets in comments and in texts of three quotes nest nothing.
    brackets_in_comments_and_texts_nest_nothing judges ["graphql/query-text"] needs [ENDPOINT];
}

/// Selections of posts and their user in each other, so many times, ids under names of their own; each level has a
/// line and a comment to itself.
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

fn deep_queries_are_answered_or_refused(cx: &CaseContext<'_>) -> CaseResult {
    // With one post on each level, as deep as an ordinary JSON reader follows the answer.
    const TIMES: [(usize, &[usize]); 2] = [(0, &[5, 20, 50, 200]), (1, &[5, 20, 40])];
    demo::create_by_mutation(cx)?;
    let users = known_users(cx)?;
    // With more than one post on each level an answer has no end.
    for (posts, all_times) in TIMES {
        let Some(user) = users.iter().rev().find(|user| posts_of(user).len() == posts) else {
            continue;
        };
        for &times in all_times {
            let reply = ask(cx, &format!("{{ {} }}", user_field(&user["id"], &selection(times))))?;
            let data = reply.at("/data/user").unwrap_or_default();
            let is_whole = reply.status() == 200 && covers(&shown(user, 0, times), &data);
            let is_refused = matches!(reply.status(), 400..=499) || reply.status() == 200 && data.is_null();
            cx.observe_of(
                &format!("{times} times"),
                &[("answered", is_whole), ("refused", is_refused)],
                reply.summary(),
            )?;
        }
    }
    Ok(())
}

fn queries_of_32_levels_are_answered(cx: &CaseContext<'_>) -> CaseResult {
    // The selection of the root is one of them.
    const BELOW_THE_ROOT: usize = 31;
    demo::create_by_mutation(cx)?;
    let chain = Selection::chain(Kind::User, BELOW_THE_ROOT);
    // With more than one post on each level an answer has no end.
    for posts in [0, 1] {
        let users = known_users(cx)?;
        let Some(user) = users.iter().rev().find(|user| posts_of(user).len() == posts) else {
            continue;
        };
        let reply = ask(cx, &format!("{{ {} }}", user_field(&user["id"], &chain.text(Kind::User))))?;
        let check = reply.check().status(200)?.nothing_at("/errors")?;
        check.at_where("/data/user", "what is there on every level", |got| covers(&chain.of_user(user), got))?;
    }
    Ok(())
}

fn errors_say_where_or_nothing(cx: &CaseContext<'_>) -> CaseResult {
    // Selections of posts and their user, a line each, and an unknown field on a line of its own below them.
    for levels in [1, 2, 20, 40, 80] {
        let down = "posts { id # ñ\n user {\n".repeat(levels);
        let query = format!("{{ user(id: \"1\") {{\n{down}   id nada @skip(if: false)\n{}", "}}\n".repeat(levels + 1));
        let reply = ask(cx, &query)?;
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
}

fn brackets_in_comments_and_texts_nest_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let brackets = "{[(".repeat(400);
    let name = cx.unique("Ada");
    let plain = quoted(&format!("{name} \" \\ {brackets}"));
    let texts = [
        ("a comment", format!("# {brackets} \"\n"), quoted(&name), name.clone()),
        ("a comment to the end of a line", format!("#{brackets}\r"), quoted(&name), name.clone()),
        ("escapes", String::new(), plain, format!("{name} \" \\ {brackets}")),
        (
            "three quotes",
            String::new(),
            format!("\"\"\"{name} \" \\ \"\" {brackets} \\\"\"\" {brackets}.\"\"\""),
            format!("{name} \" \\ \"\" {brackets} \"\"\" {brackets}."),
        ),
    ];
    for (what, comment, text, meant) in texts {
        let reply = ask(cx, &format!("mutation {{ {comment} createUser(name: {text}, age: {AGE}) {{ name }} }}"))?;
        let shown = reply.text_at("/data/createUser/name");
        let with_escape = meant.replace("\"\"\"", "\\\"\"\"");
        let is_refused = matches!(reply.status(), 200 | 400..=499) && reply.at("/data/createUser/name").is_none();
        let readings = [("read", shown == meant), ("escape-kept", shown == with_escape), ("refused", is_refused)];
        cx.observe_of(what, &readings, reply.summary())?;
    }
    Ok(())
}
