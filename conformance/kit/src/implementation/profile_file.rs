//! Parses a profile file, key by key. Does not judge whether that is enough to reach an implementation.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::Deserialize;

use crate::implementation::environment;

/// E-mail and password of an initial user.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// E-mail.
    pub email: String,
    /// Password.
    pub password: String,
}

/// The fixed credentials of the documents, as this implementation sets them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The initial admin.
    pub admin_user: Login,
    /// The initial regular user.
    pub regular_user: Login,
    /// API key of the initial test client: read and write.
    pub test_key: String,
    /// API key of the initial admin client: read, write, delete, manage:users.
    pub admin_key: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hooks {
    pub(super) control: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub(super) principal: Option<String>,
    pub(super) client: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    pub(super) per_minute: Option<NonZeroU32>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct UrlsFile {
    /// Headers of every request, for a gateway in front.
    #[serde(default)]
    pub(super) headers: BTreeMap<String, String>,
    #[serde(flatten)]
    pub(super) interfaces: BTreeMap<String, Places>,
}

/// The URL of an interface, or those of replicas of one service.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "want a URL, or a list of URLs")]
pub(super) enum Places {
    One(String),
    Several(Vec<String>),
}

impl Places {
    pub(super) fn urls(&self) -> &[String] {
        match self {
            Self::One(url) => std::slice::from_ref(url),
            Self::Several(urls) => urls,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileFile {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) urls: UrlsFile,
    pub(super) credentials: Credentials,
    #[serde(default)]
    pub(super) hooks: Hooks,
    #[serde(default)]
    pub(super) names: Names,
    #[serde(default)]
    pub(super) limits: Limits,
}

/// Line numbers are lost only in messages about profiles that use the environment.
pub(super) fn read(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<ProfileFile, String> {
    if !text.contains("${") {
        return toml::from_str(text).map_err(|error| error.to_string());
    }
    let profile: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
    environment::filled_in(profile.into(), lookup)?.try_into().map_err(|error: toml::de::Error| error.to_string())
}
