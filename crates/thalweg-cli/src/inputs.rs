//! Reads inputs by tick: one JSON object a line.

use crate::error::CliError;
use crate::scenes;
use serde::Deserialize;
use std::path::Path;
use thalweg::core::cost::Cost;
use thalweg::core::grid::{Cell, LayerIndex, MapPoint};
use thalweg::crowd::AgentId;
use thalweg::scene::{EventAction, Scene};
use thalweg::simulation::{Input, Place, TickReport};
use thalweg_io::{MAX_FILE_BYTES, read_limited};

/// How many refused inputs a summary lists.
const MAX_LISTED: usize = 20;

/// Inputs in the order of their ticks.
#[derive(Debug, Default)]
pub(crate) struct InputFile {
    inputs: Vec<Timed>,
    /// How many have been handed out.
    handed_out: usize,
    /// Those that were refused, in words, and how many there are beyond the list.
    refused: Vec<String>,
    refused_more: usize,
}

#[derive(Debug)]
struct Timed {
    tick: u64,
    line: usize,
    input: Input,
}

/// A line: a tick, and one of the others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    tick: u64,
    close: Option<String>,
    open: Option<String>,
    put: Option<String>,
    take: Option<String>,
    hold: Option<String>,
    release: Option<String>,
    cost: Option<CostLine>,
    move_goal: Option<GoalLine>,
    add: Option<AddLine>,
    remove: Option<String>,
    push: Option<PushLine>,
    hold_agent: Option<String>,
    let_go: Option<String>,
    set_group: Option<GroupLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CostLine {
    area: Vec<i32>,
    value: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalLine {
    goal: String,
    to: Vec<i32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AddLine {
    group: String,
    cell: Option<Vec<i32>>,
    point: Option<Vec<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PushLine {
    agent: String,
    way: [f32; 2],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupLine {
    agent: String,
    group: String,
}

impl InputFile {
    /// Reads a file of inputs for a scene.
    pub(crate) fn load(path: &Path, scene: &Scene) -> Result<Self, CliError> {
        let bytes = read_limited(path, MAX_FILE_BYTES)?;
        let text = scenes::text(path, bytes, "inputs must be text in UTF-8")?;
        Self::parse(&text, scene)
            .map_err(|(line, reason)| CliError::Usage(format!("{}, line {line}: {reason}", path.display())))
    }

    fn parse(text: &str, scene: &Scene) -> Result<Self, (usize, String)> {
        let mut inputs: Vec<Timed> = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                continue;
            }
            let fail = |reason| (line, reason);
            let parsed: Line = serde_json::from_str(text).map_err(|error| fail(json_error(&error)))?;
            let tick = parsed.tick;
            if inputs.last().is_some_and(|last| last.tick > tick) {
                return Err(fail(format!(
                    "tick {tick} comes after a later one; lines must be in the order of their ticks"
                )));
            }
            let input = parsed.input(scene).map_err(fail)?;
            inputs.push(Timed { tick, line, input });
        }
        Ok(Self {
            inputs,
            ..Self::default()
        })
    }

    /// The inputs of the tick that comes next.
    pub(crate) fn of_tick(&mut self, tick: u64) -> Vec<Input> {
        let from = self.inputs.partition_point(|timed| timed.tick < tick);
        let inputs = self.inputs[from..].iter().take_while(|timed| timed.tick == tick);
        let inputs: Vec<Input> = inputs.map(|timed| timed.input.clone()).collect();
        self.handed_out += inputs.len();
        inputs
    }

    /// Takes in what became of them.
    pub(crate) fn note(&mut self, report: &TickReport) {
        let from = self.inputs.partition_point(|timed| timed.tick < report.tick);
        for refused in &report.inputs.refused {
            if self.refused.len() >= MAX_LISTED {
                self.refused_more += 1;
                continue;
            }
            let line = self
                .inputs
                .get(from + refused.index)
                .map_or(0, |timed| timed.line);
            self.refused
                .push(format!("tick {}, line {line}: {}", report.tick, refused.error));
        }
    }

    /// What became of all.
    pub(crate) fn figures(&self) -> InputFigures {
        let refused = self.refused.len() + self.refused_more;
        InputFigures {
            applied: self.handed_out - refused,
            refused,
            too_late: self.inputs.len() - self.handed_out,
            reasons: self.refused.clone(),
        }
    }
}

/// What became of the inputs of a run.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct InputFigures {
    pub(crate) applied: usize,
    pub(crate) refused: usize,
    /// For ticks that were not stepped.
    pub(crate) too_late: usize,
    /// Of the first that were refused: tick, line and why.
    pub(crate) reasons: Vec<String>,
}

impl InputFigures {
    /// The words of the summary.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{} applied, {} refused", self.applied, self.refused);
        if self.too_late > 0 {
            text += &format!(", {} for ticks after the last", self.too_late);
        }
        text
    }
}

/// Without the line, which is that of the text it was given.
fn json_error(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(reason) => format!("column {}: {reason}", error.column()),
        None => text,
    }
}

impl Line {
    fn input(self, scene: &Scene) -> Result<Input, String> {
        let mut found = Vec::new();
        let door = |name: &str| named("door", name, scene.doors.iter().map(|door| &door.name));
        let overlay = |name: &str| {
            let names = scene.overlays.iter().map(|overlay| &overlay.name);
            named("overlay", name, names)
        };
        let zone = |name: &str| {
            let names = scene.waiting_zones.iter().map(|zone| &zone.name);
            named("waiting_zone", name, names)
        };
        let group = |name: &str| named("group", name, scene.groups.iter().map(|group| &group.name));
        if let Some(name) = &self.close {
            found.push(Input::Act(EventAction::Close(door(name)?)));
        }
        if let Some(name) = &self.open {
            found.push(Input::Act(EventAction::Open(door(name)?)));
        }
        if let Some(name) = &self.put {
            found.push(Input::Act(EventAction::Put(overlay(name)?)));
        }
        if let Some(name) = &self.take {
            found.push(Input::Act(EventAction::Take(overlay(name)?)));
        }
        if let Some(name) = &self.hold {
            found.push(Input::Act(EventAction::Hold(zone(name)?)));
        }
        if let Some(name) = &self.release {
            found.push(Input::Act(EventAction::Release(zone(name)?)));
        }
        if let Some(cost) = &self.cost {
            found.push(Input::Act(EventAction::SetCost {
                corners: corners(&cost.area)?,
                cost: Cost::try_from(cost.value).map_err(|error| error.to_string())?,
            }));
        }
        if let Some(moved) = &self.move_goal {
            found.push(Input::Act(EventAction::MoveGoal {
                goal: named("goal", &moved.goal, scene.goals.iter().map(|goal| &goal.name))?,
                to: cell(&moved.to)?,
            }));
        }
        if let Some(added) = &self.add {
            let place = match (&added.cell, &added.point) {
                (Some(at), None) => Place::Cell(cell(at)?),
                (None, Some(at)) => Place::Point(point(at)?),
                _ => return Err("`add` needs `cell` or `point`, and not both".to_owned()),
            };
            found.push(Input::Add {
                group: group(&added.group)?,
                place,
            });
        }
        if let Some(name) = &self.remove {
            found.push(Input::Remove(agent(name)?));
        }
        if let Some(push) = &self.push {
            found.push(Input::Push {
                agent: agent(&push.agent)?,
                way: push.way,
            });
        }
        if let Some(name) = &self.hold_agent {
            found.push(Input::HoldAgent(agent(name)?));
        }
        if let Some(name) = &self.let_go {
            found.push(Input::LetGo(agent(name)?));
        }
        if let Some(changed) = &self.set_group {
            found.push(Input::SetGroup {
                agent: agent(&changed.agent)?,
                group: group(&changed.group)?,
            });
        }
        let [input] = <[Input; 1]>::try_from(found).map_err(|_found| {
            "needs exactly one of close, open, put, take, hold, release, cost, move_goal, add, remove, push, \
             hold_agent, let_go and set_group"
                .to_owned()
        })?;
        Ok(input)
    }
}

fn named<'a>(what: &str, name: &str, mut names: impl Iterator<Item = &'a String>) -> Result<usize, String> {
    names
        .position(|known| known == name)
        .ok_or_else(|| format!("there is no {what} {name:?}"))
}

fn cell(numbers: &[i32]) -> Result<Cell, String> {
    match *numbers {
        [x, y] => Ok(Cell::new(x, y)),
        [x, y, on] => Ok(Cell::on(layer(on)?, x, y)),
        _ => Err("a cell is [x, y] or [x, y, layer]".to_owned()),
    }
}

fn corners(numbers: &[i32]) -> Result<(Cell, Cell), String> {
    match *numbers {
        [x0, y0, x1, y1] => Ok((Cell::new(x0, y0), Cell::new(x1, y1))),
        [x0, y0, x1, y1, on] => {
            let on = layer(on)?;
            Ok((Cell::on(on, x0, y0), Cell::on(on, x1, y1)))
        }
        _ => Err("an area is [x0, y0, x1, y1] or [x0, y0, x1, y1, layer]".to_owned()),
    }
}

fn point(numbers: &[f64]) -> Result<MapPoint, String> {
    let wanted = || "a point is [x, y] or [x, y, layer], in cells from the north-west corner".to_owned();
    let (at, on) = match *numbers {
        [x, y] => ([x, y], 0.0),
        [x, y, on] => ([x, y], on),
        _ => return Err(wanted()),
    };
    if on.fract() != 0.0 || !(0.0..=f64::from(LayerIndex::MAX)).contains(&on) {
        return Err(wanted());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was just checked"
    )]
    let on = on as LayerIndex;
    let point = MapPoint::from_map(at).ok_or_else(|| format!("the point {numbers:?} is beyond every map"))?;
    Ok(point.on(on))
}

fn layer(number: i32) -> Result<LayerIndex, String> {
    LayerIndex::try_from(number).map_err(|_| format!("{number} is not a layer"))
}

/// An agent as reports name it: slot and generation, as in 17v0.
fn agent(name: &str) -> Result<AgentId, String> {
    let wanted = || format!("{name:?} is not an agent; agents are named like 17v0, by slot and generation");
    let (slot, generation) = name.split_once('v').ok_or_else(wanted)?;
    let number = |text: &str| {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| is_plain)
    };
    let (slot, generation) = number(slot).zip(number(generation)).ok_or_else(wanted)?;
    Ok(AgentId::from_parts(slot, generation))
}
