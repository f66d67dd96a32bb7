//! Passes every input to [`libros_fuzz::list`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| libros_fuzz::list::check(bytes));
