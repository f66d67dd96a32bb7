//! Passes every input to [`libros_fuzz::credential`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| libros_fuzz::credential::check(bytes));
