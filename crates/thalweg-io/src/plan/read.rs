//! Reads plans, one tick at a time.

use super::cells::Tokens;
use super::head::{HeadLines, PlanHead, count_of};
use crate::error::{Place, ReadError, ReadReason, quoted};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use thalweg_core::grid::Cell;

/// The longest line of a plan, 1 GiB: that of a tick of 40 million agents.
pub const MAX_PLAN_LINE_BYTES: u64 = 1 << 30;

/// A plan that is being read: its header, then tick after tick. It holds one line.
#[derive(Debug)]
pub struct PlanReader<R> {
    name: String,
    reader: R,
    line: Vec<u8>,
    number: usize,
    head: HeadLines,
    ticks: u32,
    is_open: bool,
}

impl PlanReader<BufReader<File>> {
    /// Opens a plan and reads its header.
    ///
    /// # Errors
    /// As [`PlanReader::new`], and for files that cannot be opened.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let fail = |reason| ReadError::new(&name, Place::WholeFile, reason);
        let from_io = |error: io::Error| {
            fail(match error.kind() {
                io::ErrorKind::NotFound => ReadReason::Missing,
                io::ErrorKind::IsADirectory => ReadReason::Directory,
                _ => ReadReason::Io(error),
            })
        };
        let metadata = std::fs::metadata(path).map_err(from_io)?;
        if metadata.is_dir() {
            return Err(fail(ReadReason::Directory));
        }
        let file = File::open(path).map_err(from_io)?;
        Self::new(&name, BufReader::with_capacity(1 << 16, file))
    }
}

impl<R: BufRead> PlanReader<R> {
    /// Reads the header, up to `solution=`. `name` stands for the file in messages.
    ///
    /// # Errors
    /// [`ReadError`] naming the line for values that are not what their key asks for, keys that are there twice, lists that
    /// are not as long as there are agents, a missing `solution=`, and lines above [`MAX_PLAN_LINE_BYTES`].
    pub fn new(name: &str, reader: R) -> Result<Self, ReadError> {
        let mut plan = Self {
            name: name.to_owned(),
            reader,
            line: Vec::new(),
            number: 0,
            head: HeadLines::default(),
            ticks: 0,
            is_open: true,
        };
        loop {
            if !plan.read_line()? {
                let reason = if plan.number == 0 {
                    ReadReason::Empty
                } else {
                    ReadReason::NoSolution
                };
                return Err(plan.error(Place::WholeFile, reason));
            }
            if text_of(&plan.line).is_some_and(|text| text.trim() == "solution=") {
                break;
            }
            plan.head_line(false)?;
        }
        let closed = plan.head.close();
        closed.map_err(|(line, reason)| plan.error(Place::Line(line), *reason))?;
        Ok(plan)
    }

    /// The header. What stands behind the solution is added when the last tick has been read.
    pub const fn head(&self) -> &PlanHead {
        &self.head.head
    }

    /// Ticks read so far.
    pub const fn ticks(&self) -> u32 {
        self.ticks
    }

    /// The line that was read last, counted from 1.
    pub const fn line_number(&self) -> usize {
        self.number
    }

    /// Reads the next tick into `cells`, one entry for each agent, `None` for those that have left. Answers `false` after
    /// the last one.
    ///
    /// # Errors
    /// [`ReadError`] naming line and column for a tick out of turn, cells that are none, another number of agents than the
    /// plan has, and keys after the solution that must stand before it.
    pub fn next_tick(&mut self, cells: &mut Vec<Option<Cell>>) -> Result<bool, ReadError> {
        cells.clear();
        while self.is_open {
            if !self.read_line()? {
                self.is_open = false;
                self.settle_agents(0)?;
                break;
            }
            if self.line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if !self.line.first().is_some_and(u8::is_ascii_digit) {
                self.head_line(true)?;
                continue;
            }
            self.tick_line(cells)?;
            self.settle_agents(cells.len())?;
            self.ticks += 1;
            return Ok(true);
        }
        Ok(false)
    }

    /// The first tick tells how many agents there are, if nothing before it does.
    fn settle_agents(&mut self, agents: usize) -> Result<(), ReadError> {
        if self.head.has_agents() {
            return Ok(());
        }
        let settled = self.head.settle_agents(count_of(agents));
        settled.map_err(|(line, reason)| self.error(Place::Line(line), *reason))
    }

    fn tick_line(&self, cells: &mut Vec<Option<Cell>>) -> Result<(), ReadError> {
        let at = |tokens: &Tokens<'_>| Place::LineColumn(self.number, tokens.column());
        let shown = |tokens: &Tokens<'_>| quoted(&String::from_utf8_lossy(tokens.rest()));
        let mut tokens = Tokens::new(&self.line);
        let tick = tokens.count().filter(|_| tokens.take(b':'));
        if tick != Some(self.ticks) {
            let got = quoted(&String::from_utf8_lossy(&self.line));
            let want = self.ticks;
            return Err(self.error(Place::Line(self.number), ReadReason::TickNumber { got, want }));
        }
        while !tokens.is_at_end() {
            let (place, before) = (at(&tokens), tokens);
            let cell = tokens.cell();
            if cell.is_none() && !tokens.take(b'-') {
                let (what, got) = ("a cell", shown(&before));
                let wanted = "(x,y) or (x,y,layer), or - for an agent that has left";
                return Err(self.error(place, ReadReason::Number { what, got, wanted }));
            }
            cells.push(cell);
            if !tokens.take(b',') && !tokens.is_at_end() {
                let (what, got, wanted) = ("what follows a cell", shown(&tokens), "a comma");
                return Err(self.error(at(&tokens), ReadReason::Number { what, got, wanted }));
            }
        }
        let want = self.head.head.agents as usize;
        if self.head.has_agents() && cells.len() != want {
            let (what, got) = ("tick", cells.len());
            return Err(self.error(
                Place::Line(self.number),
                ReadReason::AgentCount { what, got, want },
            ));
        }
        Ok(())
    }

    fn head_line(&mut self, after_solution: bool) -> Result<(), ReadError> {
        let fail = |name: &str, place, reason| ReadError::new(name, place, reason);
        let Some(text) = text_of(&self.line) else {
            let byte = self.line.iter().copied().find(|byte| !byte.is_ascii());
            let reason = ReadReason::NotText(byte.unwrap_or_default());
            return Err(fail(&self.name, Place::Line(self.number), reason));
        };
        if text.trim().is_empty() {
            return Ok(());
        }
        self.head
            .line(text, self.number, after_solution)
            .map_err(|(column, reason)| {
                let place = match column {
                    Some(column) => Place::LineColumn(self.number, column),
                    None => Place::Line(self.number),
                };
                fail(&self.name, place, *reason)
            })
    }

    /// Reads the next line without its end; `false` after the last one.
    fn read_line(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        let mut limited = (&mut self.reader).take(MAX_PLAN_LINE_BYTES + 1);
        let read = limited.read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| self.error(Place::WholeFile, ReadReason::Io(error)))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.line.len() as u64 > MAX_PLAN_LINE_BYTES {
            let limit = MAX_PLAN_LINE_BYTES;
            return Err(self.error(Place::Line(self.number), ReadReason::LongLine { limit }));
        }
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        if self.number == 1 && self.line.starts_with("\u{feff}".as_bytes()) {
            self.line.drain(..3);
        }
        Ok(true)
    }

    fn error(&self, place: Place, reason: ReadReason) -> ReadError {
        ReadError::new(&self.name, place, reason)
    }
}

fn text_of(line: &[u8]) -> Option<&str> {
    core::str::from_utf8(line).ok()
}

/// A whole plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// What it says of itself.
    pub head: PlanHead,
    /// Tick after tick the cell that each agent has reached, `None` for those that have left.
    pub ticks: Vec<Vec<Option<Cell>>>,
}

/// Reads a whole plan. `name` stands for the file in messages. Long ones are better read by [`PlanReader`].
///
/// # Errors
/// As [`PlanReader::new`] and [`PlanReader::next_tick`].
pub fn read_plan(name: &str, bytes: &[u8]) -> Result<Plan, ReadError> {
    whole(PlanReader::new(name, bytes)?)
}

/// Reads a whole plan from a file.
///
/// # Errors
/// As [`read_plan`], and for files that cannot be opened.
pub fn read_plan_file(path: &Path) -> Result<Plan, ReadError> {
    whole(PlanReader::open(path)?)
}

fn whole<R: BufRead>(mut reader: PlanReader<R>) -> Result<Plan, ReadError> {
    let (mut ticks, mut cells) = (Vec::new(), Vec::new());
    while reader.next_tick(&mut cells)? {
        ticks.push(cells.clone());
    }
    let head = reader.head.head;
    Ok(Plan { head, ticks })
}
