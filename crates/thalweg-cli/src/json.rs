//! What goes to standard output: text, or one JSON object ended by a line break. A closed pipe is no error.

use crate::error::CliError;
use serde::Serialize;
use std::io::Write;

pub(crate) fn print(value: &impl Serialize) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value).map_err(|error| CliError::output(error.into()))?;
    writeln!(out).map_err(CliError::output)
}

/// Prints text. Unlike `print!` it does not panic when standard output is closed or full.
pub(crate) fn print_text(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(CliError::output)
}
