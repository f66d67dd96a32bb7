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

/// The CRC-32 of a log row, its place in the log included, and the row before it where its checksum is given.
pub(super) fn of_log(chain: Option<u32>, seq: i64, verb: i64, texts: [&str; 3]) -> u32 {
    let mut hasher = Hasher::new_with_initial(of(&texts));
    hasher.update(&seq.to_le_bytes());
    hasher.update(&verb.to_le_bytes());
    if let Some(chain) = chain {
        hasher.update(&chain.to_le_bytes());
    }
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
        let all = [row(Some(0), 1, 1), row(Some(0), 2, 1), row(Some(0), 1, 2), row(Some(1), 1, 1), row(None, 1, 1)];
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one), "{all:?}");
        }
    }
}
