//! Measures the check of a time-based code, its SHA-1 compressions, and `totp-rs`. With HMAC's key mixed in, a check takes two compressions
//! for each of three steps: six are the lower bound.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use libros_server::crypto::totp::TotpSecret;
use sha1::block_api::compress;
use totp_rs::{Algorithm, Builder, Totp};

const SECRET: [u8; 20] = *b"12345678901234567890";

/// A time for which RFC 6238 gives the code.
const NOW_S: u64 = 1_234_567_890;
const RIGHT: &str = "005924";
const WRONG: &str = "005925";

/// Three pairs of compressions, the second of each dependent on the first, as in HMAC.
fn floor() -> u32 {
    let mut sum = 0;
    for step in 0..3_u32 {
        let mut inner = [step; 5];
        compress(&mut inner, &[black_box([0x36; 64])]);
        let mut outer = [inner[0]; 5];
        compress(&mut outer, &[black_box([0x5c; 64])]);
        sum ^= outer[4];
    }
    sum
}

fn theirs() -> Totp {
    Builder::new().with_algorithm(Algorithm::SHA1).with_skew(1).with_secret(SECRET.to_vec()).build_noncompliant()
}

fn checks(criterion: &mut Criterion) {
    let (ours, theirs) = (TotpSecret::new(SECRET), theirs());
    for (code, is_right) in [(RIGHT, true), (WRONG, false)] {
        assert_eq!((ours.is_right(code, NOW_S), theirs.check(code, NOW_S).is_some()), (is_right, is_right));
    }
    let mut group = criterion.benchmark_group("codes");
    group.bench_function("six-compressions", |bencher| bencher.iter(floor));
    group.bench_function("our-check", |bencher| bencher.iter(|| ours.is_right(black_box(WRONG), black_box(NOW_S))));
    group.bench_function("totp-rs", |bencher| bencher.iter(|| theirs.check(black_box(WRONG), black_box(NOW_S))));
    group.finish();
}

criterion_group!(benches, checks);
criterion_main!(benches);
