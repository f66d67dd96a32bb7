//! What the demonstration interfaces of the impostor decide. The default is right; holds values, decides nothing.

mod graphql;
mod graphql_reduced;
mod outlines;
mod users;

pub(crate) use graphql::{CreateUser, GraphqlPolicy, NoPosts, NoQuery, ResponseKey, UnknownUser, UserFound};
pub(crate) use graphql_reduced::{
    Aliases, EmptySelection, GraphqlReducedPolicy, Mutation, Paths, RepeatedField, Roots, Spelling, UnknownField,
    Unsupported, WithoutQuery,
};
pub(crate) use outlines::{BlogPolicy, SignupPolicy, TakenEmail, UnknownEntry};
pub(crate) use users::{Credentials, OtherFields, TrailingSlash, USERS_PREFLIGHT, UsersPolicy};

/// Names and values of headers.
pub(crate) type Headers = &'static [(&'static str, &'static str)];

/// Its values; the default is right.
#[derive(Clone, Debug)]
pub struct DemoPolicy {
    pub(crate) content_type: &'static str,
    pub(crate) initial: Initial,
    pub(crate) collections: Collections,
    pub(crate) taken_id: TakenId,
    pub(crate) users: UsersPolicy,
    pub(crate) graphql: GraphqlPolicy,
    pub(crate) graphql_reduced: GraphqlReducedPolicy,
    pub(crate) signup: SignupPolicy,
    pub(crate) blog: BlogPolicy,
}

impl Default for DemoPolicy {
    fn default() -> Self {
        Self {
            content_type: "application/json",
            initial: Initial::default(),
            collections: Collections::default(),
            taken_id: TakenId::default(),
            users: UsersPolicy::default(),
            graphql: GraphqlPolicy::default(),
            graphql_reduced: GraphqlReducedPolicy::default(),
            signup: SignupPolicy::default(),
            blog: BlogPolicy::default(),
        }
    }
}

/// The users and posts at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Initial {
    #[default]
    Seeded,
    Empty,
}

/// Where the interfaces keep their users and posts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Collections {
    #[default]
    OneEach,
    Shared,
    /// One collection of users, and posts of each interface's own.
    UsersShared,
}

/// What becomes of a new id that another user has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum TakenId {
    #[default]
    CountsOn,
    GivenAgain,
    /// Given again, and the other user is gone.
    TakesItsPlace,
}

/// What the id of a created user is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum NewId {
    #[default]
    ClockMilliseconds,
    ClockSeconds,
    Count,
}

/// Whose posts are shown as those of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum PostsShown {
    #[default]
    OfTheUser,
    OfEverybody,
}

/// How OPTIONS is answered.
#[derive(Clone, Debug)]
pub(crate) struct Preflight {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    pub(crate) unknown_path: PreflightElsewhere,
}

/// How OPTIONS is answered on a path that is not the interface's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum PreflightElsewhere {
    #[default]
    AsAnywhere,
    NotFound,
}
