//! Temporary memory for building a segment, which goes back to the system afterwards.

use std::iter;

/// The least that the GNU allocator always maps for itself, and gives back when it is freed.
const MAPPED: usize = (32 << 20) + 1;
/// A smaller allocation leaves a hole that does not matter.
const LARGE: usize = 1 << 20;

/// The capacity to allocate for about `count` items. Once the allocator has freed a mapped block, it takes the next ones of that size
/// from the heap, where they leave holes: 80 MB for a million books. So large blocks get at least `MAPPED` bytes, which take no room
/// before they are written.
pub(super) fn capacity<T>(count: usize) -> usize {
    if count * size_of::<T>() < LARGE { count } else { count.max(MAPPED.div_ceil(size_of::<T>())) }
}

pub(super) fn collect<T>(count: usize, items: impl Iterator<Item = T>) -> Vec<T> {
    let mut collected = Vec::with_capacity(capacity::<T>(count));
    collected.extend(items);
    collected
}

pub(super) fn filled<T: Clone>(value: T, count: usize) -> Vec<T> {
    collect(count, iter::repeat_n(value, count))
}
