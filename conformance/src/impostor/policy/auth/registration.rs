//! How users are registered. The default is right.

use serde_json::{Map, Value};

use super::Access;
use crate::impostor::model::accounts::user;
use crate::impostor::model::records::User;
use crate::impostor::policy::OddValue;

/// Its values.
#[derive(Clone, Debug)]
pub(crate) struct RegistrationPolicy {
    pub(crate) access: Access,
    /// An e-mail or password as it was sent; nothing: refused.
    pub(crate) required: fn(Option<&Value>) -> Option<String>,
    pub(crate) password_optional: bool,
    pub(crate) email_form: fn(&str) -> bool,
    pub(crate) same_email: fn(&str, &str) -> bool,
    pub(crate) taken_email: TakenEmail,
    pub(crate) lock: Lock,
    pub(crate) default_role: &'static str,
    pub(crate) empty_role: OddValue,
    pub(crate) unknown_role: OddValue,
    /// A role that is no text.
    pub(crate) odd_role: OddValue,
    pub(crate) admin_needs_credential: bool,
    pub(crate) roles: RoleTable,
    pub(crate) id_prefix: &'static str,
    /// The number of an id, by how many users there are and the time.
    pub(crate) number: fn(usize, i64) -> i64,
    /// What the further fields of the request do to the new user.
    pub(crate) further_fields: fn(&mut User, &Map<String, Value>),
    pub(crate) active_at_once: bool,
}

impl Default for RegistrationPolicy {
    fn default() -> Self {
        Self {
            access: Access::default(),
            required: user::required_text,
            password_optional: false,
            email_form: |_| true,
            same_email: |one, other| one == other,
            taken_email: TakenEmail::default(),
            lock: Lock::default(),
            default_role: "user",
            empty_role: OddValue::AsAbsent,
            unknown_role: OddValue::Kept,
            odd_role: OddValue::Kept,
            admin_needs_credential: false,
            roles: RoleTable::default(),
            id_prefix: "user_",
            number: user::next_number,
            further_fields: |_, _| {},
            active_at_once: true,
        }
    }
}

/// How long the state is held from the look for the e-mail on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Lock {
    /// Until the user is stored.
    #[default]
    Whole,
    /// Others come in between: a race.
    ReleasedBetween,
}

/// What a registration with a taken e-mail comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum TakenEmail {
    #[default]
    Refused,
    /// Refused, and the first user has the new password.
    RefusedWithNewPassword,
    Accepted,
}

/// The permissions of each role.
#[derive(Clone, Debug)]
pub(crate) struct RoleTable {
    pub(crate) admin: &'static [&'static str],
    pub(crate) user: &'static [&'static str],
    pub(crate) moderator: &'static [&'static str],
    pub(crate) other: &'static [&'static str],
}

impl Default for RoleTable {
    fn default() -> Self {
        Self {
            admin: &["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"],
            user: &["read:libros"],
            moderator: &["read:libros", "write:libros", "delete:libros"],
            other: &["read:libros"],
        }
    }
}

impl RoleTable {
    /// The permissions of a role.
    pub(crate) fn of(&self, role: &Value) -> Vec<String> {
        let permissions = match role.as_str() {
            Some("admin") => self.admin,
            Some("user") => self.user,
            Some("moderator") => self.moderator,
            _ => self.other,
        };
        permissions.iter().map(|permission| (*permission).to_owned()).collect()
    }
}
