//! Faults that break rules of the chapter blog.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "blog-list-is-404-when-empty" breaks "blog/list": "An empty blog answers 404.";
    "blog-list-is-no-json" breaks "blog/list": "The blog answers with HTML.";
};
