//! Lists of tasks for lifelong runs.

use super::cells::Tokens;
use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::read_file::read_with;
use crate::source_text::SourceText;
use std::path::Path;
use thalweg_core::grid::Cell;

/// A line of a list of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskLine {
    /// The line of the file, from 1.
    pub line_number: usize,
    /// Whose task it is, counted from 0; `None`: whoever comes first.
    pub agent: Option<u32>,
    /// Where to.
    pub cell: Cell,
}

/// Reads a list of tasks: lines of `x y` for whoever comes first, `agent x y` for one agent. A cell may also be written
/// `(x,y)` or `(x,y,layer)`. Blank lines and lines that begin with `#` are passed over. `name` stands for the file in
/// messages.
///
/// # Errors
/// [`ReadError`] naming the line for anything else, and for a list without a task.
pub fn read_task_list(name: &str, bytes: &[u8]) -> Result<Vec<TaskLine>, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let mut tasks = Vec::new();
    for (line_number, line) in source.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (agent, cell) = task(line).ok_or_else(|| {
            let wanted = "a task such as `5 9`, or `3 5 9` for agent 3";
            let got = quoted(line);
            source.error(Place::Line(line_number), ReadReason::Header { wanted, got })
        })?;
        tasks.push(TaskLine {
            line_number,
            agent,
            cell,
        });
    }
    if tasks.is_empty() {
        return Err(source.error(Place::WholeFile, ReadReason::Empty));
    }
    Ok(tasks)
}

/// Reads a list of tasks from a file.
///
/// # Errors
/// As [`read_task_list`], and for files that cannot be read.
pub fn read_task_list_file(path: &Path) -> Result<Vec<TaskLine>, ReadError> {
    read_with(path, read_task_list)
}

fn task(line: &str) -> Option<(Option<u32>, Cell)> {
    let mut tokens = Tokens::new(line.as_bytes());
    let (mut numbers, mut cell) = (Vec::new(), None);
    while !tokens.is_at_end() {
        if cell.is_some() || numbers.len() == 3 {
            return None;
        }
        match tokens.cell() {
            Some(read) => cell = Some(read),
            None => numbers.push(tokens.number()?),
        }
    }
    let agent = |number: i64| u32::try_from(number).ok().map(Some);
    let at = |x: i64, y: i64| Some(Cell::new(i32::try_from(x).ok()?, i32::try_from(y).ok()?));
    match (numbers.as_slice(), cell) {
        (&[], Some(cell)) => Some((None, cell)),
        (&[number], Some(cell)) => Some((agent(number)?, cell)),
        (&[x, y], None) => Some((None, at(x, y)?)),
        (&[number, x, y], None) => Some((agent(number)?, at(x, y)?)),
        _ => None,
    }
}
