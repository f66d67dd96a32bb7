//! Creations that are refused, the headers of answers, preflights, and paths that do not exist.

use super::reading::{USERS, credentials_change_nothing, listed};
use crate::chapters::prelude::*;
use crate::fixture::demo::{AGE, accepted};

cases! { "users";
    /// Without a name, or with a body that is no object, 400.
    name_is_required judges ["users/name-missing"] needs [USERS]
        by refuses(&[json!({ "age": AGE }), json!({ "age": AGE, "nombre": "Ada" }), json!([]), json!("Ada"), json!(5)]);
    /// An empty name is 400, one of a single letter is not.
    name_is_not_empty judges ["users/name-empty"] needs [USERS];
    /// A name that is not a text is 400.
    name_is_a_text judges ["users/name-type"] needs [USERS] => |cx| {
        let names = json!([5, 0, true, false, null, ["Ada"], [], {}, { "first": "Ada" }]);
        let bodies = names.as_array().into_iter().flatten().map(|name| json!({ "name": name, "age": AGE }));
        refuses(cx, &bodies.collect::<Vec<_>>())
    };
    /// Without an age, 400.
    age_is_required judges ["users/age-missing"] needs [USERS]
        => |cx| refuses(cx, &[json!({ "name": cx.unique("Ada") }), json!({ "name": cx.unique("Ada"), "edad": AGE })]);
    /// An age that is not a number is 400, a numeric text too.
    age_is_a_number judges ["users/age-type"] needs [USERS] => |cx| {
        let ages = json!(["41", "", "x", true, false, null, [], [41], {}]);
        let bodies = ages.as_array().into_iter().flatten().map(|age| json!({ "name": cx.unique("Ada"), "age": age }));
        refuses(cx, &bodies.collect::<Vec<_>>())
    };
    /// A body that is not JSON is 400.
    body_is_json judges ["users/malformed-json"] needs [USERS] by refuses_texts(&[
            r#"{"name": "Ada", "age": 41"#,
            r#"{"name": "Ada", "age": 41,}"#,
            "{name: 'Ada', age: 41}",
            "name=Ada&age=41",
            "",
        ]);
    /// Text after the JSON makes a body malformed: 400.
    text_after_the_json_is_refused judges ["errors/text-after-json"] needs [USERS]
        by refuses_texts(&[r#"{"name": "Ada", "age": 41} x"#, r#"{"name": "Ada", "age": 41} {}"#]);
    /// NaN is no JSON: 400.
    // A whole age comes last, so that a reader who takes NaN keeps no user of that age: no GraphQL query could tell it.
    nan_is_no_json judges ["users/nan"] needs [USERS] by refuses_texts(&[r#"{"name": "Ada", "age": NaN, "age": 41}"#]);
    /// Name and AGE are other keys than name and age, 400, or the same.
    letter_case_counts_in_keys judges ["users/key-case"] needs [USERS] => |cx| {
        refuses(cx, &[])?;
        for body in [json!({ "Name": cx.unique("Ada"), "age": AGE }), json!({ "name": cx.unique("Ada"), "AGE": AGE })] {
            let reply = demo::user_creation(cx, &body).send()?;
            cx.observe(&[("distinct", reply.is(400)), ("same", reply.is(201))], reply.summary()).seen_in([&reply])?;
        }
        Ok(())
    };
    /// A user whose creation was refused is not in the list.
    refused_user_is_not_listed judges ["users/age-missing", "users/age-type"] needs [USERS] => |cx| {
        let (without, odd, whole) = (cx.unique("Ana"), cx.unique("Eva"), cx.unique("Ada"));
        let sent = [
            (&without, json!({ "name": without }), "users/age-missing"),
            (&odd, json!({ "name": odd, "age": "41" }), "users/age-type"),
        ];
        for (_, body, _) in &sent {
            demo::user_creation(cx, body).send()?;
        }
        let body = json!({ "name": whole, "age": AGE });
        accepted(demo::user_creation(cx, &body).send()?, "creating a user")?;
        let users = listed(cx)?;
        for (name, body, rule) in &sent {
            let is_there = users.iter().any(|user| user["name"] == name.as_str());
            let want = format!("nobody created by {body}");
            cx.check_rule(rule, !is_there, Place::BODY.of("the list"), want, "a user of that name")?;
        }
        Ok(())
    };
    /// Lists, users, posts, created users and refusals are application/json; each 404 and 400 holds a text under error.
    answers_are_json_and_refusals_hold_an_error judges ["users/content-type", "users/error-body"] needs [USERS]
        => |cx| {
        // One answer of every kind; what every answer must hold is judged of each.
        let user = demo::create_user(cx)?;
        let (known, unknown) = (format!("/users/{}", user.id), format!("/users/{}", cx.unique("nadie")));
        for path in ["/users", &known, &format!("{known}/posts"), &unknown, &format!("{unknown}/posts"), "/nada"] {
            demo::get(cx, path)?;
        }
        for body in [
            json!({ "name": cx.unique("Ada"), "age": AGE }),
            json!({ "age": AGE }),
            json!({ "name": "", "age": AGE }),
            json!({ "name": 5, "age": AGE }),
            json!({ "name": "Ada" }),
            json!({ "name": "Ada", "age": "41" }),
        ] {
            demo::user_creation(cx, &body).send()?;
        }
        cx.request_at(Interface::Users, "POST", "/users").json_text(b"{\"name\":").send().map(drop)
    };
    /// Reading needs no credential, and a wrong one changes nothing.
    reading_needs_no_credential judges ["users/no-credential"] needs [USERS] => |cx| {
        let user = demo::create_user(cx)?;
        for path in ["/users".to_owned(), format!("/users/{}", user.id), format!("/users/{}/posts", user.id)] {
            credentials_change_nothing(|| cx.request_at(Interface::Users, "GET", &path))?;
        }
        Ok(())
    };
    /// Creating needs no credential, and a wrong one changes nothing.
    creating_needs_no_credential judges ["users/no-credential"] needs [USERS] => |cx| {
        credentials_change_nothing(|| demo::user_creation(cx, &json!({ "name": cx.unique("Ada"), "age": AGE })))
    };
    /// OPTIONS is 204 on every path, as a browser asks it and plainly.
    options_is_204_on_any_path judges ["users/options-status"] needs [USERS] => |cx| {
        let ask = |path| cx.request_at(Interface::Users, "OPTIONS", path).send();
        PATHS.into_iter().try_for_each(|path| ask(path)?.check().status(204).map(drop))
    };
    /// After the head of the 204 nothing follows.
    options_has_no_body judges ["users/options-status"] needs [USERS] => |cx| {
        let (reply, after) = cx.request_at(Interface::Users, "OPTIONS", "/users").send_and_close()?;
        let shown = format!("{} bytes", after.len() + reply.received().body.len());
        reply.check().no_body()?.that(after.is_empty(), "after the head", "nothing", shown).map(drop)
    };
    /// OPTIONS allows any origin, GET, POST and OPTIONS, the header Content-Type, and nothing besides.
    options_names_what_it_allows judges ["users/options-origin", "users/options-methods", "users/options-headers"]
        needs [USERS] by asked();
    /// OPTIONS spells its lists as the documents print them: order, letter case, a comma alone.
    options_spells_its_lists_as_printed judges ["users/options-spelling"] needs [USERS] by asked();
    /// Paths beside and below those of the interface are 404.
    unknown_paths_are_404 judges ["users/unknown-path"] needs [USERS] => |cx| {
        let user = demo::create_user(cx)?;
        demo::get(cx, &format!("/users/{}", user.id))?.prepared("reading a user", 200)?;
        let paths = [
            format!("/{}", cx.unique("nada")),
            "/user".to_owned(),
            "/usersfoo".to_owned(),
            format!("/user/{}", user.id),
            format!("/usersfoo/{}", user.id),
            format!("/users/{}/comments", user.id),
            format!("/users/{}/postsfoo", user.id),
            format!("/users/{}/posts/1", user.id),
            format!("/nada/users/{}", user.id),
        ];
        for path in paths {
            demo::get(cx, &path)?.check().status(404)?;
        }
        let body = json!({ "name": cx.unique("Ada"), "age": AGE });
        cx.request_at(Interface::Users, "POST", "/nada").json(&body).send()?.check().status(404).map(drop)
    };
    /// A known path with another method is 404 or 405, and nothing happens to the user.
    other_methods_are_open judges ["users/wrong-method"] needs [USERS] => |cx| {
        let user = demo::create_user(cx)?;
        let one = format!("/users/{}", user.id);
        let requests = [
            ("PUT", "/users".to_owned()),
            ("PATCH", "/users".to_owned()),
            ("DELETE", "/users".to_owned()),
            ("POST", one.clone()),
            ("PUT", one.clone()),
            ("PATCH", one.clone()),
            ("POST", format!("{one}/posts")),
            ("DELETE", format!("{one}/posts")),
            ("DELETE", one.clone()),
        ];
        // What is known of the user; a further key in answers has cases of its own.
        let wanted = [("id", json!(user.id)), ("name", json!(user.name)), ("age", json!(AGE))];
        demo::get(cx, &one)?.prepared("reading a user", 200)?;
        for (method, path) in requests {
            let body = json!({ "name": "Otra", "age": 1, "title": "Otra" });
            let reply = cx.request_at(Interface::Users, method, &path).json_where_due(&body).send()?;
            let after = demo::get(cx, &one)?.json();
            let is_left = wanted.iter().all(|(key, value)| same(&after[*key], value));
            let readings = [("404", reply.is(404) && is_left), ("405", reply.is(405) && is_left)];
            cx.observe(&readings, format!("{method} {path}: {}; then {}", reply.status(), brief(&after.to_string())))?;
        }
        Ok(())
    };
    /// A path with a slash at its end is 404, or as without the slash.
    a_slash_at_the_end_is_open judges ["users/wrong-method"] needs [USERS] => |cx| {
        let user = demo::create_user(cx)?;
        for path in ["/users".to_owned(), format!("/users/{}", user.id), format!("/users/{}/posts", user.id)] {
            let without = demo::get(cx, &path)?.status();
            let with = demo::get(cx, &format!("{path}/"))?;
            let readings = [
                ("404", with.is(404)),
                ("passed-over", with.status() == without),
                ("redirect", with.redirects_to(&path)),
                ("400", with.is(400)),
            ];
            cx.observe(&readings, format!("GET {path}/: {}", with.status()))?;
        }
        Ok(())
    };
}

/// A whole body is accepted; each of these is 400.
fn refuses(cx: &CaseContext<'_>, bodies: &[Value]) -> CaseResult {
    let whole = json!({ "name": cx.unique("Ada"), "age": AGE });
    accepted(demo::user_creation(cx, &whole).send()?, "creating a user")?;
    for body in bodies {
        demo::user_creation(cx, body).to_fail().send()?.check().status(400)?;
    }
    Ok(())
}

fn name_is_not_empty(cx: &CaseContext<'_>) -> CaseResult {
    accepted(demo::user_creation(cx, &json!({ "name": "A", "age": AGE })).send()?, "creating a user of one letter")?;
    refuses(cx, &[json!({ "name": "", "age": AGE })])
}

fn refuses_texts(cx: &CaseContext<'_>, bodies: &[&str]) -> CaseResult {
    refuses(cx, &[])?;
    for body in bodies {
        let creation = cx.request_at(Interface::Users, "POST", "/users").json_text(body.as_bytes());
        creation.to_fail().send()?.check().status(400)?;
    }
    Ok(())
}

const PATHS: [&str; 5] = ["/users", "/users/1", "/users/1/posts", "/nada", "/nada/de/nada"];

/// Asks as a browser does and plainly; what every answer must hold is judged of each.
fn asked(cx: &CaseContext<'_>) -> CaseResult {
    for path in PATHS {
        cx.request_at(Interface::Users, "OPTIONS", path).send()?;
        cx.request_at(Interface::Users, "OPTIONS", path)
            .header("Origin", "http://example.test")
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type")
            .send()?;
    }
    Ok(())
}
