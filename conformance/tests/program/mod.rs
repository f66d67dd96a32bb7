//! The program of the suite that tests start: the one of these tests' own build, or the optimised one that CI names as it builds them.

pub(crate) const PROGRAM: &str = match option_env!("LIBROS_CONFORMANCE") {
    Some(built) => built,
    None => env!("CARGO_BIN_EXE_libros-conformance"),
};
