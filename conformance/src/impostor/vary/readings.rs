//! The permitted readings other than the reference's, each tied to the open rule that permits it.

/// One permitted reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Words; unique.
    pub id: &'static str,
    /// The open rules that permit it.
    pub rules: &'static [&'static str],
    /// What is done instead, in one sentence.
    pub text: &'static str,
}

macro_rules! readings {
    ($($id:literal by $($rule:literal)+: $text:literal;)*) => {
        &[$(Reading { id: $id, rules: &[$($rule),+], text: $text }),*]
    };
}

const READINGS: &[Reading] = readings! {
    "empty-permisos-are-default" by "api-keys/permissions-empty": "Empty permisos count as none.";
    "key-list-newest-first" by "api-keys/list-order": "Keys are listed newest first.";
    "key-name-optional" by "api-keys/nombre-missing": "A key needs no nombre.";
    "last-used-never-set" by "api-keys/last-used-set": "lastUsed of a client stays null.";
    "odd-rate-limit-stored" by "api-keys/rate-limit-invalid": "A rateLimit is stored whatever it is.";
    "rate-limit-0-is-default" by "api-keys/rate-limit-zero": "A rateLimit of 0 is 1000.";
    "unknown-permisos-refused" by "api-keys/permissions-unknown": "Unknown permission names are refused.";
    "blog-create-is-200" by "blog/create": "Creating an entry answers 200.";
    "blog-delete-is-idempotent" by "blog/unknown-entry": "Deleting an unknown entry counts as done.";
    "blog-delete-says-so" by "blog/delete": "Deleting an entry answers 200 with JSON.";
    "blog-entries-have-more-fields" by "blog/shape": "An entry has further fields.";
    "blog-invalid-is-422" by "blog/invalid": "An entry without a title answers 422.";
    "blog-put-creates" by "blog/unknown-entry": "Replacing an unknown entry creates one.";
    "blog-replace-is-204" by "blog/replace": "Replacing an entry answers 204.";
    "blog-unknown-is-410" by "blog/unknown-entry": "An unknown entry answers 410.";
    "body-before-lookup" by "books/replace-lookup-before-body": "The body of a replace is looked at before the book.";
    "book-fields-sorted" by "books/field-order": "A book shows its fields in the order of their names.";
    "fecha-publicacion-checked" by "books/fecha-publicacion-form": "fechaPublicacion must be a date.";
    "head-is-get" by "books/head": "HEAD is GET without the body.";
    "id-digits-only" by "books/path-id-trailing-text": "A segment with anything but digits is no id.";
    "id-in-hex" by "books/path-id-hex": "A segment in hexadecimal form is read as such.";
    "initial-books-bare" by "books/initial-content": "The initial books have a titulo and an autor only.";
    "negative-id-is-400" by "books/path-id-negative": "A negative segment answers 400.";
    "new-book-has-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor.";
    "replace-keeps-creado-por" by "books/creado-por-after-replace": "A replaced book keeps its creadoPor.";
    "replaced-moves-to-end" by "books/collection-order": "A replaced book moves to the end.";
    "required-falsy-accepted" by "books/required-other-type": "titulo and autor may be 0 or false.";
    "required-texts-only" by "books/required-other-type": "titulo and autor must be texts.";
    "required-trimmed" by "books/required-blank": "titulo and autor must hold more than spaces.";
    "update-fields-dropped-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are dropped.";
    "codes-not-replayed" by "codes/replay": "A time-based code is accepted once.";
    "odd-tokens-spare-the-lockout" by "codes/other-forms-count": "A token of no known form counts for its session alone.";
    "tokens-spelled-freely" by "codes/token-spelling": "A code may be a number or have spaces.";
    "etag-quoted" by "conditional/etag-quotes": "The ETag stands in double quotes.";
    "if-none-match-as-http" by "conditional/match-candidates" "conditional/match-star": "If-None-Match takes lists, weak tags and the asterisk.";
    "modification-field-honoured" by "conditional/since-field": "If-Modified-Since heeds a field ultimaModificacion.";
    "bare-bearer-is-a-token" by "credentials/bearer-bare": "Bearer with nothing after it is an unknown token.";
    "empty-key-fails" by "credentials/key-empty": "An empty X-API-Key is a failing key.";
    "initial-clients-renamed" by "credentials/initial-client-names": "The initial clients have other names.";
    "path-and-body-before-credential" by "credentials/before-id" "credentials/before-body": "Path and body are looked at before the credential.";
    "schemes-any-case" by "credentials/scheme-case": "Schemes count in any letter case.";
    "tokens-trimmed" by "credentials/spaces-after-scheme": "Spaces before a token are trimmed.";
    "absent-user-agent-is-null" by "devices/absent-headers": "An absent User-Agent is recorded as null.";
    "device-of-the-verification" by "devices/device-of-login": "The device registered is that of the verification.";
    "disable-removes-devices" by "devices/disable-keeps": "Disabling removes the trusted devices.";
    "expired-devices-dropped" by "devices/expired-listed": "Devices past their 30 days are not listed.";
    "forwarded-for-honoured" by "devices/forwarded-for": "X-Forwarded-For is the peer address.";
    "odd-device-id-is-404" by "devices/remove-odd-id": "A deviceId that cannot be decoded answers 404.";
    "trusted-login-refreshes-device" by "devices/login-keeps-last-used": "A login that skipped the second factor refreshes the device.";
    "unknown-device-refused" by "devices/remove-unknown": "Removing an unknown device answers 404.";
    "remove-without-id-is-400" by "devices/remove-without-id": "Removing a device without naming it answers 400.";
    "401-with-charset" by "errors/401-content-type": "Content-Type of a 401 names the charset.";
    "any-json-is-an-object" by "errors/body-not-object": "JSON that is no object counts as an object without fields.";
    "byte-order-mark-skipped" by "errors/byte-order-mark": "A byte order mark is skipped.";
    "empty-body-is-empty-object" by "errors/empty-body": "An empty body counts as an object without fields.";
    "invalid-utf8-replaced" by "errors/invalid-utf8": "Bytes that are not UTF-8 are replaced.";
    "other-content-types-refused" by "errors/request-content-type": "A Content-Type other than JSON is refused.";
    "realm-quoted" by "errors/401-realm": "The realm stands in double quotes.";
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
    "401-bare" by "headers/denied-groups": "A 401 carries Content-Type and WWW-Authenticate alone.";
    "build-named-otherwise" by "headers/api-build": "The build has a name of its own.";
    "deleted-without-content-type" by "headers/delete-groups": "The 204 of a delete has no Content-Type.";
    "rate-limit-told" by "headers/rate-limit": "Answers to API keys carry the rate-limit headers.";
    "dates-as-text" by "list/convert-date" "list/convert-date-time": "Dates stay texts.";
    "dates-to-the-letter" by "list/convert-date" "list/convert-date-time" "list/date-bounds": "A date never equals a text and bounds none.";
    "empty-fields-select-nothing" by "list/fields-empty": "An empty fields leaves empty objects.";
    "empty-value-ignored" by "list/empty-value": "A parameter without a value is ignored.";
    "equality-scalars-only" by "list/loose-list-field": "A list or an object equals nothing.";
    "fields-in-book-order" by "list/fields-order": "A selected item keeps the order of the book.";
    "impossible-days-are-text" by "list/date-impossible": "A day past the end of its month is no date.";
    "is-counts-null-as-lacking" by "list/is-null-field": "A field that is null counts as lacking for is_.";
    "list-bounds-keep-nothing" by "list/bound-list-value": "A bound with a list keeps nothing.";
    "list-field-any-item" by "list/loose-list-field": "A list equals when one of its items does.";
    "list-items-trimmed" by "list/comma-list-as-sent": "Items of a comma list are trimmed, empty ones dropped.";
    "names-trimmed" by "list/name-spaces": "Names in sort and fields are trimmed.";
    "null-never-within-bounds" by "list/bound-null-field": "A field that is null is never within bounds.";
    "plain-numbers-only" by "list/convert-number-forms": "Only plain decimal texts become numbers.";
    "plus-stays-plus" by "list/form-decoding": "A plus sign in a query stays one.";
    "q-all-must-hold" by "list/q-repeated": "Of a repeated q all must hold.";
    "q-empty-searched" by "list/q-empty": "An empty q keeps books that have a text field.";
    "q-folds-fully" by "list/q-case-folding": "q folds case in full.";
    "q-joined" by "list/q-repeated": "A repeated q is one text, joined with commas.";
    "q-last-counts" by "list/q-repeated": "Of a repeated q the last counts.";
    "q-split-at-commas" by "list/q-comma": "A q with commas is a list of texts.";
    "repeated-nests" by "list/repeated-with-commas": "Repeated values with commas are lists in a list.";
    "sort-digits-by-number" by "list/sort-digits-in-text": "Digits in texts are ordered by their number.";
    "sort-in-spanish" by "list/sort-locale-ties": "Texts are ordered by the Spanish collation.";
    "sort-mixed-by-type" by "list/sort-mixed": "Values of different types are ordered by their type.";
    "sort-null-is-missing" by "list/sort-null": "A field that is null counts as missing.";
    "sort-turns-ties-round" by "list/sort-stable": "Books that sort leaves equal come in reverse order.";
    "texts-never-within-bounds" by "list/bound-text": "Of texts none is within bounds of texts.";
    "ended-block-clears-failures" by "lockout/after-block": "The end of a block clears its failures.";
    "failures-counted-at-every-check" by "lockout/oldest-leaves": "A block is over when fewer than three failures are an hour old at most.";
    "refused-checks-prolong-the-block" by "lockout/refused-not-counted": "A check refused by the block counts as a failure.";
    "success-clears-failures" by "lockout/success-keeps-failures": "A success clears the failures before it.";
    "second-shape-with-charset" by "login/second-content-type": "Content-Type of the second login shape names the charset.";
    "trusted-device-enabled-always" by "login/second-trusted": "trustedDeviceEnabled is always true.";
    "fractions-unparsable" by "paging/number-fraction": "A page or limit with decimals is unparsable.";
    "infinite-numbers-kept" by "paging/number-beyond-finite": "A page of more digits than a number holds is beyond the end.";
    "limit-below-1-is-1" by "paging/limit-below-one": "A limit between 0 and 1 is 1.";
    "limit-negative-is-default" by "paging/limit-negative": "A negative limit is 10.";
    "numbers-with-text-unparsable" by "paging/number-trailing-text": "A page or limit with other characters is unparsable.";
    "page-clamped-to-the-last" by "paging/page-beyond-end": "A page beyond the end is the last one.";
    "repeated-numbers-unparsable" by "paging/number-repeated": "A repeated page or limit is unparsable.";
    "absent-nombre-is-null" by "registration/nombre-absent": "Without nombre the answers have it as null.";
    "email-form-checked" by "registration/email-form": "An e-mail has an at sign.";
    "emails-taken-in-any-case" by "registration/email-case": "An e-mail is taken in any letter case.";
    "empty-role-refused" by "registration/role-empty": "An empty role is refused.";
    "numbers-of-ids-jump" by "registration/id-number" "api-keys/id-number": "Numbers of ids do not count up one by one.";
    "odd-registration-accepted" by "registration/field-invalid": "An empty e-mail or password, or one that is no text, is accepted.";
    "odd-role-refused" by "registration/role-not-text": "A role that is no text is refused.";
    "password-optional" by "registration/password-missing": "A registration needs no password.";
    "unknown-role-stored-as-user" by "registration/role-unknown-kept": "A role outside the table is stored as user.";
    "absolute-form-unknown" by "routing/absolute-form": "A request target in absolute form is an unknown path.";
    "auth-wrong-method-is-405" by "routing/auth-wrong-method": "A known /auth path answers 405 to another method.";
    "empty-segments-kept" by "routing/empty-segments": "An empty segment is the second one.";
    "head-elsewhere-is-405" by "routing/head-elsewhere": "HEAD outside of the books answers 405.";
    "paths-decoded" by "routing/path-percent-encoded": "Paths are percent-decoded before routing.";
    "paths-normalised" by "routing/path-as-sent": "Paths are normalised before routing.";
    "trailing-slash-passes" by "routing/trailing-slash-elsewhere": "A slash after an /auth or /2fa path is passed over.";
    "signup-says-message" by "signup/error-body": "A refused registration says message.";
    "signup-says-user-id" by "signup/identifier-key": "The identifier is called userId.";
    "signup-wants-a-digit" by "signup/validity": "A password has ten characters and a digit.";
    "jwt-falsy-exp-skipped" by "tokens/exp-odd": "An exp of 0 or null counts as absent.";
    "jwt-header-must-decode" by "tokens/header-unread": "The header of a token must decode.";
    "jwt-issued-url-safe" by "tokens/alphabet": "Tokens are issued in base64url.";
    "jwt-of-issued-alphabet-only" by "tokens/either-alphabet": "Tokens are read in the alphabet of issued ones only.";
    "devices-told-as-list" by "two-factor/status-devices": "dispositivosConfiables is a list.";
    "disable-again-is-200" by "two-factor/disable-again": "Disabling what is disabled answers 200.";
    "enable-again-keeps-last-use" by "two-factor/enable-again-last-use": "Enabling again keeps ultimoUso.";
    "qr-at-sign-literal" by "two-factor/qr-encoding": "The at sign in qrUrl is left as it is.";
    "since-null-when-disabled" by "two-factor/status-disabled": "habilitadoDesde is null after disabling.";
    "two-factor-credential-first" by "two-factor/unknown-path-credential": "Under /2fa/ the credential is looked at before the path.";
    "two-factor-wrong-method-is-405" by "two-factor/wrong-method": "A known /2fa path answers 405 to another method.";
    "age-whole-only" by "users/age-range": "An age is a whole number from 0.";
    "blank-name-refused" by "users/name-spaces": "A name of nothing but spaces is refused.";
    "clock-ids-may-repeat" by "users/id-unique": "Two users of one millisecond have the same id.";
    "cors-on-every-users-answer" by "users/cors-elsewhere": "Every answer of the users interface names the allowed origin.";
    "demo-says-charset" by "users/content-type": "Content-Type of the demonstration interfaces names the charset.";
    "demo-starts-empty" by "users/initial-users": "There are no users and posts at the start.";
    "demo-trailing-slash-passes" by "users/wrong-method": "A slash at the end of a path is passed over.";
    "demo-wrong-method-is-405" by "users/wrong-method": "A known path answers 405 to another method.";
    "extra-user-fields-stored" by "users/extra-fields": "Other fields of a user are stored.";
    "missing-token-not-counted" by "verification/missing-token-counts": "A missing token is no failed attempt.";
    "trust-device-true-only" by "verification/trust-other-type": "Only true trusts the device.";
    "empty-label-echoed" by "versioning/empty-label": "An empty X-API-Version comes back empty.";
    "last-label-line-counts" by "versioning/several-lines": "Of several X-API-Version lines the last comes back.";
};

/// All permitted readings.
pub fn all() -> impl Iterator<Item = &'static Reading> {
    READINGS.iter()
}
