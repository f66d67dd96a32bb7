//! Identity as a whole, without sockets: races, restarts, and long random lives held against a small model.

mod house;
mod model;
mod races;
mod restart;
