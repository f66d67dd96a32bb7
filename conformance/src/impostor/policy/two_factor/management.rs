//! How the second factor is enabled, disabled, told and its codes regenerated. The default is right.

use serde_json::{Value, json};

use crate::impostor::model::accounts::two_factor;
use crate::impostor::model::clock::iso;
use crate::impostor::model::records::{BackupCode, TwoFactor};

/// Its values.
#[derive(Clone, Debug)]
pub(crate) struct ManagementPolicy {
    /// Whether an unknown path asks for a credential before it is 404.
    pub(crate) credential_before_path: bool,
    /// The permission that every route takes.
    pub(crate) takes: Option<&'static str>,
    pub(crate) api_key: ApiKeyOwner,
    /// Whether an e-mail in the body is whom the route of that path acts on.
    pub(crate) acts_on_body_email: fn(path: &str) -> bool,
    pub(crate) enable_checks_password: bool,
    pub(crate) enable_again_refused: bool,
    pub(crate) secret_bytes: usize,
    /// The record after enabling, by the earlier one and a fresh one.
    pub(crate) enabled: fn(Option<TwoFactor>, TwoFactor) -> TwoFactor,
    pub(crate) enable_ends_sessions: bool,
    pub(crate) disable_checks_password: bool,
    /// The record after disabling.
    pub(crate) disabled: fn(TwoFactor) -> Option<TwoFactor>,
    pub(crate) disable_ends_sessions: bool,
    pub(crate) disable_removes_devices: bool,
    pub(crate) regenerate_checks_password: bool,
    pub(crate) regenerate_needs_enabled: bool,
    /// The record after regenerating, by the earlier one, fresh codes and the time.
    pub(crate) regenerated: fn(TwoFactor, Vec<BackupCode>, i64) -> TwoFactor,
    /// habilitadoDesde, by the time of enabling and the time of the answer.
    pub(crate) told_since: fn(i64, i64) -> Value,
    /// dispositivosConfiables, by the ids of the devices.
    pub(crate) told_devices: fn(&[&str]) -> Value,
}

impl Default for ManagementPolicy {
    fn default() -> Self {
        Self {
            credential_before_path: false,
            takes: None,
            api_key: ApiKeyOwner::default(),
            acts_on_body_email: |_| false,
            enable_checks_password: false,
            enable_again_refused: false,
            secret_bytes: 20,
            enabled: two_factor::enabled,
            enable_ends_sessions: false,
            disable_checks_password: true,
            disabled: two_factor::disabled,
            disable_ends_sessions: false,
            disable_removes_devices: false,
            regenerate_checks_password: true,
            regenerate_needs_enabled: true,
            regenerated: two_factor::regenerated,
            told_since: |enabled_at, _| json!(iso(enabled_at)),
            told_devices: |ids| json!(ids.len()),
        }
    }
}

/// The user for whom an API key acts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ApiKeyOwner {
    /// Nobody: 400.
    #[default]
    Nobody,
    /// Nobody: 401.
    NotAuthenticated,
    FirstUser,
}
