//! The initial state again, and proof that it is: what stayed would be held against the target, not against its hook.

use serde_json::json;

use super::demo::quoted;
use crate::case::Stop;
use crate::target::Surface;
use crate::trial::Trial;

impl Trial<'_> {
    /// Brings the initial state back, after making something in each store that must be gone then. What cannot be made is other
    /// cases' matter.
    ///
    /// # Errors
    /// [`Stop::Hook`] when the hook fails, or says it reset and did not.
    pub fn fresh(&self) -> Result<(), Stop> {
        let offers = |surface| self.target().address(surface).is_some();
        let book = offers(Surface::Catalogue).then(|| self.create_book(&json!({})));
        let reader = offers(Surface::Catalogue).then(|| self.register("user"));
        let user = offers(Surface::Users).then(|| self.create_user());
        let by_mutation = offers(Surface::Graphql).then(|| self.create_by_mutation());
        self.reset()?;
        if let Some(Ok(book)) = book
            && self.get(&book.path()).key(self.test_key()).send()?.status() == 200
        {
            return Err(left("a book"));
        }
        if let Some(Ok(reader)) = reader
            && self.try_log_in(&reader.email, &reader.password)?.status() == 200
        {
            return Err(left("a registered user"));
        }
        if let Some(Ok(user)) = user
            && self.users_get(&format!("/users/{}", user.id))?.text_at("/name") == user.name
        {
            return Err(left("a user of the users interface"));
        }
        if let Some(Ok(user)) = by_mutation {
            let query = format!("{{ user(id: {}) {{ name }} }}", quoted(&user.id));
            if self.ask(Surface::Graphql, &query)?.text_at("/data/user/name") == user.name {
                return Err(left("a user of the GraphQL endpoint"));
            }
        }
        Ok(())
    }
}

/// The stop of a reset that left something.
pub fn left(what: &str) -> Stop {
    Stop::Hook(format!("POST /reset answered 204, but {what} made before it is there still"))
}
