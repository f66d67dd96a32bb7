//! Variations of the chapter registration.

use libros_conformance_model::accounts::fields::{required_text, role};
use libros_conformance_model::refusals::USER_EXISTS;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "registration-is-200" breaks "registration/created": "A registration answers 200."
        => reply |request, reply| if request.is("POST", "/auth/registro") && reply.status == 201 { reply.status = 200 };
    "registration-answers-role" breaks "registration/answer-shape": "The answer to a registration has the role."
        => reply |request, reply| edit_registered(request, reply, |body| body["role"] = json!("user"));
    "registration-answers-hash" breaks "registration/answer-shape": "The answer to a registration has the password's hash."
        => reply |request, reply| edit_registered(request, reply, |body| body["passwordHash"] = json!(secrets::hash("")));
    "user-id-is-bare" breaks "registration/id-form": "The id of a user is a bare number."
        => steps |s| s.auth.registration.id = |known, _| (known + 1).to_string();
    "initial-user-ids-are-names" breaks "registration/id-form": "The ids of the initial users are the names of their roles."
        => start |state| state.users.iter_mut().for_each(|user| user.id = user.role.as_str().unwrap_or_default().to_owned());
    "user-id-is-clock-in-seconds" breaks "registration/id-distinct": "The id of a user is the clock in seconds, the same for two of one second."
        => steps |s| s.auth.registration.id = |_, now| format!("user_{}", now / 1000);
    "second-factor-frees-the-email" breaks "registration/email-taken": "The e-mail of a user with two-factor enabled can be registered again."
        => before |state, request| if request.is("POST", "/auth/registro") {
            let email = request.json_body()["email"].take();
            state.users.retain(|user| email != user.email.as_str() || user.two_factor.as_ref().is_none_or(|factor| !factor.enabled));
        };
    "registration-echoes-no-nombre" breaks "registration/echo": "nombre in the answer to a registration is null."
        => reply |request, reply| edit_registered(request, reply, |body| body["nombre"] = Value::Null);
    "default-role-is-moderator" breaks "registration/role-default": "A user registered without a role is a moderator."
        => steps |s| s.auth.registration.role = |sent| role(Some(sent.filter(|sent| !sent.is_null()).unwrap_or(&json!("moderator"))));
    "unknown-role-refused" breaks "registration/role-unknown-accepted": "A registration with a role outside the table answers 400."
        => steps |s| s.auth.registration.role =
            |sent| role(sent).filter(|role| role.as_str().is_none_or(|role| ["admin", "user", "moderator"].contains(&role)));
    "empty-role-refused" breaks "registration/role-empty": "A registration with an empty role is refused."
        => steps |s| s.auth.registration.role = |sent| role(sent).filter(|_| sent.is_none_or(|sent| sent != ""));
    "admin-registration-needs-credential" breaks "registration/admin-open": "A registration as admin needs a credential."
        => around |state, request, answer| if request.is("POST", "/auth/registro") && request.json_body()["role"] == "admin" { guarded(state, request, answer) } else { answer(state, request) };
    "admin-registered-as-user" breaks "registration/admin-open": "A registration as admin makes a user of role user."
        => request |request| if request.is("POST", "/auth/registro") { request.edit(|sent| if sent["role"] == "admin" { sent["role"] = json!("user") }) };
    "registration-takes-permissions" breaks "registration/permissions-from-role": "A registration stores the permissions in its body."
        => steps |s| s.auth.registration.further_fields = |user, sent| if let Some(sent) = sent.get("permissions") {
            user.permissions = serde_json::from_value(sent.clone()).unwrap_or_default();
        };
    "registration-takes-id" breaks "registration/permissions-from-role": "A registration stores the id in its body."
        => steps |s| s.auth.registration.further_fields = |user, sent| {
            sent.get("id").and_then(Value::as_str).into_iter().for_each(|id| id.clone_into(&mut user.id));
        };
    "registration-takes-is-active" breaks "registration/permissions-from-role": "A registration stores the isActive of false in its body."
        => steps |s| s.auth.registration.further_fields = |user, sent| user.active = sent.get("isActive").is_none_or(js::truthy);
    "taken-email-accepted" breaks "registration/email-taken": "An e-mail that is taken can be registered again."
        => steps |s| s.auth.registration.same_email = |_, _| false;
    "taken-email-is-409" breaks "registration/email-taken": "Registering an e-mail that is taken answers 409."
        => reply |_request, reply| if reply.refuses_with(USER_EXISTS) { reply.status = 409 };
    "taken-email-overwrites-password" breaks "registration/email-taken-keeps-first": "A registration refused for a taken e-mail changes the password of its user."
        => after |state, request, reply| if reply.refuses_with(USER_EXISTS) { overwrite_password(state, &request.json_body()) };
    "registrations-race" breaks "registration/email-one-winner": "Several concurrent registrations of one e-mail succeed."
        => race |world, request, answer| at_once(world, request, answer, registered_email, |state, request, answer| {
            adding_unseen(state, request, answer, |state| &mut state.users)
        });
    "new-user-inactive" breaks "registration/active-at-once": "A registered user cannot log in."
        => steps |s| s.auth.registration.further_fields = |user, _| user.active = false;
    "absent-nombre-is-null" by "registration/nombre-absent": "nombre of a user registered without it is null."
        => reply |request, reply| if reply.status < 400 { reply.edit(|body| fill_nombre(request, body, &Value::Null)) };
    "absent-nombre-is-empty" by "registration/nombre-absent": "nombre of a user registered without it is an empty text."
        => reply |request, reply| if reply.status < 400 { reply.edit(|body| fill_nombre(request, body, &json!(""))) };
    "email-form-checked" by "registration/email-form": "A registration with an e-mail without an at sign is refused."
        => steps |s| s.auth.registration.email_form = |email| email.contains('@');
    "email-optional" by "registration/email-missing": "A registration without an e-mail is accepted."
        => steps |s| s.auth.email = |fields| if is_nameless(fields) { Some(String::new()) } else { required_text(fields.get("email")) };
    "emails-taken-in-any-case" by "registration/email-case": "An e-mail counts as taken in any letter case."
        => steps |s| s.auth.registration.same_email = |one, other| one.to_lowercase() == other.to_lowercase();
    "empty-role-stored" by "registration/role-empty": "A registration with an empty role stores it as sent."
        => steps |s| s.auth.registration.role = |sent| sent.filter(|sent| *sent == "").cloned().or_else(|| role(sent));
    "numbers-of-ids-jump" by silence: "The numbers in ids of users and clients are not consecutive."
        => steps |s| {
            s.auth.registration.id = |known, _| format!("user_{}", jumping(known));
            s.auth.api_keys.id = |known| format!("client_{}", jumping(known));
        };
    "odd-registration-accepted" by "registration/field-invalid": "A registration with an empty or non-string e-mail or password is accepted."
        => steps |s| (s.auth.registration.email, s.auth.registration.password) = (anything_as_text, anything_as_text);
    "odd-role-refused" by "registration/role-not-text": "A registration with a role that is not a string is refused."
        => steps |s| s.auth.registration.role = |sent| role(sent).filter(Value::is_string);
    "odd-role-stored-as-user" by "registration/role-not-text": "A registration with a role that is not a string stores user."
        => steps |s| s.auth.registration.role = |sent| role(sent.filter(|sent| sent.is_string()));
    "odd-role-converted" by "registration/role-not-text": "A registration with a role that is not a string converts it to one."
        => request |request| if request.is("POST", "/auth/registro") { request.edit(role_as_text) };
    "password-optional" by "registration/password-missing": "A registration without a password is accepted."
        => steps |s| s.auth.registration.password = |sent| if sent.is_none() { Some(String::new()) } else { required_text(sent) };
    "unknown-role-stored-as-user" by "registration/role-unknown-kept": "A registration with a role outside the table stores user."
        => steps |s| s.auth.registration.role =
            |sent| role(sent.filter(|sent| sent.as_str().is_none_or(|role| ["admin", "user", "moderator"].contains(&role))));
};

fn edit_registered(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    edit_success(request, reply, ["POST", "/auth/registro"], change);
}

fn overwrite_password(state: &mut Shared, sent: &Value) {
    let (email, password) = (sent["email"].as_str().unwrap_or_default(), sent["password"].as_str().unwrap_or_default());
    state.user_mut(email).into_iter().for_each(|user| user.password_hash = secrets::hash(password));
}

/// Gives the answers of registration and login a nombre where they have none.
fn fill_nombre(request: &Request, body: &mut Value, nombre: &Value) {
    let user = match request.path.as_str() {
        "/auth/registro" => Some(body),
        "/auth/login" => body.get_mut("the service"),
        _ => None,
    };
    if let Some(user) = user.filter(|user| user.get("nombre").is_none()) {
        user["nombre"] = nombre.clone();
    }
}

fn is_nameless(fields: &Map<String, Value>) -> bool {
    fields.get("email").is_none_or(|email| email.is_null() || email == "")
}

fn jumping(known: usize) -> usize {
    known * 8 + 2_000_000_000
}

fn anything_as_text(sent: Option<&Value>) -> Option<String> {
    sent.filter(|sent| !sent.is_null()).map(js::text_of)
}

fn role_as_text(sent: &mut Value) {
    if let Some(role) = sent.get_mut("role").filter(|role| !role.is_string() && !role.is_null()) {
        *role = json!(js::text_of(role));
    }
}
