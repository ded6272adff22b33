//! One-way borders and portals of a scene, for profiles of any step scale.

use super::check::Checker;
use super::file::{OneWayTable, PortalTable};
use super::{SceneError, SceneProfile};
use thalweg_core::grid::{Cell, DIRECTIONS, Direction, DirectionSet, Grid};
use thalweg_core::movement::{EdgeRuleError, EdgeRules, MAX_PORTAL_COST, PortalCost};

/// The edges a scene adds to its grid, and takes from it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SceneEdges {
    /// Cells that straight steps may enter only from these sides.
    pub enter_from: Vec<(Cell, DirectionSet)>,
    /// Steps that are closed in one direction.
    pub closed: Vec<(Cell, Direction)>,
    /// Portals: from, to, and the cost in plain straight steps.
    pub portals: Vec<(Cell, Cell, u32)>,
}

impl SceneEdges {
    /// The edge rules of a map: a portal costs its number of straight steps at each profile's scale.
    ///
    /// # Errors
    /// [`EdgeRuleError`] if a cell is off the map.
    pub fn rules(&self, grid: &Grid) -> Result<EdgeRules, EdgeRuleError> {
        let mut rules = EdgeRules::new(grid.to_owned());
        for &(cell, sides) in &self.enter_from {
            rules.only_enter_from(cell, sides)?;
        }
        for &(cell, direction) in &self.closed {
            rules.close_exit(cell, direction)?;
        }
        for &(from, to, steps) in &self.portals {
            rules.add_priced_portal(from, to, PortalCost::Steps(steps))?;
        }
        Ok(rules)
    }
}

impl Checker<'_> {
    pub(super) fn edges(&self, profiles: &[SceneProfile]) -> Result<SceneEdges, SceneError> {
        let mut edges = SceneEdges::default();
        for &(from, to, cost) in &self.map.links {
            portal_fits(from, to, cost, profiles).map_err(|reason| {
                SceneError::at_line(self.file.map_line(), format!("the map's links: {reason}"))
            })?;
            edges.portals.push((from, to, cost));
        }
        for table in &self.file.one_ways {
            self.one_way(table.get_ref(), &mut edges)
                .map_err(|reason| SceneError::at_line(self.file.line(table), format!("one_way: {reason}")))?;
        }
        for table in &self.file.portals {
            self.portal(table.get_ref(), profiles, &mut edges)
                .map_err(|reason| SceneError::at_line(self.file.line(table), format!("portal: {reason}")))?;
        }
        Ok(edges)
    }

    fn one_way(&self, table: &OneWayTable, edges: &mut SceneEdges) -> Result<(), String> {
        let cells: Vec<Cell> = match (&table.cells, table.area) {
            (Some(cells), None) => cells
                .iter()
                .map(|&cell| self.on_map(cell))
                .collect::<Result<_, _>>()?,
            (None, Some(area)) => self.cells_in(area)?,
            _ => return Err("needs exactly one of `cells` and `area`".to_owned()),
        };
        match (&table.enter_from, &table.close) {
            (Some(sides), None) => {
                let sides = sides
                    .iter()
                    .map(|side| direction_named(side))
                    .collect::<Result<DirectionSet, _>>()?;
                if let Some(diagonal) = sides.iter().find(|side| side.is_diagonal()) {
                    return Err(format!(
                        "enter_from names {diagonal}, but only N, E, S and W are sides"
                    ));
                }
                edges
                    .enter_from
                    .extend(cells.into_iter().map(|cell| (cell, sides)));
            }
            (None, Some(exits)) => {
                for exit in exits {
                    let direction = direction_named(exit)?;
                    edges.closed.extend(cells.iter().map(|&cell| (cell, direction)));
                }
            }
            _ => return Err("needs exactly one of `enter_from` and `close`".to_owned()),
        }
        Ok(())
    }

    fn portal(
        &self,
        table: &PortalTable,
        profiles: &[SceneProfile],
        edges: &mut SceneEdges,
    ) -> Result<(), String> {
        let (from, to) = (self.on_map(table.from)?, self.on_map(table.to)?);
        portal_fits(from, to, table.cost, profiles)?;
        edges.portals.push((from, to, table.cost));
        if table.both {
            edges.portals.push((to, from, table.cost));
        }
        Ok(())
    }
}

fn portal_fits(from: Cell, to: Cell, steps: u32, profiles: &[SceneProfile]) -> Result<(), String> {
    if from == to {
        return Err(format!("it leads from {from} to itself"));
    }
    for SceneProfile { name, movement, .. } in profiles {
        let cost = u64::from(steps) * u64::from(movement.cost_unit());
        if cost > u64::from(MAX_PORTAL_COST) {
            return Err(format!(
                "{steps} steps cost {cost} units for profile `{name}`, above the limit of {MAX_PORTAL_COST}"
            ));
        }
    }
    Ok(())
}

fn direction_named(name: &str) -> Result<Direction, String> {
    DIRECTIONS
        .into_iter()
        .find(|direction| direction.name() == name)
        .ok_or_else(|| format!("`{name}` is not a direction; it must be N, E, S, W, NE, SE, SW or NW"))
}
