//! Says which data files are built into the program, so that a change of one rebuilds it.

fn main() {
    for path in ["../seeds", "../fixtures/vectors", "../fixtures/targets", "snapshots"] {
        println!("cargo::rerun-if-changed={path}");
    }
}
