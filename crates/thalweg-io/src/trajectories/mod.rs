//! Who was where in which frame: the text format of the Jülich archive of pedestrian dynamics, which PedPy and JuPedSim
//! read too, and NumPy archives.

mod npz;
mod read;
mod text;

pub use npz::TrajectoryNpz;
pub use read::{read_trajectories, read_trajectories_file};
pub use text::TrajectoryText;

/// Where somebody was in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrajectoryPoint {
    /// Who; every person of a file has a number of its own.
    pub id: u32,
    /// When, in frames.
    pub frame: u32,
    /// Where, in metres.
    pub x: f64,
    /// Where, in metres.
    pub y: f64,
    /// The third number of a file: of measured people the height of their heads in metres, in files of ours the layer.
    pub z: f64,
}

/// The unit in which a file has its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrajectoryUnit {
    /// Metres.
    Metres,
    /// Centimetres.
    Centimetres,
}

/// What stood in a file of trajectories.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Trajectories {
    /// Frames per second, finite and above 0, if the file says so.
    pub frame_rate: Option<f64>,
    /// The unit in which the file has its positions, if it says so; without it they are taken for metres.
    pub unit: Option<TrajectoryUnit>,
    /// Everybody's places, in metres, by frame and then by id. Nobody is in a frame twice.
    pub points: Vec<TrajectoryPoint>,
}
