//! Inputs as bytes.

use super::bytes::{Cursor, Wrong, put, put_signed};
use crate::scene::EventAction;
use crate::simulation::{Input, Place};
use thalweg_core::cost::Cost;
use thalweg_core::grid::{Cell, MapPoint};
use thalweg_crowd::AgentId;

// Codes of their own: the order of variants in a source file is not part of a format.
const CLOSE: u8 = 1;
const OPEN: u8 = 2;
const PUT: u8 = 3;
const TAKE: u8 = 4;
const HOLD: u8 = 5;
const RELEASE: u8 = 6;
const SET_COST: u8 = 7;
const MOVE_GOAL: u8 = 8;
const ADD_ON_CELL: u8 = 9;
const ADD_AT_POINT: u8 = 10;
const REMOVE: u8 = 11;
const PUSH: u8 = 12;
const HOLD_AGENT: u8 = 13;
const LET_GO: u8 = 14;
const SET_GROUP: u8 = 15;

pub(super) fn put_inputs(out: &mut Vec<u8>, inputs: &[Input]) {
    put(out, inputs.len() as u64);
    for input in inputs {
        put_input(out, input);
    }
}

fn put_input(out: &mut Vec<u8>, input: &Input) {
    let mut named = |code, index: usize| {
        out.push(code);
        put(out, index as u64);
    };
    match input {
        Input::Act(EventAction::Close(door)) => named(CLOSE, *door),
        Input::Act(EventAction::Open(door)) => named(OPEN, *door),
        Input::Act(EventAction::Put(overlay)) => named(PUT, *overlay),
        Input::Act(EventAction::Take(overlay)) => named(TAKE, *overlay),
        Input::Act(EventAction::Hold(zone)) => named(HOLD, *zone),
        Input::Act(EventAction::Release(zone)) => named(RELEASE, *zone),
        Input::Act(EventAction::SetCost {
            corners: (a, b),
            cost,
        }) => {
            out.push(SET_COST);
            put_cell(out, *a);
            put_cell(out, *b);
            out.push(cost.byte());
        }
        Input::Act(EventAction::MoveGoal { goal, to }) => {
            named(MOVE_GOAL, *goal);
            put_cell(out, *to);
        }
        Input::Add {
            group,
            place: Place::Cell(cell),
        } => {
            named(ADD_ON_CELL, *group);
            put_cell(out, *cell);
        }
        Input::Add {
            group,
            place: Place::Point(point),
        } => {
            named(ADD_AT_POINT, *group);
            put(out, u64::from(point.layer));
            put_signed(out, point.x.into());
            put_signed(out, point.y.into());
        }
        Input::Remove(agent) => put_agent(out, REMOVE, *agent),
        Input::Push { agent, way } => {
            put_agent(out, PUSH, *agent);
            out.extend(way.iter().flat_map(|along| along.to_bits().to_le_bytes()));
        }
        Input::HoldAgent(agent) => put_agent(out, HOLD_AGENT, *agent),
        Input::LetGo(agent) => put_agent(out, LET_GO, *agent),
        Input::SetGroup { agent, group } => {
            put_agent(out, SET_GROUP, *agent);
            put(out, *group as u64);
        }
    }
}

fn put_cell(out: &mut Vec<u8>, cell: Cell) {
    put(out, u64::from(cell.layer));
    put_signed(out, cell.x.into());
    put_signed(out, cell.y.into());
}

fn put_agent(out: &mut Vec<u8>, code: u8, agent: AgentId) {
    out.push(code);
    put(out, agent.to_bits());
}

/// The list is as long as bytes are there for it, whatever it says.
pub(super) fn read_inputs(cursor: &mut Cursor<'_>, inputs: &mut Vec<Input>) -> Result<(), Wrong> {
    inputs.clear();
    for _ in 0..cursor.number()? {
        inputs.push(read_input(cursor)?);
    }
    Ok(())
}

fn read_input(cursor: &mut Cursor<'_>) -> Result<Input, Wrong> {
    let code = cursor.u8()?;
    Ok(match code {
        CLOSE => Input::Act(EventAction::Close(cursor.narrow()?)),
        OPEN => Input::Act(EventAction::Open(cursor.narrow()?)),
        PUT => Input::Act(EventAction::Put(cursor.narrow()?)),
        TAKE => Input::Act(EventAction::Take(cursor.narrow()?)),
        HOLD => Input::Act(EventAction::Hold(cursor.narrow()?)),
        RELEASE => Input::Act(EventAction::Release(cursor.narrow()?)),
        SET_COST => Input::Act(EventAction::SetCost {
            corners: (read_cell(cursor)?, read_cell(cursor)?),
            cost: Cost::from_byte(cursor.u8()?),
        }),
        MOVE_GOAL => Input::Act(EventAction::MoveGoal {
            goal: cursor.narrow()?,
            to: read_cell(cursor)?,
        }),
        ADD_ON_CELL => Input::Add {
            group: cursor.narrow()?,
            place: Place::Cell(read_cell(cursor)?),
        },
        ADD_AT_POINT => {
            let group = cursor.narrow()?;
            let layer = cursor.narrow()?;
            let point = MapPoint::new(coordinate(cursor)?, coordinate(cursor)?).on(layer);
            Input::Add {
                group,
                place: Place::Point(point),
            }
        }
        REMOVE => Input::Remove(read_agent(cursor)?),
        PUSH => Input::Push {
            agent: read_agent(cursor)?,
            way: [cursor.f32()?, cursor.f32()?],
        },
        HOLD_AGENT => Input::HoldAgent(read_agent(cursor)?),
        LET_GO => Input::LetGo(read_agent(cursor)?),
        SET_GROUP => Input::SetGroup {
            agent: read_agent(cursor)?,
            group: cursor.narrow()?,
        },
        _ => return Err("there is an input that version 1 does not have"),
    })
}

fn read_cell(cursor: &mut Cursor<'_>) -> Result<Cell, Wrong> {
    let layer = cursor.narrow()?;
    Ok(Cell::on(layer, coordinate(cursor)?, coordinate(cursor)?))
}

fn read_agent(cursor: &mut Cursor<'_>) -> Result<AgentId, Wrong> {
    cursor.number().map(AgentId::from_bits)
}

fn coordinate(cursor: &mut Cursor<'_>) -> Result<i32, Wrong> {
    i32::try_from(cursor.signed()?).map_err(|_| "a coordinate is beyond 32 bits")
}
