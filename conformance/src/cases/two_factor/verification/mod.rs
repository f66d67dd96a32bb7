//! Cases of the chapter verification: the request, the shape of the answer, trustDevice, and what is refused.

pub(crate) mod answers;
pub(crate) mod lifetime;
pub(crate) mod refusals;
pub(crate) mod trust;
