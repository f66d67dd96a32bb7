//! Faults that break rules of the chapter graphql.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "graphql-answers-data-bare" breaks "graphql/data": "The result is not under data.";
    "graphql-aliases-ignored" breaks "graphql/data": "Aliases are passed over.";
    "graphql-answers-201-to-mutations" breaks "graphql/create-user": "A mutation answers 201.";
    "graphql-users-lack-the-third" breaks "graphql/users": "users lacks one of the initial users.";
    "graphql-name-may-be-null" breaks "graphql/schema": "The schema says name: String.";
    "graphql-age-is-a-float" breaks "graphql/schema": "The schema says age: Float!.";
    "graphql-id-need-not-be-given" breaks "graphql/schema": "The schema says user(id: ID).";
    "graphql-users-lack-created" breaks "graphql/users": "users lacks those created by mutation.";
    "graphql-user-is-the-first" breaks "graphql/user": "user always is the first one.";
    "graphql-unknown-user-is-empty" breaks "graphql/user-unknown": "An unknown user is an object of nulls.";
    "graphql-unknown-user-is-error" breaks "graphql/user-unknown": "An unknown user is an error beside its null.";
    "graphql-posts-of-everybody" breaks "graphql/posts": "posts of a user has those of all users.";
    "graphql-nesting-stops" breaks "graphql/nesting": "Nesting ends after a few levels with null.";
    "graphql-answers-id-unasked" breaks "graphql/only-requested": "A user has its id although it was not asked for.";
    "graphql-user-id-counts" breaks "graphql/create-user": "The id of a created user counts up.";
    "graphql-user-id-in-seconds" breaks "graphql/create-user": "The id of a created user is the clock in seconds.";
    "graphql-created-user-is-lost" breaks "graphql/create-user-stays": "A created user is not kept.";
    "graphql-create-without-name" breaks "graphql/create-user-arguments": "createUser works without a name.";
    "graphql-create-without-age" breaks "graphql/create-user-arguments": "createUser works without an age.";
    "graphql-create-with-number-as-name" breaks "graphql/create-user-arguments": "createUser takes a number as a name.";
    "graphql-create-with-fraction-as-age" breaks "graphql/create-user-arguments": "createUser takes a fraction as an age.";
    "graphql-create-with-text-as-age" breaks "graphql/create-user-arguments": "createUser takes a text as an age.";
    "graphql-refused-create-stays" breaks "graphql/create-user-arguments": "A createUser that is refused creates a user all the same.";
};
