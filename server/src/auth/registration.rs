//! `POST /auth/registro`: open to anybody, for any role.

use serde_json::json;

use super::Identity;
use super::fields::Fields;
use super::user::{User, role_asked_for};
use crate::catalogue::{Answer, Failure};
use crate::json;
use crate::message::Request;

impl Identity {
    /// Registers a user.
    ///
    /// # Errors
    /// A body without e-mail or password, and an e-mail that is taken.
    pub(super) async fn register(&self, request: &Request) -> Result<Answer, Failure> {
        let mut fields = Fields::read(&request.body)?;
        // rule: registration/email-missing, registration/field-invalid, registration/email-form
        let email = fields
            .filled_text("email")
            .ok_or(Failure::FieldInvalid("The field email is required: a text that is not empty"))?;
        // rule: registration/password-missing, registration/field-invalid
        let password = fields
            .filled_text("password")
            .ok_or(Failure::FieldInvalid("The field password is required: a text that is not empty"))?;
        let nombre = fields.take("nombre");
        // rule: registration/admin-open
        let role = role_asked_for(fields.take("role"));
        // Spares the slow hash where the outcome is plain already; the lock below decides.
        if self.read(|state| state.users.record(&email).is_some()) {
            return Err(Failure::UserExists);
        }
        let hash = self.hash_password(password).await?;
        let now = self.context.clock.now();
        self.transact(|state, changes| {
            // rule: registration/email-taken, registration/email-taken-keeps-first, registration/email-one-winner
            // rule: registration/email-case
            if state.users.record(&email).is_some() {
                return Err(Failure::UserExists);
            }
            let user = User::new(state.next_user_number(), email.clone(), hash, nombre, role, now);
            let answer = answer(&user);
            state.users.put(email, user, changes);
            Ok(answer)
        })
        .await
    }
}

fn answer(user: &User) -> Answer {
    // rule: registration/answer-shape, registration/echo
    let mut body = json!({ "id": user.id, "email": user.email });
    // rule: registration/nombre-absent
    if let Some(nombre) = &user.nombre {
        body["nombre"] = nombre.clone();
    }
    // rule: registration/created
    Answer::created(json::write(&body))
}
