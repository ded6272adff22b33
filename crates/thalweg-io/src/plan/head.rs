//! What a plan says of itself, and how its header lines are read.

use super::cells::Tokens;
use crate::error::{ReadReason, quoted};
use core::str::FromStr;
use thalweg_core::grid::Cell;
use thalweg_core::movement::{Connectivity, CornerRule, MAX_BODY_SIDE};

/// The rules that a plan was made under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanRules {
    /// Which steps there are; default four.
    pub neighbours: Connectivity,
    /// When a diagonal may pass its two side cells, as far as walls are concerned; default both free.
    pub corner: CornerRule,
    /// Whether a cell may be entered in the tick in which another agent leaves it; default yes.
    pub following: bool,
    /// Whether a diagonal step of a single cell may pass a body on one of its side cells; default no.
    pub squeezing: bool,
}

impl Default for PlanRules {
    fn default() -> Self {
        Self {
            neighbours: Connectivity::Four,
            corner: CornerRule::BothFree,
            following: true,
            squeezing: false,
        }
    }
}

/// A task that was given to an agent of a lifelong run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanTask {
    /// Whose, counted from 0.
    pub agent: u32,
    /// The tick from which it holds.
    pub from: u32,
    /// Where to.
    pub goal: Cell,
    /// The tick in whose line the agent is there; `None` if it did not get there.
    pub reached: Option<u32>,
}

/// The header of a plan. A list that is empty was not stated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanHead {
    /// How many agents there are.
    pub agents: u32,
    /// The map as the file names it.
    pub map_file: Option<String>,
    /// Who made the plan.
    pub solver: Option<String>,
    /// Whether all agents are at their goals at the end.
    pub solved: Option<bool>,
    /// Sum of costs: for each agent the first tick from which it stays at its goal.
    pub soc: Option<u64>,
    /// The largest of these costs.
    pub makespan: Option<u64>,
    /// One for each agent.
    pub starts: Vec<Cell>,
    /// One for each agent.
    pub goals: Vec<Cell>,
    /// What steps there are and what passes for a conflict.
    pub rules: PlanRules,
    /// Side of each agent's square body in cells, 1 to [`MAX_BODY_SIDE`]; its cell is the north-west one. Empty: all 1.
    pub bodies: Vec<u8>,
    /// Ticks that a step of each agent takes, 1 to 255. Empty: all 1.
    pub paces: Vec<u8>,
    /// Tasks in the order in which they were given.
    pub tasks: Vec<PlanTask>,
    /// Agents that left at their goal, each with the last tick in which it is seen.
    pub left: Vec<(u32, u32)>,
    /// Every other key with what stands behind it, in order.
    pub others: Vec<(String, String)>,
}

impl PlanHead {
    /// The header of a plan of so many agents, with nothing else stated.
    #[must_use]
    pub fn new(agents: u32) -> Self {
        Self {
            agents,
            ..Self::default()
        }
    }

    /// The side of an agent's body in cells.
    #[must_use]
    pub fn body(&self, agent: u32) -> u8 {
        self.bodies.get(agent as usize).copied().unwrap_or(1)
    }

    /// The ticks that a step of an agent takes.
    #[must_use]
    pub fn pace(&self, agent: u32) -> u8 {
        self.paces.get(agent as usize).copied().unwrap_or(1)
    }
}

/// A header that is being read: every key at most once, but for tasks and unknown ones.
#[derive(Debug, Default)]
pub(super) struct HeadLines {
    pub(super) head: PlanHead,
    agents: Option<u32>,
    seen: Vec<(&'static str, usize)>,
}

/// The keys that are known, and whether they may also come after the solution.
const KEYS: [(&str, bool); 15] = [
    ("agents", false),
    ("map_file", true),
    ("solver", true),
    ("solved", true),
    ("soc", true),
    ("makespan", true),
    ("starts", false),
    ("goals", false),
    ("neighbours", false),
    ("corner", false),
    ("following", false),
    ("squeezing", false),
    ("bodies", false),
    ("paces", false),
    ("left", false),
];

/// Whether a key means something here.
pub(super) fn is_known(key: &str) -> bool {
    key == "tasks" || key == "solution" || KEYS.iter().any(|&(known, _)| known == key)
}

/// What is wrong with a header line: the column, if it is known, and the reason.
pub(super) type Wrong = (Option<usize>, Box<ReadReason>);

impl HeadLines {
    /// Reads `key=value`.
    pub(super) fn line(&mut self, text: &str, number: usize, after_solution: bool) -> Result<(), Wrong> {
        let Some((key, value)) = text.split_once('=') else {
            let got = quoted(text);
            let wanted = "a line such as key=value";
            return Err((None, Box::new(ReadReason::Header { wanted, got })));
        };
        let (key, start) = (key.trim(), key.len() + 1);
        let value = value.trim_end();
        if key == "solution" {
            let got = quoted(text);
            let wanted = "`solution=` alone on its line, once";
            return Err((None, Box::new(ReadReason::Header { wanted, got })));
        }
        if key == "tasks" {
            if after_solution {
                return Err((None, Box::new(ReadReason::LateKey("tasks"))));
            }
            return self.task(value, start);
        }
        let Some(&(known, may_be_late)) = KEYS.iter().find(|&&(known, _)| known == key) else {
            self.head.others.push((key.to_owned(), value.to_owned()));
            return Ok(());
        };
        if after_solution && !may_be_late {
            return Err((None, Box::new(ReadReason::LateKey(known))));
        }
        if let Some(&(_, first)) = self.seen.iter().find(|&&(seen, _)| seen == known) {
            return Err((None, Box::new(ReadReason::KeyTwice { key: known, first })));
        }
        self.seen.push((known, number));
        self.value(known, value, start)
    }

    fn value(&mut self, key: &'static str, value: &str, start: usize) -> Result<(), Wrong> {
        let head = &mut self.head;
        match key {
            "agents" => {
                let wanted = "a whole number from 0 to 4294967295";
                self.agents = Some(parsed(value, "the number of agents", wanted, start)?);
            }
            "map_file" => head.map_file = Some(value.to_owned()),
            "solver" => head.solver = Some(value.to_owned()),
            "solved" => head.solved = Some(switch(value, "solved", start)?),
            // Planners write what they have, also nothing or `nan`, where there is no solution.
            "soc" => head.soc = value.trim().parse().ok(),
            "makespan" => head.makespan = value.trim().parse().ok(),
            "starts" => head.starts = cells(value, start)?,
            "goals" => head.goals = cells(value, start)?,
            "neighbours" => head.rules.neighbours = word(value, "neighbours", "4 or 8", start)?,
            "corner" => head.rules.corner = word(value, "the corner rule", "both, one or always", start)?,
            "following" => head.rules.following = switch(value, "following", start)?,
            "squeezing" => head.rules.squeezing = switch(value, "squeezing", start)?,
            "bodies" => {
                let most = u8::try_from(MAX_BODY_SIDE).unwrap_or(u8::MAX);
                head.bodies = bytes(
                    value,
                    "the side of a body",
                    "a whole number from 1 to 64",
                    most,
                    start,
                )?;
            }
            "paces" => head.paces = bytes(value, "a pace", "a whole number from 1 to 255", u8::MAX, start)?,
            _ => head.left = left(value, start)?,
        }
        Ok(())
    }

    fn task(&mut self, value: &str, start: usize) -> Result<(), Wrong> {
        let mut tokens = Tokens::new(value.as_bytes());
        let mut read = || {
            let agent = tokens.count()?;
            let from = tokens.take(b'@').then(|| tokens.count())??;
            let goal = tokens.take(b':').then(|| tokens.cell())??;
            let reached = if tokens.take(b'@') {
                Some(tokens.count()?)
            } else {
                None
            };
            tokens.is_at_end().then_some(PlanTask {
                agent,
                from,
                goal,
                reached,
            })
        };
        let task = read().ok_or_else(|| {
            let wanted = "a task such as 3@17:(5,9)@42";
            let got = quoted(value);
            (Some(start + 1), Box::new(ReadReason::Header { wanted, got }))
        })?;
        self.head.tasks.push(task);
        Ok(())
    }

    /// Everything before the solution has been read: whether its parts agree, and where they do not, on which line.
    pub(super) fn close(&mut self) -> Result<(), (usize, Box<ReadReason>)> {
        let head = &mut self.head;
        let agents = self.agents.or_else(|| {
            // Plans of others state both or the starts alone.
            let lists = [head.starts.len(), head.goals.len()];
            lists.iter().find(|&&len| len > 0).map(|&len| count_of(len))
        });
        let lists = [
            ("starts", head.starts.len()),
            ("goals", head.goals.len()),
            ("bodies", head.bodies.len()),
            ("paces", head.paces.len()),
        ];
        let line = |key: &str| {
            self.seen
                .iter()
                .find(|(seen, _)| *seen == key)
                .map(|&(_, line)| line)
        };
        // Without any of them the line of tick 0 tells how many there are.
        let Some(want) = agents else { return Ok(()) };
        for (what, got) in lists {
            if let Some(line) = line(what).filter(|_| got != want as usize) {
                let want = want as usize;
                return Err((line, Box::new(ReadReason::AgentCount { what, got, want })));
            }
        }
        head.agents = want;
        self.agents = agents;
        let named = head.tasks.iter().map(|task| task.agent);
        let named = named.chain(head.left.iter().map(|&(agent, _)| agent));
        if let Some(agent) = { named }.find(|&agent| agent >= want) {
            let line = line("left").or_else(|| line("agents")).unwrap_or(1);
            return Err((line, Box::new(ReadReason::NoAgent { agent, agents: want })));
        }
        Ok(())
    }

    /// Whether the number of agents is known.
    pub(super) const fn has_agents(&self) -> bool {
        self.agents.is_some()
    }

    /// Takes the number of agents from the ticks, where the header does not tell it.
    pub(super) fn settle_agents(&mut self, agents: u32) -> Result<(), (usize, Box<ReadReason>)> {
        self.agents = Some(agents);
        self.close()
    }
}

pub(super) fn count_of(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn wrong(column: usize, what: &'static str, got: &str, wanted: &'static str) -> Wrong {
    let got = quoted(got);
    (
        Some(column + 1),
        Box::new(ReadReason::Number { what, got, wanted }),
    )
}

fn parsed<T: FromStr>(
    value: &str,
    what: &'static str,
    wanted: &'static str,
    start: usize,
) -> Result<T, Wrong> {
    value
        .trim()
        .parse()
        .map_err(|_| wrong(start, what, value, wanted))
}

fn word<T: FromStr>(value: &str, what: &'static str, wanted: &'static str, start: usize) -> Result<T, Wrong> {
    parsed(value, what, wanted, start)
}

fn switch(value: &str, what: &'static str, start: usize) -> Result<bool, Wrong> {
    match value.trim() {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(wrong(start, what, value, "0 or 1")),
    }
}

/// A list with commas between, one behind the last is no harm.
fn list<'a, T>(
    value: &'a str,
    start: usize,
    what: &'static str,
    wanted: &'static str,
    mut item: impl FnMut(&mut Tokens<'a>) -> Option<T>,
) -> Result<Vec<T>, Wrong> {
    let mut tokens = Tokens::new(value.as_bytes());
    let mut items = Vec::new();
    while !tokens.is_at_end() {
        let fail = |tokens: &Tokens<'_>| {
            let got = String::from_utf8_lossy(tokens.rest());
            wrong(start + tokens.column() - 1, what, &got, wanted)
        };
        items.push(item(&mut tokens).ok_or_else(|| fail(&tokens))?);
        if !tokens.take(b',') && !tokens.is_at_end() {
            return Err(fail(&tokens));
        }
    }
    Ok(items)
}

fn cells(value: &str, start: usize) -> Result<Vec<Cell>, Wrong> {
    let wanted = "(x,y) or (x,y,layer), with commas between";
    list(value, start, "a cell", wanted, Tokens::cell)
}

fn bytes(
    value: &str,
    what: &'static str,
    wanted: &'static str,
    most: u8,
    start: usize,
) -> Result<Vec<u8>, Wrong> {
    list(value, start, what, wanted, |tokens| {
        let number = u8::try_from(tokens.count()?).ok()?;
        (1..=most).contains(&number).then_some(number)
    })
}

fn left(value: &str, start: usize) -> Result<Vec<(u32, u32)>, Wrong> {
    list(value, start, "who left", "agent@tick, such as 3@17", |tokens| {
        let agent = tokens.count()?;
        let tick = tokens.take(b'@').then(|| tokens.count())??;
        Some((agent, tick))
    })
}
