//! Bytes as lines of text, for all text formats alike.

use crate::error::{Place, ReadError, ReadReason};

/// A text file with its name, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceText<'a> {
    pub(crate) name: &'a str,
    text: &'a str,
}

impl<'a> SourceText<'a> {
    /// Checks that the bytes are text; a byte-order mark, which some editors put in front, is dropped.
    pub(crate) fn new(name: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let text = core::str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            let byte = bytes.get(at).copied().unwrap_or_default();
            ReadError::new(name, Place::Byte(at), ReadReason::NotText(byte))
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim().is_empty() {
            return Err(ReadError::new(name, Place::WholeFile, ReadReason::Empty));
        }
        Ok(Self { name, text })
    }

    /// The lines with their numbers from 1, without line ends (LF or CRLF, also a CR before the end of the file), and
    /// without the blank lines at the end.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        // Only line ends are trimmed: a last row of blanks is an error that must be seen, not dropped.
        let text = self.text.trim_end_matches(['\r', '\n']);
        text.split('\n')
            .enumerate()
            .map(|(index, line)| (index + 1, line.trim_end_matches('\r')))
    }

    /// All of it, line ends included.
    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// How many bytes of text there are: no reader makes more cells than that, whatever a header claims.
    pub(crate) const fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn error(&self, place: Place, reason: ReadReason) -> ReadError {
        ReadError::new(self.name, place, reason)
    }
}
