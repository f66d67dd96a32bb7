//! Probes of the chapter hostile, which run where they are asked for: what no honest client sends, how it is answered, and whether the
//! service goes on. The documents are silent, so that a probe judges no rule and fails no target.

pub(crate) mod floods;
pub(crate) mod injection;
pub(crate) mod raw;
pub(crate) mod requests;
pub(crate) mod smuggling;
