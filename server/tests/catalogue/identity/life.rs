//! Random lives of one user, held against a model that knows the documents' states table and nothing of the server.
//!
//! Time passes in multiples of 67 s: no sum of them comes within 8 s of any limit, so the few milliseconds that the
//! test itself takes never decide.

use http::HeaderValue;
use libros_server::accounts::permission::Permission;
use libros_server::catalogue::{AuthRoute, TwoFactorRoute};
use libros_server::response::failure::Failure;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use totp_rs::{Algorithm, Builder};

use super::harness::{Harness, PASSWORD, credentials, post};
use super::model::{Code, Login, Model};
use crate::disk::text;

const STEP_S: u64 = 67;
const MINUTE_S: u64 = 60;
const EMAIL: &str = "ana@model";

#[derive(Debug, Clone)]
enum Action {
    /// Log in from one of two devices.
    Login { device: u8, right: bool },
    /// Send a code for the last login that waited, or for any of them.
    Verify { login: Option<Index>, code: Code, trust: bool },
    /// Log in and send a wrong code, some times over.
    Guess { times: u8 },
    /// Use one of the sessions ever issued for something that its user may or may not do.
    Use { session: Index, may: bool },
    /// Enable, with the user's JWT.
    Enable,
    /// Disable, with the right password or a wrong one.
    Disable { right: bool },
    /// Issue new backup codes, with the right password or a wrong one.
    Regenerate { right: bool },
    /// Remove one of the two devices.
    Forget { device: u8 },
    /// Let time pass, in steps.
    Wait { steps: u64 },
}

fn action() -> impl Strategy<Value = Action> {
    let code = prop_oneof![
        4 => Just(Code::Totp),
        2 => Just(Code::WrongTotp),
        4 => any::<Index>().prop_map(Code::Backup),
        1 => Just(Code::OldBackup),
        2 => Just(Code::Junk),
    ];
    // Either side of 10, 15, 30 and 60 minutes and of 30 days.
    let steps = prop::sample::select(vec![1, 1, 1, 8, 9, 13, 14, 26, 27, 53, 54, 38_686, 38_687]);
    prop_oneof![
        6 => (0_u8..2, prop::bool::weighted(0.9)).prop_map(|(device, right)| Action::Login { device, right }),
        8 => (prop::option::weighted(0.3, any::<Index>()), code, any::<bool>())
            .prop_map(|(login, code, trust)| Action::Verify { login, code, trust }),
        3 => (1_u8..4).prop_map(|times| Action::Guess { times }),
        4 => (any::<Index>(), any::<bool>()).prop_map(|(session, may)| Action::Use { session, may }),
        2 => Just(Action::Enable),
        1 => any::<bool>().prop_map(|right| Action::Disable { right }),
        1 => any::<bool>().prop_map(|right| Action::Regenerate { right }),
        1 => (0_u8..2).prop_map(|device| Action::Forget { device }),
        4 => steps.prop_map(|steps| Action::Wait { steps }),
    ]
}

/// A harness and its model, moved alike.
struct Life {
    harness: Harness,
    model: Model,
}

impl Life {
    fn begin() -> Self {
        let harness = Harness::new();
        harness.register(EMAIL, "user");
        Self { harness, model: Model::default() }
    }

    fn act(&mut self, action: &Action) -> Result<(), TestCaseError> {
        match action {
            Action::Login { device, right } => self.login(*device, *right),
            Action::Verify { login, code, trust } => self.verify(login.as_ref(), code, *trust),
            Action::Guess { times } => (0..*times).try_for_each(|_| {
                self.login(0, true)?;
                self.verify(None, &Code::Junk, false)
            }),
            Action::Use { session, may } => self.use_session(session, *may),
            Action::Enable => self.enable(),
            Action::Disable { right } => self.disable(*right),
            Action::Regenerate { right } => self.regenerate(*right),
            Action::Forget { device } => self.forget(*device),
            Action::Wait { steps } => {
                self.harness.advance((steps * STEP_S) as f64);
                self.model.now_s += steps * STEP_S;
                Ok(())
            }
        }
    }

    fn login(&mut self, device: u8, right: bool) -> Result<(), TestCaseError> {
        let password = if right { PASSWORD } else { "wrong" };
        let mut request = credentials(EMAIL, password);
        let agent = HeaderValue::from_str(&format!("device/{device}")).expect("a value");
        request.headers.insert("user-agent", agent);
        let outcome = self.harness.auth(AuthRoute::Login, &request);
        if !right {
            prop_assert_eq!(outcome, Err(Failure::PasswordWrong));
            return Ok(());
        }
        let answer = outcome.map_err(|failure| TestCaseError::fail(format!("{failure:?}")))?;
        let asks = self.model.enabled && !self.model.is_trusted(device);
        prop_assert_eq!(&answer["requiere2FA"], &json!(asks));
        if asks {
            let left = self.model.backup.iter().any(|(_, unused)| *unused);
            let methods = if left { json!(["authenticator", "backup_codes"]) } else { json!(["authenticator"]) };
            prop_assert_eq!(&answer["metodosDisponibles"], &methods);
            prop_assert_eq!(&answer["trustedDeviceEnabled"], &json!(!self.model.trusted.is_empty()));
            self.model.logins.push(Login {
                id: text(&answer["sessionId"]),
                device,
                at_s: self.model.now_s,
                wrong: 0,
                gone: false,
            });
        } else {
            prop_assert_eq!(&answer["the service"]["twoFactorEnabled"], &json!(self.model.enabled));
            self.keep_tokens(&answer["tokens"]);
        }
        Ok(())
    }

    fn keep_tokens(&mut self, tokens: &Value) {
        let expires_s = self.model.now_s + 60 * MINUTE_S;
        self.model.sessions.push((text(&tokens["sessionToken"]), expires_s));
    }

    fn verify(&mut self, login: Option<&Index>, code: &Code, trust: bool) -> Result<(), TestCaseError> {
        let Some(last) = self.model.logins.len().checked_sub(1) else {
            return Ok(());
        };
        let at = login.map_or(last, |login| login.index(last + 1));
        let sent = self.spell(code);
        let expected = self.model.verify(at, code, &sent, trust);
        let outcome = self.harness.verify(&self.model.logins[at].id, &sent, trust);
        prop_assert_eq!(outcome.as_ref().map(|_| ()), expected.as_ref().map(|&()| ()));
        if let Ok(answer) = outcome {
            let method = if matches!(code, Code::Totp) { "totp" } else { "backup" };
            prop_assert_eq!(&answer["metodo2FA"], &json!(method));
            prop_assert_eq!(&answer["esDispositivoNuevo"], &json!(!trust));
            self.keep_tokens(&answer["tokens"]);
        }
        Ok(())
    }

    /// The text of a code, right at this moment or wrong.
    fn spell(&self, code: &Code) -> String {
        let secret = self.model.secret.as_deref().unwrap_or_default();
        let totp = Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_skew(1)
            .with_secret(hex::decode(secret).expect("hex"))
            .build_noncompliant();
        let now_s = u64::try_from(self.harness.clock.now().seconds()).expect("after 1970");
        match code {
            Code::Totp => totp.generate(now_s).to_string(),
            Code::WrongTotp => (0..)
                .map(|number: u32| format!("{number:06}"))
                .find(|wrong| (now_s - 60..now_s + 60).step_by(10).all(|at_s| totp.check(wrong, at_s).is_none()))
                .expect("most codes are wrong"),
            Code::Backup(index) => self.model.backup[index.index(self.model.backup.len())].0.clone(),
            Code::OldBackup => self.model.old_backup.first().cloned().unwrap_or_default(),
            Code::Junk => "12345".to_owned(),
        }
    }

    fn use_session(&mut self, session: &Index, may: bool) -> Result<(), TestCaseError> {
        if self.model.sessions.is_empty() {
            return Ok(());
        }
        let now_s = self.model.now_s;
        let at = session.index(self.model.sessions.len());
        let (token, expires_s) = &mut self.model.sessions[at];
        let needed = if may { Permission::ReadBooks } else { Permission::WriteBooks };
        let outcome = self.harness.bearer(token, &[needed]);
        if now_s > *expires_s {
            prop_assert_eq!(outcome, Err(Failure::TokenInvalid));
            self.model.sessions.remove(at);
        } else if may {
            prop_assert!(outcome.is_ok());
            *expires_s = now_s + 30 * MINUTE_S;
        } else {
            prop_assert_eq!(outcome, Err(Failure::TokenInvalid));
        }
        Ok(())
    }

    /// A request of the user's, by a JWT made here: nobody checks who signed it.
    fn request(&self, body: &Value) -> libros_server::message::Request {
        use base64::Engine as _;
        let payload = base64::engine::general_purpose::STANDARD.encode(json!({ "email": EMAIL }).to_string());
        let mut request = post(body);
        let value = HeaderValue::from_str(&format!("JWT e30=.{payload}.x")).expect("a value");
        request.headers.insert("authorization", value);
        request
    }

    fn enable(&mut self) -> Result<(), TestCaseError> {
        let answer = self.harness.two_factor(TwoFactorRoute::Enable, &self.request(&json!({})));
        let answer = answer.map_err(|failure| TestCaseError::fail(format!("{failure:?}")))?;
        self.model.enabled = true;
        self.model.secret = Some(text(&answer["secret"]));
        self.take_codes(&answer["backupCodes"]);
        self.agree()
    }

    fn take_codes(&mut self, issued: &Value) {
        let issued = issued.as_array().into_iter().flatten();
        let codes = issued.map(|code| (text(code), true)).collect();
        let old = std::mem::replace(&mut self.model.backup, codes);
        self.model.old_backup.extend(old.into_iter().map(|(code, _)| code));
    }

    fn with_password(&mut self, route: TwoFactorRoute, right: bool) -> Result<Option<Value>, TestCaseError> {
        let body = json!({ "password": if right { PASSWORD } else { "wrong" } });
        let outcome = self.harness.two_factor(route, &self.request(&body));
        let expected = match (right, &self.model.secret, self.model.enabled) {
            (false, ..) => Err(Failure::PasswordWrong),
            (true, None, _) => Err(Failure::TwoFactorNotConfigured),
            (true, Some(_), false) => Err(Failure::TwoFactorNotEnabled),
            (true, Some(_), true) => Ok(()),
        };
        prop_assert_eq!(outcome.as_ref().map(|_| ()), expected.as_ref().map(|&()| ()));
        Ok(outcome.ok())
    }

    fn disable(&mut self, right: bool) -> Result<(), TestCaseError> {
        if self.with_password(TwoFactorRoute::Disable, right)?.is_some() {
            self.model.enabled = false;
        }
        self.agree()
    }

    fn regenerate(&mut self, right: bool) -> Result<(), TestCaseError> {
        if let Some(answer) = self.with_password(TwoFactorRoute::RegenerateBackupCodes, right)? {
            self.take_codes(&answer["backupCodes"]);
        }
        self.agree()
    }

    fn forget(&mut self, device: u8) -> Result<(), TestCaseError> {
        let listed = self.harness.two_factor(TwoFactorRoute::ListDevices, &self.request(&json!(null)));
        let listed = listed.map_err(|failure| TestCaseError::fail(format!("{failure:?}")))?;
        let devices = listed["dispositivos"].as_array().cloned().unwrap_or_default();
        prop_assert_eq!(devices.len(), self.model.trusted.len());
        let agent = format!("device/{device}");
        if let Some(found) = devices.iter().find(|found| found["userAgent"] == agent.as_str()) {
            let route = TwoFactorRoute::ForgetDevice(text(&found["deviceId"]));
            prop_assert!(self.harness.two_factor(route, &self.request(&json!(null))).is_ok());
            self.model.trusted.remove(&device);
        } else {
            prop_assert!(!self.model.trusted.contains_key(&device));
        }
        self.agree()
    }

    /// The status shows what the model knows.
    fn agree(&self) -> Result<(), TestCaseError> {
        let status = self.harness.two_factor(TwoFactorRoute::Status, &self.request(&json!(null)));
        let status = status.map_err(|failure| TestCaseError::fail(format!("{failure:?}")))?;
        prop_assert_eq!(&status["habilitado"], &json!(self.model.enabled));
        if self.model.secret.is_none() {
            prop_assert_eq!(status, json!({ "habilitado": false }));
            return Ok(());
        }
        let left = self.model.backup.iter().filter(|(_, unused)| *unused).count();
        prop_assert_eq!(&status["backupCodesDisponibles"], &json!(left));
        prop_assert_eq!(&status["totalBackupCodes"], &json!(8));
        prop_assert_eq!(&status["dispositivosConfiables"], &json!(self.model.trusted.len()));
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_life_goes_as_the_states_table_says(actions in prop::collection::vec(action(), 1..80)) {
        let mut life = Life::begin();
        for action in &actions {
            life.act(action)?;
        }
    }

    #[test]
    fn a_protected_life_goes_so_too(actions in prop::collection::vec(action(), 1..80)) {
        let mut life = Life::begin();
        life.enable()?;
        for action in &actions {
            life.act(action)?;
        }
    }
}
