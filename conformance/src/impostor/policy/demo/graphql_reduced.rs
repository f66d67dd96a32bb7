//! What the reduced GraphQL interface decides.

use serde_json::Value;

use super::{PostsShown, Preflight, PreflightElsewhere};

#[derive(Clone, Debug)]
pub(crate) struct GraphqlReducedPolicy {
    pub(crate) paths: Paths,
    pub(crate) preflight: Preflight,
    /// Statuses.
    pub(crate) wrong_method: u16,
    pub(crate) malformed: u16,
    pub(crate) without_query: WithoutQuery,
    pub(crate) unsupported: Unsupported,
    pub(crate) mutation: Mutation,
    pub(crate) spelling: Spelling,
    pub(crate) aliases: Aliases,
    pub(crate) roots: Roots,
    pub(crate) empty_selection: EmptySelection,
    pub(crate) unknown_field: UnknownField,
    pub(crate) repeated_field: RepeatedField,
    /// The fields of a user beside posts, and those of a post.
    pub(crate) user_fields: &'static [&'static str],
    pub(crate) post_fields: &'static [&'static str],
    /// How many fields of a post may be asked for together.
    pub(crate) post_fields_max: usize,
    /// Whether `posts` may stand inside `users`.
    pub(crate) posts_in_users: bool,
    /// Whether all fields of a user come back, asked for or not.
    pub(crate) answers_every_field: bool,
    /// How many users `users` lists at most.
    pub(crate) users_max: usize,
    pub(crate) posts: PostsShown,
    /// A post, shown for a field asked for. None: an object with it.
    pub(crate) post: Option<fn(&Value, &str) -> Value>,
    /// Status and body from the name of the root and its data. None: 200, under `data`.
    pub(crate) answer: Option<fn(&str, &Value) -> (u16, Value)>,
}

impl Default for GraphqlReducedPolicy {
    fn default() -> Self {
        Self {
            paths: Paths::default(),
            preflight: Preflight {
                status: 204,
                headers: &[
                    ("Access-Control-Allow-Origin", "*"),
                    ("Access-Control-Allow-Methods", "POST, OPTIONS"),
                    ("Access-Control-Allow-Headers", "Content-Type"),
                ],
                unknown_path: PreflightElsewhere::default(),
            },
            wrong_method: 404,
            malformed: 400,
            without_query: WithoutQuery::default(),
            unsupported: Unsupported::default(),
            mutation: Mutation::default(),
            spelling: Spelling::default(),
            aliases: Aliases::default(),
            roots: Roots::default(),
            empty_selection: EmptySelection::default(),
            unknown_field: UnknownField::default(),
            repeated_field: RepeatedField::default(),
            user_fields: &["id", "name", "age"],
            post_fields: &["id", "title"],
            post_fields_max: 1,
            posts_in_users: true,
            answers_every_field: false,
            users_max: usize::MAX,
            posts: PostsShown::default(),
            post: None,
            answer: None,
        }
    }
}

/// Where the interface is found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Paths {
    #[default]
    Graphql,
    Any,
}

/// What a body without a text as query gets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum WithoutQuery {
    #[default]
    Refused,
    NullWhenMissing,
    NullWhenOfAnotherType,
}

/// How a form is refused that is not supported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Unsupported {
    #[default]
    ErrorText,
    ErrorList,
}

/// What a mutation gets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Mutation {
    #[default]
    Unsupported,
    Null,
}

/// Which spellings of the forms are understood.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Spelling {
    #[default]
    AnyGraphql,
    AsPrinted,
}

/// What an alias does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Aliases {
    #[default]
    Unsupported,
    Ignored,
}

/// What several roots in one query are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Roots {
    #[default]
    OneOnly,
    FirstCounts,
}

/// What a query without fields gets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum EmptySelection {
    #[default]
    Unsupported,
    EmptyList,
}

/// What a field gets that a user does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum UnknownField {
    #[default]
    Unsupported,
    Null,
}

/// What a field named twice is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum RepeatedField {
    #[default]
    ShownOnce,
    Unsupported,
}
