//! `libros-conformance`.
fn main() {}
