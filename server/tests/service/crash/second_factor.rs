//! One user's second factor: enabled, verified with a backup code, a device trusted and removed, codes issued anew, disabled.

use serde_json::Value;

use super::Writer;
use crate::wire::{Address, PASSWORD};

/// A second factor as `/2fa/status` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Status {
    is_enabled: bool,
    /// Unused backup codes; not counted while disabled.
    codes: u64,
    devices: u64,
}

/// The next request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Enable,
    Verify,
    Untrust,
    Regenerate,
    Disable,
}

pub(crate) struct SecondFactorWriter {
    email: String,
    session: String,
    codes: Vec<String>,
    confirmed: Status,
    /// The status if the request under way took effect without being confirmed.
    unsure: Option<Status>,
    next: Step,
}

impl SecondFactorWriter {
    pub(crate) fn new(name: u64, server: &Address) -> Self {
        let email = format!("factor-{name}@example.com");
        let session = server.register(&email, "user");
        let confirmed = Status { is_enabled: false, codes: 0, devices: 0 };
        Self { email, session, codes: Vec::new(), confirmed, unsure: None, next: Step::Enable }
    }

    /// Sends a request whose success leads to `done`.
    fn send(&mut self, server: &Address, line: &str, headers: &str, body: &str, done: Status) -> Option<Value> {
        self.unsure = Some(done);
        let reply = server.ask(line, headers, body)?.expect(200);
        (self.confirmed, self.unsure) = (done, None);
        Some(reply)
    }

    fn post(&mut self, server: &Address, path: &str, done: Status) -> Option<Value> {
        let (session, body) = (self.session.clone(), format!(r#"{{"password":"{PASSWORD}"}}"#));
        self.send(server, &format!("POST {path}"), &session, &body, done)
    }

    fn verify(&mut self, server: &Address, done: Status) -> Option<Value> {
        let login = format!(r#"{{"email":"{}","password":"{PASSWORD}"}}"#, self.email);
        let pending = server.ask("POST /auth/login", "", &login)?.expect(200);
        let session = pending["sessionId"].as_str().unwrap_or_else(|| panic!("no second factor: {pending}"));
        let code = self.codes.pop().expect("eight codes");
        let body = format!(r#"{{"sessionId":"{session}","token":"{code}","trustDevice":true}}"#);
        self.send(server, "POST /auth/verify-2fa", "", &body, done)
    }

    fn untrust(&mut self, server: &Address, done: Status) -> Option<Value> {
        let session = self.session.clone();
        let listed = server.ask("GET /2fa/trusted-devices", &session, "")?.expect(200);
        let device = listed["dispositivos"][0]["deviceId"].as_str().unwrap_or_else(|| panic!("no device: {listed}"));
        self.send(server, &format!("DELETE /2fa/trusted-devices/{device}"), &session, "", done)
    }

    fn take_codes(&mut self, reply: &Value) {
        let codes = reply["backupCodes"].as_array().expect("codes").iter();
        self.codes = codes.map(|code| code.as_str().expect("a text").to_owned()).collect();
    }
}

impl Writer for SecondFactorWriter {
    fn write(&mut self, server: &Address) -> Option<()> {
        let now = self.confirmed;
        self.next = match self.next {
            Step::Enable => {
                let reply = self.post(server, "/2fa/enable", Status { is_enabled: true, codes: 8, ..now })?;
                self.take_codes(&reply);
                if now.devices == 0 { Step::Verify } else { Step::Untrust }
            }
            Step::Verify => {
                self.verify(server, Status { codes: now.codes - 1, devices: 1, ..now })?;
                Step::Untrust
            }
            Step::Untrust => {
                self.untrust(server, Status { devices: 0, ..now })?;
                Step::Regenerate
            }
            Step::Regenerate => {
                let reply = self.post(server, "/2fa/regenerate-backup-codes", Status { codes: 8, ..now })?;
                self.take_codes(&reply);
                Step::Disable
            }
            Step::Disable => {
                self.post(server, "/2fa/disable", Status { is_enabled: false, ..now })?;
                Step::Enable
            }
        };
        Some(())
    }

    fn check(&mut self, server: &Address) {
        let status = server.must("GET /2fa/status", &self.session, "").expect(200);
        let is_enabled = status["habilitado"] == true;
        let number = |name: &str| status[name].as_u64().unwrap_or(0);
        let found = Status {
            is_enabled,
            codes: if is_enabled { number("backupCodesDisponibles") } else { self.confirmed.codes },
            devices: number("dispositivosConfiables"),
        };
        let unsure = self.unsure.take();
        assert!(found == self.confirmed || Some(found) == unsure, "{found:?}, confirmed {:?}", self.confirmed);
        if unsure.is_some() {
            // Codes may have been issued or used in an answer that never came.
            self.confirmed = found;
            self.next = Step::Enable;
        }
    }
}
