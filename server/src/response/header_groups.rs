//! The header groups of the catalogue whose values never change, each declared once. Does not decide which answers get them.
//!
//! Source: catalogue-service, "Response headers".

use http::HeaderName;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    EXPIRES, PRAGMA, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS, X_XSS_PROTECTION,
};

/// The name of the service: the realm of a challenge, the issuer of a one-time secret. A token, so it needs no quotes.
pub(crate) const SERVICE_NAME: &str = "LibraryCatalogueService";

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// Names and values. Statics, since a borrowed constant may not hold a header name.
pub(super) type Group = [(HeaderName, &'static str)];

pub(super) static BASE: [(HeaderName, &str); 4] = [
    // rule: headers/content-type
    (CONTENT_TYPE, "application/json; charset=utf-8"),
    // rule: headers/content-type-options
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // rule: headers/frame-options
    (X_FRAME_OPTIONS, "DENY"),
    // rule: headers/xss-protection
    (X_XSS_PROTECTION, "1; mode=block"),
];

pub(super) static CORS: [(HeaderName, &str); 5] = [
    // rule: headers/cors-origin
    (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    // rule: headers/cors-methods, headers/list-spelling
    (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD"),
    // The documents leave out X-API-Key, though it is the first credential.
    // rule: headers/cors-request-headers
    (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, Authorization, X-API-Version, X-Request-ID"),
    // rule: headers/cors-expose
    (ACCESS_CONTROL_EXPOSE_HEADERS, "X-Total-Count, X-Page-Count, X-Current-Page"),
    // rule: headers/cors-max-age
    (ACCESS_CONTROL_MAX_AGE, "86400"),
];

pub(super) static SECURITY: [(HeaderName, &str); 4] = [
    // rule: headers/hsts
    (STRICT_TRANSPORT_SECURITY, "max-age=31536000; includeSubDomains"),
    // rule: headers/content-security-policy
    (CONTENT_SECURITY_POLICY, "default-src 'self'"),
    // rule: headers/referrer-policy
    (REFERRER_POLICY, "strict-origin-when-cross-origin"),
    // rule: headers/permissions-policy
    (PERMISSIONS_POLICY, "geolocation=(), microphone=()"),
];

pub(super) static NO_CACHE: [(HeaderName, &str); 3] = [
    // rule: headers/no-cache-control
    (CACHE_CONTROL, "no-cache, no-store, must-revalidate"),
    // rule: headers/no-cache-pragma
    (PRAGMA, "no-cache"),
    // rule: headers/no-cache-expires
    (EXPIRES, "0"),
];

// Each answer has one row of the cache table: no Pragma or Expires here.
// rule: headers/cached-without-pragma, headers/cache-list
pub(super) static PUBLIC: [(HeaderName, &str); 1] = [(CACHE_CONTROL, "public, max-age=300")];

// rule: headers/cache-book
pub(super) static PRIVATE: [(HeaderName, &str); 1] = [(CACHE_CONTROL, "private, max-age=60")];

/// The two custom headers of a refused credential; they come last and so win over the base group.
pub(super) static DENIED: [(HeaderName, &str); 2] = [
    // rule: errors/401-content-type
    (CONTENT_TYPE, "application/json"),
    // rule: errors/401-challenge, errors/401-realm
    (WWW_AUTHENTICATE, "Bearer realm=LibraryCatalogueService"),
];

// rule: login/second-headers, login/second-content-type
pub(super) static BARE: [(HeaderName, &str); 1] = [(CONTENT_TYPE, "application/json")];
