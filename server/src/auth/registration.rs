//! `POST /auth/registro`: needs no credential, gives any role.

use serde_json::{Value, json};

use crate::accounts::user::User;
use crate::auth::identity::Identity;
use crate::json_body::{filled_text, object};
use crate::message::Request;
use crate::response::{content::Response, failure::Failure};
use libros_server_query::json;

pub(crate) async fn register(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let mut fields = object(&request.body)?;
    // rule: registration/email-missing, registration/field-invalid, registration/email-form
    let email = filled_text(&mut fields, "email")?;
    // rule: registration/password-missing, registration/field-invalid
    let password = filled_text(&mut fields, "password")?;
    let nombre = fields.remove("nombre");
    // rule: registration/admin-open
    let role = match fields.remove("role") {
        // rule: registration/role-default, registration/role-empty
        None | Some(Value::Null) => json!("user"),
        Some(Value::String(role)) if role.is_empty() => json!("user"),
        // rule: registration/role-unknown-accepted, registration/role-unknown-kept, registration/role-not-text
        Some(role) => role,
    };
    // Saves the slow hash if the outcome is clear already; the check under the lock decides.
    // rule: registration/email-taken
    if identity.read(|tables| tables.users.record(&email).is_some()) {
        return Err(Failure::UserExists);
    }
    let salt = identity.context.entropy.bytes();
    let hash = identity.passwords.run(&request.client, move |keeper| keeper.hash(&password, salt)).await?;
    let now = identity.context.clock.now();
    let decided = identity.transact(|tables, changes| {
        // rule: registration/email-taken, registration/email-taken-keeps-first, registration/email-one-winner, registration/email-case
        if tables.users.record(&email).is_some() {
            return Err(Failure::UserExists);
        }
        // rule: registration/id-distinct
        tables.last_user += 1;
        let user = User::new(tables.last_user, email.clone(), hash.clone(), nombre.clone(), role.clone(), now);
        // rule: registration/answer-shape, registration/echo
        let mut body = json!({ "id": user.id, "email": user.email });
        // rule: registration/nombre-absent
        if let Some(nombre) = &user.nombre {
            body["nombre"] = nombre.clone();
        }
        tables.users.put(email.clone(), user, changes);
        // rule: registration/created
        Ok(Response::created(json::write(&body)))
    });
    decided.await
}
