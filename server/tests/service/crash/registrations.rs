//! Registers users.

use super::{Address, PASSWORD, Writer};

pub(crate) struct RegistrationWriter {
    name: u64,
    tried: u64,
    /// Since the last check.
    registered: Vec<String>,
}

impl RegistrationWriter {
    pub(crate) fn new(name: u64) -> Self {
        Self { name, tried: 0, registered: Vec::new() }
    }
}

impl Writer for RegistrationWriter {
    fn write(&mut self, server: &Address) -> Option<()> {
        self.tried += 1;
        let email = format!("user-{}-{}@example.com", self.name, self.tried);
        let body = format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#);
        server.ask("POST /auth/registro", "", &body)?.expect(201);
        self.registered.push(email);
        Some(())
    }

    fn check(&mut self, server: &Address) {
        for email in self.registered.drain(..) {
            let token = server.login(&email);
            let session = format!("Authorization: Bearer {token}\r\n");
            server.must("GET /libros?limit=1", &session, "").expect(200);
        }
    }
}
