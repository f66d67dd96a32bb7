//! Faults that break rules of the chapter routing.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "books-prefix-needs-slash" breaks "routing/books-prefix": "/librosfoo is an unknown path.";
    "auth-unknown-path-is-400" breaks "routing/auth-unknown-path": "An unknown /auth path answers 400.";
    "auth-unknown-path-needs-credential" breaks "routing/auth-unknown-path": "An unknown /auth path without a credential answers 401.";
    "two-factor-prefix-without-slash" breaks "routing/two-factor-prefix": "/2fa alone is taken for a two-factor path and asks for a credential.";
    "root-is-a-greeting" breaks "routing/unknown-path": "The path / answers 200.";
    "health-is-told" breaks "routing/unknown-path": "The path /health answers 200.";
    "browsers-get-an-icon" breaks "routing/unknown-path": "The path /favicon.ico answers 204.";
    "api-segment-accepted" breaks "routing/unknown-path": "The segment /api before a path is passed over.";
    "books-under-any-segment" breaks "routing/unknown-path": "A path that has /libros anywhere is a book path.";
    "unknown-path-needs-credential" breaks "routing/unknown-path": "An unknown path without a credential answers 401.";
    "unknown-path-405-unless-get" breaks "routing/unknown-path": "POST to an unknown path answers 405.";
    "paths-ignore-case" breaks "routing/path-case": "/Libros is the collection.";
    "options-is-204" breaks "routing/options-status": "OPTIONS answers 204.";
    "options-unknown-path-is-404" breaks "routing/options-any-path": "OPTIONS on an unknown path answers 404.";
    "options-two-factor-is-404" breaks "routing/options-any-path": "OPTIONS on a two-factor path answers 404.";
    "options-needs-credential" breaks "routing/options-any-path": "OPTIONS asks for a credential.";
    "options-has-body" breaks "routing/options-no-body": "OPTIONS answers with an empty object.";
    "options-cors-of-books-only" breaks "routing/options-any-path" and "headers/options-groups": "OPTIONS lists methods on book paths only.";
    "trailing-slash-unknown" breaks "routing/trailing-slash-books": "/libros/ is an unknown path.";
    "auth-prefix-without-slash-is-401" breaks "routing/auth-prefix" and "routing/auth-unknown-path": "/authfoo is taken for a protected path and answers 401.";
    "id-within-first-segment" breaks "routing/books-prefix" and "books/path-id-missing": "/libros5 has the id 5.";
};
