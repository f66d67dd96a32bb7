//! Targets that lie, hang, crash or never end: a run is never green, ends by itself, and uses little memory.

mod answers;
mod child;
mod ended;
mod hooks;
mod printed;
#[path = "../program/mod.rs"]
mod program;
mod spawned;
