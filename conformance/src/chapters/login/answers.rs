//! What a login answers: without a second factor, with one, and from a trusted device.

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
    /// With two-factor enabled and no trusted device the answer has its six keys, no tokens, and Content-Type as its
    /// only documented header.
    a_login_asks_for_the_second_factor_in_full judges [
        "login/second-shape", "login/second-email", "login/second-mensaje", "login/second-headers",
        "login/second-content-type",
    ];
    /// requiere2FA is the boolean true.
    requiere_2fa_is_true judges ["login/second-requires"];
    /// sessionId is 64 hex digits, another at each login.
    session_id_is_64_hex_digits judges ["login/second-session-id"];
    /// Two logins of one user can both be finished, the first one after the second.
    both_of_two_logins_can_be_finished judges ["login/second-sessions-both"];
    /// metodosDisponibles has authenticator, also when all backup codes are used, and nothing the documents do not name.
    methods_have_the_authenticator judges ["login/second-authenticator"];
    /// metodosDisponibles has backup_codes as long as one of the eight is unused, and again after regenerating.
    methods_have_backup_codes_while_one_is_unused judges ["login/second-backup-codes"];
    /// metodosDisponibles lacks backup_codes once all eight are used.
    methods_lack_backup_codes_when_all_are_used judges ["login/second-no-backup-codes"];
    /// A login from a trusted device is answered with tokens at once; one from another device is asked.
    trusted_device_is_not_asked judges ["login/trusted-skips"];
    /// twoFactorEnabled is true where a trusted device was not asked.
    two_factor_is_told_as_enabled_to_a_trusted_device judges ["login/two-factor-trusted"];
    /// twoFactorEnabled is false again after disabling.
    two_factor_is_told_as_disabled_again judges ["login/two-factor-disabled"];
    /// The answer to a user who has a two-factor record has the fields of any other: nothing of the record is shown.
    record_of_the_second_factor_is_not_shown judges ["login/user-shape", "login/tokens-shape"];
    /// A wrong password is refused whether or not a second factor would be asked for, and on a trusted device too.
    wrong_password_is_refused_before_the_second_factor judges ["login/password-wrong"];
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
        if reply.is(400) {
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
        users::try_log_in(cx, email, PASSWORD)?
            .prepared("logging in", 200)?
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

/// The answer that asks a newly enrolled user for the second factor.
fn asked(cx: &CaseContext<'_>) -> Result<(MadeUser, Reply), CaseError> {
    let user = two_factor::enroll(cx)?.user;
    let reply = two_factor::log_in_from(cx, &user, &two_factor::laptop(cx))?;
    Ok((user, reply))
}

/// What every such answer must hold is judged of it.
fn a_login_asks_for_the_second_factor_in_full(cx: &CaseContext<'_>) -> CaseResult {
    asked(cx)?;
    Ok(())
}

fn requiere_2fa_is_true(cx: &CaseContext<'_>) -> CaseResult {
    asked(cx)?.1.check().at("/requiere2FA", &json!(true)).map(drop)
}

fn session_id_is_64_hex_digits(cx: &CaseContext<'_>) -> CaseResult {
    let (user, first) = asked(cx)?;
    let second = two_factor::log_in_from(cx, &user, &two_factor::laptop(cx))?;
    let earlier = first.text_at("/sessionId");
    second.check().at_where("/sessionId", "another than at the first login", |id| *id != earlier).map(drop)
}

fn both_of_two_logins_can_be_finished(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let code = |index| enrolled.factor.backup_code(index);
    two_factor::log_in_with(cx, &enrolled.user, code(0)?)?;
    let (first, second) =
        (two_factor::pending_session(cx, &enrolled.user)?, two_factor::pending_session(cx, &enrolled.user)?);
    for (session, code) in [(second, code(1)?), (first, code(2)?)] {
        two_factor::verify(cx, &session, code)?.check().status(200)?;
    }
    Ok(())
}

fn has(methods: &Value, wanted: &str) -> bool {
    methods.as_array().is_some_and(|methods| methods.iter().any(|method| method == wanted))
}

/// Before the first backup code is used and after the last one.
fn methods_have_the_authenticator(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    for code in &enrolled.factor.backup_codes {
        two_factor::log_in_with(cx, &enrolled.user, code)?;
    }
    two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx)).map(drop)
}

fn methods_have_backup_codes_while_one_is_unused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let judge = || -> CaseResult {
        two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?.check().at_where(
            "/metodosDisponibles",
            "a list with backup_codes",
            |methods| has(methods, "backup_codes"),
        )?;
        Ok(())
    };
    judge()?;
    for index in 0..7 {
        two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(index)?)?;
    }
    judge()?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(7)?)?;
    two_factor::regenerate(cx, &enrolled.tokens)?;
    judge()
}

fn methods_lack_backup_codes_when_all_are_used(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    for index in 0..8 {
        two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(index)?)?;
    }
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    let want = "a list without backup_codes";
    reply
        .check()
        .at_where("/metodosDisponibles", want, |methods| methods.is_array() && !has(methods, "backup_codes"))
        .map(drop)
}

fn trusted_device_is_not_asked(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    two_factor::pending_session_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    // More than once: a device stays trusted.
    for _ in 0..2 {
        let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
        let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
        reply
            .check()
            .at("/requiere2FA", &json!(false))?
            .at_where("/tokens/sessionToken", "a session token", is_text)?
            .at_where("/tokens/jwtToken", "a JWT", is_text)?
            .nothing_at("/sessionId")?;
    }
    Ok(())
}

fn two_factor_is_told_as_enabled_to_a_trusted_device(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
    if !reply.text_at("/sessionId").is_empty() {
        return Err(CaseError::blocked("logging in from a trusted device", "the second factor was asked for"));
    }
    reply.check().at(&users::principal_field(cx, "twoFactorEnabled"), &json!(true)).map(drop)
}

fn two_factor_is_told_as_disabled_again(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    reply.check().at(&users::principal_field(cx, "twoFactorEnabled"), &json!(false)).map(drop)
}

/// What every login must hold is judged of both.
fn record_of_the_second_factor_is_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
    two_factor::disable(cx, &enrolled.tokens)?;
    two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx)).map(drop)
}

fn wrong_password_is_refused_before_the_second_factor(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    for device in [&two_factor::laptop(cx), &two_factor::phone(cx)] {
        let body = json!({ "email": enrolled.user.email, "password": "No-es-la-clave-2026!" });
        cx.post("/auth/login").device(device).json(&body).send()?.check().status(400)?;
    }
    Ok(())
}
