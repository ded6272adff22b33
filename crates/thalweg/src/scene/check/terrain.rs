//! What the ground is, apart from what it costs whom.

use super::Checker;
use super::heights::{fits, one_for_each};
use crate::scene::ground_tables::{ClassMarks, TerrainTable, colour_of};
use crate::scene::inputs::{FileContent, FilePurpose};
use crate::scene::{SceneError, SceneTerrain};
use std::collections::BTreeMap;
use thalweg_core::cost::{CostField, TerrainMap};
use thalweg_core::grid::Layer;
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
            (None, Some(files)) => self.classes_of_files(table, files.names(), &fail)?,
            (None, None) => classes_of_numbers(&self.map.costs, &self.numbers(table)?)
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

    /// The classes of one file that has the letters of all layers, or of one file for each.
    fn classes_of_files(
        &self,
        table: &TerrainTable,
        names: &[String],
        fail: &impl Fn(String) -> SceneError,
    ) -> Result<Vec<u8>, SceneError> {
        let grid = self.map.costs.grid();
        let content = |name: &String| self.inputs.file(FilePurpose::Terrain, name);
        if let [name] = names
            && let Some(FileContent::Letters(text)) = content(name)
        {
            return self
                .classes_of_letters(text, &self.letters(table)?)
                .map_err(|(row, reason)| fail(format!("file {name}, line {}: {reason}", row + 1)));
        }
        one_for_each(grid, names.len()).map_err(fail)?;
        let mut classes = Vec::with_capacity(grid.len());
        for (layer, name) in grid.layers().iter().zip(names) {
            match content(name) {
                Some(FileContent::Letters(text)) => {
                    let rows = layer_classes(text.lines().enumerate(), layer, &self.letters(table)?);
                    classes.extend(
                        rows.map_err(|(row, reason)| {
                            fail(format!("file {name}, line {}: {reason}", row + 1))
                        })?,
                    );
                }
                Some(FileContent::Numbers(numbers)) => {
                    let of_file = |reason| fail(format!("file {name}: {reason}"));
                    fits(layer, numbers.grid(), grid, "classes").map_err(of_file)?;
                    classes.extend(classes_of_numbers(numbers, &self.numbers(table)?).map_err(of_file)?);
                }
                Some(FileContent::Classes(map)) => {
                    fits(layer, map.grid(), grid, &format!("file {name}: classes")).map_err(fail)?;
                    classes.extend(map.grid().ids().map(|id| map.class(id).unwrap_or(UNKNOWN)));
                }
                _ => return Err(fail(format!("file {name} was not read as classes"))),
            }
        }
        Ok(classes)
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
            let colour = colour_of(text).ok_or_else(|| self.class_error(name, &wanted()))?;
            colours[class] = Some(colour);
        }
        Ok(colours)
    }

    fn class_error(&self, name: &Spanned<String>, reason: &str) -> SceneError {
        SceneError::at_line(
            self.file.line(name),
            format!("[terrain] class `{}` {reason}", name.get_ref()),
        )
    }

    /// The classes of a text, row by row, on maps of several layers parted by lines that begin with `=` as in the map
    /// itself; an error tells the row, from 0.
    fn classes_of_letters(
        &self,
        text: &str,
        letters: &BTreeMap<char, u8>,
    ) -> Result<Vec<u8>, (usize, String)> {
        let layers = self.map.costs.grid().layers();
        let mut parts: Vec<Vec<(usize, &str)>> = vec![Vec::new()];
        for (row, line) in text.lines().enumerate() {
            if layers.len() > 1 && line.starts_with('=') {
                // A line before the first row begins the first layer.
                if row > 0 {
                    parts.push(Vec::new());
                }
            } else if let Some(part) = parts.last_mut() {
                part.push((row, line));
            }
        }
        if parts.len() != layers.len() {
            let last = text.lines().count().saturating_sub(1);
            return Err((
                last,
                format!(
                    "there are {} layers of letters, but the map has {}; begin each with a line of =",
                    parts.len(),
                    layers.len()
                ),
            ));
        }
        let mut classes = Vec::with_capacity(self.map.costs.grid().len());
        for (layer, rows) in layers.iter().zip(parts) {
            classes.extend(layer_classes(rows.into_iter(), layer, letters)?);
        }
        Ok(classes)
    }
}

/// The classes of one layer, from numbered lines.
fn layer_classes<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
    layer: &Layer,
    letters: &BTreeMap<char, u8>,
) -> Result<Vec<u8>, (usize, String)> {
    let (width, height) = (layer.width() as usize, layer.height() as usize);
    let mut classes = Vec::with_capacity(layer.len());
    let (mut rows, mut last) = (0, 0);
    let whose = match layer.index() {
        0 => "the map".to_owned(),
        index => format!("layer {index}"),
    };
    for (row, line) in lines {
        (rows, last) = (rows + 1, row);
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
                format!("the row has {got} letters, but {whose} is {width} cells wide"),
            ));
        }
    }
    if rows != height {
        return Err((last, format!("there are {rows} rows, but {whose} has {height}")));
    }
    Ok(classes)
}

/// The classes of a map of numbers.
fn classes_of_numbers(numbers: &CostField, classes: &BTreeMap<u8, u8>) -> Result<Vec<u8>, String> {
    let grid = numbers.grid();
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
