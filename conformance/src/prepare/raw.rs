//! Two requests on one connection: what the first answer leaves on the wire spoils the second.

use std::io::ErrorKind;

use crate::case::Stop;
use crate::exchange::{Received, Sent};
use crate::target::Surface;
use crate::trial::Trial;

/// The answer to a request after which another was sent on the same connection.
#[derive(Debug)]
pub struct Followed {
    /// The answer to the first request.
    pub first: Received,
    /// Why what came after it is no answer; `None` when it is one, or when the target closed the connection.
    pub spoilt: Option<String>,
}

impl Trial<'_> {
    /// Sends a request without a body and, on the same connection, a list request after it: where the first answer must
    /// not have a body but had one, the second cannot be read.
    ///
    /// # Errors
    /// [`Stop::NoAnswer`] when the first request gets none.
    pub fn followed(&self, method: &str, path: &str, key: Option<&str>) -> Result<Followed, Stop> {
        let mut connection = self.connect(Surface::Catalogue)?;
        let timeout = self.setting().timeout;
        let address = self.target().address(Surface::Catalogue).cloned();
        let address = address.ok_or_else(|| Stop::Broken("there is no catalogue".into()))?;
        let request = |method: &str, path: &str, key: Option<&str>| Sent {
            method: method.into(),
            path: format!("{}{path}", address.prefix),
            address: address.clone(),
            headers: key.map(|key| ("X-API-Key".to_owned(), key.into())).into_iter().collect(),
            body: None,
        };
        let sent = request(method, path, key);
        let mut may_stay = false;
        let answer = self.letting_go(&sent, || {
            let (received, stays) = connection.exchange(&sent, timeout)?;
            may_stay = stays;
            Ok::<_, std::io::Error>(received)
        });
        let first = answer.map_err(|why| Stop::NoAnswer(format!("{method} {path}: {why}")))?;
        if !may_stay {
            return Ok(Followed { first, spoilt: None });
        }
        let next = request("GET", "/libros?limit=1", Some(self.test_key()));
        // A connection closed without notice is rude, but no body.
        let spoilt = match connection.exchange(&next, timeout) {
            Err(why) if why.kind() == ErrorKind::InvalidData => Some(why.to_string()),
            _ => None,
        };
        Ok(Followed { first, spoilt })
    }
}
