//! What platforms do where the documents leave them free, one row a freedom, and the readings and habits that have it: a
//! freedom without any could be judged unseen.

use super::*;

const FREEDOMS: &[(&str, &str)] = &[
    ("Content-Type spelled otherwise", "content-type-unspaced charset-named"),
    ("further fields in a closed body", "further-keys-refused extra-user-fields-stored"),
    ("a registration without e-mail, or with an empty one", "email-optional odd-registration-accepted"),
    (
        "letters beyond ASCII in a label",
        "label-in-another-encoding label-cut-to-ascii label-beyond-ascii-refused label-beyond-ascii-passed-over",
    ),
    (
        "paths that are not clean, slashes at their end",
        "unclean-paths-redirected unclean-paths-refused trailing-slash-redirected trailing-slash-passes demo-trailing-slash-passes paths-normalised empty-segments-kept",
    ),
    ("letter case of paths", "paths-ignore-case"),
    (
        "OPTIONS of the asterisk, and methods nobody knows",
        "options-star-bare unknown-methods-are-400 unknown-methods-are-501",
    ),
    ("headers of every answer on OPTIONS", "options-with-default-headers"),
    ("Content-Type and ETag of OPTIONS", "options-has-content-type options-with-content-type options-with-etag"),
    (
        "Accept, Accept-Encoding and Cache-Control of a request",
        "accept-refused compressed-when-asked no-cache-request-skips-304",
    ),
    ("the width of integers", "integers-of-32-bits integers-at-the-edge huge-id-is-no-id infinite-numbers-kept"),
    ("inf and nan in a query", "words-for-infinity-are-numbers"),
    (
        "empty names",
        "bare-bounds-bound-nothing bare-bounds-skipped fields-name-the-empty-field sort-names-the-empty-field sort-skips-names-of-minus",
    ),
    ("brackets in names", "brackets-nest raw-characters-refused"),
    ("a repeated page or limit", "last-number-counts repeated-numbers-unparsable"),
    ("a truth that is a list", "is-list-by-first-item is-list-by-last-item"),
    ("a q in another spelling", "q-as-converted"),
    (
        "an empty value",
        "empty-value-ignored empty-value-is-its-text empty-value-equals-false-too empty-value-equals-nothing",
    ),
    (
        "a value of another type",
        "required-converted required-falsy-accepted required-false-refused required-texts-only fecha-publicacion-converted fecha-publicacion-checked numbers-taken-as-texts odd-rate-limit-stored",
    ),
    (
        "e-mails and names with spaces and capitals",
        "email-domain-in-lower-case registration-trimmed user-names-trimmed email-in-lower-case",
    ),
    ("userAgent where none was sent", "absent-user-agent-is-null absent-user-agent-left-out absent-user-agent-refused"),
    ("the order of a list without sort", "listed-newest-first replaced-moves-to-end"),
    ("the letter case of an ETag", "etag-in-upper-case"),
    (
        "an ETag of another text than the body's",
        "etag-over-escaped-text etag-over-indented-text etag-of-the-stored-order etag-over-text-with-line-end reads-with-a-line-end",
    ),
    ("Content-Type of a 304", "unchanged-with-content-type"),
    ("further parameters of a challenge", "challenge-says-more"),
    ("how a header says true", "truth-in-capitals"),
    ("letter case of reserved names", "reserved-names-in-any-case"),
    ("a book that lacks fields of the table", "absent-fecha-publicacion-is-null"),
    (
        "GraphQL: a query that is wrong or cannot be read",
        "graphql-errors-are-200 graphql-unreadable-as-errors graphql-without-query-is-text",
    ),
    (
        "an entry of the blog",
        "blog-create-is-bare blog-create-shows-no-entry blog-entries-within-data blog-other-fields-refused",
    ),
    ("a bad percent sign in a query", "bad-percent-is-500 bad-percent-left-out"),
    ("rate-limit headers of a middleware", "rate-limit-told rate-limit-without-policy rate-limit-of-a-gateway"),
    ("GraphQL: other paths and methods", "graphql-get-is-400 graphql-get-refused graphql-wrong-method-is-405"),
    ("the identifier of a registration", "signup-says-user-id signup-says-identifier signup-says-user-id-outside"),
    ("HEAD outside of the books", "head-elsewhere-is-405 head-elsewhere-is-501"),
    ("a body that is no object", "any-json-is-an-object null-body-is-500"),
    ("spaces after the scheme", "tokens-trimmed spaced-tokens-are-none"),
    ("many wrong passwords", "many-wrong-passwords-wait"),
    ("two users within a millisecond", "clock-ids-may-repeat clock-ids-replace clock-ids-of-registrations"),
    ("an age with a fraction", "age-whole-only age-cut demo-data-shared"),
    (
        "JSON that means the same",
        "html-escaped letters-escaped slashes-escaped keys-sorted newline-at-end whole-numbers-with-decimals",
    ),
];

#[test]
fn every_freedom_is_had_by_a_variation_or_a_platform() {
    let had: Vec<&str> = Platform::ALL.iter().flat_map(|platform| platform.habits()).copied().collect();
    for (what, ids) in FREEDOMS {
        assert!(!ids.is_empty(), "{what}");
        for id in ids.split(' ') {
            assert!(had.contains(&id) || readings().any(|reading| reading.id == id), "{what}: nobody has {id}");
        }
    }
}
