//! Saved maps.

use super::bytes::{Reader, Writer, array};
use super::{LoadError, SavedKind, grid};
use thalweg_core::cost::{Cost, CostField, CostFieldError};
use thalweg_core::grid::{CellId, Direction, DirectionSet, Grid};
use thalweg_core::movement::{EdgeRuleError, EdgeRules};

const UNKNOWN: u8 = 1;
const CLOSED: u8 = 2;
const PORTALS: u8 = 4;

/// A map that was loaded.
#[derive(Clone, PartialEq, Debug)]
pub struct SavedMap {
    /// Costs and unknown cells. Its version begins anew.
    pub costs: CostField,
    /// One-way borders and portals; `None` if there are none.
    pub rules: Option<EdgeRules>,
}

/// Saves a map: costs, unknown cells, and one-way borders and portals if there are any.
///
/// # Errors
/// [`EdgeRuleError::ForeignMap`] if the rules are of another grid.
pub fn save_map(costs: &CostField, rules: Option<&EdgeRules>) -> Result<Vec<u8>, EdgeRuleError> {
    let cells = costs.grid();
    if let Some(foreign) = rules.filter(|rules| rules.grid() != cells) {
        return Err(EdgeRuleError::ForeignMap {
            rules: foreign.grid().clone(),
            costs: cells.clone(),
        });
    }
    let closed = rules.filter(|rules| cells.ids().any(|id| !rules.closed(id).is_empty()));
    let portals = rules.map_or(&[][..], EdgeRules::portals);
    let has_unknown = costs.unknown_len() > 0;
    let mut out = Writer::new(SavedKind::Map);
    out.reserve(16 * cells.layers().len() + 3 * cells.len() + 12 * portals.len() + 16);
    grid::write(&mut out, cells);
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    out.u8(flag(has_unknown, UNKNOWN) | flag(closed.is_some(), CLOSED) | flag(!portals.is_empty(), PORTALS));
    out.bytes(costs.bytes().iter().copied());
    if has_unknown {
        let mut eight = 0;
        for id in cells.ids() {
            eight |= u8::from(!costs.is_known(id)) << (id.index() % 8);
            if id.index() % 8 == 7 || id.index() + 1 == cells.len() {
                out.u8(core::mem::take(&mut eight));
            }
        }
    }
    if let Some(rules) = closed {
        out.bytes(cells.ids().map(|id| rules.closed(id).bits()));
    }
    if !portals.is_empty() {
        // `EdgeRules` has no more.
        out.u32(u32::try_from(portals.len()).unwrap_or(u32::MAX));
        for portal in portals {
            out.u32(portal.from.0);
            out.u32(portal.to.0);
            out.u32(portal.cost);
        }
    }
    Ok(out.finish())
}

/// Loads a map.
///
/// # Errors
/// [`LoadError`]; never a panic, whatever the bytes are.
pub fn load_map(bytes: &[u8]) -> Result<SavedMap, LoadError> {
    let mut bytes = Reader::new(bytes, SavedKind::Map)?;
    let grid_at = bytes.at();
    let cells = grid::read(&mut bytes)?;
    let flags = bytes.flags(UNKNOWN | CLOSED | PORTALS)?;
    let len = cells.len() as u64;
    let values = bytes.take(len, "the costs")?;
    let unknown = if flags & UNKNOWN == 0 {
        &[]
    } else {
        read_unknown(&mut bytes, values, cells.len())?
    };
    let costs = values.iter().enumerate().map(|(index, &value)| {
        let is_unknown = unknown
            .get(index / 8)
            .is_some_and(|bits| bits & (1 << (index % 8)) != 0);
        (!is_unknown).then_some(Cost::from_byte(value))
    });
    let costs = CostField::from_cells(cells.clone(), costs).map_err(|error| in_costs(grid_at, error))?;
    let mut rules = (flags & (CLOSED | PORTALS) != 0).then(|| EdgeRules::new(cells.clone()));
    if let Some(rules) = &mut rules {
        if flags & CLOSED != 0 {
            let closed = bytes.take(len, "the closed exits")?;
            for (id, &bits) in cells.ids().zip(closed) {
                for direction in DirectionSet::from_bits(bits) {
                    close(rules, &cells, id, direction);
                }
            }
        }
        if flags & PORTALS != 0 {
            read_portals(&mut bytes, &cells, rules)?;
        }
    }
    bytes.finish("the map")?;
    Ok(SavedMap { costs, rules })
}

fn close(rules: &mut EdgeRules, cells: &Grid, id: CellId, direction: Direction) {
    // Refused only off the map.
    let _ = rules.close_exit(cells.cell(id), direction);
}

/// The bits of unknown cells, which must say nothing that would be lost without a word.
fn read_unknown<'a>(bytes: &mut Reader<'a>, values: &[u8], cells: usize) -> Result<&'a [u8], LoadError> {
    let begin = bytes.at();
    let bits = bytes.take((cells as u64).div_ceil(8), "the bits of unknown cells")?;
    for (at, &eight) in bits.iter().enumerate() {
        for cell in (0..8)
            .filter(|bit| eight & (1 << bit) != 0)
            .map(|bit| 8 * at + bit)
        {
            let what = match values.get(cell) {
                None => "a bit beyond the last cell is set",
                // What costs are where nobody knows.
                Some(&value) if value != 255 => "an unknown cell has a cost",
                Some(_) => continue,
            };
            return Err(LoadError::Value { at: begin + at, what });
        }
    }
    Ok(bits)
}

fn read_portals(bytes: &mut Reader<'_>, cells: &Grid, rules: &mut EdgeRules) -> Result<(), LoadError> {
    let portals = bytes.u32("the number of portals")?;
    let mut at = bytes.at();
    let list = bytes.take(u64::from(portals) * 12, "the portals")?;
    for portal in list.chunks_exact(12) {
        let number = |at: usize| u32::from_le_bytes(array(&portal[at..]));
        let cell = |at: usize, id: u32| {
            if (id as usize) < cells.len() {
                return Ok(cells.cell(CellId(id)));
            }
            let what = "a portal is on a cell beyond the map";
            Err(LoadError::Value { at, what })
        };
        let (from, to) = (cell(at, number(0))?, cell(at + 4, number(4))?);
        rules
            .add_portal(from, to, number(8))
            .map_err(|reason| LoadError::Portal { at, reason })?;
        at += 12;
    }
    Ok(())
}

fn in_costs(at: usize, error: CostFieldError) -> LoadError {
    match error {
        CostFieldError::Grid(reason) => LoadError::Grid { at, reason },
        // As many bytes as cells were taken.
        _ => LoadError::Value {
            at,
            what: "the costs do not fit the grid",
        },
    }
}
