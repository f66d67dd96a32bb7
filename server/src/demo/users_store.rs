//! The users and posts of one interface, in memory. Knows no HTTP and no GraphQL.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use serde::Deserialize;
use serde_json::json;

use libros_server_query::json;
use libros_server_system::clock::Timestamp;

/// A user with their posts; never changes once created.
#[derive(Debug)]
pub(super) struct User {
    /// Unique; the digits of the clock in milliseconds for created users.
    pub(super) id: String,
    pub(super) name: String,
    /// Any JSON number over REST, an `Int` over GraphQL.
    pub(super) age: f64,
    /// In the order of the initial data; a created user has none.
    pub(super) posts: Vec<Post>,
    /// The JSON text `{ id, name, age }`.
    pub(super) text: String,
}

#[derive(Debug)]
pub(super) struct Post {
    pub(super) id: String,
    pub(super) title: String,
    /// The JSON text `{ id, title, userId }`.
    pub(super) text: String,
}

/// All users, in order of creation.
#[derive(Debug)]
pub(super) struct UsersStore {
    collection: RwLock<Collection>,
}

#[derive(Debug)]
struct Collection {
    users: Vec<Arc<User>>,
    places: HashMap<String, usize>,
    /// The id of the latest created user; 0 for none.
    latest: i64,
}

impl UsersStore {
    /// The initial users and posts.
    pub(super) fn initial() -> Self {
        Self { collection: RwLock::new(Collection::initial()) }
    }

    pub(super) fn reset(&self) {
        *self.collection.write().unwrap_or_else(PoisonError::into_inner) = Collection::initial();
    }

    pub(super) fn all(&self) -> Vec<Arc<User>> {
        self.read(|collection| collection.users.clone())
    }

    /// The JSON text of the list of all users.
    pub(super) fn list_text(&self) -> String {
        self.read(|collection| json_list(collection.users.iter().map(|user| &user.text)))
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<User>> {
        self.read(|collection| {
            let place = *collection.places.get(id)?;
            collection.users.get(place).cloned()
        })
    }

    pub(super) fn count(&self) -> usize {
        self.read(|collection| collection.users.len())
    }

    /// Adds a user without posts.
    pub(super) fn create(&self, name: String, age: f64, now: Timestamp) -> Arc<User> {
        let mut collection = self.collection.write().unwrap_or_else(PoisonError::into_inner);
        let id = collection.next_id(now);
        collection.add(User::new(id, name, age, Vec::new()))
    }

    fn read<T>(&self, read: impl FnOnce(&Collection) -> T) -> T {
        read(&self.collection.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Collection {
    fn initial() -> Self {
        let mut collection = Self { users: Vec::new(), places: HashMap::new(), latest: 0 };
        for user in initial_users() {
            collection.add(user);
        }
        collection
    }

    fn add(&mut self, user: User) -> Arc<User> {
        let user = Arc::new(user);
        self.places.insert(user.id.clone(), self.users.len());
        self.users.push(Arc::clone(&user));
        user
    }

    /// The clock's milliseconds, or the next number that no user has.
    fn next_id(&mut self, now: Timestamp) -> String {
        // rule: users/id-clock
        let mut number = now.millis();
        if self.places.contains_key(&number.to_string()) {
            number = number.max(self.latest);
            while self.places.contains_key(&number.to_string()) {
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
        Self { id, name, age, posts, text }
    }

    /// The JSON text of the list of this user's posts.
    pub(super) fn posts_text(&self) -> String {
        json_list(self.posts.iter().map(|post| &post.text))
    }
}

pub(super) fn json_list<'a>(texts: impl Iterator<Item = &'a String>) -> String {
    let mut list = String::from("[");
    for (index, text) in texts.enumerate() {
        if index > 0 {
            list.push(',');
        }
        list.push_str(text);
    }
    list.push(']');
    list
}

#[derive(Deserialize)]
struct SeedUser {
    id: String,
    name: String,
    age: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SeedPost {
    id: String,
    title: String,
    user_id: String,
}

fn initial_users() -> impl Iterator<Item = User> {
    let users: Vec<SeedUser> = serde_json::from_str(include_str!("../../../seeds/initial/demo-users.json"))
        .expect("the embedded users are a list of id, name and age");
    let posts: Vec<SeedPost> = serde_json::from_str(include_str!("../../../seeds/initial/demo-posts.json"))
        .expect("the embedded posts are a list of id, title and userId");
    users.into_iter().map(move |user| {
        // rule: posts/owner
        let own = posts.iter().filter(|post| post.user_id == user.id).map(Post::from).collect();
        User::new(user.id, user.name, user.age, own)
    })
}

impl From<&SeedPost> for Post {
    fn from(seed: &SeedPost) -> Self {
        let SeedPost { id, title, user_id } = seed;
        Self {
            id: id.clone(),
            title: title.clone(),
            // rule: posts/shape
            text: json::write(&json!({ "id": id, "title": title, "userId": user_id })),
        }
    }
}
