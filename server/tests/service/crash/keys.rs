//! Creates API keys, as an administrator whose session outlives every crash.

use super::Writer;
use crate::wire::Address;

pub(crate) struct KeyWriter {
    session: String,
    created: usize,
    /// Since the last check.
    keys: Vec<String>,
}

impl KeyWriter {
    pub(crate) fn new(name: u64, server: &Address) -> Self {
        let session = server.register(&format!("admin-{name}@example.com"), "admin");
        Self { session, created: 0, keys: Vec::new() }
    }
}

impl Writer for KeyWriter {
    fn write(&mut self, server: &Address) -> Option<()> {
        let reply = server.ask("POST /auth/api-keys", &self.session, r#"{"nombre":"crash"}"#)?.expect(201);
        self.keys.push(reply["apiKey"].as_str().expect("a key").to_owned());
        self.created += 1;
        Some(())
    }

    fn check(&mut self, server: &Address) {
        for key in self.keys.drain(..) {
            server.must("GET /libros?limit=1", &format!("X-API-Key: {key}\r\n"), "").expect(200);
        }
        let listed = server.must("GET /auth/api-keys", &self.session, "").expect(200);
        assert!(listed.as_array().expect("a list").len() >= self.created, "keys are missing");
    }
}
