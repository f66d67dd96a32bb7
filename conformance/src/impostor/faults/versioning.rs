//! Faults that break rules of the chapter versioning.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "version-default-is-2" breaks "versioning/default": "Without X-API-Version the answer says 2.0.0.";
    "version-default-missing" breaks "versioning/default": "Without X-API-Version the answer says none.";
    "version-not-echoed" breaks "versioning/echo": "The answer always says the default.";
    "version-echo-first-of-list" breaks "versioning/echo": "Of a label with commas only the first part comes back.";
    "version-echo-lower-case" breaks "versioning/echo": "The label comes back in lower case.";
    "version-validated" breaks "versioning/no-validation": "A label that names no version answers 400.";
    "errors-say-default-version" breaks "versioning/echo-on-errors": "An error answers with the default label, not the one sent.";
    "options-says-default-version" breaks "versioning/echo-on-options": "OPTIONS answers with the default label, not the one sent.";
    "warns-of-other-versions" breaks "versioning/never-deprecated": "A label other than 1.0.0 is answered with a Warning header.";
    "version-segment-accepted" breaks "versioning/no-path-segment": "/v1/libros is the collection.";
};
