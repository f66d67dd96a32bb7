//! The steps of the model: where implementers err or choose, a function or a value, whose default is the model's own. Decides nothing.

use std::ops::RangeInclusive;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::accounts::device::{self, DeviceTraits};
use crate::accounts::{code, fields, jwt, permissions, session};
use crate::clock::MINUTE_MS;
use crate::list::page::Page;
use crate::list::steps::ListSteps;
use crate::message::Interface;
use crate::records::{BackupCode, Client, Demo, Device, Pending, TwoFactor, User};
use crate::{book, demo_fields, js, secrets};

/// Each row declares a step: `name: type = the model's own;`.
macro_rules! steps {
    ($($(#[$of:meta])* $name:ident { $($(#[$doc:meta])* $step:ident: $kind:ty = $own:expr;)* })*) => {
        $(
            $(#[$of])*
            #[derive(Clone, Debug)]
            pub struct $name {
                $($(#[$doc])* pub $step: $kind,)*
            }

            impl Default for $name {
                fn default() -> Self {
                    Self { $($step: $own,)* }
                }
            }
        )*
    };
}
steps! {
    Steps {
        list: ListSteps = ListSteps::default();
        books: BookSteps = BookSteps::default();
        reads: ReadSteps = ReadSteps::default();
        auth: AuthSteps = AuthSteps::default();
        two_factor: TwoFactorSteps = TwoFactorSteps::default();
        demo: DemoSteps = DemoSteps::default();
    }

    BookSteps {
        is_given: fn(&str, Option<&Value>) -> bool = book::is_given;
        next_id: fn(&[u64]) -> u64 = book::next_id;
    }

    /// The ETag of each read, and the condition for a 304.
    ReadSteps {
        /// The data that the ETag of a list covers, given its page, the books and the query.
        list_etag_covers: fn(&Page<'_>, &[Value], &str, &ListSteps) -> Value = |page, _, _, _| page.items();
        /// The text of that data, which MD5 hashes.
        etag_text: fn(&Value) -> String = js::stringify;
        etag: fn(String) -> String = |digest| digest;
        if_none_match: fn(&str, &str) -> bool = |sent, etag| sent == etag;
        /// Whether the data are unmodified since a time, given that time and now. They never are: books record no modification.
        unmodified_since: fn(&Value, i64, i64) -> bool = |_, _, _| false;
    }

    /// Credentials, registration, login, sessions, tokens, API keys.
    AuthSteps {
        password_hash: fn(&str) -> String = secrets::hash;
        /// The e-mail that names a user, in a body or in the payload of a token.
        email: fn(&Map<String, Value>) -> Option<String> = |sent| fields::required_text(sent.get("email"));
        /// The permission that an operation needs; `None` if a credential is enough.
        permission: fn(permissions::Operation) -> Option<&'static str> = permissions::needed;
        holds: fn(&[String], &str) -> bool = permissions::holds;
        is_key_of: fn(&Client, &str) -> bool = |client, key| client.key == key;
        registration: RegistrationSteps = RegistrationSteps::default();
        login: LoginSteps = LoginSteps::default();
        sessions: SessionSteps = SessionSteps::default();
        tokens: JwtSteps = JwtSteps::default();
        api_keys: ApiKeySteps = ApiKeySteps::default();
    }

    RegistrationSteps {
        /// The e-mail as it was sent; `None` refuses it.
        email: fn(Option<&Value>) -> Option<String> = fields::required_text;
        password: fn(Option<&Value>) -> Option<String> = fields::required_text;
        email_form: fn(&str) -> bool = |_| true;
        same_email: fn(&str, &str) -> bool = |one, other| one == other;
        role: fn(Option<&Value>) -> Option<Value> = fields::role;
        permissions_of: fn(&str) -> &'static [&'static str] = permissions::of_role;
        /// The id of a new user, given how many there are and the time.
        id: fn(usize, i64) -> String = |known, _| format!("user_{}", known + 1);
        /// Changes the new user by further fields of the request.
        further_fields: fn(&mut User, &Map<String, Value>) = |_, _| {};
    }

    LoginSteps {
        /// Whether to ask for the second factor, given whether it is enabled and whether the device is trusted.
        asks_second_factor: fn(bool, bool) -> bool = |enabled, trusted| enabled && !trusted;
        shown_enabled: fn(&User) -> bool = |user| user.two_factor.as_ref().is_some_and(|record| record.enabled);
        /// The id of a new pending login, given that of an earlier one.
        pending_id: fn(Option<&str>) -> String = session::new_token;
    }

    SessionSteps {
        /// A new token, given an earlier one of the user.
        token: fn(Option<&str>) -> String = session::new_token;
        first_minutes: i64 = 60;
        /// The new end of a session, given its end before, the time of its use and the path.
        end_after_use: fn(i64, i64, &str) -> i64 = session::end_after_use;
    }

    JwtSteps {
        header: fn() -> Value = || json!({"alg": "HS256", "typ": "JWT"});
        payload: fn(&User, i64) -> Value = jwt::payload;
        bytes: fn(&Value) -> Vec<u8> = |value| js::stringify(value).into_bytes();
        join: fn(&str, &str) -> String = |header, payload| format!("{header}.{payload}.{}", jwt::PLACEHOLDER);
        encode: fn(&[u8]) -> String = |bytes| STANDARD.encode(bytes);
        /// Decodes the payload of a token, given how payloads are encoded.
        decode: fn(&str, fn(&[u8]) -> String) -> Option<Value> = |segment, _| jwt::decode(segment);
        well_formed: fn(&[&str]) -> bool = jwt::well_formed;
        expired: fn(Option<&Value>, f64) -> bool = jwt::expired;
        named_by: fn(&User) -> String = |user| user.email.clone();
    }

    ApiKeySteps {
        id: fn(usize) -> String = |known| format!("client_{}", known + 1);
        key: fn() -> String = || format!("ak_{}", secrets::random_hex(16));
        shown_key: fn(&str) -> String = |key| format!("{}...", key.get(..8).unwrap_or(key));
        /// The name as it was sent; `None` refuses it.
        name: fn(Option<&Value>) -> Option<String> = fields::required_text;
        permissions: fn(Option<&Value>) -> Option<Vec<String>> = fields::permissions;
        rate_limit: fn(Option<&Value>) -> Option<Value> = fields::rate_limit;
    }

    /// The second factor. Times are milliseconds.
    TwoFactorSteps {
        checks_password: fn(&str) -> bool = |path| path != "/2fa/enable";
        secret: fn() -> String = || secrets::random_hex(20);
        /// The record after enabling, given the earlier one and a fresh one.
        enabled: fn(Option<TwoFactor>, TwoFactor) -> TwoFactor = |_, fresh| fresh;
        disabled: fn(TwoFactor) -> Option<TwoFactor> = |record| Some(TwoFactor { enabled: false, ..record });
        /// The record after regenerating, given the earlier one, fresh codes and the time.
        regenerated: fn(TwoFactor, Vec<BackupCode>, i64) -> TwoFactor = |record, codes, _| TwoFactor { codes, ..record };
        pending_lives_ms: i64 = 10 * MINUTE_MS;
        pending_failures: u32 = 3;
        codes: CodeSteps = CodeSteps::default();
        backup_codes: fn() -> Vec<String> = || code::new_backup_codes(8, 5);
        lockout: LockoutSteps = LockoutSteps::default();
        devices: DeviceSteps = DeviceSteps::default();
    }

    CodeSteps {
        step_seconds: i64 = 30;
        /// The steps whose codes are accepted, relative to the current one.
        steps: RangeInclusive<i64> = -1..=1;
        key: fn(&str) -> Vec<u8> = |secret| hex::decode(secret).unwrap_or_default();
        mac: fn(&[u8], &[u8]) -> Vec<u8> = secrets::hmac_sha1;
        digits: fn(u32) -> String = |code| format!("{code:06}");
    }

    LockoutSteps {
        failures: usize = 3;
        window_ms: i64 = 60 * MINUTE_MS;
        block_ms: i64 = 15 * MINUTE_MS;
        /// The start of a block, given the times of its failures.
        start: fn(&[i64]) -> Option<i64> = |failures| failures.last().copied();
        /// Whom a failed check counts for: the e-mail.
        counts_for: fn(&Pending) -> String = |pending| pending.email.clone();
    }

    DeviceSteps {
        id: fn(&DeviceTraits) -> String = device::id;
        /// Whether a device is trusted for this e-mail at this time.
        is_trusted: fn(&Device, &str, i64) -> bool = device::is_trusted;
        /// The entries of a known device after it is registered again at this time.
        registered_again: fn(Device, i64) -> Vec<Device> = |device, now| vec![Device { last_used: now, ..device }];
        /// Whether lists and counts of this e-mail at this time include a device.
        is_listed: fn(&Device, &str, i64) -> bool = |device, email, _| device.email == email;
        /// Whether a device is removed when this e-mail removes this id.
        is_removed: fn(&Device, &str, &str) -> bool = |device, email, id| device.email == email && device.id == id;
    }

    DemoSteps {
        /// The number for a new user's id, given the time and how many users there are.
        new_number: fn(Interface, i64, usize) -> i64 = |_, now, _| now;
        /// The number for a new registration's id, given the time and how many registrations there are.
        new_signup_number: fn(i64, usize) -> i64 = |_, count| count as i64 + 1;
        /// The id to give, from a new number and the taken ones.
        free_number: fn(i64, &[&str]) -> i64 = demo_fields::free_number;
        posts_of: fn(Interface, &Demo, &Value) -> Vec<Value> = |_, demo, user| demo_fields::posts_of(demo, user);
        /// The name of a new user as it is stored; `None` refuses it.
        name: fn(Option<&Value>) -> Option<Value> = demo_fields::name;
        age: fn(Option<&Value>) -> Option<Value> = demo_fields::age;
        /// The e-mail of a registration; `None` refuses it.
        signup_email: fn(Option<&Value>) -> Option<String> = demo_fields::email;
        takes_signup_password: fn(Option<&Value>) -> bool = demo_fields::takes_password;
        /// Whether createUser takes this name, or this age.
        takes_name: fn(&Value) -> bool = Value::is_string;
        takes_age: fn(&Value) -> bool = demo_fields::is_int;
        /// The user of an id over GraphQL.
        user: fn(&Demo, &str) -> Option<Value> = |demo, id| demo.user(id).cloned();
        /// The value that the reduced variant shows for a field of a user; `None` refuses the query.
        reduced_field: fn(&Value, &str) -> Option<Value> = demo_fields::field;
        /// A post with the selected fields; `None` refuses the query.
        reduced_post: fn(&Value, &[&str]) -> Option<Value> = demo_fields::post;
    }
}
