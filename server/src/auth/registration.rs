//! `POST /auth/registro`: needs no credential, gives any role.

use crate::accounts::user::{User, role_asked_for};
use crate::auth::fields::Fields;
use crate::auth::identity::Identity;
use crate::response::content::Response;
use crate::response::failure::Failure;
use serde_json::json;

use crate::message::Request;
use libros_server_query::json;

pub(crate) async fn register(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let mut fields = Fields::read(&request.body)?;
    let email = fields
        // rule: registration/email-missing, registration/field-invalid, registration/email-form
        .filled_text("email")
        .ok_or(Failure::FieldInvalid("The field email is required: a text that is not empty"))?;
    let password = fields
        // rule: registration/password-missing, registration/field-invalid
        .filled_text("password")
        .ok_or(Failure::FieldInvalid("The field password is required: a text that is not empty"))?;
    let nombre = fields.take("nombre");
    // rule: registration/admin-open
    let role = role_asked_for(fields.take("role"));
    // Spares the slow hash where the outcome is plain already; the lock below decides.
    // rule: registration/email-taken
    if identity.read(|tables| tables.users.record(&email).is_some()) {
        return Err(Failure::UserExists);
    }
    let hash = identity.hash_password(password, &request.client).await?;
    let now = identity.context().clock.now();
    identity
        .transact(|tables, changes| {
            // rule: registration/email-taken, registration/email-taken-keeps-first, registration/email-one-winner
            // rule: registration/email-case
            if tables.users.record(&email).is_some() {
                return Err(Failure::UserExists);
            }
            let user =
                User::new(tables.next_user_number(), email.clone(), hash.clone(), nombre.clone(), role.clone(), now);
            let response = response(&user);
            tables.users.put(email.clone(), user, changes);
            Ok(response)
        })
        .await
}

fn response(user: &User) -> Response {
    // rule: registration/answer-shape, registration/echo
    let mut body = json!({ "id": user.id, "email": user.email });
    // rule: registration/nombre-absent
    if let Some(nombre) = &user.nombre {
        body["nombre"] = nombre.clone();
    }
    // rule: registration/created
    Response::created(json::write(&body))
}
