//! What can be wrong with a scene.

use core::fmt;

/// Why a scene cannot be used: one sentence, with the line of the file where it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneError {
    line: Option<usize>,
    reason: String,
}

impl SceneError {
    pub(super) fn at_line(line: usize, reason: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            reason: one_line(&reason.into()),
        }
    }

    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self {
            line: None,
            reason: one_line(&reason.into()),
        }
    }

    /// The line of the scene file, from 1, where it is known.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        self.line
    }

    /// The reason without the line.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// The text with its control characters written out (`\n`), for names from a file that stand in a message: an error is
/// one line, and a terminal obeys none of them.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: {}", self.reason)
        } else {
            f.write_str(&self.reason)
        }
    }
}

impl core::error::Error for SceneError {}
