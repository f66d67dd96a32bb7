//! The target profile: where an implementation is and how to get in. Format fixed; others write these files.
//!
//! Never talks to the target.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use serde::Deserialize;

use crate::target::environment;

pub use crate::target::address::Address;

/// An interface of the documents, each with a URL of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interface {
    /// `/libros`, `/auth`, `/2fa`.
    Catalogue,
    /// Users and posts over REST.
    Users,
    /// GraphQL with the full schema.
    Graphql,
    /// GraphQL in the reduced form.
    GraphqlReduced,
    /// `POST /api/users/register`.
    Registration,
    /// The blog outline, `/posts`.
    Blog,
}

impl Interface {
    /// Every interface, the catalogue first.
    pub const ALL: [Self; 6] =
        [Self::Catalogue, Self::Users, Self::Graphql, Self::GraphqlReduced, Self::Registration, Self::Blog];

    /// Its key under `[urls]`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Catalogue => "catalogue",
            Self::Users => "users",
            Self::Graphql => "graphql",
            Self::GraphqlReduced => "graphql_reduced",
            Self::Registration => "registration",
            Self::Blog => "blog",
        }
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// E-mail and password of an initial user.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// E-mail.
    pub email: String,
    /// Password.
    pub password: String,
}

/// The documents' fixed credentials, as this implementation fills them in.
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
struct Hooks {
    control: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    principal: Option<String>,
    client: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    per_minute: Option<NonZeroU32>,
}

#[derive(Debug, Clone, Deserialize)]
struct UrlsFile {
    /// Sent with every request: what a gateway before the target asks for.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(flatten)]
    interfaces: BTreeMap<String, Places>,
}

/// Where an interface is: one URL, or those of replicas that are one service.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "want a URL, or a list of URLs")]
enum Places {
    One(String),
    Several(Vec<String>),
}

impl Places {
    fn urls(&self) -> &[String] {
        match self {
            Self::One(url) => std::slice::from_ref(url),
            Self::Several(urls) => urls,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile {
    name: Option<String>,
    urls: UrlsFile,
    credentials: Credentials,
    #[serde(default)]
    hooks: Hooks,
    #[serde(default)]
    names: Names,
    #[serde(default)]
    limits: Limits,
}

/// The address of an interface: those of GraphQL are single endpoints, the others stand before paths.
fn address(interface: Interface, url: &str) -> Result<Address, String> {
    match interface {
        Interface::Graphql | Interface::GraphqlReduced => Address::endpoint(url),
        _ => Address::parse(url),
    }
}

/// One implementation, reachable.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its name in reports.
    pub name: String,
    /// The interfaces it offers; of replicas the first.
    pub urls: BTreeMap<Interface, Address>,
    /// Where the replicas of the catalogue are, where there are several.
    replicas: Vec<Address>,
    /// How to get in.
    pub credentials: Credentials,
    /// Base URL of the control protocol, where offered.
    pub control: Option<String>,
    /// The JSON key of the user in login answers.
    pub principal: String,
    /// The JSON key of the client in API-key answers.
    pub client: String,
    /// How many requests a minute it takes, where it enforces a limit.
    pub per_minute: Option<NonZeroU32>,
}

impl Target {
    /// Reads a profile.
    ///
    /// # Errors
    /// A sentence saying what is wrong: bad TOML, an unknown key, a missing or unreadable URL.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file = read(text, &|name| std::env::var(name).ok())?;
        let headers: Vec<(String, String)> = file.urls.headers.into_iter().collect();
        let mut urls = BTreeMap::new();
        let mut replicas = Vec::new();
        for (key, places) in &file.urls.interfaces {
            let Some(interface) = Interface::ALL.into_iter().find(|interface| interface.key() == key) else {
                let known: Vec<_> = Interface::ALL.iter().map(|interface| interface.key()).collect();
                return Err(format!("[urls] has no key `{key}`; known are {} and headers", known.join(", ")));
            };
            let place = |url: &String| {
                let address = address(interface, url).map_err(|why| format!("[urls] {key}: {why}"))?;
                Ok::<_, String>(Address { headers: headers.clone(), ..address })
            };
            let addresses = places.urls().iter().map(place).collect::<Result<Vec<_>, _>>()?;
            let first = addresses.first().ok_or_else(|| format!("[urls] {key}: the list is empty"))?;
            urls.insert(interface, first.clone());
            if addresses.len() > 1 {
                if interface != Interface::Catalogue {
                    return Err(format!("[urls] {key}: only `catalogue` may be a list of replicas"));
                }
                replicas = addresses;
            }
        }
        if !urls.contains_key(&Interface::Catalogue) {
            return Err("[urls] needs the key `catalogue`".into());
        }
        let principal = file.names.principal.unwrap_or_else(|| "the service".into());
        Ok(Self {
            name: file.name.unwrap_or_else(|| "unnamed".into()),
            urls,
            replicas,
            credentials: file.credentials,
            control: file.hooks.control.map(|url| url.trim_end_matches('/').to_owned()),
            client: file.names.client.unwrap_or_else(|| principal.clone()),
            principal,
            per_minute: file.limits.per_minute,
        })
    }

    /// Takes these addresses and no others: interface key, or `control`, to URL.
    ///
    /// # Errors
    /// A sentence naming a URL that cannot be read, or saying that there is none for the catalogue.
    pub fn place_only(&mut self, urls: &BTreeMap<String, String>) -> Result<(), String> {
        let headers = self.urls.values().next().map(|address| address.headers.clone()).unwrap_or_default();
        self.urls.clear();
        self.replicas.clear();
        for interface in Interface::ALL {
            if let Some(url) = urls.get(interface.key()) {
                self.urls.insert(interface, Address { headers: headers.clone(), ..address(interface, url)? });
            }
        }
        if !self.urls.contains_key(&Interface::Catalogue) {
            return Err("no URL is told for `catalogue`".into());
        }
        self.control = urls.get("control").map(|url| url.trim_end_matches('/').to_owned());
        Ok(())
    }

    /// Another replica of the catalogue.
    ///
    /// # Errors
    /// A sentence naming a URL that cannot be read.
    pub fn add_replica(&mut self, url: &str) -> Result<(), String> {
        if self.replicas.is_empty() {
            self.replicas.extend(self.urls.get(&Interface::Catalogue).cloned());
        }
        self.replicas.push(Address::parse(url)?);
        Ok(())
    }

    /// The address of an interface, where offered; of replicas the first.
    pub fn address(&self, interface: Interface) -> Option<&Address> {
        self.urls.get(&interface)
    }

    /// The address of an interface, where offered; of replicas the one whose turn it is.
    pub fn address_in_turn(&self, interface: Interface, turn: usize) -> Option<&Address> {
        let replicas = if interface == Interface::Catalogue { &self.replicas[..] } else { &[] };
        match turn.checked_rem(replicas.len()) {
            Some(place) => replicas.get(place),
            None => self.address(interface),
        }
    }

    /// Every address, replicas included.
    pub fn addresses(&self) -> impl Iterator<Item = (Interface, &Address)> {
        let others = self.replicas.iter().skip(1).map(|address| (Interface::Catalogue, address));
        self.urls.iter().map(|(interface, address)| (*interface, address)).chain(others)
    }
}

/// Only a profile that asks for the environment loses its line numbers in what is said of it.
fn read(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<ProfileFile, String> {
    if !text.contains("${") {
        return toml::from_str(text).map_err(|error| error.to_string());
    }
    let profile: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
    environment::filled_in(profile.into(), lookup)?.try_into().map_err(|error: toml::de::Error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL: &str = r#"
        [urls]
        catalogue = "http://127.0.0.1:3000"
        [credentials]
        admin_user = { email = "a@x", password = "p" }
        regular_user = { email = "b@x", password = "p" }
        test_key = "ak_1"
        admin_key = "ak_2"
    "#;

    #[test]
    fn a_minimal_profile_offers_the_catalogue_alone() {
        let target = Target::parse(MINIMAL).unwrap();
        assert_eq!(target.urls.keys().copied().collect::<Vec<_>>(), [Interface::Catalogue]);
        assert_eq!([target.principal, target.client], ["the service", "the service"]);
        let named = |names: &str| Target::parse(&format!("{MINIMAL}[names]\n{names}")).unwrap().client;
        assert_eq!(named("principal = 'usuario'"), "usuario");
        assert_eq!(named("principal = 'usuario'\nclient = 'cliente'"), "cliente");
        assert_eq!(target.control, None);
    }

    #[test]
    fn replicas_are_asked_in_turn() {
        let list = r#"catalogue = ["http://a:1", "http://b:2"]"#;
        let mut target = Target::parse(&MINIMAL.replace(r#"catalogue = "http://127.0.0.1:3000""#, list)).unwrap();
        let asked = |turn| target.address_in_turn(Interface::Catalogue, turn).unwrap().authority.clone();
        let asked: Vec<_> = (0..4).map(asked).collect();
        assert_eq!(asked, ["a:1", "b:2", "a:1", "b:2"]);
        assert_eq!(target.addresses().count(), 2);
        target.place_only(&[("catalogue".to_owned(), "http://h:1".to_owned())].into()).unwrap();
        assert_eq!(target.address_in_turn(Interface::Catalogue, 1).unwrap().authority, "h:1");
        for list in ["catalogue = []", "catalogue = 7", "users = [\"http://a:1\", \"http://b:2\"]"] {
            let profile = MINIMAL.replace("[urls]", &format!("[urls]\n{list}"));
            assert!(
                Target::parse(&profile.replacen("catalogue = \"http://127.0.0.1:3000\"", "", 1)).is_err(),
                "{list}"
            );
        }
    }

    #[test]
    fn a_misspelt_interface_is_named() {
        let why = Target::parse(&MINIMAL.replace("catalogue", "katalog")).unwrap_err();
        assert!(why.contains("katalog") && why.contains("graphql_reduced"), "{why}");
    }

    #[test]
    fn secrets_come_from_the_environment_and_headers_go_with_every_request() {
        let profile = MINIMAL
            .replace("\"ak_1\"", "\"${KEY}\"")
            .replace("[credentials]", "headers = { X-Gateway = \"g-${KEY}\" }\n[credentials]");
        let file = read(&profile, &|name| (name == "KEY").then(|| "secret".to_owned())).unwrap();
        assert_eq!(
            (file.credentials.test_key.as_str(), file.urls.headers["X-Gateway"].as_str()),
            ("secret", "g-secret")
        );
        let mut target = Target::parse(&profile.replace("${KEY}", "plain")).unwrap();
        let headers = vec![("X-Gateway".to_owned(), "g-plain".to_owned())];
        assert_eq!(target.urls[&Interface::Catalogue].headers, headers);
        target.place_only(&[("catalogue".to_owned(), "http://h:1".to_owned())].into()).unwrap();
        assert_eq!(target.urls[&Interface::Catalogue].headers, headers);
    }
}
