//! The lines of a text grid that are no rows: layers and links.

use crate::error::{ReadReason, quoted};
use thalweg_core::grid::{Cell, LayerIndex};

/// A link between two cells, as a map file states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MapLink {
    /// Where it begins.
    pub from: Cell,
    /// Where it leads.
    pub to: Cell,
    /// What it costs, in plain straight steps (cost 1), whatever the cells at its ends cost.
    pub cost: u32,
    /// Whether it may be taken back at the same cost.
    pub both: bool,
}

impl MapLink {
    /// The ways it opens: from, to, and the cost in plain straight steps; a second one if it may be taken back.
    pub fn ways(&self) -> impl Iterator<Item = (Cell, Cell, u32)> + use<> {
        let back = self.both.then_some((self.to, self.from, self.cost));
        core::iter::once((self.from, self.to, self.cost)).chain(back)
    }
}

const LAYER: &str = "a layer, such as `=`, `= upper` or `= upper at 3,-1`";
const LINK: &str = "a link, such as `@ 7,7,0 <-> 7,7,1 5` or `@ 0,0 -> 4,4 0`";

/// The name (empty if none) and the first cell of a layer line, without its `=`.
pub(super) fn layer_header(text: &str) -> Result<(String, (i32, i32)), ReadReason> {
    let wrong = || ReadReason::Header {
        wanted: LAYER,
        got: quoted(&format!("={text}")),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let (name, place) = match words.as_slice() {
        [] => ("", None),
        ["at", place] => ("", Some(place)),
        ["at"] => return Err(wrong()),
        [name] => (*name, None),
        [name, "at", place] => (*name, Some(place)),
        _ => return Err(wrong()),
    };
    let first = match place {
        None => (0, 0),
        Some(place) => match numbers(place).as_deref() {
            Some(&[x, y]) => (x, y),
            _ => return Err(wrong()),
        },
    };
    Ok((name.to_owned(), first))
}

/// The link of a line, without its `@`.
pub(super) fn link(text: &str) -> Result<MapLink, ReadReason> {
    let wrong = || ReadReason::Header {
        wanted: LINK,
        got: quoted(&format!("@{text}")),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let &[from, arrow, to, cost] = words.as_slice() else {
        return Err(wrong());
    };
    let both = match arrow {
        "->" => false,
        "<->" => true,
        _ => return Err(wrong()),
    };
    let cell = |word: &str| match numbers(word).as_deref() {
        Some(&[x, y]) => Some(Cell::new(x, y)),
        Some(&[x, y, layer]) => Some(Cell::on(LayerIndex::try_from(layer).ok()?, x, y)),
        _ => None,
    };
    let (from, to) = cell(from).zip(cell(to)).ok_or_else(wrong)?;
    if from == to {
        return Err(ReadReason::LinkToItself(from));
    }
    let cost = cost.parse().map_err(|_| wrong())?;
    Ok(MapLink { from, to, cost, both })
}

fn numbers(text: &str) -> Option<Vec<i32>> {
    text.split(',').map(|part| part.parse().ok()).collect()
}
