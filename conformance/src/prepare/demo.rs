//! Users of the demonstration interfaces: made over REST or by mutation, and questions to a GraphQL endpoint.
//!
//! Nothing there can be deleted; names are unique, so that nobody takes one case's users for another's.

use std::time::Duration;

use serde_json::{Value, json};

use crate::case::Stop;
use crate::expect::{Reply, brief};
use crate::request::Request;
use crate::target::Surface;
use crate::trial::Trial;

/// An age like any other.
pub const AGE: i64 = 41;

/// A user made for a case.
#[derive(Debug, Clone)]
pub struct DemoUser {
    /// Id as answered.
    pub id: String,
    /// Name, unique to the case.
    pub name: String,
}

/// For preparations: any success will do, since which one is another rule's matter.
///
/// # Errors
/// [`Stop::Blocked`] when the answer is no success.
pub fn accepted(reply: Reply, step: &str) -> Result<Reply, Stop> {
    if is_success(&reply) {
        return Ok(reply);
    }
    let got = brief(&reply.received().text());
    Err(blocked(step, format!("want a success, got {} {got}", reply.status())))
}

/// Whether the status is one of the 200s.
pub fn is_success(reply: &Reply) -> bool {
    (200..300).contains(&reply.status())
}

/// A preparation that failed.
pub fn blocked(step: &str, why: impl Into<String>) -> Stop {
    Stop::Blocked { step: step.into(), why: why.into() }
}

/// A text as GraphQL spells it.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Ids that no user has, some of them close to one that a user has.
pub fn unknown_ids(t: &Trial<'_>, id: &str) -> Vec<String> {
    let mut ids = vec![
        t.unique("nadie"),
        "999999999999999999".to_owned(),
        "constructor".to_owned(),
        "__proto__".to_owned(),
        format!("{id}0"),
        format!("0{id}"),
        format!("{id}x"),
    ];
    if id.len() > 9 {
        ids.push(id[..id.len() - 1].to_owned());
    }
    ids
}

/// Ids that users may well have: those of the users any interface lists, and small numbers, as initial users often have.
///
/// # Errors
/// [`Stop::NoAnswer`] when an interface does not answer.
pub fn likely_ids(t: &Trial<'_>) -> Result<Vec<String>, Stop> {
    const LISTED_MAX: usize = 12;
    let mut lists = Vec::new();
    let has = |surface: Surface| t.target().address(surface).is_some();
    if has(Surface::Users) {
        lists.push(t.users_get("/users")?.json());
    }
    if has(Surface::Graphql) {
        lists.push(t.ask(Surface::Graphql, "{ users { id } }")?.at("/data/users").unwrap_or_default());
    }
    let mut ids: Vec<String> = (0..=9).map(|id: u8| id.to_string()).collect();
    for list in lists {
        let listed = list.as_array().into_iter().flatten().filter_map(|user| user["id"].as_str());
        let plain = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        ids.extend(listed.filter(plain).take(LISTED_MAX).map(str::to_owned));
    }
    ids.sort();
    ids.dedup();
    Ok(ids)
}

impl<'a> Trial<'a> {
    /// `GET` from the users interface.
    ///
    /// # Errors
    /// [`Stop::NoAnswer`] when none comes.
    pub fn users_get(&self, path: &str) -> Result<Reply, Stop> {
        self.request_at(Surface::Users, "GET", path).send()
    }

    /// A creation on the users interface, not sent yet.
    pub fn user_creation(&self, body: &Value) -> Request<'_, 'a> {
        self.request_at(Surface::Users, "POST", "/users").json(body)
    }

    /// Creates a user over REST; nobody else has its id.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when there is no such user afterwards.
    pub fn create_user(&self) -> Result<DemoUser, Stop> {
        self.until_alone("creating a user", |name| {
            let reply = self.user_creation(&json!({ "name": name, "age": AGE })).send()?;
            let id = accepted(reply, "creating a user")?.text_at("/id");
            Ok((id, self.users_get("/users")?.json()))
        })
    }

    /// A query to one of the GraphQL endpoints, not sent yet.
    pub fn query(&self, surface: Surface, query: &str) -> Request<'_, 'a> {
        self.request_at(surface, "POST", "").json(&json!({ "query": query }))
    }

    /// Sends a query to one of the GraphQL endpoints.
    ///
    /// # Errors
    /// [`Stop::NoAnswer`] when none comes.
    pub fn ask(&self, surface: Surface, query: &str) -> Result<Reply, Stop> {
        self.query(surface, query).send()
    }

    /// Creates a user by mutation; nobody else has its id.
    ///
    /// # Errors
    /// As [`Self::create_user`].
    pub fn create_by_mutation(&self) -> Result<DemoUser, Stop> {
        self.until_alone("creating a user by mutation", |name| {
            let mutation = format!("mutation {{ createUser(name: {}, age: {AGE}) {{ id }} }}", quoted(name));
            let reply = self.ask(Surface::Graphql, &mutation)?;
            let id = accepted(reply, "creating a user by mutation")?.text_at("/data/createUser/id");
            let listed = self.ask(Surface::Graphql, "{ users { id name } }")?;
            Ok((id, listed.at("/data/users").unwrap_or_default()))
        })
    }

    /// Ids are clock readings, and may be given twice within a millisecond: tries until nobody else has the user's.
    fn until_alone(&self, step: &str, make: impl Fn(&str) -> Result<(String, Value), Stop>) -> Result<DemoUser, Stop> {
        const TRIES: usize = 10;
        for _ in 0..TRIES {
            let name = self.unique("Ada");
            let (id, listed) = make(&name)?;
            if id.is_empty() {
                return Err(blocked(step, "the answer has no text as id"));
            }
            let is_other = |user: &&Value| user["id"] == id.as_str() && user["name"] != name.as_str();
            let others = listed.as_array().map_or(0, |users| users.iter().filter(is_other).count());
            if others == 0 {
                return Ok(DemoUser { id, name });
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        Err(blocked(step, format!("{TRIES} users had the id of another one")))
    }
}
