//! Identity as a whole, without sockets: races and restarts.

mod harness;
mod races;
mod restart;
