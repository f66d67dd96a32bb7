//! Locks a mutex. A thread that panicked while it held the lock keeps no other from it.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
