//! The ten thousand real books of goodbooks-10k, which are beside the repository because of their licence.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The file, from the root of the workspace.
pub const PATH: &str = "../shared/data/goodbooks-10k.jsonl";

/// Reads the books.
pub fn read() -> Result<Vec<Value>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PATH);
    let text = fs::read_to_string(path).map_err(|error| format!("{PATH}: {error}"))?;
    let numbered = (1..).zip(text.lines());
    numbered
        .map(|(number, line)| serde_json::from_str(line).map_err(|error| format!("{PATH}, line {number}: {error}")))
        .collect()
}
