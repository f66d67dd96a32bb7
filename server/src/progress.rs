//! A progress bar on standard error while a file of books is read; draws nothing if that is no terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The bar. Dropping it leaves the terminal as it was.
#[derive(Debug)]
pub(crate) struct LoadingBar(ProgressBar);

impl LoadingBar {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new(0).with_message("reading books");
        Self(bar.with_style(style("{msg} {wide_bar} {bytes} of {total_bytes}")))
    }

    /// Shows that `bytes` of a file of this size are read.
    pub(crate) fn show_read(&self, bytes: u64, size: u64) {
        self.0.set_length(size);
        self.0.set_position(bytes);
    }

    /// Shows that all books are read and are being put into columns.
    pub(crate) fn show_indexing(&self, books: usize) {
        self.0.set_style(style("{msg} {spinner}"));
        self.0.set_message(format!("putting {books} books into columns"));
        self.0.enable_steady_tick(Duration::from_millis(100));
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a template of indicatif's")
}

impl Drop for LoadingBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
