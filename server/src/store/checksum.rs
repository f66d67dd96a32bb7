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

/// The CRC-32 of a log row, its place in the log included.
pub(super) fn of_log(seq: i64, verb: i64, kind: &str, key: &str, doc: &str) -> u32 {
    let mut hasher = Hasher::new_with_initial(of(&[kind, key, doc]));
    hasher.update(&seq.to_le_bytes());
    hasher.update(&verb.to_le_bytes());
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
    fn the_place_in_the_log_counts() {
        assert_ne!(of_log(1, 1, "k", "a", "d"), of_log(2, 1, "k", "a", "d"));
        assert_ne!(of_log(1, 1, "k", "a", "d"), of_log(1, 2, "k", "a", "d"));
    }
}
