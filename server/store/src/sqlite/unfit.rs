//! The reasons why a SQLite file cannot be used, and their texts for the operator. Opens nothing.

use std::path::Path;

use super::{folder, layout};

#[derive(Debug, thiserror::Error)]
pub(super) enum Unfit {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Damaged(String),
    #[error("a later version of this program wrote it: start that one (layout {0}; this one knows {LAYOUT})", LAYOUT = layout::LAYOUT)]
    Later(i64),
    #[error("{0:#}")]
    Files(#[from] anyhow::Error),
}

impl Unfit {
    /// Whether the file is damaged; otherwise it is intact but not usable now.
    pub(super) fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase, Unknown};
        match self {
            // Without a code: a value of the wrong type. `Unknown`: a statement that does not fit the tables.
            Self::Sqlite(error) => {
                matches!(error.sqlite_error_code(), None | Some(DatabaseCorrupt | NotADatabase | Unknown))
            }
            Self::Damaged(_) => true,
            Self::Later(_) | Self::Files(_) => false,
        }
    }

    pub(super) fn explain(self, path: &Path) -> anyhow::Error {
        use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseLocked, ReadOnly};
        let code = if let Self::Sqlite(error) = &self { error.sqlite_error_code() } else { None };
        match code {
            Some(DatabaseBusy | DatabaseLocked) => folder::in_use(path),
            Some(CannotOpen | ReadOnly) => folder::explain(std::io::ErrorKind::PermissionDenied.into(), path),
            _ => anyhow::Error::new(self).context(format!("cannot use {}", path.display())),
        }
    }
}
