//! Checksums of stored rows. They notice accidents, not malice.

use crc32fast::Hasher;

/// The CRC-32 of texts; where one ends and the next begins counts.
pub(super) fn of(parts: &[&str]) -> u32 {
    let mut hasher = Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize()
}

/// The CRC-32 of a log row, with its place in the log and `chain`, the checksum of the row before it.
pub(super) fn of_log(chain: u32, seq: i64, verb: i64, texts: [&str; 3]) -> u32 {
    let mut hasher = Hasher::new_with_initial(of(&texts));
    hasher.update(&seq.to_le_bytes());
    hasher.update(&verb.to_le_bytes());
    hasher.update(&chain.to_le_bytes());
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_between_parts_counts() {
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
    }

    #[test]
    fn the_place_in_the_log_and_the_row_before_count() {
        let row = |chain, seq, verb| of_log(chain, seq, verb, ["k", "a", "d"]);
        let all = [row(0, 1, 1), row(0, 2, 1), row(0, 1, 2), row(1, 1, 1)];
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one), "{all:?}");
        }
    }
}
