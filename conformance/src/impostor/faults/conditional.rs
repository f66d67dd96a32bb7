//! Faults that break rules of the chapter conditional.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "etag-covers-pagination" breaks "conditional/etag-items-only": "The ETag of a list covers its pagination too.";
    "etag-of-the-ids" breaks "conditional/etag-follows-data": "The ETag covers the ids only, so that it stays when a book changes.";
    "etag-before-selection" breaks "conditional/etag-follows-selection": "The ETag of a list is that of the whole books, whatever fields were selected.";
    "book-lacks-etag" breaks "conditional/etag-book": "A single book has no ETag.";
    "list-lacks-last-modified" breaks "conditional/last-modified-list": "A list has no Last-Modified.";
    "last-modified-of-the-start" breaks "conditional/last-modified-list": "Last-Modified of a list is one fixed time.";
    "book-lacks-last-modified" breaks "conditional/last-modified-book": "A single book has no Last-Modified.";
    "last-modified-of-the-book" breaks "conditional/last-modified-book": "Last-Modified of a book is the time it was last written.";
    "last-modified-iso" breaks "conditional/last-modified-form": "Last-Modified is an ISO 8601 text.";
    "last-modified-says-utc" breaks "conditional/last-modified-form": "Last-Modified ends in UTC instead of GMT.";
    "list-ignores-if-none-match" breaks "conditional/list-match": "A list ignores If-None-Match.";
    "book-ignores-if-none-match" breaks "conditional/book-match": "A single book ignores If-None-Match.";
    "any-if-none-match-matches" breaks "conditional/no-match": "Any If-None-Match answers 304.";
    "304-has-body" breaks "conditional/304-no-body": "A 304 has a body.";
    "304-lacks-cors" breaks "conditional/304-cors": "A 304 has no CORS headers.";
    "304-lacks-etag" breaks "conditional/304-etag": "A 304 has no ETag.";
    "304-list-says-no-cache" breaks "conditional/304-cache-list": "A 304 of a list forbids caching.";
    "304-book-says-private" breaks "conditional/304-cache-book": "A 304 of a single book says private, as its 200 does.";
    "304-carries-everything" breaks "conditional/304-nothing-else": "A 304 carries every group of the builder.";
    "304-has-version" breaks "conditional/304-nothing-else": "A 304 carries the version headers.";
    "304-has-last-modified" breaks "conditional/304-nothing-else": "A 304 carries Last-Modified.";
    "replace-honours-if-none-match" breaks "conditional/reads-only": "PUT with a matching If-None-Match answers 304 and replaces nothing.";
    "304-for-unknown-id" breaks "conditional/unknown-id": "If-None-Match on an unknown id answers 304.";
    "304-before-credential" breaks "conditional/needs-credential": "A read with If-None-Match is answered without a credential.";
    "list-honours-if-modified-since" breaks "conditional/since-list": "If-Modified-Since of now or later answers 304 on a list.";
    "book-honours-if-modified-since" breaks "conditional/since-book": "If-Modified-Since after the book's last write answers 304.";
    "etag-over-escaped-text" breaks "conditional/etag-list" and "conditional/etag-book": "The ETag covers a JSON text whose characters beyond ASCII are escaped.";
    "list-etag-over-spaced-text" breaks "conditional/etag-list": "The ETag of a list covers an indented JSON text.";
    "book-etag-over-spaced-text" breaks "conditional/etag-book": "The ETag of a book covers an indented JSON text.";
};
