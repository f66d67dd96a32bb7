//! Parses a profile file, key by key; `${NAME}` is a variable of the environment. Does not check that the profile reaches a target.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    pub email: String,
    pub password: String,
}

/// The fixed credentials of the documents, as this implementation sets them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    pub admin_user: Login,
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

/// How to harm the nodes of a cluster, and to heal them.
#[derive(Debug, Clone, Deserialize)]
pub struct Nemesis {
    /// The nodes that faults strike, one at a time; if empty, the URLs of the catalogue.
    #[serde(default)]
    pub nodes: Vec<String>,
    /// How long a fault lasts at most.
    #[serde(default = "Nemesis::seconds_default")]
    pub lasts_s: u32,
    /// How soon after its end creates must go on, on every replica.
    #[serde(default = "Nemesis::seconds_default")]
    pub recovers_s: u32,
    /// How long, at most, a fault may keep all creates from being confirmed; by default as long as it lasts.
    pub pauses_s: Option<u32>,
    /// Shell lines by name: `start`, `cont` and `heal` heal, all others are faults.
    #[serde(flatten)]
    pub commands: BTreeMap<String, String>,
}

impl Nemesis {
    fn seconds_default() -> u32 {
        10
    }

    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.commands.keys().map(String::as_str).filter(|name| !matches!(*name, "start" | "cont" | "heal"))
    }

    /// The shell line that heals this fault; `None` if it heals by itself.
    pub fn healing(&self, fault: &str) -> Option<&str> {
        let name = match fault {
            "kill" => "start",
            "stop" => "cont",
            _ => "heal",
        };
        self.commands.get(name).map(String::as_str)
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
    pub(super) nemesis: Option<Nemesis>,
}

/// Line numbers are lost only in messages about profiles that use the environment.
pub(super) fn read(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<ProfileFile, String> {
    if !text.contains("${") {
        return toml::from_str(text).map_err(|error| error.to_string());
    }
    let profile: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
    filled_in(profile.into(), lookup)?.try_into().map_err(|error: toml::de::Error| error.to_string())
}

/// Replaces `${NAME}` in every text; `$${` means `${`. Fails if a name is not set.
fn filled_in(value: toml::Value, lookup: &dyn Fn(&str) -> Option<String>) -> Result<toml::Value, String> {
    Ok(match value {
        toml::Value::String(text) => toml::Value::String(text_filled_in(&text, lookup)?),
        toml::Value::Array(items) => {
            let items: Result<Vec<_>, _> = items.into_iter().map(|item| filled_in(item, lookup)).collect();
            toml::Value::Array(items?)
        }
        toml::Value::Table(table) => {
            let filled = table.into_iter().map(|(key, item)| {
                let item = filled_in(item, lookup).map_err(|why| format!("{key}: {why}"))?;
                Ok::<_, String>((key, item))
            });
            toml::Value::Table(filled.collect::<Result<_, _>>()?)
        }
        other => other,
    })
}

fn text_filled_in(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('$') {
            filled.extend([before, "${"]);
            rest = after;
            continue;
        }
        let Some((name, after)) = after.split_once('}') else {
            return Err("`${` has no `}`; write `$${` for a plain `${`".to_owned());
        };
        let value = lookup(name).ok_or_else(|| format!("`${{{name}}}` is not set in the environment"))?;
        filled.extend([before, &value]);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_its_value_and_what_is_missing_is_named_with_its_key() {
        let filled = |text: &str| text_filled_in(text, &|name| (name == "KEY").then(|| "${ak}".to_owned()));
        assert_eq!(filled("a ${KEY}, ${KEY}").unwrap(), "a ${ak}, ${ak}");
        assert_eq!(filled("$${KEY} costs $5").unwrap(), "${KEY} costs $5");
        assert!(filled("${KEY").unwrap_err().contains("has no `}`"));
        let profile = "[credentials]\ntest_key = '${NO}'\n".parse::<toml::Table>().unwrap();
        let why = filled_in(profile.into(), &|_| None).unwrap_err();
        assert_eq!(why, "credentials: test_key: `${NO}` is not set in the environment");
    }
}
