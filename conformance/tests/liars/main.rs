//! Targets that lie, hang, die or never end: the suite is never green, ends by itself, and stays small.

mod answers;
mod child;
mod ended;
mod hooks;
mod printed;
mod spawned;
