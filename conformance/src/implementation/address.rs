//! A place on the network, read from a URL. Never dials it.

/// A place on the network: `http://host:port`, or `https`, and a path before everything asked there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    /// Whether it is asked through TLS.
    pub is_secure: bool,
    /// `host:port`, as dialled.
    pub authority: String,
    /// What stands before every path asked there; no slash at its end, but where the URL of a GraphQL endpoint has one.
    pub prefix: String,
    /// Headers that go with every request there, unless it has one of that name itself.
    pub headers: Vec<(String, String)>,
}

impl Address {
    /// Reads `http://host[:port][/prefix]`, and `https` where TLS is built in.
    ///
    /// # Errors
    /// A sentence saying what is wrong with the URL.
    pub fn parse(url: &str) -> Result<Self, String> {
        let is_secure = url.starts_with("https://");
        if is_secure && !cfg!(feature = "tls") {
            return Err(format!(
                "`{url}` wants TLS, which this program is built without: build it with `--features tls`, as the released \
                 programs are"
            ));
        }
        let Some(rest) = url.strip_prefix(if is_secure { "https://" } else { "http://" }) else {
            return Err(format!("`{url}` is not an http:// or https:// URL"));
        };
        let (authority, prefix) = rest.split_once('/').map_or((rest, String::new()), |(a, p)| (a, format!("/{p}")));
        if authority.is_empty() || prefix.contains(['?', '#']) {
            return Err(format!("`{url}` should look like http://host:port or http://host:port/prefix"));
        }
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let port = if is_secure { 443 } else { 80 };
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:{port}") };
        Ok(Self { is_secure, authority, prefix: prefix.trim_end_matches('/').to_owned(), headers: Vec::new() })
    }

    /// As [`Self::parse`], of an endpoint that is asked by its URL as it is given, a slash at its end included.
    ///
    /// # Errors
    /// A sentence saying what is wrong with the URL.
    pub fn endpoint(url: &str) -> Result<Self, String> {
        let mut address = Self::parse(url)?;
        if url.ends_with('/') && !address.prefix.is_empty() {
            address.prefix.push('/');
        }
        Ok(address)
    }

    /// The URL again.
    pub fn url(&self) -> String {
        format!("{}{}", self.root(), self.prefix)
    }

    /// The URL without its path.
    pub fn root(&self) -> String {
        format!("{}://{}", if self.is_secure { "https" } else { "http" }, self.authority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_prefix_and_gets_a_port() {
        let endpoint = |url: &str| Address::endpoint(url).unwrap().prefix;
        assert_eq!([endpoint("http://host/graphql/"), endpoint("http://host/graphql")], ["/graphql/", "/graphql"]);
        assert_eq!(endpoint("http://host/"), "");
        let address = Address::parse("http://host/api/").unwrap();
        assert_eq!((address.authority.as_str(), address.prefix.as_str()), ("host:80", "/api"));
    }

    #[test]
    fn a_secure_address_has_a_port_of_its_own_or_names_the_feature_that_lacks() {
        match Address::parse("https://host/api") {
            Ok(address) => {
                assert_eq!((address.authority.as_str(), address.url().as_str()), ("host:443", "https://host:443/api"));
            }
            Err(why) => assert!(!cfg!(feature = "tls") && why.contains("--features tls"), "{why}"),
        }
    }
}
