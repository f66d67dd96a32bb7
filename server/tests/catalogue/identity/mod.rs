//! Identity as a whole, without sockets: races, restarts, and long random lives held against a small model.

mod answers;
mod harness;
mod life;
mod model;
mod races;
mod restart;
mod second_factor;
