//! API clients: the two initial ones, and those of a case's own.

use serde_json::{Value, json};

use crate::case::Stop;
use crate::prepare::users::Tokens;
use crate::trial::Trial;

/// An API client the target has created for a case.
#[derive(Debug, Clone)]
pub struct MadeClient {
    /// Its id.
    pub id: String,
    /// Its key.
    pub key: String,
    /// Its name, unique to the case.
    pub name: String,
}

impl<'a> Trial<'a> {
    /// The key of the initial test client: read and write.
    pub fn test_key(&self) -> &'a str {
        &self.target().credentials.test_key
    }

    /// The key of the initial admin client: read, write, delete and manage:users.
    pub fn admin_key(&self) -> &'a str {
        &self.target().credentials.admin_key
    }

    /// Creates an API client with those permissions, through a newly registered admin.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target gives no key.
    pub fn create_client(&self, permissions: &[&str]) -> Result<MadeClient, Stop> {
        let (_, admin) = self.register_and_log_in("admin")?;
        self.create_client_as(&admin, permissions)
    }

    /// The same, through an admin the case has already.
    ///
    /// # Errors
    /// As [`Self::create_client`].
    pub fn create_client_as(&self, admin: &Tokens, permissions: &[&str]) -> Result<MadeClient, Stop> {
        let name = self.unique("cliente");
        let body = json!({ "nombre": name, "permisos": permissions });
        let reply = self.post("/auth/api-keys").bearer(&admin.session).json(&body).send()?;
        let reply = reply.prepared("creating an API key", 201)?;
        let id = reply.text_at(&self.principal_field("id"));
        match reply.at("/apiKey").as_ref().and_then(Value::as_str) {
            Some(key) => Ok(MadeClient { id, key: key.to_owned(), name }),
            None => Err(Stop::Blocked { step: "creating an API key".into(), why: "no text at /apiKey".into() }),
        }
    }

    /// The key of a client created with those permissions.
    ///
    /// # Errors
    /// As [`Self::create_client`].
    pub fn create_key(&self, permissions: &[&str]) -> Result<String, Stop> {
        Ok(self.create_client(permissions)?.key)
    }
}
