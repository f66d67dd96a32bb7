//! The profile of an implementation: its addresses and credentials. The format is fixed, since users write these files.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::implementation::profile_file::{ProfileFile, read};

pub use crate::implementation::address::Address;
pub use crate::implementation::interface::Interface;
pub use crate::implementation::profile_file::{Credentials, Login, Nemesis};

/// The address of an interface: a single endpoint for GraphQL, a prefix of paths for the others.
fn address(interface: Interface, url: &str) -> Result<Address, String> {
    match interface {
        Interface::Graphql | Interface::GraphqlReduced => Address::endpoint(url),
        _ => Address::parse(url),
    }
}

#[derive(Debug, Clone)]
pub struct Target {
    pub name: String,
    /// Its interfaces; of replicas the first.
    pub urls: BTreeMap<Interface, Address>,
    /// Headers of every request, for a gateway in front.
    headers: Vec<(String, String)>,
    replicas: Vec<Address>,
    pub credentials: Credentials,
    pub control: Option<String>,
    pub principal: String,
    pub client: String,
    pub per_minute: Option<NonZeroU32>,
    /// How to harm its nodes, if it is a cluster for trials.
    pub nemesis: Option<Nemesis>,
}

/// Whether HTTP has such a header, and the suite does not write it itself.
fn can_be_added((name, value): &(String, String)) -> bool {
    const OWN: [&str; 4] = ["connection", "content-length", "host", "transfer-encoding"];
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_name = !name.is_empty() && name.bytes().all(is_of_name);
    is_name && !OWN.contains(&name.to_ascii_lowercase().as_str()) && !value.contains(char::is_control)
}

impl Target {
    pub fn parse(text: &str) -> Result<Self, String> {
        let target = Self::parse_without_urls(text)?;
        if !target.is_placed() {
            return Err(
                "no URL of the catalogue: write `catalogue = \"http://...\"` under [urls], or let --spawn start the \
                        target and its line `ready catalogue=http://...` give the URLs"
                    .into(),
            );
        }
        Ok(target)
    }

    /// Parses a profile that may lack URLs, which the implementation prints: see [`Self::place_missing`].
    pub fn parse_without_urls(text: &str) -> Result<Self, String> {
        Self::parse_by(text, &|name| std::env::var(name).ok())
    }

    /// Values of the environment may be secrets: error messages show only their names.
    fn parse_by(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let secrets = RefCell::new(Vec::new());
        let noted = |name: &str| {
            let value = lookup(name);
            let secret = value.clone().filter(|value| !value.is_empty());
            secrets.borrow_mut().extend(secret.map(|value| (name.to_owned(), value)));
            value
        };
        let parsed = read(text, &noted).and_then(Self::of_file);
        parsed.map_err(|why| {
            let mut secrets = secrets.take();
            // One value may contain another.
            secrets.sort_by_key(|(_, value)| Reverse(value.len()));
            secrets.iter().fold(why, |why, (name, value)| why.replace(value, &format!("${{{name}}}")))
        })
    }

    fn of_file(file: ProfileFile) -> Result<Self, String> {
        if let Some(url) = &file.hooks.control {
            Address::parse(url).map_err(|why| format!("[hooks] control: {why}"))?;
        }
        let headers: Vec<(String, String)> = file.urls.headers.into_iter().collect();
        if let Some((name, _)) = headers.iter().find(|line| !can_be_added(line)) {
            return Err(format!(
                "[urls] headers: no request can carry `{name}` with this value beside its own headers"
            ));
        }
        let mut urls = BTreeMap::new();
        let mut replicas = Vec::new();
        for (key, places) in &file.urls.interfaces {
            let interface = Interface::of_key(key).ok_or_else(|| {
                let known: Vec<_> = Interface::ALL.iter().map(|interface| interface.key()).collect();
                format!("[urls] has no key `{key}`; known are {} and headers", known.join(", "))
            })?;
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
        let principal = file.names.principal.unwrap_or_else(|| "the service".into());
        Ok(Self {
            name: file.name.unwrap_or_else(|| "unnamed".into()),
            urls,
            headers,
            replicas,
            credentials: file.credentials,
            control: file.hooks.control.map(|url| url.trim_end_matches('/').to_owned()),
            client: file.names.client.unwrap_or_else(|| principal.clone()),
            principal,
            per_minute: file.limits.per_minute,
            nemesis: file.nemesis,
        })
    }

    /// Whether the catalogue has an address; without one nothing can be judged.
    pub fn is_placed(&self) -> bool {
        self.urls.contains_key(&Interface::Catalogue)
    }

    /// Sets these addresses and no others: interface key, or `control`, to URL.
    pub fn place_only(&mut self, urls: &BTreeMap<String, String>) -> Result<(), String> {
        self.urls.clear();
        self.replicas.clear();
        self.control = None;
        self.place_missing(urls)
    }

    /// Sets the addresses that are still missing: interface key, or `control`, to URL.
    pub fn place_missing(&mut self, urls: &BTreeMap<String, String>) -> Result<(), String> {
        for &interface in Interface::ALL {
            if let Some(url) = urls.get(interface.key()).filter(|_| !self.urls.contains_key(&interface)) {
                self.urls.insert(interface, Address { headers: self.headers.clone(), ..address(interface, url)? });
            }
        }
        if !self.is_placed() {
            return Err("no URL is given for `catalogue`".into());
        }
        let control = || urls.get("control").map(|url| url.trim_end_matches('/').to_owned());
        self.control = self.control.take().or_else(control);
        Ok(())
    }

    pub fn add_replica(&mut self, url: &str) -> Result<(), String> {
        if self.replicas.is_empty() {
            self.replicas.extend(self.urls.get(&Interface::Catalogue).cloned());
        }
        self.replicas.push(Address::parse(url)?);
        Ok(())
    }

    pub fn offers(&self, interface: Interface) -> bool {
        self.urls.contains_key(&interface)
    }

    pub fn address(&self, interface: Interface) -> Option<&Address> {
        self.urls.get(&interface)
    }

    /// The addresses of the catalogue; several where it has replicas.
    pub fn catalogue_addresses(&self) -> Vec<Address> {
        let of_catalogue = self.addresses().filter(|(interface, _)| *interface == Interface::Catalogue);
        of_catalogue.map(|(_, address)| address.clone()).collect()
    }

    /// The address of an interface, if it has one; replicas take turns.
    pub fn address_in_turn(&self, interface: Interface, turn: usize) -> Option<&Address> {
        let replicas = if interface == Interface::Catalogue { &self.replicas[..] } else { &[] };
        match turn.checked_rem(replicas.len()) {
            Some(place) => replicas.get(place),
            None => self.address(interface),
        }
    }

    pub fn addresses(&self) -> impl Iterator<Item = (Interface, &Address)> {
        let others = self.replicas.iter().skip(1).map(|address| (Interface::Catalogue, address));
        self.urls.iter().map(|(interface, address)| (*interface, address)).chain(others)
    }
}

#[cfg(test)]
pub(crate) const MINIMAL: &str = r#"
    [urls]
    catalogue = "http://127.0.0.1:3000"
    [credentials]
    admin_user = { email = "a@x", password = "p" }
    regular_user = { email = "b@x", password = "p" }
    test_key = "ak_1"
    admin_key = "ak_2"
"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn with_urls(lines: &str) -> String {
        MINIMAL.replace("catalogue = \"http://127.0.0.1:3000\"", lines)
    }

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
        let mut target = Target::parse(&with_urls("catalogue = ['http://a:1', 'http://b:2']")).unwrap();
        let asked = |turn| target.address_in_turn(Interface::Catalogue, turn).unwrap().authority.clone();
        assert_eq!([0, 1, 2, 3].map(asked), ["a:1", "b:2", "a:1", "b:2"]);
        assert_eq!(target.addresses().count(), 2);
        target.place_only(&[("catalogue".to_owned(), "http://h:1".to_owned())].into()).unwrap();
        assert_eq!(target.address_in_turn(Interface::Catalogue, 1).unwrap().authority, "h:1");
        let of_users = "catalogue = 'http://a:1'\nusers = ['http://a:1', 'http://b:2']";
        for urls in ["catalogue = []", "catalogue = 7", of_users] {
            assert!(Target::parse(&with_urls(urls)).is_err(), "{urls}");
        }
    }

    #[test]
    fn what_a_profile_leaves_out_the_target_prints_and_the_profile_wins() {
        let profile = with_urls("users = 'http://a:1'\nheaders = { X = 'y' }");
        let why = Target::parse(&profile).unwrap_err();
        assert!(why.contains("under [urls]") && why.contains("--spawn"), "{why}");
        let mut target = Target::parse_without_urls(&profile).unwrap();
        assert!(!target.is_placed());
        let printed = |keys: &[&str]| keys.iter().map(|key| ((*key).to_owned(), "http://b:2".to_owned())).collect();
        assert!(target.place_missing(&printed(&["users", "blog"])).unwrap_err().contains("catalogue"));
        target.place_missing(&printed(&["catalogue", "users", "control"])).unwrap();
        let authority = |interface: Interface| target.urls[&interface].authority.as_str();
        assert_eq!((authority(Interface::Catalogue), authority(Interface::Users)), ("b:2", "a:1"));
        assert_eq!(target.control.as_deref(), Some("http://b:2"));
        assert_eq!(target.urls[&Interface::Catalogue].headers, [("X".to_owned(), "y".to_owned())]);
        assert!(Target::parse(&with_urls("").replace("[urls]", "")).unwrap_err().contains("under [urls]"));
    }

    #[test]
    fn a_misspelt_interface_is_named() {
        let why = Target::parse(&MINIMAL.replace("catalogue", "katalog")).unwrap_err();
        assert!(why.contains("katalog") && why.contains("graphql_reduced"), "{why}");
    }

    #[test]
    fn no_message_about_an_unreadable_profile_has_a_value_of_the_environment() {
        let lookup = |name: &str| (name == "SECRET").then(|| "hunter2".to_owned());
        for (profile, words) in [
            (with_urls("catalogue = 'htp://u:${SECRET}@h'"), "`htp://u:${SECRET}@h`"),
            (with_urls("catalogue = 'http://h/?${SECRET}'"), "`http://h/?${SECRET}`"),
            (format!("{MINIMAL}[hooks]\ncontrol = \"${{SECRET}}\""), "[hooks] control: `${SECRET}`"),
            (format!("{MINIMAL}[limits]\nper_minute = \"${{SECRET}}\""), "${SECRET}"),
        ] {
            let why = Target::parse_by(&profile, &lookup).unwrap_err();
            assert!(why.contains(words) && !why.contains("hunter2"), "{why}");
        }
    }

    #[test]
    fn secrets_come_from_the_environment_and_headers_go_with_every_request() {
        let profile =
            with_urls("catalogue = 'http://h:1'\nheaders = { X-Gateway = 'g-${KEY}' }").replace("ak_1", "${KEY}");
        let mut target = Target::parse_by(&profile, &|name| (name == "KEY").then(|| "secret".to_owned())).unwrap();
        assert_eq!(target.credentials.test_key, "secret");
        let headers = [("X-Gateway".to_owned(), "g-secret".to_owned())];
        assert_eq!(target.urls[&Interface::Catalogue].headers, headers);
        target.place_only(&[("catalogue".to_owned(), "http://h:2".to_owned())].into()).unwrap();
        assert_eq!(target.urls[&Interface::Catalogue].headers, headers);
        for line in ["Host = 'h'", "'X Y' = 'a'", "X = \"a\\r\\nY: b\""] {
            let why =
                Target::parse(&with_urls(&format!("catalogue = 'http://h:1'\nheaders = {{ {line} }}"))).unwrap_err();
            assert!(why.contains("no request can carry"), "{line}: {why}");
        }
    }
}
