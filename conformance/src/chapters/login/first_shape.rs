//! The answer to a login that needs no second factor.

use crate::chapters::prelude::*;

cases! { "login";
    /// The right password of a user without second factor is let in, for registered and initial users alike.
    right_password_is_200 judges ["login/success"];
    /// An e-mail with capital letters is let in as it was registered.
    an_email_with_capitals_is_let_in_as_registered judges ["login/email-as-registered"];
    /// The user at login and the client in API key answers stand under `the service`, under one other key in all of them, or
    /// under a key each.
    principal_stands_under_one_key judges ["login/principal-key"];
    /// The answer has requiere2FA, the six fields of the user, three tokens, expiresIn 3600, and nothing besides.
    a_login_is_answered_in_full judges [
        "login/first-shape", "login/user-shape", "login/tokens-shape", "login/expires-in",
    ];
    /// requiere2FA is the boolean false.
    requiere_2fa_is_false judges ["login/first-requires"];
    /// id, email and nombre are those of the registration.
    user_is_the_one_registered judges ["login/user-identity"];
    /// role is the one the user was registered with.
    role_is_the_stored_one judges ["login/user-role"];
    /// twoFactorEnabled is false for a user who never had a second factor.
    two_factor_is_told_as_disabled judges ["login/two-factor-disabled"];
}

fn login_of_a_new_user(cx: &CaseContext<'_>, role: &str) -> Result<Reply, CaseError> {
    let user = users::register(cx, role)?;
    users::try_log_in(cx, &user.email, &user.password)?.prepared("logging in", 200)
}

/// Logs in users of two roles; what every answer must hold is judged of each.
fn a_login_is_answered_in_full(cx: &CaseContext<'_>) -> CaseResult {
    ["user", "admin"].into_iter().try_for_each(|role| login_of_a_new_user(cx, role).map(drop))
}

fn requiere_2fa_is_false(cx: &CaseContext<'_>) -> CaseResult {
    login_of_a_new_user(cx, "user")?.check().at("/requiere2FA", &json!(false)).map(drop)
}

fn right_password_is_200(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let initial = &cx.target().credentials;
    let ways = [
        (&user.email, &user.password),
        (&initial.admin_user.email, &initial.admin_user.password),
        (&initial.regular_user.email, &initial.regular_user.password),
    ];
    for (email, password) in ways {
        users::try_log_in(cx, email, password)?.check().status(200)?;
    }
    Ok(())
}

fn an_email_with_capitals_is_let_in_as_registered(cx: &CaseContext<'_>) -> CaseResult {
    for stem in ["Ada", "ada.LOVELACE"] {
        let email = users::email(cx, stem);
        let reply = cx.post("/auth/registro").json(&json!({ "email": email, "password": PASSWORD })).send()?;
        if reply.status() == 400 {
            return cx.tell("an e-mail with capital letters is refused at registration");
        }
        reply.prepared("registering a user", 201)?;
        users::try_log_in(cx, &email, PASSWORD)?.check().status(200)?;
    }
    Ok(())
}

/// The keys of an object other than those the documents name.
fn other_keys(object: &Value, named: &[&str]) -> Vec<String> {
    let keys = object.as_object().map(|object| object.keys());
    keys.into_iter().flatten().filter(|key| !named.contains(&key.as_str())).cloned().collect()
}

fn principal_stands_under_one_key(cx: &CaseContext<'_>) -> CaseResult {
    let login = login_of_a_new_user(cx, "admin")?;
    let session = login.text_at("/tokens/sessionToken");
    let created = cx
        .post("/auth/api-keys")
        .bearer(&session)
        .json(&json!({ "nombre": cx.unique("cliente") }))
        .send()?
        .prepared("creating an API key", 201)?;
    let listed = cx.get("/auth/api-keys").bearer(&session).send()?;
    let listing = listed.prepared("listing API keys", 200)?;
    let listed = listing.json();

    let mut seen = vec![
        other_keys(&login.json(), &["requiere2FA", "tokens"]),
        other_keys(&created.json(), &["apiKey", "advertencia"]),
    ];
    let entries = listed.as_array().into_iter().flatten();
    seen.extend(entries.map(|entry| other_keys(entry, &["apiKey"])));
    let (of_user, of_client) = (&seen[0], &seen[1]);
    let are_all = |key: &str| seen.iter().all(|keys| *keys == [key]);
    let is_one = of_user.len() == 1 && seen.iter().all(|keys| keys == of_user);
    let are_two = of_user.len() == 1 && of_client.len() == 1 && seen[1..].iter().all(|keys| keys == of_client);
    let readings = [("the-service", are_all("the service")), ("other", is_one), ("two", are_two)];
    cx.observe(&readings, brief(&format!("{seen:?}"))).seen_in([&login, &created, &listing])
}

fn user_is_the_one_registered(cx: &CaseContext<'_>) -> CaseResult {
    // Two users, so that answering with the latest one, or the first, is seen.
    let mut registered = Vec::new();
    for nombre in ["Ñusta", "Кира"] {
        let email = users::email(cx, "user");
        let body = json!({ "email": email, "password": PASSWORD, "nombre": nombre });
        let reply = cx.post("/auth/registro").json(&body).send()?;
        let id = reply.prepared("registering a user", 201)?.at("/id");
        registered.push((email, nombre, id.unwrap_or_default()));
    }
    for (email, nombre, id) in &registered {
        let login = users::try_log_in(cx, email, PASSWORD)?.prepared("logging in", 200)?;
        login
            .check()
            .at(&users::principal_field(cx, "id"), id)?
            .at(&users::principal_field(cx, "email"), &json!(email))?
            .at(&users::principal_field(cx, "nombre"), &json!(nombre))?;
    }
    Ok(())
}

fn role_is_the_stored_one(cx: &CaseContext<'_>) -> CaseResult {
    for role in ["user", "moderator", "admin"] {
        login_of_a_new_user(cx, role)?.check().at(&users::principal_field(cx, "role"), &json!(role))?;
    }
    Ok(())
}

fn two_factor_is_told_as_disabled(cx: &CaseContext<'_>) -> CaseResult {
    login_of_a_new_user(cx, "user")?
        .check()
        .at(&users::principal_field(cx, "twoFactorEnabled"), &json!(false))
        .map(drop)
}
