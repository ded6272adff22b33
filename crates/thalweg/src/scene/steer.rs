//! By what the agents of a group steer.

/// What a group asks for in its key `steer`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SteerBy {
    /// The exact directions, blended between cells.
    #[default]
    Directions,
    /// Headings: in a straight line to the farthest point of the way that is seen.
    Headings,
}

impl SteerBy {
    /// The value of the key, or the default without one.
    pub(super) fn parse(word: Option<&str>) -> Result<Self, String> {
        match word {
            None => Ok(Self::default()),
            Some("directions") => Ok(Self::Directions),
            Some("headings") => Ok(Self::Headings),
            Some(other) => Err(format!("steer is `{other}`; it must be directions or headings")),
        }
    }
}
