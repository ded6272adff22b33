//! What the ground is, apart from what it costs whom.

use super::Checker;
use crate::scene::ground_tables::{ClassMarks, TerrainTable};
use crate::scene::inputs::{FileContent, FilePurpose};
use crate::scene::{SceneError, SceneTerrain};
use std::collections::BTreeMap;
use thalweg_core::cost::{CostField, TerrainMap};
use toml::Spanned;

/// The class byte of cells without a class. Real classes are indices below the 255 that a table may name.
const UNKNOWN: u8 = 255;

impl Checker<'_> {
    pub(super) fn terrain(&self) -> Result<Option<SceneTerrain>, SceneError> {
        let Some(spanned) = &self.file.terrain else {
            return Ok(None);
        };
        let line = self.file.line(spanned);
        let fail = |reason: String| SceneError::at_line(line, format!("[terrain] {reason}"));
        let table = spanned.get_ref();
        if table.classes.is_empty() || table.classes.len() > usize::from(UNKNOWN) {
            return Err(fail(format!(
                "has {} classes; it must name 1 to {UNKNOWN}",
                table.classes.len()
            )));
        }
        let classes = match (&table.text, &table.file) {
            (Some(text), None) => {
                let first = self.file.first_text_line(text);
                let letters = self.letters(table)?;
                self.classes_of_letters(text.get_ref(), &letters)
                    .map_err(|(row, reason)| {
                        SceneError::at_line(first + row, format!("[terrain] {reason}"))
                    })?
            }
            (None, Some(name)) => match self.inputs.file(FilePurpose::Terrain, name) {
                Some(FileContent::Letters(text)) => self
                    .classes_of_letters(text, &self.letters(table)?)
                    .map_err(|(row, reason)| fail(format!("file {name}, line {}: {reason}", row + 1)))?,
                Some(FileContent::Numbers(numbers)) => self
                    .classes_of_numbers(numbers, &self.numbers(table)?)
                    .map_err(|reason| fail(format!("file {name}: {reason}")))?,
                _ => return Err(fail(format!("file {name} was not read as classes"))),
            },
            (None, None) => self
                .classes_of_numbers(&self.map.costs, &self.numbers(table)?)
                .map_err(|reason| fail(format!("the map's {reason}")))?,
            (Some(_), Some(_)) => return Err(fail("has both `text` and `file`; give one".to_owned())),
        };
        let grid = self.map.costs.grid().to_owned();
        let map = TerrainMap::from_classes_with_unknown(grid, classes, UNKNOWN)
            .map_err(|error| fail(error.to_string()))?;
        let names: Vec<String> = table.classes.keys().map(|name| name.get_ref().clone()).collect();
        Ok(Some(SceneTerrain {
            map,
            colours: self.colours(table, &names)?,
            names,
        }))
    }

    /// The class of every letter.
    fn letters(&self, table: &TerrainTable) -> Result<BTreeMap<char, u8>, SceneError> {
        let mut letters = BTreeMap::new();
        for (class, (name, marks)) in (0u8..).zip(&table.classes) {
            let fail = |reason: String| self.class_error(name, &reason);
            let ClassMarks::Letters(marks) = marks else {
                return Err(fail("is given by number, but the text has letters".to_owned()));
            };
            if marks.is_empty() {
                return Err(fail("has no letters".to_owned()));
            }
            for letter in marks.chars() {
                if letter == '?' || letter.is_whitespace() || letter.is_control() {
                    return Err(fail(format!(
                        "cannot use {letter:?} as a letter (? is unknown ground)"
                    )));
                }
                if letters.insert(letter, class).is_some() {
                    return Err(fail(format!("uses the letter {letter:?} a second time")));
                }
            }
        }
        Ok(letters)
    }

    /// The class of every number, where `#` and `.` are the numbers of a wall and of plain ground.
    fn numbers(&self, table: &TerrainTable) -> Result<BTreeMap<u8, u8>, SceneError> {
        let mut numbers = BTreeMap::new();
        for (class, (name, marks)) in (0u8..).zip(&table.classes) {
            let fail = |reason: String| self.class_error(name, &reason);
            let marks: Vec<i64> = match marks {
                ClassMarks::Number(number) => vec![*number],
                ClassMarks::Numbers(numbers) => numbers.clone(),
                ClassMarks::Letters(letters) => letters
                    .chars()
                    .map(|letter| match letter {
                        '#' => Ok(255),
                        '.' => Ok(1),
                        '0'..='9' => Ok(i64::from(u32::from(letter) - u32::from('0'))),
                        _ => Err(fail(format!(
                            "uses {letter:?}, but without a text of its own [terrain] knows only #, . and 0 to 9"
                        ))),
                    })
                    .collect::<Result<_, _>>()?,
            };
            if marks.is_empty() {
                return Err(fail("has no numbers".to_owned()));
            }
            for number in marks {
                let number = u8::try_from(number)
                    .map_err(|_| fail(format!("uses the number {number}; it must be 0 to 255")))?;
                if numbers.insert(number, class).is_some() {
                    return Err(fail(format!("uses the number {number} a second time")));
                }
            }
        }
        Ok(numbers)
    }

    fn colours(&self, table: &TerrainTable, names: &[String]) -> Result<Vec<Option<[u8; 3]>>, SceneError> {
        let mut colours = vec![None; names.len()];
        for (name, text) in &table.colours {
            let class = names.iter().position(|other| other == name.get_ref());
            let class = class.ok_or_else(|| self.class_error(name, "has a colour but is not in classes"))?;
            let wanted = || format!("has colour `{text}`; it must be # and six hexadecimal digits");
            let digits = text
                .strip_prefix('#')
                .filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let [_, red, green, blue] = number
                .ok_or_else(|| self.class_error(name, &wanted()))?
                .to_be_bytes();
            colours[class] = Some([red, green, blue]);
        }
        Ok(colours)
    }

    fn class_error(&self, name: &Spanned<String>, reason: &str) -> SceneError {
        SceneError::at_line(
            self.file.line(name),
            format!("[terrain] class `{}` {reason}", name.get_ref()),
        )
    }

    /// The classes of a text, row by row; an error tells the row, from 0.
    fn classes_of_letters(
        &self,
        text: &str,
        letters: &BTreeMap<char, u8>,
    ) -> Result<Vec<u8>, (usize, String)> {
        let grid = self.map.costs.grid();
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut classes = Vec::with_capacity(grid.len());
        let mut rows = 0;
        for (row, line) in text.lines().enumerate() {
            rows = row + 1;
            let begin = classes.len();
            for letter in line.chars() {
                let class = match letter {
                    '?' => UNKNOWN,
                    letter => *letters.get(&letter).ok_or_else(|| {
                        (
                            row,
                            format!("letter {letter:?} is of no class; list it under classes"),
                        )
                    })?,
                };
                classes.push(class);
            }
            let got = classes.len() - begin;
            if got != width {
                return Err((
                    row,
                    format!("the row has {got} letters, but the map is {width} cells wide"),
                ));
            }
        }
        if rows != height {
            let last = rows.saturating_sub(1);
            return Err((last, format!("there are {rows} rows, but the map has {height}")));
        }
        Ok(classes)
    }

    fn classes_of_numbers(&self, numbers: &CostField, classes: &BTreeMap<u8, u8>) -> Result<Vec<u8>, String> {
        let (grid, other) = (self.map.costs.grid(), numbers.grid());
        if grid != other {
            return Err(format!(
                "{} x {} cells do not fit the map of {} x {}",
                other.width(),
                other.height(),
                grid.width(),
                grid.height()
            ));
        }
        grid.ids()
            .map(|id| match numbers.get(id) {
                None => Ok(UNKNOWN),
                Some(number) => classes.get(&number.byte()).copied().ok_or_else(|| {
                    format!(
                        "cell {} has number {}, which is of no class; list it under classes",
                        grid.cell(id),
                        number.byte()
                    )
                }),
            })
            .collect()
    }
}
