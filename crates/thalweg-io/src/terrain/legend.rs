//! What letters and colours stand for which terrain class.

use std::collections::BTreeMap;

/// Which letters and colours of a file stand for which terrain class.
///
/// What is not listed is an error where it stands. Rejected: a class for all the rest, by which a slip of the brush
/// becomes ground.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Legend {
    letters: BTreeMap<char, Option<u8>>,
    colours: BTreeMap<[u8; 3], Option<u8>>,
    numbers_are_classes: bool,
}

impl Legend {
    /// A legend that lists nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            letters: BTreeMap::new(),
            colours: BTreeMap::new(),
            numbers_are_classes: false,
        }
    }

    /// The legend with a letter as this class; what the letter meant before is replaced.
    #[must_use]
    pub fn with_letter(mut self, letter: char, class: u8) -> Self {
        self.letters.insert(letter, Some(class));
        self
    }

    /// The legend with a letter as unknown ground.
    #[must_use]
    pub fn with_unknown_letter(mut self, letter: char) -> Self {
        self.letters.insert(letter, None);
        self
    }

    /// The legend with a colour (red, green, blue, 0 to 255) as this class; what it meant before is replaced.
    #[must_use]
    pub fn with_colour(mut self, colour: [u8; 3], class: u8) -> Self {
        self.colours.insert(colour, Some(class));
        self
    }

    /// The legend with a colour (red, green, blue, 0 to 255) as unknown ground. Fully transparent pixels are unknown in
    /// every legend.
    #[must_use]
    pub fn with_unknown_colour(mut self, colour: [u8; 3]) -> Self {
        self.colours.insert(colour, None);
        self
    }

    /// The legend by which the numbers that a picture stores *are* the classes, whatever its colours: the number of the
    /// palette entry in indexed pictures, the level in grey pictures of 8 bits. Other pictures are refused then.
    #[must_use]
    pub const fn with_numbers_as_classes(mut self) -> Self {
        self.numbers_are_classes = true;
        self
    }

    /// Class of a letter, or `None` if it is not listed.
    pub(super) fn letter(&self, letter: char) -> Option<Option<u8>> {
        self.letters.get(&letter).copied()
    }

    /// Class of a colour on the 16-bit scale, or `None` if it is not listed.
    pub(super) fn colour(&self, colour: [u16; 3]) -> Option<Option<u8>> {
        // One 8-bit level is 257; 16-bit levels between two of them are no listed colour.
        let is_listed = colour.iter().all(|level| level % 257 == 0);
        let colour = colour.map(|level| (level / 257) as u8);
        is_listed.then(|| self.colours.get(&colour).copied()).flatten()
    }

    pub(super) const fn numbers_are_classes(&self) -> bool {
        self.numbers_are_classes
    }
}
