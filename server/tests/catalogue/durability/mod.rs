//! What a client may count on: whatever was accepted can be read back, and nobody sees what is not yet durable.

mod harness;
mod readback;
mod refused;
mod waiting;
