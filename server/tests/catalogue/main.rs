//! The catalogue as a whole, without sockets: identity, what may be counted on, and what a client meets when something breaks.

mod breakdown;
mod disk;
mod durability;
mod identity;
