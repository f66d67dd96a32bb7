//! The program as an operator and a client meet it: started as a process, spoken to over sockets, killed and started again.

mod crash;
mod disk;
mod exchanges;
mod identity;
mod process;
mod stopping;
mod wire;
