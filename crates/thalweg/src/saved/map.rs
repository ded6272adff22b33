//! Saved maps.

use super::bytes::{Reader, Writer, array};
use super::{LoadError, SavedKind, grid};
use thalweg_core::cost::{Cost, CostField, CostFieldError};
use thalweg_core::grid::{Cell, CellId, Direction, DirectionSet, Grid};
use thalweg_core::movement::{EdgeRuleError, EdgeRules, PortalCost, PortalIndex};

const UNKNOWN: u8 = 1;
const CLOSED: u8 = 2;
const PORTALS: u8 = 4;

/// Bytes of the place of a portal: what there is, where it begins, where it leads, what it costs.
const PLACE: usize = 13;
const GONE: u8 = 0;
const UNITS: u8 = 1;
const STEPS: u8 = 2;

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
    // By index, and with the gaps of those that were taken away: ties and edits go by the index.
    let last = rules.and_then(|rules| rules.portals().last());
    let portals = last.map_or(0, |(index, _)| index.0 + 1);
    let has_unknown = costs.unknown_len() > 0;
    let mut out = Writer::new(SavedKind::Map);
    out.reserve(16 * cells.layers().len() + 3 * cells.len() + PLACE * portals as usize + 16);
    grid::write(&mut out, cells);
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    out.u8(flag(has_unknown, UNKNOWN) | flag(closed.is_some(), CLOSED) | flag(portals > 0, PORTALS));
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
    if let Some(rules) = rules.filter(|_| portals > 0) {
        out.u32(portals);
        for index in 0..portals {
            let portal = rules.portal(PortalIndex(index));
            let (code, numbers) = portal.map_or((GONE, [0; 3]), |portal| {
                let (code, cost) = match portal.cost {
                    PortalCost::Units(units) => (UNITS, units),
                    PortalCost::Steps(steps) => (STEPS, steps),
                };
                (code, [portal.from.0, portal.to.0, cost])
            });
            out.u8(code);
            numbers.into_iter().for_each(|number| out.u32(number));
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
    let places = bytes.u32("the number of portals")?;
    let mut at = bytes.at();
    let list = bytes.take(u64::from(places) * PLACE as u64, "the portals")?;
    for place in list.chunks_exact(PLACE) {
        let number = |at: usize| u32::from_le_bytes(array(&place[at..]));
        let (from, to, cost) = (number(1), number(5), number(9));
        let wrong = |at, what| LoadError::Value { at, what };
        let cell = |at, id| {
            let beyond = "a portal is on a cell beyond the map";
            cell_of(cells, id).ok_or(wrong(at, beyond))
        };
        let price = match place[0] {
            GONE if (from, to, cost) == (0, 0, 0) => None,
            GONE => return Err(wrong(at, "a portal that was taken away has cells or a cost")),
            UNITS => Some(PortalCost::Units(cost)),
            STEPS => Some(PortalCost::Steps(cost)),
            _ => {
                return Err(wrong(
                    at,
                    "a portal is priced in a way that version 1 does not have",
                ));
            }
        };
        match price {
            None => skip_index(rules, cells, at)?,
            Some(price) => {
                rules
                    .add_priced_portal(cell(at + 1, from)?, cell(at + 5, to)?, price)
                    .map_err(|reason| LoadError::Portal { at, reason })?;
            }
        }
        at += PLACE;
    }
    Ok(())
}

fn cell_of(cells: &Grid, id: u32) -> Option<Cell> {
    ((id as usize) < cells.len()).then(|| cells.cell(CellId(id)))
}

/// Gives an index out and takes it back, so that the next portal has the one after it.
fn skip_index(rules: &mut EdgeRules, cells: &Grid, at: usize) -> Result<(), LoadError> {
    // On a map of one cell no portal can ever have been.
    let (Some(from), Some(to)) = (cell_of(cells, 0), cell_of(cells, 1)) else {
        let what = "a map of one cell has portals";
        return Err(LoadError::Value { at, what });
    };
    let skipped = rules
        .add_portal(from, to, 0)
        .and_then(|index| rules.remove_portal(index));
    skipped
        .map(|_| ())
        .map_err(|reason| LoadError::Portal { at, reason })
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
