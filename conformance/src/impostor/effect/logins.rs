//! Logins that are stopped after wrong passwords.

use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::refusals::{BLOCKED, WRONG_PASSWORD};

use super::catalogue::refuse;
use crate::impostor::world::{Answer, Held};

/// Refuses a login for an e-mail with that many wrong passwords.
pub(crate) fn stop_wrong_passwords(
    held: &mut Held,
    request: &Request,
    answer: &Answer<'_>,
    most: usize,
    status: u16,
) -> Reply {
    if !request.is("POST", "/auth/login") {
        return answer(held, request);
    }
    let email = request.json_body()["email"].as_str().unwrap_or_default().to_owned();
    let wrong = held.past.notes.iter().filter(|(name, of)| name == "wrong password" && *of == email).count();
    if wrong < most {
        let reply = answer(held, request);
        if reply.refuses_with(WRONG_PASSWORD) {
            held.past.note("wrong password", &email);
        }
        return reply;
    }
    let mut reply = answer(held, &Request { body: Vec::new(), ..request.clone() });
    refuse(&mut reply, status, BLOCKED);
    reply
}
