//! The users and posts of one interface, in memory. Knows no HTTP and no GraphQL.

use std::sync::{Arc, PoisonError, RwLock};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::json;

use libros_server_query::json;
use libros_server_system::clock::Timestamp;

/// A user with their posts; never changes once created.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    /// Unique; the digits of the clock in milliseconds for created users.
    pub(super) id: String,
    pub(super) name: String,
    /// Any JSON number over REST, an `Int` over GraphQL.
    pub(super) age: f64,
    /// In the order of the initial data; a created user has none.
    #[serde(skip)]
    pub(super) posts: Vec<Post>,
    /// The JSON text `{ id, name, age }`.
    #[serde(skip)]
    pub(super) text: String,
    #[serde(skip)]
    pub(super) posts_text: String,
}

// rule: posts/shape
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Post {
    pub(super) id: String,
    pub(super) title: String,
    user_id: String,
}

#[derive(Debug)]
pub(super) struct UsersStore(RwLock<Collection>);

#[derive(Debug)]
struct Collection {
    /// By id, in order of creation.
    users: IndexMap<String, Arc<User>>,
    /// The id of the latest created user; 0 for none.
    latest: i64,
}

impl UsersStore {
    pub(super) fn initial() -> Self {
        Self(RwLock::new(Collection::initial()))
    }

    pub(super) fn reset(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Collection::initial();
    }

    pub(super) fn all(&self) -> Vec<Arc<User>> {
        self.read(|collection| collection.users.values().cloned().collect())
    }

    pub(super) fn count(&self) -> usize {
        self.read(|collection| collection.users.len())
    }

    pub(super) fn list_text(&self) -> String {
        self.read(|collection| json_list(collection.users.values().map(|user| user.text.as_str())))
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<User>> {
        self.read(|collection| collection.users.get(id).cloned())
    }

    pub(super) fn create(&self, name: String, age: f64, now: Timestamp) -> Arc<User> {
        let mut collection = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let id = collection.next_id(now);
        let user = Arc::new(User::new(id.clone(), name, age, Vec::new()));
        collection.users.insert(id, Arc::clone(&user));
        user
    }

    fn read<T>(&self, read: impl FnOnce(&Collection) -> T) -> T {
        read(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Collection {
    fn initial() -> Self {
        let users: Vec<User> = serde_json::from_str(include_str!("../../../seeds/initial/demo-users.json"))
            .expect("the embedded users are a list of id, name and age");
        let posts: Vec<Post> = serde_json::from_str(include_str!("../../../seeds/initial/demo-posts.json"))
            .expect("the embedded posts are a list of id, title and userId");
        let with_posts = |user: User| {
            // rule: posts/owner, posts/listed-once
            let own = posts.iter().filter(|post| post.user_id == user.id).cloned().collect();
            (user.id.clone(), Arc::new(User::new(user.id, user.name, user.age, own)))
        };
        Self { users: users.into_iter().map(with_posts).collect(), latest: 0 }
    }

    /// The clock's milliseconds, or the next free number.
    fn next_id(&mut self, now: Timestamp) -> String {
        let is_taken = |number: i64| self.users.contains_key(&number.to_string());
        // rule: users/id-clock
        let mut number = now.millis();
        if is_taken(number) {
            number = number.max(self.latest);
            while is_taken(number) {
                number += 1;
            }
        }
        self.latest = number;
        number.to_string()
    }
}

impl User {
    fn new(id: String, name: String, age: f64, posts: Vec<Post>) -> Self {
        let text = json::write(&json!({ "id": id, "name": name, "age": age }));
        let posts_text = json::write(&json!(posts));
        Self { id, name, age, posts, text, posts_text }
    }
}

pub(super) fn json_list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.collect::<Vec<_>>().join(","))
}
