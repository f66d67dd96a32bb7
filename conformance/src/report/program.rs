//! The name of this program as it was typed, for commands to paste. Reads only the command line.

use std::path::Path;

use crate::http::exchange::shell_word;

/// The name; a path below the current folder is relative to it.
pub(crate) fn name() -> String {
    let typed = std::env::args().next().unwrap_or_else(|| "libros-conformance".to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    shell_word(&seen_from(&typed, &here))
}

fn seen_from(typed: &str, folder: &Path) -> String {
    match Path::new(typed).strip_prefix(folder) {
        Ok(below) if below.components().count() > 1 => below.display().to_string(),
        Ok(below) => format!("./{}", below.display()),
        Err(_) => typed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_the_folder_is_shown_from_there() {
        for (typed, shown) in
            [("/a/b/target/debug/x", "target/debug/x"), ("/a/b/x", "./x"), ("/usr/bin/x", "/usr/bin/x"), ("x", "x")]
        {
            assert_eq!(seen_from(typed, Path::new("/a/b")), shown);
        }
    }
}
