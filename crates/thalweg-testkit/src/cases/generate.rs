//! Maps of rows: drawn, or generated from a short description.

use super::evaluate;
use crate::literal::map_with;
use serde::Deserialize;
use std::collections::BTreeMap;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};

/// A description of a map too big to print.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSpec {
    w: u32,
    h: u32,
    cost_is: Option<String>,
    fill: Option<u8>,
    #[serde(default)]
    cost_rects: Vec<[u32; 5]>,
    wall_if: Option<String>,
    #[serde(default)]
    snake: bool,
    #[serde(default)]
    wall_rects: Vec<[u32; 4]>,
    #[serde(default)]
    keep_free: Vec<[u32; 2]>,
}

impl MapSpec {
    /// Makes the map, in the order the fields are listed in.
    ///
    /// # Panics
    /// If a cost is not 0 to 254 or a rectangle leaves the map.
    #[must_use]
    pub fn build(&self) -> CostField {
        let grid = Grid::new(self.w, self.h).expect("a map has at least one cell");
        let ground = |x: u32, y: u32| -> u8 {
            let rect = self
                .cost_rects
                .iter()
                .rev()
                .find(|rect| (rect[0]..=rect[2]).contains(&x) && (rect[1]..=rect[3]).contains(&y));
            if let Some(&[.., cost]) = rect {
                return u8::try_from(cost).expect("a cost of one byte");
            }
            match &self.cost_is {
                Some(text) => {
                    u8::try_from(evaluate(text, u64::from(x), u64::from(y))).expect("a cost of one byte")
                }
                None => self.fill.unwrap_or(1),
            }
        };
        let is_wall = |x: u32, y: u32| {
            let by_expression = self
                .wall_if
                .as_ref()
                .is_some_and(|text| evaluate(text, u64::from(x), u64::from(y)) != 0);
            let gap = if y % 4 == 1 { self.w - 1 } else { 0 };
            let by_snake = self.snake && y % 2 == 1 && x != gap;
            let by_rect = self
                .wall_rects
                .iter()
                .any(|rect| (rect[0]..=rect[2]).contains(&x) && (rect[1]..=rect[3]).contains(&y));
            (by_expression || by_snake || by_rect) && !self.keep_free.contains(&[x, y])
        };
        let mut costs = Vec::with_capacity(grid.len());
        for y in 0..self.h {
            for x in 0..self.w {
                costs.push(if is_wall(x, y) {
                    Cost::IMPASSABLE.byte()
                } else {
                    ground(x, y)
                });
            }
        }
        CostField::from_bytes(grid, costs).expect("one byte per cell")
    }
}

/// The map of a row that has either `map` (with an optional legend) or `gen`.
pub(super) fn costs_of(
    id: &str,
    map: Option<&Vec<String>>,
    generated: Option<&MapSpec>,
    legend: &BTreeMap<char, Option<u8>>,
) -> CostField {
    match (map, generated) {
        (Some(rows), None) => {
            let legend: Vec<_> = legend.iter().map(|(&letter, &cost)| (letter, cost)).collect();
            map_with(rows, &legend)
        }
        (None, Some(spec)) => spec.build(),
        _ => panic!("row {id} must have either `map` or `gen`"),
    }
}

/// The cell of a pair of numbers.
pub(super) fn cell(pair: [i32; 2]) -> Cell {
    Cell::new(pair[0], pair[1])
}

/// The cell of a key such as `3,0`.
pub(super) fn cell_of_key(key: &str) -> Cell {
    let numbers: Option<Vec<i32>> = key.split(',').map(|text| text.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y]) => cell([x, y]),
        Some(&[x, y, layer]) => Cell::on(u16::try_from(layer).expect("a few floors"), x, y),
        _ => panic!("`{key}` is not `x,y` or `x,y,layer`"),
    }
}
