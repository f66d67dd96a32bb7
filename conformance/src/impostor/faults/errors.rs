//! Faults that break rules of the chapter errors.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "book-400-as-object" breaks "errors/400-books": "A 400 of a book operation wraps its text in an object.";
    "auth-400-has-code" breaks "errors/400-auth": "A 400 of an /auth operation has a code too.";
    "two-factor-400-says-message" breaks "errors/400-two-factor": "A 400 of a /2fa operation says message instead of error.";
    "unknown-path-names-path" breaks "errors/404-path": "The 404 of an unknown path names the path too.";
    "unknown-book-says-mensaje" breaks "errors/404-book" and "books/read-unknown": "The 404 of an unknown book says mensaje instead of error.";
    "auth-404-empty-text" breaks "errors/404-auth": "The 404 of an unknown /auth path has an empty text.";
    "two-factor-404-as-object" breaks "errors/404-two-factor" and "two-factor/unknown-path": "The 404 of an unknown /2fa path wraps its text in an object.";
    "book-405-lists-methods" breaks "errors/405-books": "The 405 of a book path lists the allowed methods in its body.";
    "verify-405-says-message" breaks "errors/405-verify": "The 405 of the verification path says message instead of error.";
    "401-has-path" breaks "errors/401-body": "A 401 names the path too.";
    "401-flat" breaks "errors/401-body": "A 401 has codigo, mensaje and timestamp at the top.";
    "401-lacks-timestamp" breaks "errors/401-body": "A 401 has no timestamp.";
    "401-mensaje-empty" breaks "errors/401-mensaje": "mensaje of a 401 is empty.";
    "401-timestamp-without-milliseconds" breaks "errors/401-timestamp": "timestamp of a 401 has no milliseconds.";
    "401-timestamp-a-number" breaks "errors/401-timestamp": "timestamp of a 401 is a number.";
    "401-without-challenge" breaks "errors/401-challenge": "A 401 has no WWW-Authenticate.";
    "key-401-without-challenge" breaks "errors/401-challenge": "The 401 of an API key has no WWW-Authenticate.";
    "401-challenges-basic" breaks "errors/401-challenge": "WWW-Authenticate names the scheme Basic.";
    "challenge-without-realm" breaks "errors/401-challenge": "WWW-Authenticate has no realm.";
    "malformed-create-is-500" breaks "errors/malformed-create": "Creating with malformed JSON answers 500.";
    "malformed-replace-is-500" breaks "errors/malformed-replace": "Replacing with malformed JSON answers 500.";
    "malformed-replace-empties" breaks "errors/malformed-replace": "Replacing with malformed JSON empties the book.";
    "malformed-replace-removes" breaks "errors/malformed-replace": "Replacing with malformed JSON answers 400 and loses the book.";
    "malformed-auth-is-500" breaks "errors/malformed-auth": "Malformed JSON on an /auth route answers 500.";
    "malformed-two-factor-is-500" breaks "errors/malformed-two-factor": "Malformed JSON on a /2fa route answers 500.";
    "malformed-two-factor-is-empty" breaks "errors/malformed-two-factor": "Malformed JSON on a /2fa route is taken as an empty object.";
};
