//! The values that a history has received so far, from both services.

use libros_conformance::http::exchange::Received;
use serde_json::Value;

/// A value of the left and of the right service.
pub(crate) type Both = [String; 2];

/// E-mails and passwords of histories, the two initial users first.
pub(crate) const PEOPLE: [(&str, &str); 7] = [
    ("admin@biblioteca.example", "Admin-de-prueba-1"),
    ("lectora@biblioteca.example", "Lectora-de-prueba-2"),
    ("ana@ejemplo.test", "una clave"),
    ("beto@ejemplo.test", "Clave-de-Beto-9"),
    ("carla@ejemplo.test", "ñandú 😀"),
    ("Ana@ejemplo.test", "otra clave"),
    ("no es un correo", "x"),
];

/// Values of a user are stored with the number of its e-mail.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) books: Vec<u64>,
    /// Each with its path.
    pub(crate) tags: Vec<(String, Both)>,
    pub(crate) clients: Vec<Both>,
    pub(crate) sessions: Vec<(usize, Both)>,
    pub(crate) jwts: Vec<(usize, Both)>,
    pub(crate) pendings: Vec<(usize, Both)>,
    pub(crate) secrets: Vec<(usize, Both)>,
    pub(crate) codes: Vec<(usize, Vec<Both>)>,
    pub(crate) devices: Vec<Both>,
    pub(crate) users: Vec<Both>,
}

/// The latest but `back`, cyclically.
pub(crate) fn latest<T>(of: &[T], back: usize) -> Option<&T> {
    of.get((of.len().checked_sub(1)?) - back % of.len())
}

impl Memory {
    /// The latest secret but `back` of a user.
    pub(crate) fn secret(&self, email: usize, back: usize) -> Option<&Both> {
        let own: Vec<_> = self.secrets.iter().filter(|(of, _)| *of == email).map(|(_, secret)| secret).collect();
        own.len().checked_sub(1 + back).map(|at| own[at])
    }

    pub(crate) fn codes(&self, email: usize) -> &[Both] {
        self.codes.iter().rev().find(|(of, _)| *of == email).map_or(&[], |(_, codes)| codes)
    }

    /// The last tag of this path, or the latest but `back` of any.
    pub(crate) fn tag(&self, path: &str, back: usize) -> Option<&Both> {
        let of_path = self.tags.iter().rev().find(|(of, _)| of == path && back == 0);
        of_path.or_else(|| latest(&self.tags, back)).map(|(_, tag)| tag)
    }

    /// Stores the values in two equal replies to the user of that e-mail.
    pub(crate) fn learn(&mut self, path: &str, email: Option<usize>, left: &Received, right: &Received) {
        if let (Some(left), Some(right)) = (left.header("etag"), right.header("etag")) {
            self.tags.push((path.to_owned(), [left, right]));
        }
        let (Some(left), Some(right)) = (left.json(), right.json()) else { return };
        let both = |pointer: &str| both(left, right, pointer);
        if let Some(id) = left["id"].as_u64() {
            self.books.push(id);
        }
        self.clients.extend(both("/apiKey"));
        self.users.extend(both("/id").filter(|[id, _]| id.len() == 13));
        self.users.extend(both("/data/createUser/id"));
        let listed = left["dispositivos"].as_array().map_or(0, Vec::len);
        self.devices.extend((0..listed).filter_map(|at| both(&format!("/dispositivos/{at}/deviceId"))));
        let Some(email) = email else { return };
        self.sessions.extend(both("/tokens/sessionToken").map(|token| (email, token)));
        self.jwts.extend(both("/tokens/jwtToken").map(|token| (email, token)));
        self.pendings.extend(both("/sessionId").map(|id| (email, id)));
        self.secrets.extend(both("/secret").map(|secret| (email, secret)));
        let codes: Vec<_> = (0..8).filter_map(|at| both(&format!("/backupCodes/{at}"))).collect();
        if !codes.is_empty() {
            self.codes.push((email, codes));
        }
    }
}

fn both(left: &Value, right: &Value, pointer: &str) -> Option<Both> {
    let text = |value: &Value| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    Some([text(left)?, text(right)?])
}
