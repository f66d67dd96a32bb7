//! Cases of the chapter graphql-reduced: the endpoint that takes a few forms of query alone. Nobody can be created there, so the
//! cases look at the users the target has, and say so where there are none.

pub(crate) mod endpoint;
pub(crate) mod forms;
pub(crate) mod open;
pub(crate) mod refusals;
pub(crate) mod transport;
