//! The routes of the users REST interface: list, read, a user's posts, create. Source: demonstration-endpoints, "Users REST interface".

use http::StatusCode;

use super::body;
use super::failure::Failure;
use super::reply;
use super::users_store::UsersStore;
use crate::clock::Timestamp;
use crate::message::Reply;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn create_from(body: &str) -> Result<String, Failure> {
        let reply = create(&UsersStore::initial(), body.as_bytes(), Timestamp(5_000))?;
        Ok(String::from_utf8_lossy(&reply.body).into_owned())
    }

    #[test]
    fn a_created_user_has_name_and_age_as_sent_and_nothing_else() {
        let sent = r#"{"age":1.50,"name":" ","role":"admin","id":"7"}"#;
        assert_eq!(create_from(sent), Ok(r#"{"id":"5000","name":" ","age":1.5}"#.to_owned()));
        assert_eq!(create_from(r#"{"name":"Ada","age":-0}"#), Ok(r#"{"id":"5000","name":"Ada","age":0}"#.to_owned()));
    }

    #[test]
    fn name_and_age_must_be_there_and_of_their_types() {
        for (body, failure) in [
            (r#"{"age":1}"#, Failure::FieldMissing("name")),
            (r#"{"name":"","age":1}"#, Failure::FieldEmpty("name")),
            (r#"{"name":5,"age":1}"#, Failure::FieldNotText("name")),
            (r#"{"name":"Ada"}"#, Failure::FieldMissing("age")),
            (r#"{"name":"Ada","age":"36"}"#, Failure::FieldNotNumber("age")),
            (r#"{"name":"Ada","age":null}"#, Failure::FieldNotNumber("age")),
            (r#"{"name":"Ada","age":true}"#, Failure::FieldNotNumber("age")),
            (r#"{"name":"Ada","age":1"#, Failure::BodyNotJson),
        ] {
            assert_eq!(create_from(body), Err(failure), "{body}");
        }
    }

    #[test]
    fn an_unknown_user_has_neither_record_nor_posts() {
        let store = UsersStore::initial();
        assert!(matches!(read(&store, "9"), Err(Failure::UserUnknown)));
        assert!(matches!(posts(&store, "9"), Err(Failure::UserUnknown)));
        let posts = posts(&store, "3").expect("a known user");
        assert_eq!(posts.body.as_ref(), b"[]");
    }
}
