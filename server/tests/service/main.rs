//! The program as an operator and a client meet it: started as a process, spoken to over sockets, killed and started again.

mod crash;
mod disk;
mod exchanges;
mod load;
mod process;
#[cfg(feature = "postgres")]
mod replicas;
#[cfg(target_os = "linux")]
mod sockets;
mod stopping;
#[cfg(target_os = "linux")]
mod torn;
mod wire;
