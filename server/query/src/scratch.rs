//! Memory that is worked in while a segment is made, and given back to the system when that is done.

use std::iter;

/// The least that the GNU allocator always maps for itself, and gives back when it is freed.
const MAPPED: usize = (32 << 20) + 1;
/// What is smaller than this leaves no hole worth a thought.
const LARGE: usize = 1 << 20;

/// The capacity to ask for where about `count` items are worked on.
///
/// A large allocation that is not `MAPPED` comes from the heap, once one such has been freed: those of a million books would leave 80 MB
/// of holes between what stays. Of memory that is mapped, what is never written to takes no room.
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
