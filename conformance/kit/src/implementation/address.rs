//! A network address, parsed from a URL. Never connects.

/// `http://host:port` or `https://host:port`, and a path prefix.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    pub is_secure: bool,
    /// `host:port`
    pub authority: String,
    /// The prefix of every path; only that of a GraphQL endpoint may end with a slash.
    pub prefix: String,
    /// Headers of every request there, unless the request has one of that name.
    pub headers: Vec<(String, String)>,
}

impl Address {
    /// Parses `http://host[:port][/prefix]`, and `https` with the feature `tls`.
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
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let has_bad_port = !has_port && authority.contains(':') && !authority.ends_with(']');
        if authority.contains('@') {
            return Err(
                "a URL holds no user or password: write them as a header, `headers = { Authorization = ... }`".into()
            );
        }
        if authority.is_empty() || has_bad_port || rest.contains(|c: char| c.is_whitespace() || "?#".contains(c)) {
            return Err(format!("`{url}` should look like http://host:port or http://host:port/prefix"));
        }
        let port = if is_secure { 443 } else { 80 };
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:{port}") };
        Ok(Self { is_secure, authority, prefix: prefix.trim_end_matches('/').to_owned(), headers: Vec::new() })
    }

    /// As [`Self::parse`], for an endpoint whose URL is used as it is, a slash at its end included.
    pub fn endpoint(url: &str) -> Result<Self, String> {
        let mut address = Self::parse(url)?;
        if url.ends_with('/') && !address.prefix.is_empty() {
            address.prefix.push('/');
        }
        Ok(address)
    }

    pub fn url(&self) -> String {
        format!("{}{}", self.root(), self.prefix)
    }

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
        assert!(["http://host?a", "http://a host", "http:///a"].iter().all(|url| Address::parse(url).is_err()));
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
