//! Writes plans, one tick at a time.

use super::cells::{push_cell, push_number};
use super::head::is_known;
use super::{Plan, PlanHead, PlanRules};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use thalweg_core::grid::Cell;

/// Takes ticks one by one and writes the plan at the end, when its header is known.
///
/// The ticks wait in a temporary file. Rejected: to write what is known at the end behind the solution, because other
/// programs take every line there for a tick; and to leave room in the header and come back, which no pipe allows.
#[derive(Debug)]
pub struct PlanWriter {
    agents: usize,
    ticks: u32,
    line: Vec<u8>,
    waiting: BufWriter<File>,
}

impl PlanWriter {
    /// A plan of so many agents, without a tick.
    ///
    /// # Errors
    /// Those of making a temporary file.
    pub fn new(agents: usize) -> io::Result<Self> {
        Ok(Self {
            agents,
            ticks: 0,
            line: Vec::new(),
            waiting: BufWriter::with_capacity(1 << 16, tempfile::tempfile()?),
        })
    }

    /// Adds a tick: the cell that each agent has reached, `None` for those that have left.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] for another number of agents; those of writing a temporary file.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Option<Cell>>) -> io::Result<()> {
        self.line.clear();
        let got = tick_line(&mut self.line, self.ticks, cells);
        if got != self.agents {
            let want = self.agents;
            let message = format!("tick {} has {got} agents, but the plan has {want}", self.ticks);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        self.ticks += 1;
        self.waiting.write_all(&self.line)
    }

    /// Ticks so far.
    #[must_use]
    pub const fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Writes header and ticks.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if a list of the header has another number of agents, or a name in it has a line
    /// break; those of the writer and of reading the temporary file.
    pub fn finish(self, head: &PlanHead, mut writer: impl Write) -> io::Result<()> {
        if head.agents as usize != self.agents {
            let message = format!(
                "the header has {} agents, but the plan has {}",
                head.agents, self.agents
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        write_head(head, &mut writer)?;
        let mut file = self
            .waiting
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        io::copy(&mut BufReader::with_capacity(1 << 16, file), &mut writer)?;
        writer.flush()
    }
}

/// Writes a whole plan.
///
/// # Errors
/// As [`PlanWriter::push`] and [`PlanWriter::finish`].
pub fn write_plan(plan: &Plan, mut writer: impl Write) -> io::Result<()> {
    write_head(&plan.head, &mut writer)?;
    let (mut line, want) = (Vec::new(), plan.head.agents as usize);
    for (tick, cells) in (0..).zip(&plan.ticks) {
        line.clear();
        let got = tick_line(&mut line, tick, cells.iter().copied());
        if got != want {
            let message = format!("tick {tick} has {got} agents, but the plan has {want}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        writer.write_all(&line)?;
    }
    writer.flush()
}

fn tick_line(line: &mut Vec<u8>, tick: u32, cells: impl IntoIterator<Item = Option<Cell>>) -> usize {
    push_number(line, i64::from(tick));
    line.push(b':');
    let mut count = 0;
    for cell in cells {
        match cell {
            Some(cell) => push_cell(line, cell),
            None => line.push(b'-'),
        }
        line.push(b',');
        count += 1;
    }
    line.push(b'\n');
    count
}

fn write_head(head: &PlanHead, writer: &mut impl Write) -> io::Result<()> {
    check_head(head)?;
    writeln!(writer, "agents={}", head.agents)?;
    let words = [("map_file", &head.map_file), ("solver", &head.solver)];
    for (key, word) in words {
        if let Some(word) = word {
            writeln!(writer, "{key}={word}")?;
        }
    }
    if let Some(solved) = head.solved {
        writeln!(writer, "solved={}", u8::from(solved))?;
    }
    for (key, number) in [("soc", head.soc), ("makespan", head.makespan)] {
        if let Some(number) = number {
            writeln!(writer, "{key}={number}")?;
        }
    }
    write_rules(&head.rules, writer)?;
    for (key, word) in &head.others {
        writeln!(writer, "{key}={word}")?;
    }
    let mut text = Vec::new();
    for (key, cells) in [("starts", &head.starts), ("goals", &head.goals)] {
        if !cells.is_empty() {
            text.extend([key.as_bytes(), b"="].concat());
            for &cell in cells {
                push_cell(&mut text, cell);
                text.push(b',');
            }
            text.push(b'\n');
        }
    }
    for (key, numbers) in [("bodies", &head.bodies), ("paces", &head.paces)] {
        if !numbers.is_empty() {
            let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
            writeln!(text, "{key}={}", numbers.join(","))?;
        }
    }
    if !head.left.is_empty() {
        let left: Vec<String> = head
            .left
            .iter()
            .map(|(agent, tick)| format!("{agent}@{tick}"))
            .collect();
        writeln!(text, "left={}", left.join(","))?;
    }
    for task in &head.tasks {
        write!(text, "tasks={}@{}:", task.agent, task.from)?;
        push_cell(&mut text, task.goal);
        if let Some(tick) = task.reached {
            write!(text, "@{tick}")?;
        }
        text.push(b'\n');
    }
    text.extend(b"solution=\n");
    writer.write_all(&text)
}

/// What others assume is left out, so that a plan without anything of ours has nothing of ours in it.
fn write_rules(rules: &PlanRules, writer: &mut impl Write) -> io::Result<()> {
    let plain = PlanRules::default();
    if rules.neighbours != plain.neighbours {
        writeln!(writer, "neighbours={}", rules.neighbours)?;
    }
    if rules.corner != plain.corner {
        writeln!(writer, "corner={}", rules.corner)?;
    }
    if rules.following != plain.following {
        writeln!(writer, "following={}", u8::from(rules.following))?;
    }
    if rules.squeezing != plain.squeezing {
        writeln!(writer, "squeezing={}", u8::from(rules.squeezing))?;
    }
    Ok(())
}

/// A header that could not be read again is not written.
fn check_head(head: &PlanHead) -> io::Result<()> {
    let fail = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    let agents = head.agents as usize;
    let lists = [
        ("starts", head.starts.len()),
        ("goals", head.goals.len()),
        ("bodies", head.bodies.len()),
        ("paces", head.paces.len()),
    ];
    if let Some((key, got)) = lists.into_iter().find(|&(_, got)| got != 0 && got != agents) {
        return fail(format!(
            "{key} has {got} entries, but the plan has {agents} agents"
        ));
    }
    if let Some((key, _)) = head
        .others
        .iter()
        .find(|(key, _)| is_known(key) || key.contains('='))
    {
        return fail(format!("{key:?} cannot be the name of another key"));
    }
    let words = [&head.map_file, &head.solver].into_iter().flatten();
    let others = head.others.iter().flat_map(|(key, word)| [key, word]);
    if let Some(word) = words.chain(others).find(|word| word.contains(['\n', '\r'])) {
        return fail(format!(
            "{word:?} has a line break, which no header line can hold"
        ));
    }
    Ok(())
}
