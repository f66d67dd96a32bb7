//! Passes every input to [`libros_fuzz::record`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| libros_fuzz::record::check(bytes));
