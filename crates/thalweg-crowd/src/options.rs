//! The numbers a crowd can be tuned by.

use crate::CrowdError;
use thalweg_core::integrate::Vectors;

/// The largest neighbour cap.
pub const MAX_NEIGHBOURS: usize = 16;

/// How agents mind each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Avoidance {
    /// Not at all: they walk through each other. Walls still hold.
    Off,
    /// They slow down before others, walk around them, and bodies do not overlap for long.
    #[default]
    Separation,
    /// They take velocities that lead to no contact within [`CrowdOptions::horizon`], and each trusts the other to do its
    /// part; bodies that overlap all the same are pushed apart as with separation. See [`orca`](crate::orca). For sparse
    /// groups: it looks far ahead and passes smoothly, but costs more, and dense crowds that cross block each other.
    VelocityObstacles,
}

/// How a crowd moves. Start from [`CrowdOptions::default`] and change fields; [`Crowd::new`](crate::Crowd::new) checks
/// them.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct CrowdOptions {
    /// How agents mind each other; default [`Avoidance::Separation`].
    pub avoidance: Avoidance,
    /// How many neighbours an agent minds: the nearest ones, ties by slot; 1 to [`MAX_NEIGHBOURS`], default 8.
    pub neighbours: u8,
    /// How far beyond contact others are minded, in cells; 0 to 4, default 0.4.
    pub look_ahead: f32,
    /// How long a velocity must lead to no contact, in seconds, with [`Avoidance::VelocityObstacles`]: the larger, the
    /// earlier agents turn aside and the wider they pass; 0.1 to 10, default 2.
    pub horizon: f32,
    /// How far beyond contact others are minded with [`Avoidance::VelocityObstacles`], in cells; 0 to 8, default 3. In place
    /// of [`look_ahead`](Self::look_ahead), which is too near to turn aside in time; but the time to find neighbours grows with its square.
    pub sight: f32,
    /// The time in which a gap to another agent may close, in seconds: the larger, the earlier agents slow down;
    /// 0.01 to 5, default 0.2.
    pub headway: f32,
    /// How far behind others agents stay as they walk, as the time in which they cover that distance, in seconds; 0 to 5,
    /// default 0.1.
    ///
    /// At 0 a queue walks as fast as its first one, body at body, so that whoever brakes is run into: at 2 to 4 agents per
    /// square metre bodies overlapped by up to half a radius, at 0.1 by a twentieth. Either way a crowd of any density
    /// walks nearly as fast as one alone. People do not: half a second makes speeds and flows like theirs (the book has a
    /// chapter on it). Others are not minded beyond [`Self::look_ahead`], so that should be at least this time at full
    /// speed.
    pub time_gap: f32,
    /// The time in which an agent takes on a new velocity, in seconds; 0 to 5, default 0.1. Each substep takes it nearer to
    /// the velocity it wants by the substep's part of this time; a substep of this length or more takes it there.
    ///
    /// This is how turning costs time in a crowd: a turn by a right angle carries an agent about its speed times this
    /// number of cells on along its old way, and as many it loses on the new one. Its field knows nothing of that, so agents follow the way that is best
    /// without it, and no claim is made that they arrive first. Where turning has a price that the way itself must
    /// respect, the exact answer is the core's [`TurnField`](thalweg_core::expanded::TurnField), over cell and incoming
    /// direction. Rejected: a turn cost in the agents' field; it would have to be one state per cell, and then is a guess.
    pub response: f32,
    /// The part of an overlap that one contact pass takes away; 0 to 1, default 0.8.
    pub stiffness: f32,
    /// Contact passes per substep; 0 to 4, default 2.
    pub contact_passes: u8,
    /// The speed at which bodies are pushed apart at most, in cells per second; 0 to 64, default 2.
    pub max_push: f32,
    /// How far the fastest agent may walk in one substep, in cells; longer steps are cut. 0.05 to 0.5, default 0.25.
    pub max_travel: f32,
    /// How much of its radius an agent keeps between its centre and walls, in cells; 0 (only the centre minds walls) to
    /// 0.5, default 0.45. It never narrows a way the field offers: half a cell is the half width of the narrowest way.
    pub wall_clearance: f32,
    /// How long an agent must have been stopped before it joins the mates it touches that have arrived, in seconds; 0 to
    /// 60, default 0.1.
    pub settle: f32,
    /// How long arrived agents close ranks around their goal at most after the last one has joined them, in seconds; then
    /// they rest. 0 to 600, default 6.
    pub closing: f32,
    /// The instruction set of the stages that work with vectors; default the widest. Results do not depend on it; tests
    /// choose each in turn.
    pub vectors: Vectors,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self {
            avoidance: Avoidance::Separation,
            neighbours: 8,
            look_ahead: 0.4,
            horizon: 2.0,
            sight: 3.0,
            headway: 0.2,
            time_gap: 0.1,
            response: 0.1,
            stiffness: 0.8,
            contact_passes: 2,
            max_push: 2.0,
            max_travel: 0.25,
            wall_clearance: 0.45,
            settle: 0.1,
            closing: 6.0,
            vectors: Vectors::Best,
        }
    }
}

impl CrowdOptions {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with another avoidance.
    #[must_use]
    pub const fn with_avoidance(mut self, avoidance: Avoidance) -> Self {
        self.avoidance = avoidance;
        self
    }

    /// How far beyond contact others are minded, in cells.
    pub(crate) const fn reach(&self) -> f32 {
        match self.avoidance {
            Avoidance::Off | Avoidance::Separation => self.look_ahead,
            Avoidance::VelocityObstacles => self.sight,
        }
    }

    pub(crate) fn check(&self) -> Result<(), CrowdError> {
        let ranges = [
            ("neighbours", f32::from(self.neighbours), 1.0, 16.0),
            ("look_ahead", self.look_ahead, 0.0, 4.0),
            ("horizon", self.horizon, 0.1, 10.0),
            ("sight", self.sight, 0.0, 8.0),
            ("headway", self.headway, 0.01, 5.0),
            ("time_gap", self.time_gap, 0.0, 5.0),
            ("response", self.response, 0.0, 5.0),
            ("stiffness", self.stiffness, 0.0, 1.0),
            ("contact_passes", f32::from(self.contact_passes), 0.0, 4.0),
            ("max_push", self.max_push, 0.0, 64.0),
            ("max_travel", self.max_travel, 0.05, 0.5),
            ("wall_clearance", self.wall_clearance, 0.0, 0.5),
            ("settle", self.settle, 0.0, 60.0),
            ("closing", self.closing, 0.0, 600.0),
        ];
        for (name, got, least, most) in ranges {
            // Written so that NaN is refused too.
            if !(got >= least && got <= most) {
                return Err(CrowdError::Option {
                    name,
                    got,
                    least,
                    most,
                });
            }
        }
        Ok(())
    }
}
