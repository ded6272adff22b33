//! Machine-readable output: one object on standard output, ended by a line break.

use crate::error::CliError;
use serde::Serialize;
use std::io::Write;

pub(crate) fn print(value: &impl Serialize) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value).map_err(|error| CliError::output(error.into()))?;
    writeln!(out).map_err(CliError::output)
}
