//! The routes of the users REST interface: list, read, a user's posts, create. Source: demonstration-endpoints, "Users REST interface".

use http::StatusCode;

use super::body;
use super::failure::Failure;
use super::reply;
use super::users_store::UsersStore;
use crate::message::Reply;
use libros_server_system::clock::Timestamp;

/// `GET /users`.
pub(super) fn list(store: &UsersStore) -> Reply {
    // rule: users/list-array, users/list-created, users/list-all
    reply::json(StatusCode::OK, store.list_text())
}

/// `GET /users/<id>`.
pub(super) fn read(store: &UsersStore, id: &str) -> Result<Reply, Failure> {
    let user = store.find(id).ok_or(Failure::UserUnknown)?;
    // rule: users/read-status
    Ok(reply::json(StatusCode::OK, user.text.clone()))
}

/// `GET /users/<id>/posts`.
pub(super) fn posts(store: &UsersStore, id: &str) -> Result<Reply, Failure> {
    let user = store.find(id).ok_or(Failure::UserUnknown)?;
    // rule: posts/created-user-empty
    Ok(reply::json(StatusCode::OK, user.posts_text()))
}

/// `POST /users`.
pub(super) fn create(store: &UsersStore, body: &[u8], now: Timestamp) -> Result<Reply, Failure> {
    let fields = body::object(body)?;
    // rule: users/name-missing, users/name-type
    let name = body::text(&fields, "name")?;
    // rule: users/name-empty, users/name-spaces
    if name.is_empty() {
        return Err(Failure::FieldEmpty("name"));
    }
    // rule: users/age-missing, users/age-type, users/age-zero, users/age-range
    let age = body::number(&fields, "age")?;
    // rule: users/extra-fields
    let user = store.create(name, age, now);
    // rule: users/create-body
    Ok(reply::json(StatusCode::CREATED, user.text.clone()))
}
