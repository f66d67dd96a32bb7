//! Secrets, hashes and codes. Knows neither users nor requests.

/// Types that hold a secret: a debug text has no more than their name.
macro_rules! hides_in_debug {
    ($($name:ident),*) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )*};
}
pub(crate) use hides_in_debug;

pub(crate) mod fingerprint;
pub mod password;
pub(crate) mod sealing;
pub mod secret;
pub mod totp;
