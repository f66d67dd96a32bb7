//! Logs in to the reference with codes of independent implementations: `totp-rs`, and `oathtool` of the OATH Toolkit if
//! it is installed. A misreading that server and suite share would show here.

use std::process::Command;
use std::time::Duration;

use libros_conformance::clock;
use libros_conformance::http::control::Control;
use libros_conformance::implementation::process::Launched;
use libros_conformance::implementation::profile::{Interface, Target};
use libros_conformance::implementation::reference::{self, REFERENCE_PROFILE};
use libros_conformance::oracle::totp;
use proptest::prelude::{any, prop};
use proptest::{prop_assert_eq, proptest};
use reqwest::blocking::{Client, Response};
use serde_json::{Value, json};
use totp_rs::Builder;

const PASSWORD: &str = "Una-clave-larga-2026!";

/// Makes codes from a secret in hexadecimal digits and a time in seconds since 1970.
struct Generator {
    name: &'static str,
    code: fn(&str, i64) -> String,
}

/// The generators on this machine.
fn generators() -> Vec<Generator> {
    let crate_of_rust = Generator { name: "totp-rs", code: by_totp_rs };
    let oathtool = Generator { name: "oathtool", code: by_oathtool };
    let is_installed = Command::new("oathtool").arg("--version").output().is_ok();
    [Some(crate_of_rust), is_installed.then_some(oathtool)].into_iter().flatten().collect()
}

fn by_totp_rs(secret: &str, unix_s: i64) -> String {
    let key = hex::decode(secret).unwrap();
    let totp = Builder::new().with_secret(key).build().unwrap();
    totp.generate(unix_s.try_into().unwrap()).to_string()
}

fn by_oathtool(secret: &str, unix_s: i64) -> String {
    let now = format!("--now=@{unix_s}");
    let arguments = ["--totp=sha1", "--digits=6", "--time-step-size=30s", &now, "--", secret];
    let output = Command::new("oathtool").args(arguments).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "oathtool {arguments:?}: {}", output.status);
    told.trim().to_owned()
}

/// The reference, and a client that is not the suite's own.
struct Service {
    _launched: Launched,
    client: Client,
    url: String,
    control: Control,
}

impl Service {
    fn start() -> Self {
        let wait = Duration::from_secs(60);
        let program = env!("CARGO_BIN_EXE_libros-conformance").as_ref();
        let launched = reference::start_with(program, &[], wait).unwrap();
        let mut target = Target::parse(REFERENCE_PROFILE).unwrap();
        target.place_only(&launched.urls).unwrap();
        let control = target.control.as_deref().unwrap();
        Self {
            control: Control::new(control, wait).unwrap(),
            url: target.address(Interface::Catalogue).unwrap().url(),
            client: Client::builder().no_proxy().timeout(wait).build().unwrap(),
            _launched: launched,
        }
    }

    fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Response {
        let request = self.client.post(format!("{}{path}", self.url)).json(body);
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        request.send().unwrap()
    }

    fn posted(&self, path: &str, token: Option<&str>, body: &Value) -> Value {
        let response = self.post(path, token, body).error_for_status().unwrap();
        response.json().unwrap()
    }

    /// Registers a user and enables two-factor; returns its secret.
    fn secret_of(&self, email: &str) -> String {
        let body = json!({ "email": email, "password": PASSWORD });
        self.posted("/auth/registro", None, &body);
        let login = self.posted("/auth/login", None, &body);
        let token = login["tokens"]["sessionToken"].as_str().unwrap();
        let enabled = self.posted("/2fa/enable", Some(token), &json!({ "password": PASSWORD }));
        enabled["secret"].as_str().unwrap().to_owned()
    }

    fn log_in(&self, email: &str, code: &str) -> Response {
        let login = self.posted("/auth/login", None, &json!({ "email": email, "password": PASSWORD }));
        let body = json!({ "sessionId": login["sessionId"], "token": code });
        self.post("/auth/verify-2fa", None, &body)
    }

    /// Moves the clock to three seconds after the beginning of a step; returns the time in seconds since 1970.
    fn calm_after(&self, span_s: i64) -> i64 {
        let later = self.control.now().unwrap() + span_s * 1_000;
        let calm = (totp::step_at(later) + 1) * totp::STEP_MS + 3_000;
        let span_ms = calm - self.control.now().unwrap();
        self.control.advance(span_ms).unwrap().now_ms / 1_000
    }
}

#[test]
fn strangers_codes_open_the_door_and_their_old_ones_do_not() {
    let service = Service::start();
    for generator in generators() {
        for (round, span_s) in [0, 12_345, 40 * 86_400].into_iter().enumerate() {
            let email = format!("{}-{round}@example.test", generator.name);
            let secret = service.secret_of(&email);
            let now_s = service.calm_after(span_s);
            let code_of = |distance_s: i64| (generator.code)(&secret, now_s + distance_s);
            let good = [-30, 0, 30].map(code_of);
            // Wrong codes come first: no code is sent after a later one was accepted.
            for (distance_s, status) in [(-60, 400), (60, 400), (-30, 200), (0, 200), (30, 200)] {
                let code = code_of(distance_s);
                if status == 400 && good.contains(&code) {
                    continue;
                }
                let response = service.log_in(&email, &code);
                let told = format!(
                    "{code} of {}, {distance_s} s from {}, secret {secret}",
                    generator.name,
                    clock::iso(now_s * 1_000),
                );
                assert_eq!(response.status(), status, "{told}");
                if status == 200 {
                    let answer: Value = response.json().unwrap();
                    assert_eq!(answer["metodo2FA"], "totp", "{told}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn the_suite_makes_the_codes_that_totp_rs_makes(
        key in prop::collection::vec(any::<u8>(), 20),
        unix_s in 0_i64..20_000_000_000,
    ) {
        let own = totp::code(&key, totp::step_at(unix_s * 1_000));
        prop_assert_eq!(own, by_totp_rs(&hex::encode(&key), unix_s));
    }
}
