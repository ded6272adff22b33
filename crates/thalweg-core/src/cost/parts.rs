//! A cost field from what its cells are, known or not, say in a file.

use super::{Cost, CostField, CostFieldError};
use crate::grid::Grid;
use crate::shared_cells::SharedCells;

impl CostField {
    /// A field from one cost per cell in id order; `None` is an unknown cell. A new field: nothing is marked as changed, and
    /// the version is that of [`Self::from_bytes`].
    ///
    /// # Errors
    /// [`GridError::WrongLength`](crate::grid::GridError::WrongLength) if there are not as many costs as cells.
    pub fn from_cells(
        grid: Grid,
        cells: impl IntoIterator<Item = Option<Cost>>,
    ) -> Result<Self, CostFieldError> {
        let mut bytes = Vec::with_capacity(grid.len());
        let mut unknown = vec![0u64; grid.len().div_ceil(64)];
        // One more than fits, so that too many are found.
        for (index, cost) in cells.into_iter().take(grid.len() + 1).enumerate() {
            if let (None, Some(word)) = (cost, unknown.get_mut(index / 64)) {
                *word |= 1 << (index % 64);
            }
            bytes.push(cost.unwrap_or(Cost::IMPASSABLE).byte());
        }
        let field = Self::from_bytes(grid, bytes)?;
        Ok(field.with_unknown_bits(Some(SharedCells::new(unknown))))
    }
}
