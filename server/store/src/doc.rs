//! The text of a stored document on its way to the disk: owned, or shared with the record that holds it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// JSON text. A text that a record holds already is not copied for the store.
#[derive(Clone)]
pub enum Doc {
    /// A text made for the store.
    Own(String),
    /// The text of a record that is in use elsewhere.
    Shared(Arc<dyn AsRef<str> + Send + Sync>),
}

impl Doc {
    /// The text, copied where it is shared.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Own(text) => text,
            Self::Shared(record) => record.as_ref().as_ref().to_owned(),
        }
    }
}

impl Deref for Doc {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Own(text) => text,
            Self::Shared(record) => record.as_ref().as_ref(),
        }
    }
}

impl From<String> for Doc {
    fn from(text: String) -> Self {
        Self::Own(text)
    }
}

impl From<&str> for Doc {
    fn from(text: &str) -> Self {
        Self::Own(text.to_owned())
    }
}

impl fmt::Display for Doc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Doc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl PartialEq for Doc {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Doc {}
