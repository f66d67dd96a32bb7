//! The mutation createUser.

use md5::{Digest as _, Md5};

use super::endpoint::{ENDPOINT, ask, data, user_field};
use crate::chapters::prelude::*;
use crate::fixture::demo::{AGE, accepted, quoted};

cases! { "graphql";
    /// createUser is 200 with the user: the name and age given, in whatever order.
    create_user_answers_the_user judges ["graphql/create-user"] needs [ENDPOINT];
    /// The id of a user created by mutation is a text: the milliseconds on the service's clock.
    created_id_is_the_clock_in_milliseconds judges ["graphql/create-user"] needs [ENDPOINT];
    /// Several createUser in one request create as many users.
    several_are_created_in_one_request judges ["graphql/create-user"] needs [ENDPOINT];
    /// A user created by mutation is found by later queries.
    created_user_is_found judges ["graphql/create-user-stays"] needs [ENDPOINT];
    /// createUser without a name, or with one that is no text, yields no user.
    create_user_needs_a_name judges ["graphql/create-user-arguments"] needs [ENDPOINT];
    /// createUser without an age, or with one that is no integer, yields no user.
    create_user_needs_an_age judges ["graphql/create-user-arguments"] needs [ENDPOINT];
    /// A createUser that yields no user creates none.
    refused_create_user_creates_nobody judges ["graphql/create-user-arguments"] needs [ENDPOINT];
}

fn mutation<'c>(cx: &'c CaseContext<'_>, arguments: &str) -> Request<'c> {
    demo::query(cx, Interface::Graphql, &format!("mutation {{ createUser{arguments} {{ id name age }} }}"))
}

fn mutate(cx: &CaseContext<'_>, arguments: &str) -> Result<Reply, CaseError> {
    mutation(cx, arguments).send()
}

fn create_user_answers_the_user(cx: &CaseContext<'_>) -> CaseResult {
    let names = [cx.unique("Ada"), "Ñandú \"Γ\" \\ 図書館 📚 #{}".to_owned(), "x".to_owned(), "{[(\"\\".repeat(40)];
    for name in &names {
        for age in [AGE, 0, 107] {
            let name_text = quoted(name);
            let forms = [format!("(name: {name_text}, age: {age})"), format!("(age: {age} name: {name_text})")];
            for arguments in forms {
                let reply = mutate(cx, &arguments)?;
                reply
                    .check()
                    .status(200)?
                    .nothing_at("/errors")?
                    .at("/data/createUser/name", &json!(name))?
                    .at("/data/createUser/age", &json!(age))?;
            }
        }
    }
    Ok(())
}

fn created_id_is_the_clock_in_milliseconds(cx: &CaseContext<'_>) -> CaseResult {
    let tolerance = time::tolerance_ms(cx);
    for _ in 0..2 {
        let arguments = format!("(name: {}, age: {AGE})", quoted(&cx.unique("Ada")));
        let (reply, at) = time::timed(cx, |cx| mutate(cx, &arguments))?;
        let reply = accepted(reply, "creating a user by mutation")?;
        let span = at.from - tolerance..=at.to + tolerance;
        let want = format!("a text of the milliseconds, from {} to {}", span.start(), span.end());
        reply.check().at_where("/data/createUser/id", &want, |id| {
            let text = id.as_str().unwrap_or_default();
            let number: Option<i64> = text.parse().ok();
            number.is_some_and(|number| number.to_string() == text && span.contains(&number))
        })?;
    }
    Ok(())
}

fn several_are_created_in_one_request(cx: &CaseContext<'_>) -> CaseResult {
    let (one, other) = (cx.unique("Ada"), cx.unique("Eva"));
    let mutation = format!(
        "mutation Dos {{ uno: createUser(name: {}, age: 30) {{ name age }} otro: createUser(name: {}, age: 31) {{ name age }} }}",
        quoted(&one),
        quoted(&other),
    );
    let reply = accepted(ask(cx, &mutation)?, "creating two users by mutation")?;
    if reply.at("/data/uno").is_none() {
        return Err(CaseError::blocked("creating two users by mutation", "the answer is not keyed as asked"));
    }
    reply
        .check()
        .at("/data/uno", &json!({ "name": one, "age": 30 }))?
        .at("/data/otro", &json!({ "name": other, "age": 31 }))
        .map(drop)
}

fn created_user_is_found(cx: &CaseContext<'_>) -> CaseResult {
    let made = demo::create_by_mutation(cx)?;
    let (id, name) = (json!(made.id), made.name);
    // Either way will do: that each of them is right by itself is judged elsewhere.
    let alone = ask(cx, &format!("{{ {} }}", user_field(&id, "{ name }")))?;
    let list = ask(cx, "{ users { id name } }")?;
    let listed = list.at("/data/users").unwrap_or_default();
    let wanted = json!({ "id": id, "name": name });
    let is_listed = listed.as_array().is_some_and(|users| users.contains(&wanted));
    let is_found = alone.text_at("/data/user/name") == name;
    list.check()
        .that(
            is_listed || is_found,
            Place::body("/data").of("later queries"),
            wanted,
            format!("user: {}", brief(&alone.received().text())),
        )
        .map(drop)
}

fn yields_nobody(reply: &Reply) -> bool {
    let has_result = reply.at("/data/createUser").is_some_and(|user| !user.is_null());
    !has_result && matches!(reply.status(), 200 | 400..=499)
}

/// A whole createUser is accepted; each of these yields no user.
fn refuses(cx: &CaseContext<'_>, all_arguments: &[String]) -> CaseResult {
    let whole = format!("(name: {}, age: {AGE})", quoted(&cx.unique("Ada")));
    let reply = accepted(mutate(cx, &whole)?, "creating a user by mutation")?;
    if reply.at("/data/createUser/id").is_none() {
        return Err(CaseError::blocked("creating a user by mutation", brief(&reply.received().text())));
    }
    for arguments in all_arguments {
        let reply = mutation(cx, arguments).to_fail().send()?;
        reply.check().that(
            yields_nobody(&reply),
            format!("the answer to createUser{arguments}"),
            "200 or a 4xx, and no user",
            format!("{} {}", reply.status(), brief(&reply.received().text())),
        )?;
    }
    Ok(())
}

fn create_user_needs_a_name(cx: &CaseContext<'_>) -> CaseResult {
    let names = ["5", "4.5", "true", "null", "Ada", "[\"Ada\"]", "{ name: \"Ada\" }"];
    let named = names.map(|name| format!("(name: {name}, age: {AGE})"));
    let mut all = vec![format!("(age: {AGE})"), String::new()];
    all.extend(named);
    refuses(cx, &all)
}

fn create_user_needs_an_age(cx: &CaseContext<'_>) -> CaseResult {
    let ages = ["41.5", "\"41\"", "true", "null", "[41]", "{ age: 41 }"];
    let name = quoted(&cx.unique("Ana"));
    let mut all = vec![format!("(name: {name})")];
    all.extend(ages.map(|age| format!("(name: {name}, age: {age})")));
    refuses(cx, &all)
}

/// A random age, which hardly any other user has.
fn odd_age(cx: &CaseContext<'_>) -> u32 {
    let digest = Md5::digest(cx.unique("edad"));
    let number = u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]);
    1_000_000 + number % 1_000_000_000
}

fn refused_create_user_creates_nobody(cx: &CaseContext<'_>) -> CaseResult {
    let name = cx.unique("Ana");
    let age = odd_age(cx);
    let text = quoted(&name);
    let all = [
        format!("(name: {text})"),
        format!("(name: {text}, age: \"41\")"),
        format!("(name: {text}, age: 41.5)"),
        format!("(age: {age})"),
        format!("(name: 5, age: {age})"),
        format!("(name: null, age: {age})"),
    ];
    for arguments in &all {
        mutation(cx, arguments).to_fail().send()?;
    }
    // Apart, for a user without a name or an age may keep that field of all users from being read.
    let (mut found, mut seen) = (Vec::new(), Vec::new());
    for (field, theirs) in [("name", json!(name)), ("age", json!(age))] {
        let reply = ask(cx, &format!("{{ users {{ {field} }} }}"))?;
        let users = reply.at("/data/users").unwrap_or_default();
        let users = users.as_array().into_iter().flatten();
        let before = found.len();
        found.extend(users.filter(|user| user[field] == theirs).cloned());
        seen.extend((found.len() > before).then_some(reply));
    }
    data(&ask(cx, "{ users { id } }")?, "reading all users")?;
    cx.check(
        found.is_empty(),
        Place::body("/data/users").when("after refused mutations"),
        "nobody created by them",
        format!("{found:?}"),
    )
    .seen_in(&seen)
}
