//! Progress on a terminal; silence in a pipe.

use core::ops::ControlFlow;
use indicatif::{ProgressBar, ProgressStyle};
use thalweg::core::integrate::Watch;

/// From this many cells on, a build may take long enough to be watched.
const WATCHED_FROM: usize = 1 << 22;

/// A bar that an integration moves on, in cells.
pub(crate) struct CellBar(ProgressBar);

impl CellBar {
    /// For a map of so many cells; hidden for maps that take no time.
    pub(crate) fn new(cells: usize, quiet: bool) -> Self {
        Self(bar(cells as u64, "cells", quiet || cells < WATCHED_FROM))
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Watch for CellBar {
    fn progress(&self, done: u64, of: u64) -> ControlFlow<()> {
        self.0.set_length(of);
        self.0.set_position(done);
        ControlFlow::Continue(())
    }
}

/// A bar on standard error that counts `len` of something; it draws nothing unless standard error is a terminal.
pub(crate) fn bar(len: u64, what: &'static str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(len);
    let template = format!("{{bar:32}} {{pos}}/{{len}} {what}  {{eta}} left  {{msg}}");
    // The template is a constant of this file; a broken one would only cost the looks.
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}
