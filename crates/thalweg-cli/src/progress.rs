//! Progress on a terminal; silence in a pipe.

use indicatif::{ProgressBar, ProgressStyle};

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
