//! The impostor: a naive second implementation of both documents, in memory, written to be obviously right.
//! It shares no code with the server or the cases. Its list function is the suite's oracle; its switchable faults
//! prove that every case can fail; its variation proves that no case asks for more than the documents do.

pub mod faults;
pub mod js;
pub mod list;
