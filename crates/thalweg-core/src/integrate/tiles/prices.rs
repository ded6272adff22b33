//! What steps cost in a tile.

/// What every tile of one integration is relaxed by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    /// Length of a straight and of a diagonal step, in step units.
    pub(super) straight: u32,
    pub(super) diagonal: u32,
    /// Costs above this are not written.
    pub(super) limit: u32,
}

/// How a step is charged, seen from the row that pulls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pricing {
    /// Every step of one length costs the same in this tile: the charge.
    Flat(u32),
    /// By the cost of the cell left, which is the cell that pulls.
    Depart,
    /// By the cost of the cell entered, which is the cell pulled from.
    Arrive,
    /// By both, in doubled units.
    Mean,
}
