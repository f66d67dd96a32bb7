//! Passes every input to [`libros_fuzz::graphql`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| libros_fuzz::graphql::check(bytes));
