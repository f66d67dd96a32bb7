//! A catalogue without sockets, over a disk that fails as a test says: durability, restarts, what breaks.

mod breakdown;
mod disk;
mod readback;
mod restart;
mod service;
