//! Faults that break rules of the chapter graphql-reduced.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "reduced-users-under-root-key" breaks "graphql-reduced/users-list": "data of users has a key users.";
    "reduced-users-are-two" breaks "graphql-reduced/users-all": "users lists two users at most.";
    "reduced-user-under-root-key" breaks "graphql-reduced/user-object": "data of user has a key user.";
    "reduced-unknown-user-is-404" breaks "graphql-reduced/user-unknown": "An unknown user answers 404.";
    "reduced-answers-every-field" breaks "graphql-reduced/fields": "All fields of a user come back, asked for or not.";
    "reduced-knows-no-age" breaks "graphql-reduced/fields": "age is an unknown field.";
    "reduced-posts-whole" breaks "graphql-reduced/posts-field": "Posts come back whole, whatever field was asked for.";
    "reduced-posts-as-texts" breaks "graphql-reduced/posts-field": "Posts come back as texts instead of objects.";
    "reduced-posts-know-title-only" breaks "graphql-reduced/posts-field": "posts { id } is unsupported.";
    "reduced-missing-query-is-null" breaks "graphql-reduced/query-missing": "A body without query answers 200 with null.";
    "reduced-number-as-query-is-null" breaks "graphql-reduced/query-type": "A query that is no text answers 200 with null.";
    "reduced-malformed-is-500" breaks "graphql-reduced/malformed-json": "Malformed JSON answers 500.";
    "reduced-unknown-field-is-null" breaks "graphql-reduced/unsupported-form": "An unknown field is null.";
    "reduced-empty-selection-passes" breaks "graphql-reduced/unsupported-form": "A query without fields is supported.";
    "reduced-errors-as-graphql" breaks "graphql-reduced/unsupported-form": "Errors come as a list errors.";
    "reduced-ignores-aliases" breaks "graphql-reduced/other-syntax": "Aliases are passed over.";
    "reduced-takes-first-of-several-roots" breaks "graphql-reduced/other-syntax": "Of several roots the first is answered.";
    "reduced-mutation-is-null" breaks "graphql-reduced/no-mutation": "A mutation answers 200 with null.";
    "reduced-wrong-method-is-405" breaks "graphql-reduced/other-method": "GET answers 405.";
    "reduced-takes-any-path" breaks "graphql-reduced/other-path": "Any path is the endpoint.";
    "reduced-options-is-200" breaks "graphql-reduced/options-status": "OPTIONS answers 200.";
};
