//! `libros-server`.
fn main() {}
