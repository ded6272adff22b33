//! Headings from offsets that somebody kept, say in a file.
//!
//! They need no proof as costs-to-goal do: a heading is a hint, and [`aim`](super::aim()) takes it only where the next
//! crossings are legal and lower the exact cost. What is checked is what others rely on: that they are of this map, and that
//! goals and cells without a way have none.

use super::{FlowField, Guidance, HeadingField};
use crate::grid::Cell;
use thiserror::Error;

/// Why offsets are not headings of a field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeadingPartsError {
    /// Not one offset per cell.
    #[error("a map of {cells} cells needs as many headings, but {got} were given")]
    WrongLength {
        /// Cells of the map.
        cells: usize,
        /// What was given.
        got: usize,
    },
    /// An offset where nobody walks, or beyond what headings hold.
    #[error("cell {cell} cannot have a heading of ({dx}, {dy}) sixteenths of a cell")]
    WrongOffset {
        /// The first such cell.
        cell: Cell,
        /// The offset to the east.
        dx: i16,
        /// The offset to the south.
        dy: i16,
    },
}

impl HeadingField {
    /// The headings of a field, from the offset `(dx, dy)` of every cell in id order, as [`Self::offset`] tells them; `(0, 0)`
    /// where there is none.
    ///
    /// # Errors
    /// [`HeadingPartsError`], see its variants.
    pub fn from_offsets(flow: &FlowField, offsets: Vec<[i16; 2]>) -> Result<Self, HeadingPartsError> {
        let grid = flow.grid();
        if offsets.len() != grid.len() {
            return Err(HeadingPartsError::WrongLength {
                cells: grid.len(),
                got: offsets.len(),
            });
        }
        for (id, &[dx, dy]) in grid.ids().zip(&offsets) {
            let walks = matches!(flow.guidance(id), Guidance::Toward(_) | Guidance::Through(_));
            // -32,768 is never stored: headings are the same seen from both sides.
            let fits = dx != i16::MIN && dy != i16::MIN;
            if (dx, dy) != (0, 0) && !(walks && fits) {
                let cell = grid.cell(id);
                return Err(HeadingPartsError::WrongOffset { cell, dx, dy });
            }
        }
        Ok(Self::of_parts(grid.clone(), offsets))
    }
}
