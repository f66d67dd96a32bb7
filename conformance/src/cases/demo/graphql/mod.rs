//! Cases of the chapter graphql: the endpoint with the full schema.

pub(crate) mod bounds;
pub(crate) mod deep;
pub(crate) mod endpoint;
pub(crate) mod http;
pub(crate) mod mutation;
pub(crate) mod nesting;
pub(crate) mod queries;
pub(crate) mod schema;
pub(crate) mod selection;
pub(crate) mod transport;
