//! What a login answers: without a second factor, with one, and from a trusted device.

use crate::chapters::devices::trusted::trusting_device;
use crate::chapters::prelude::*;

cases! { "login";
    /// The right password of a user without second factor is let in, for registered and initial users alike.
    right_password_is_200 judges ["login/success"] => |cx| {
        let user = users::register(cx, "user")?;
        let initial = &cx.target().credentials;
        let right =
            [&initial.admin_user, &initial.regular_user].map(|user| users::login(cx, &user.email, &user.password));
        each_answers(200, [users::login(cx, &user.email, &user.password)].into_iter().chain(right))
    };
    /// An e-mail with capital letters is let in as it was registered.
    an_email_with_capitals_is_let_in_as_registered judges ["login/email-as-registered"] => |cx| {
        for stem in ["Ada", "ada.LOVELACE"] {
            let email = users::email(cx, stem);
            let reply = users::registration(cx, &json!({ "email": email, "password": PASSWORD })).send()?;
            if reply.is(400) {
                return cx.tell("an e-mail with capital letters is refused at registration");
            }
            reply.prepared("registering a user", 201)?;
            users::try_log_in(cx, &email, PASSWORD)?.check().status(200)?;
        }
        Ok(())
    };
    /// The user at login and the client in API key answers stand under `the service`, under one other key in all of them, or
    /// under a key each.
    principal_stands_under_one_key judges ["login/principal-key"] => |cx| {
        let login = login_of_a_new_user(cx, "admin")?;
        let session = login.text_at("/tokens/sessionToken");
        let creation = cx.post("/auth/api-keys").bearer(&session).json(&json!({ "nombre": cx.unique("cliente") }));
        let created = creation.send()?.prepared("creating an API key", 201)?;
        let listing = cx.get("/auth/api-keys").bearer(&session).send()?.prepared("listing API keys", 200)?;
        let of_user = other_keys(&login.json(), &["requiere2FA", "tokens"]);
        let of_client = other_keys(&created.json(), &["apiKey", "advertencia"]);
        let mut seen = vec![of_user, of_client];
        seen.extend(listing.json().as_array().into_iter().flatten().map(|entry| other_keys(entry, &["apiKey"])));
        let (of_user, of_client) = (&seen[0], &seen[1]);
        let are_all = |key: &str| seen.iter().all(|keys| *keys == [key]);
        let is_one = of_user.len() == 1 && seen.iter().all(|keys| keys == of_user);
        let are_two = of_user.len() == 1 && of_client.len() == 1 && seen[1..].iter().all(|keys| keys == of_client);
        let readings = [("the-service", are_all("the service")), ("other", is_one), ("two", are_two)];
        cx.observe(&readings, brief(&format!("{seen:?}"))).seen_in([&login, &created, &listing])
    };
    /// The answer has requiere2FA, the six fields of the user, three tokens, expiresIn 3600, and nothing besides.
    a_login_is_answered_in_full judges [
        "login/first-shape", "login/user-shape", "login/tokens-shape", "login/expires-in",
    ] => |cx| {
        // Logs in users of two roles; what every answer must hold is judged of each.
        ["user", "admin"].into_iter().try_for_each(|role| login_of_a_new_user(cx, role).map(drop))
    };
    /// requiere2FA is the boolean false.
    requiere_2fa_is_false judges ["login/first-requires"]
        => |cx| login_of_a_new_user(cx, "user")?.check().at("/requiere2FA", &json!(false)).map(drop);
    /// id, email and nombre are those of the registration.
    user_is_the_one_registered judges ["login/user-identity"] => |cx| {
        // Two users, so that answering with the latest one, or the first, is seen.
        let mut registered = Vec::new();
        for nombre in ["Ñusta", "Кира"] {
            let email = users::email(cx, "user");
            let body = json!({ "email": email, "password": PASSWORD, "nombre": nombre });
            let id = users::registration(cx, &body).send()?.prepared("registering a user", 201)?.at("/id");
            registered.push((email, nombre, id.unwrap_or_default()));
        }
        let at = |field| users::principal_field(cx, field);
        for (email, nombre, id) in &registered {
            let login = users::try_log_in(cx, email, PASSWORD)?.prepared("logging in", 200)?;
            let check = login.check().at(&at("id"), id)?.at(&at("email"), &json!(email))?;
            check.at(&at("nombre"), &json!(nombre))?;
        }
        Ok(())
    };
    /// role is the one the user was registered with.
    role_is_the_stored_one judges ["login/user-role"] => |cx| {
        for role in ["user", "moderator", "admin"] {
            login_of_a_new_user(cx, role)?.check().at(&users::principal_field(cx, "role"), &json!(role))?;
        }
        Ok(())
    };
    /// twoFactorEnabled is false for a user who never had a second factor.
    two_factor_is_told_as_disabled judges ["login/two-factor-disabled"]
        => |cx| says_enabled(cx, &login_of_a_new_user(cx, "user")?, false);
    /// With two-factor enabled and no trusted device the answer has its six keys, no tokens, and Content-Type as its
    /// only documented header.
    a_login_asks_for_the_second_factor_in_full judges [
        "login/second-shape", "login/second-email", "login/second-mensaje", "login/second-headers",
        "login/second-content-type",
    ] => |cx| asked(cx).map(drop);
    /// requiere2FA is the boolean true.
    requiere_2fa_is_true judges ["login/second-requires"] => |cx| asked(cx)?.1.check().at("/requiere2FA", &json!(true)).map(drop);
    /// sessionId is 64 hex digits, another at each login.
    session_id_is_64_hex_digits judges ["login/second-session-id"] => |cx| {
        let (user, first) = asked(cx)?;
        let second = two_factor::log_in(cx, &user)?;
        let earlier = first.text_at("/sessionId");
        second.check().at_where("/sessionId", "another than at the first login", |id| *id != earlier).map(drop)
    };
    /// Two logins of one user can both be finished, the first one after the second.
    both_of_two_logins_can_be_finished judges ["login/second-sessions-both"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let code = |index| enrolled.backup_code(index);
        two_factor::log_in_with(cx, &enrolled.user, code(0)?)?;
        let [first, second] = two_factor::two_pending_sessions(cx, &enrolled.user)?;
        two_factor::judge_check(cx, &second, code(1)?, 200)?;
        two_factor::judge_check(cx, &first, code(2)?, 200)
    };
    /// metodosDisponibles has authenticator, also when all backup codes are used, and nothing the documents do not name.
    methods_have_the_authenticator judges ["login/second-authenticator"] => |cx| {
        // Before the first backup code is used and after the last one.
        let enrolled = two_factor::enroll(cx)?;
        for code in &enrolled.factor.backup_codes {
            two_factor::log_in_with(cx, &enrolled.user, code)?;
        }
        two_factor::log_in(cx, &enrolled.user).map(drop)
    };
    /// metodosDisponibles has backup_codes as long as one of the eight is unused, and again after regenerating.
    methods_have_backup_codes_while_one_is_unused judges ["login/second-backup-codes"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        offers_backup_codes(cx, &enrolled.user, true)?;
        for index in 0..7 {
            two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(index)?)?;
        }
        offers_backup_codes(cx, &enrolled.user, true)?;
        two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(7)?)?;
        two_factor::regenerate(cx, &enrolled.tokens)?;
        offers_backup_codes(cx, &enrolled.user, true)
    };
    /// metodosDisponibles lacks backup_codes once all eight are used.
    methods_lack_backup_codes_when_all_are_used judges ["login/second-no-backup-codes"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        for index in 0..8 {
            two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(index)?)?;
        }
        offers_backup_codes(cx, &enrolled.user, false)
    };
    /// A login from a trusted device is answered with tokens at once; one from another device is asked.
    trusted_device_is_not_asked judges ["login/trusted-skips"] => |cx| {
        let user = trusting_phone(cx)?.user;
        two_factor::pending_session(cx, &user)?;
        // More than once: a device stays trusted.
        for _ in 0..2 {
            let reply = two_factor::log_in_from(cx, &user, &two_factor::phone(cx))?;
            let check = reply.check().at("/requiere2FA", &json!(false))?.nothing_at("/sessionId")?;
            check.text_at("/tokens/sessionToken", "a session token")?.text_at("/tokens/jwtToken", "a JWT")?;
        }
        Ok(())
    };
    /// twoFactorEnabled is true where a trusted device was not asked.
    two_factor_is_told_as_enabled_to_a_trusted_device judges ["login/two-factor-trusted"] => |cx| {
        let reply = two_factor::log_in_from(cx, &trusting_phone(cx)?.user, &two_factor::phone(cx))?;
        let is_let_in = reply.text_at("/sessionId").is_empty();
        CaseError::blocked_unless(is_let_in, "logging in from a trusted device", "the second factor was asked for")?;
        says_enabled(cx, &reply, true)
    };
    /// twoFactorEnabled is false again after disabling.
    two_factor_is_told_as_disabled_again judges ["login/two-factor-disabled"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        two_factor::disable(cx, &enrolled.tokens)?;
        says_enabled(cx, &two_factor::log_in(cx, &enrolled.user)?, false)
    };
    /// The answer to a user who has a two-factor record has the fields of any other: nothing of the record is shown.
    record_of_the_second_factor_is_not_shown judges ["login/user-shape", "login/tokens-shape"] => |cx| {
        // What every login must hold is judged of both.
        let enrolled = trusting_phone(cx)?;
        two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
        two_factor::disable(cx, &enrolled.tokens)?;
        two_factor::log_in(cx, &enrolled.user).map(drop)
    };
    /// A wrong password is refused whether or not a second factor would be asked for, and on a trusted device too.
    wrong_password_is_refused_before_the_second_factor judges ["login/password-wrong"] => |cx| {
        let user = trusting_phone(cx)?.user;
        let login = |device| users::login(cx, &user.email, "No-es-la-clave-2026!").device(&device);
        each_answers(400, [two_factor::laptop(cx), two_factor::phone(cx)].map(login))
    };
}

fn login_of_a_new_user(cx: &CaseContext<'_>, role: &str) -> CaseResult<Reply> {
    let user = users::register(cx, role)?;
    users::try_log_in(cx, &user.email, &user.password)?.prepared("logging in", 200)
}

/// The keys of an object other than those the documents name.
fn other_keys(object: &Value, named: &[&str]) -> Vec<String> {
    let keys = object.as_object().map(|object| object.keys());
    keys.into_iter().flatten().filter(|key| !named.contains(&key.as_str())).cloned().collect()
}

/// The user of that login shows whether two-factor is enabled.
fn says_enabled(cx: &CaseContext<'_>, login: &Reply, is_enabled: bool) -> CaseResult {
    login.check().at(&users::principal_field(cx, "twoFactorEnabled"), &json!(is_enabled)).map(drop)
}

/// The answer that asks a newly enrolled user for the second factor.
fn asked(cx: &CaseContext<'_>) -> CaseResult<(MadeUser, Reply)> {
    let user = two_factor::enroll(cx)?.user;
    let reply = two_factor::log_in(cx, &user)?;
    Ok((user, reply))
}

/// A login shows that backup codes are among the methods, or are not.
fn offers_backup_codes(cx: &CaseContext<'_>, user: &MadeUser, offers: bool) -> CaseResult {
    let want = if offers { "a list with backup_codes" } else { "a list without backup_codes" };
    let is_offered = |methods: &Vec<Value>| methods.contains(&json!("backup_codes"));
    let fits = |methods: &Value| methods.as_array().is_some_and(|methods| is_offered(methods) == offers);
    two_factor::log_in(cx, user)?.check().at_where("/metodosDisponibles", want, fits).map(drop)
}

/// A user whose phone is a trusted device.
fn trusting_phone(cx: &CaseContext<'_>) -> CaseResult<Enrolled> {
    trusting_device(cx, &two_factor::phone(cx))
}
