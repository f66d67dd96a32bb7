//! What the full GraphQL interface decides.

use serde_json::Value;

use super::{NewId, PostsShown};

#[derive(Clone, Debug)]
pub(crate) struct GraphqlPolicy {
    /// Status of a known path under another method.
    pub(crate) wrong_method: u16,
    pub(crate) serves_get: bool,
    pub(crate) get_shows_page: bool,
    pub(crate) serves_every_path: bool,
    /// Status of OPTIONS.
    pub(crate) options: u16,
    pub(crate) without_query: NoQuery,
    /// Whether a query that is a list of one text is that text.
    pub(crate) coerces_query: bool,
    pub(crate) takes_variables: bool,
    pub(crate) introspects: bool,
    /// Status of a query that does not fit.
    pub(crate) query_error: u16,
    /// Status and body from a query and its data. None: 200, under `data`.
    pub(crate) answer: Option<fn(&str, &Value) -> (u16, Value)>,
    pub(crate) response_key: ResponseKey,
    /// Whether a user carries its id, asked for or not.
    pub(crate) adds_id: bool,
    /// From this level of nesting on, everything is null.
    pub(crate) levels_max: usize,
    /// Spoils the list of all users.
    pub(crate) users: Option<fn(&mut Vec<Value>)>,
    pub(crate) user: UserFound,
    pub(crate) unknown_user: UnknownUser,
    pub(crate) posts: PostsShown,
    pub(crate) no_posts: NoPosts,
    /// Whether createUser takes this name, or this age. None: the model's own.
    pub(crate) takes_name: Option<fn(&Value) -> bool>,
    pub(crate) takes_age: Option<fn(&Value) -> bool>,
    pub(crate) create_user: CreateUser,
    pub(crate) new_id: NewId,
    /// Whether introspection says that a post has userId.
    pub(crate) tells_user_id: bool,
    /// Types as introspection spells them.
    pub(crate) type_of_id_argument: &'static str,
    pub(crate) type_of_name: &'static str,
    pub(crate) type_of_age: &'static str,
}

impl Default for GraphqlPolicy {
    fn default() -> Self {
        Self {
            wrong_method: 404,
            serves_get: true,
            get_shows_page: false,
            serves_every_path: false,
            options: 204,
            without_query: NoQuery::default(),
            coerces_query: false,
            takes_variables: true,
            introspects: true,
            query_error: 400,
            answer: None,
            response_key: ResponseKey::default(),
            adds_id: false,
            levels_max: usize::MAX,
            users: None,
            user: UserFound::default(),
            unknown_user: UnknownUser::default(),
            posts: PostsShown::default(),
            no_posts: NoPosts::default(),
            takes_name: None,
            takes_age: None,
            create_user: CreateUser::default(),
            new_id: NewId::default(),
            tells_user_id: false,
            type_of_id_argument: "ID!",
            type_of_name: "String!",
            type_of_age: "Int!",
        }
    }
}

/// How a request without a readable query is refused.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum NoQuery {
    #[default]
    ErrorText,
    ErrorList,
    PlainText,
    ErrorListIn200,
    NoData,
}

/// The key of a field in the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ResponseKey {
    #[default]
    AliasOrName,
    Name,
}

/// Which user `user(id)` finds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum UserFound {
    #[default]
    OfTheId,
    First,
}

/// What `user(id)` is when nobody has the id.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum UnknownUser {
    #[default]
    Null,
    ObjectOfNulls,
}

/// What the posts of a user without posts are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum NoPosts {
    #[default]
    EmptyList,
    Null,
}

/// When createUser leaves a user behind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum CreateUser {
    #[default]
    Keeps,
    Forgets,
    KeepsEvenIfRefused,
}
