//! Measures the check of a time-based code, compared with its SHA-1 compressions and with `totp-rs`.
//!
//! A check compares one code with three steps, and a step takes two compressions once HMAC's key is mixed in: six
//! compressions are the lower bound. Measured alternately in one run, reported as ratios.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use libros_benches::median;
use libros_server::crypto::totp::TotpSecret;
use sha1::block_api::compress;
use totp_rs::{Algorithm, Builder, Totp};

const SECRET: [u8; 20] = *b"12345678901234567890";

/// A time for which RFC 6238 gives the code.
const NOW_S: u64 = 1_234_567_890;
const RIGHT: &str = "005924";
const WRONG: &str = "005925";

const BATCHES: usize = 400;
const CHECKS_A_BATCH: u32 = 1000;

/// Three times two compressions, each pair dependent as in HMAC.
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

/// The median nanoseconds of each contender, measured alternately.
fn medians(contenders: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut taken = vec![Vec::with_capacity(BATCHES); contenders.len()];
    for _ in 0..BATCHES {
        for (contender, taken) in contenders.iter_mut().zip(&mut taken) {
            let start = Instant::now();
            for _ in 0..CHECKS_A_BATCH {
                contender();
            }
            taken.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(CHECKS_A_BATCH));
        }
    }
    taken.into_iter().map(median).collect()
}

fn main() -> std::io::Result<()> {
    let (ours, theirs) = (TotpSecret::new(SECRET), theirs());
    for (code, is_right) in [(RIGHT, true), (WRONG, false)] {
        assert_eq!((ours.is_right(code, NOW_S), theirs.check(code, NOW_S).is_some()), (is_right, is_right));
    }
    let medians = medians(&mut [
        &mut || _ = black_box(floor()),
        &mut || _ = black_box(ours.is_right(black_box(WRONG), black_box(NOW_S))),
        &mut || _ = black_box(theirs.check(black_box(WRONG), black_box(NOW_S))),
    ]);
    let mut out = std::io::stdout().lock();
    let names = ["six compressions", "our check", "totp-rs"];
    for (name, ns) in names.iter().zip(&medians) {
        let ratio = ns / medians[0];
        writeln!(out, "{name:<17} {ns:>7.1} ns   {ratio:.2} of the floor")?;
    }
    Ok(())
}
