//! Permitted readings other than the reference's: the demonstration interfaces.

use super::Reading;

pub(crate) const READINGS: &[Reading] = readings! {
    "blog-create-is-200" by "blog/create": "Creating an entry answers 200.";
    "blog-delete-is-idempotent" by "blog/unknown-entry": "Deleting an unknown entry counts as done.";
    "blog-delete-says-so" by "blog/delete": "Deleting an entry answers 200 with JSON.";
    "blog-entries-have-more-fields" by "blog/shape": "An entry has further fields.";
    "blog-invalid-is-422" by "blog/invalid": "An entry without a title answers 422.";
    "blog-put-creates" by "blog/unknown-entry": "Replacing an unknown entry creates one.";
    "blog-replace-is-204" by "blog/replace": "Replacing an entry answers 204.";
    "blog-unknown-is-410" by "blog/unknown-entry": "An unknown entry answers 410.";
    "demo-data-shared" by "graphql/own-data": "The demonstration interfaces share one collection.";
    "graphql-errors-are-200" by "graphql/query-error": "Errors of a query answer 200.";
    "graphql-extensions" by "graphql/extra-keys": "Answers have extensions.";
    "graphql-no-posts-is-null" by "graphql/posts-empty": "A user without posts has null.";
    "graphql-unreadable-as-errors" by "graphql/unreadable-request": "A request without a query answers with a list of errors.";
    "graphql-introspection-off" by "graphql/request-extras": "Introspection is refused.";
    "graphql-variables-ignored" by "graphql/request-extras": "Variables are ignored.";
    "graphql-wrong-method-is-405" by "graphql/other-path-or-method": "Another method answers 405.";
    "graphql-get-refused" by "graphql/other-path-or-method": "GET is unknown, with a query too.";
    "reduced-options-elsewhere-is-404" by "graphql-reduced/options-other-path": "OPTIONS on another path answers 404.";
    "reduced-options-says-more" by "graphql-reduced/options-cors": "OPTIONS spells its methods otherwise.";
    "reduced-plain-spelling-only" by "graphql-reduced/spelling": "A query starts with a brace and spells the id as a text.";
    "reduced-posts-in-user-only" by "graphql-reduced/posts-in-users": "posts is unknown inside users.";
    "reduced-posts-take-both-fields" by "graphql-reduced/posts-both-fields": "posts takes id and title together.";
    "reduced-repeated-fields-refused" by "graphql-reduced/repeated-fields": "A field named twice is refused.";
    "signup-says-message" by "signup/error-body": "A refused registration says message.";
    "signup-says-user-id" by "signup/identifier-key": "The identifier is called userId.";
    "signup-wants-a-digit" by "signup/validity": "A password has ten characters and a digit.";
    "age-whole-only" by "users/age-range": "An age is a whole number from 0.";
    "blank-name-refused" by "users/name-spaces": "A name of nothing but spaces is refused.";
    "clock-ids-may-repeat" by "users/id-unique": "Two users of one millisecond have the same id.";
    "cors-on-every-users-answer" by "users/cors-elsewhere": "Every answer of the users interface names the allowed origin.";
    "demo-says-charset" by "users/content-type": "Content-Type of the demonstration interfaces names the charset.";
    "demo-starts-empty" by "users/initial-users": "There are no users and posts at the start.";
    "demo-trailing-slash-passes" by "users/wrong-method": "A slash at the end of a path is passed over.";
    "demo-wrong-method-is-405" by "users/wrong-method": "A known path answers 405 to another method.";
    "extra-user-fields-stored" by "users/extra-fields": "Other fields of a user are stored.";
};
