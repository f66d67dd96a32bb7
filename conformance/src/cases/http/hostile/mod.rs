//! Cases of the chapter hostile, which run where they are asked for: what no honest client sends, what comes of it, and whether the
//! service goes on. The documents are silent, so that nothing here fails anybody.

pub(crate) mod floods;
pub(crate) mod injection;
pub(crate) mod raw;
pub(crate) mod requests;
pub(crate) mod smuggling;
