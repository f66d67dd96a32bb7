//! Compares the suite's one-time codes with those of an independent implementation: a misreading would judge right servers wrong.

use libros_conformance::oracle::totp;
use proptest::prelude::*;
use totp_rs::Builder;

proptest! {
    #[test]
    fn the_suite_makes_the_codes_that_totp_rs_makes(
        key in prop::collection::vec(any::<u8>(), 20),
        unix_s in 0_i64..20_000_000_000,
    ) {
        let own = totp::code(&key, totp::step_at(unix_s * 1_000));
        let theirs = Builder::new().with_secret(key).build().expect("20 bytes are a secret");
        prop_assert_eq!(own, theirs.generate(unix_s.unsigned_abs()).to_string());
    }
}
