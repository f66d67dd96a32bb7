//! What a server of a common platform does where the documents leave it free: a bundle of readings and habits for each.
//!
//! None of it is a fault: the suite must find each bundle conformant.

use super::habits;
use crate::impostor::readings;

/// A common platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Platform {
    /// Node.js with Express.
    Express,
    /// Python with `FastAPI`, Starlette and Uvicorn.
    Fastapi,
    /// Go's net/http.
    Go,
    /// Spring Boot: Tomcat and Jackson.
    Spring,
    /// PHP, its own server or Apache before it.
    Php,
    /// Ruby on Rails: Rack and Puma.
    Rails,
}

impl Platform {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Express, Self::Fastapi, Self::Go, Self::Spring, Self::Php, Self::Rails];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Express => "express",
            Self::Fastapi => "fastapi",
            Self::Go => "go",
            Self::Spring => "spring",
            Self::Php => "php",
            Self::Rails => "rails",
        }
    }

    /// What such a server does otherwise than the reference: ids and sentences.
    pub fn ways(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let readings = readings::all().map(|reading| (reading.id, reading.text));
        let habits = habits::all().map(|habit| (habit.id, habit.text));
        readings.chain(habits).filter(move |(id, _)| self.readings().contains(id) || self.habits().contains(id))
    }

    /// The permitted readings that such a server has.
    pub(crate) fn readings(self) -> &'static [&'static str] {
        match self {
            Self::Express => &EXPRESS_READINGS,
            Self::Fastapi => &FASTAPI_READINGS,
            Self::Go => &GO_READINGS,
            Self::Spring => &SPRING_READINGS,
            Self::Php => &PHP_READINGS,
            Self::Rails => &RAILS_READINGS,
        }
    }

    /// The habits that such a server has.
    pub(crate) fn habits(self) -> &'static [&'static str] {
        match self {
            Self::Express => &EXPRESS_HABITS,
            Self::Fastapi => &FASTAPI_HABITS,
            Self::Go => &GO_HABITS,
            Self::Spring => &SPRING_HABITS,
            Self::Php => &PHP_HABITS,
            Self::Rails => &RAILS_HABITS,
        }
    }
}

const EXPRESS_READINGS: [&str; 11] = [
    // Node.js reads headers as Latin-1 and writes the head in the encoding of a text sent with it (observed in 20).
    "label-in-another-encoding",
    // "Routing": a route for GET answers HEAD too; "strict" is off, a slash at the end is passed over.
    "head-is-get",
    "trailing-slash-passes",
    "demo-trailing-slash-passes",
    // express.Router: caseSensitive is off, /Foo and /foo are the same.
    "paths-ignore-case",
    // path-to-regexp, "Parameters": one matches a segment of one character or more.
    "empty-segments-unknown",
    // req.fresh: If-None-Match as HTTP has it; a request with Cache-Control: no-cache is never fresh.
    "if-none-match-as-http",
    "no-cache-request-skips-304",
    // body-parser: an empty body is {}, a byte order mark is dropped by iconv-lite.
    "empty-body-is-empty-object",
    "byte-order-mark-skipped",
    // express-rate-limit, legacyHeaders, on by default: X-RateLimit-Limit, -Remaining and -Reset.
    "rate-limit-without-policy",
];

const EXPRESS_HABITS: [&str; 9] = [
    // With helmet, as its own security page advises.
    "options-with-default-headers",
    "unknown-methods-are-400",
    "graphql-get-is-400",
    "node-transport",
    "server-named",
    "weak-etag-elsewhere",
    "options-with-etag",
    "charset-named",
    "reduced-options-come-first",
];

const FASTAPI_READINGS: [&str; 20] = [
    // Starlette, "Requests", QueryParams: the last of a repeated name counts.
    "last-number-counts",
    // FastAPI, "Header Parameters": a Header without a default is required.
    "absent-user-agent-refused",
    // Starlette, "Routing": a known path answers 405 to another method, HEAD too; paths are decoded by the server.
    "auth-wrong-method-is-405",
    "two-factor-wrong-method-is-405",
    "demo-wrong-method-is-405",
    "head-elsewhere-is-405",
    "paths-decoded",
    // Pydantic: a str is a str, a date a date; EmailStr; an Optional without a value is null.
    "required-texts-only",
    "fecha-publicacion-checked",
    "email-form-checked",
    "odd-role-refused",
    "absent-nombre-is-null",
    "new-book-has-update-fields",
    "absent-user-agent-is-null",
    // Strawberry: errors of a query answer 200.
    "graphql-errors-are-200",
    // Python, base64.urlsafe_b64encode.
    "jwt-issued-url-safe",
    // FastAPI, "Strict Content-Type Checking": a body is read as JSON only where Content-Type says so.
    "other-content-types-refused",
    // Pydantic, "Fields": an Optional without a value is null in the model's JSON.
    "absent-fecha-publicacion-is-null",
    // FastAPI, "Response Model": the order of the model, whatever the order of the record behind it.
    "etag-of-the-stored-order",
    // Python, float: inf, infinity and nan are numbers.
    "words-for-infinity-are-numbers",
];

const FASTAPI_HABITS: [&str; 9] = [
    "jwt-last-segment-decoded",
    "jwt-times-with-fraction",
    "trailing-slash-redirected",
    "email-domain-in-lower-case",
    "date-alone",
    "server-named",
    "allow-on-405",
    "names-in-lower-case",
    "truth-in-capitals",
];

const GO_READINGS: [&str; 18] = [
    // net/url, PathEscape.
    "qr-user-as-path-segment",
    // encoding/json, Unmarshal: keys match the names of fields in any letter case.
    "closed-keys-in-any-case",
    "demo-keys-in-any-case",
    // net/http, "Patterns": GET matches HEAD too, a known path answers 405 to another method.
    "head-is-get",
    "auth-wrong-method-is-405",
    "two-factor-wrong-method-is-405",
    "demo-wrong-method-is-405",
    // encoding/json: keys of a map are sorted, bytes that are not UTF-8 are replaced.
    "book-fields-sorted",
    "fields-in-book-order",
    "invalid-utf8-replaced",
    // strconv.Atoi: digits and nothing else.
    "id-digits-only",
    "numbers-with-text-unparsable",
    "fractions-unparsable",
    // graphql-go/handler: errors of a query answer 200.
    "graphql-errors-are-200",
    // encoding/base64, RawURLEncoding.
    "jwt-issued-url-safe",
    // strconv.ParseFloat: inf, infinity and nan are numbers.
    "words-for-infinity-are-numbers",
    // net/url, Values.Get: the first value of a name.
    "is-list-by-first-item",
    // encoding/json, Encoder.Encode into a hash: followed by a newline character.
    "etag-over-text-with-line-end",
];

const GO_HABITS: [&str; 11] = [
    "unclean-paths-redirected",
    "options-star-bare",
    "bad-percent-left-out",
    "html-escaped",
    "keys-sorted",
    "newline-at-end",
    "date-alone",
    "allow-on-405",
    "names-canonical",
    "graphql-without-query-is-text",
    "build-is-a-version",
];

const SPRING_READINGS: [&str; 22] = [
    // Spring Security, "Security HTTP Response Headers": Cache-Control and Referrer-Policy on every answer of themselves.
    "options-has-cache",
    "401-with-defaults",
    // Gson in the place of Jackson, ToNumberPolicy.DOUBLE.
    "whole-numbers-with-decimals",
    // Spring, ResponseEntity.created: the place, and no body unless one is given.
    "blog-create-is-bare",
    // Jackson, DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, on by default.
    "further-keys-refused",
    // Spring MVC, "HTTP HEAD, OPTIONS": @GetMapping answers HEAD too; 405 for another method of a known path.
    "head-is-get",
    "auth-wrong-method-is-405",
    "two-factor-wrong-method-is-405",
    "demo-wrong-method-is-405",
    // Java, Integer.parseInt.
    "id-digits-only",
    "numbers-with-text-unparsable",
    "fractions-unparsable",
    // Jackson: a field without a value is null.
    "absent-nombre-is-null",
    "absent-user-agent-is-null",
    "since-null-when-disabled",
    // Spring for GraphQL, "HTTP": errors of a query answer 200.
    "graphql-errors-are-200",
    // Spring MVC: HttpMediaTypeNotSupportedException is 415, HttpMediaTypeNotAcceptableException 406.
    "other-content-types-refused",
    "accept-refused",
    // Jackson, JsonInclude.Include.ALWAYS, the default: a property without a value is written as null.
    "absent-fecha-publicacion-is-null",
    // Spring Data, "Auditing", modifyOnCreate, true by default: created and modified alike.
    "new-book-updated-by-its-creator",
    // Spring Boot, "Enable HTTP Response Compression": server.compression.enabled.
    "compressed-when-asked",
    // Jackson, FAIL_ON_UNKNOWN_PROPERTIES, again.
    "blog-other-fields-refused",
];

const SPRING_HABITS: [&str; 11] = [
    "options-with-default-headers",
    "sets-in-another-order",
    "challenge-says-more",
    "unclean-paths-refused",
    "raw-characters-refused",
    "unknown-methods-are-501",
    "integers-of-32-bits",
    "numbers-taken-as-texts",
    "tomcat-transport",
    "allow-on-405",
    "content-type-unspaced",
];

const PHP_READINGS: [&str; 13] = [
    // DateTimeInterface::RFC3339_EXTENDED, whose P writes +00:00.
    "book-times-end-in-offset-zero",
    // nginx before 1.23: "client sent duplicate header line", for each header it knows as single.
    "tags-in-several-lines-refused",
    // Apache HTTP Server, "MergeSlashes" and "AllowEncodedSlashes": slashes are merged, paths decoded.
    "paths-normalised",
    "paths-decoded",
    // FILTER_VALIDATE_EMAIL; DateTimeImmutable::createFromFormat; is_string.
    "email-form-checked",
    "fecha-publicacion-checked",
    "required-texts-only",
    // trim, as every form handler has it.
    "required-trimmed",
    // PHP manual, "Comparison": since 8.0 the empty text equals false, and no number.
    "empty-value-equals-false-too",
    // PHP manual, DateTimeImmutable::createFromFormat: months and days past their end run on, with a warning.
    "impossible-dates-run-on",
    // PHP manual, "Variables From External Sources": brackets in a name make an array.
    "brackets-nest",
    // An array's key for each class, as Usuario and Cliente are two.
    "user-and-client-under-two-keys",
    // Laravel, "Eloquent: API Resources", "Data Wrapping": the outermost resource stands under data.
    "blog-entries-within-data",
];

const PHP_HABITS: [&str; 11] = [
    "times-in-whole-seconds",
    "user-names-trimmed",
    "numbers-with-exponent",
    "registration-trimmed",
    "letters-escaped",
    "slashes-escaped",
    "php-transport",
    "options-with-content-type",
    "unchanged-with-content-type",
    "integers-at-the-edge",
    "cache-directives-sorted",
];

const RAILS_READINGS: [&str; 13] = [
    // Rack::Utils.parse_query under Rails' params: the last of a repeated name counts.
    "last-number-counts",
    // Rack::Head; Journey's normalize_path: slashes at the end and repeated ones are dropped.
    "head-is-get",
    "trailing-slash-passes",
    "demo-trailing-slash-passes",
    "paths-normalised",
    // ActionDispatch, parameters of a JSON body: what is no object stands under _json.
    "any-json-is-an-object",
    // Ruby: nil and false alone are not true. Rack::Utils.parse_query: a name without a value is nil.
    "required-false-refused",
    "empty-value-equals-nothing",
    // graphql-ruby: errors of a query answer 200.
    "graphql-errors-are-200",
    // Rack::QueryParser: brackets in a name make a hash or an array.
    "brackets-nest",
    // Rack::Utils.parse_query under Rails' params: the last of a repeated name counts.
    "is-list-by-last-item",
    // Active Record Validations, presence: [] is blank.
    "empty-permisos-refused",
    // ActionController, render: status created, with a location.
    "blog-create-shows-no-entry",
];

const RAILS_HABITS: [&str; 11] = [
    "options-with-default-headers",
    "unknown-methods-are-501",
    "html-escaped",
    "date-alone",
    "server-named",
    "weak-etag-elsewhere",
    "names-in-lower-case",
    "many-wrong-passwords-wait",
    "email-in-lower-case",
    "cache-directives-sorted",
    "charset-named",
];
