//! Faults that break rules of the chapter users.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "users-list-lacks-the-first" breaks "users/list-all": "The list lacks the first user.";
    "created-user-not-listed" breaks "users/list-created": "A created user is not in the list.";
    "created-user-listed-twice" breaks "users/list-created": "A created user is in the list twice.";
    "user-read-wrapped" breaks "users/read-status": "A single user comes in an envelope.";
    "unknown-user-is-null" breaks "users/unknown-id": "An unknown user answers 200 with null.";
    "created-user-has-posts" breaks "users/create-body": "A created user has posts.";
    "created-user-is-200" breaks "users/create-body": "Creating a user answers 200.";
    "created-user-name-trimmed" breaks "users/create-body": "The name of a created user loses the spaces around it.";
    "user-id-counts" breaks "users/id-clock": "The id of a created user counts up.";
    "user-id-in-seconds" breaks "users/id-clock": "The id of a created user is the clock in seconds.";
    "user-without-name-accepted" breaks "users/name-missing": "A user may be created without a name.";
    "user-with-empty-name-accepted" breaks "users/name-empty": "A user may have an empty name.";
    "user-with-number-as-name-accepted" breaks "users/name-type": "A name may be something other than a text.";
    "user-without-age-accepted" breaks "users/age-missing": "A user may be created without an age.";
    "user-with-age-as-text-accepted" breaks "users/age-type": "An age may be a numeric text.";
    "user-with-odd-age-accepted" breaks "users/age-type": "An age may be a boolean or null.";
    "user-with-age-0-refused" breaks "users/age-zero": "The age 0 counts as missing.";
    "users-malformed-is-500" breaks "users/malformed-json": "Malformed JSON answers 500.";
    "users-errors-say-message" breaks "users/error-body": "Errors say message instead of error.";
    "users-errors-have-status" breaks "users/error-body": "The 404 of a user has the status in its body.";
    "users-error-empty" breaks "users/error-body": "The text of a 400 is empty.";
    "users-unknown-path-is-400" breaks "users/unknown-path": "An unknown path answers 400.";
    "users-options-is-200" breaks "users/options-status": "OPTIONS answers 200.";
    "users-options-unknown-path-is-404" breaks "users/options-status": "OPTIONS on an unknown path answers 404.";
    "users-options-lacks-origin" breaks "users/options-origin": "OPTIONS lacks Access-Control-Allow-Origin.";
    "users-options-allows-put" breaks "users/options-methods": "OPTIONS allows PUT and DELETE too.";
    "users-options-allows-any-header" breaks "users/options-headers": "OPTIONS allows any header.";
    "users-check-credentials" breaks "users/no-credential": "A request with an Authorization header answers 401.";
};
