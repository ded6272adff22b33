//! Areas that measure how many are inside and how fast they are.

use super::RecorderError;
use super::geometry::{Box2, doubled_area, is_inside};
use thalweg_core::grid::{LayerIndex, MapPoint, SUBCELLS};

/// An area of one layer in which density and speed are measured.
///
/// Half-open as cells are: of two areas that share an edge everybody on it is in exactly one.
#[derive(Clone, Debug)]
pub struct MeasureArea {
    name: String,
    ring: Vec<MapPoint>,
    around: Box2,
    square_cells: f64,
    /// A vector of length 1, in map space.
    along: Option<[f64; 2]>,
    /// In world units.
    width: Option<f64>,
    samples: Vec<AreaSample>,
    inside: Inside,
}

/// What an area saw in one observation.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct AreaSample {
    /// Which observation, from 0: the tick, if every tick is observed.
    pub tick: u64,
    /// When it ended, in seconds since the first one began.
    pub time_s: f64,
    /// How long it took, in seconds.
    pub takes_s: f64,
    /// Agents whose centre is inside at its end.
    pub agents: u32,
    /// Agents per square world unit: those inside by the area (the classical density).
    pub density: f64,
    /// Mean of their speeds over the step in world units per second; 0 if nobody is inside.
    pub speed: f64,
    /// Mean of the components of their velocities along the area's direction, in world units per second; `None` without a
    /// direction, 0 if nobody is inside.
    pub speed_along: Option<f64>,
    /// Density × speed along the direction × width, in agents per second; `None` without a width.
    pub flow: Option<f64>,
}

/// Means of an area over a time, each sample weighed by how long it took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct AreaMeans {
    /// Observations in that time.
    pub samples: u64,
    /// Agents inside.
    pub agents: f64,
    /// The most who were inside at once.
    pub most_agents: u32,
    /// Agents per square world unit.
    pub density: f64,
    /// Mean speed of those inside, in world units per second: every agent counts as long as it was inside, so empty times
    /// do not count as standing.
    pub speed: f64,
    /// The same for the component along the area's direction.
    pub speed_along: Option<f64>,
    /// Agents per second over the area's width.
    pub flow: Option<f64>,
}

/// Sums of the observation in the making.
#[derive(Clone, Copy, Default, Debug)]
struct Inside {
    agents: u32,
    /// Cells per second.
    speed: f64,
    along: f64,
}

impl MeasureArea {
    /// A rectangle between two opposite corners, in any order.
    ///
    /// # Errors
    /// [`RecorderError::Layers`], [`RecorderError::NoArea`].
    pub fn rectangle(name: impl Into<String>, a: MapPoint, b: MapPoint) -> Result<Self, RecorderError> {
        if b.layer != a.layer {
            return Err(RecorderError::Layers {
                point: b,
                layer: a.layer,
            });
        }
        Self::polygon(name, vec![a, a.at(b.x, a.y), b, a.at(a.x, b.y)])
    }

    /// A ring of corners; the last one is joined to the first. It must not cross itself, or parts of it count as outside.
    ///
    /// # Errors
    /// [`RecorderError::FewCorners`], [`RecorderError::Layers`], [`RecorderError::NoArea`].
    pub fn polygon(name: impl Into<String>, ring: Vec<MapPoint>) -> Result<Self, RecorderError> {
        let first = match ring.first() {
            Some(&first) if ring.len() >= 3 => first,
            _ => return Err(RecorderError::FewCorners(ring.len())),
        };
        if let Some(&point) = ring.iter().find(|point| point.layer != first.layer) {
            return Err(RecorderError::Layers {
                point,
                layer: first.layer,
            });
        }
        let doubled = doubled_area(&ring);
        if doubled == 0 {
            return Err(RecorderError::NoArea);
        }
        #[expect(clippy::cast_precision_loss, reason = "an area for people")]
        let square_cells = doubled as f64 / 2.0 / (f64::from(SUBCELLS) * f64::from(SUBCELLS));
        Ok(Self {
            name: name.into(),
            around: Box2::around(&ring),
            ring,
            square_cells,
            along: None,
            width: None,
            samples: Vec::new(),
            inside: Inside::default(),
        })
    }

    /// The area, which also measures the component of speeds along a direction in map space (y downward), of any length.
    ///
    /// # Errors
    /// [`RecorderError::Direction`] if it points nowhere.
    pub fn with_direction(mut self, along: [f64; 2]) -> Result<Self, RecorderError> {
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        if !(length.is_finite() && length > 0.0) {
            return Err(RecorderError::Direction(along[0], along[1]));
        }
        self.along = Some([along[0] / length, along[1] / length]);
        Ok(self)
    }

    /// The area, which also tells the flow through a cross-section of this width in world units: density × speed along the
    /// direction × width.
    ///
    /// # Errors
    /// [`RecorderError::Width`] if it is no positive length; [`RecorderError::Direction`] without a direction.
    pub fn with_width(mut self, width: f64) -> Result<Self, RecorderError> {
        if self.along.is_none() {
            return Err(RecorderError::Direction(0.0, 0.0));
        }
        if !(width.is_finite() && width > 0.0) {
            return Err(RecorderError::Width(width));
        }
        self.width = Some(width);
        Ok(self)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its corners.
    #[must_use]
    pub fn corners(&self) -> &[MapPoint] {
        &self.ring
    }

    /// Its layer.
    #[must_use]
    pub fn layer(&self) -> LayerIndex {
        self.ring.first().map_or(0, |corner| corner.layer)
    }

    /// Its size in square cells.
    #[must_use]
    pub const fn square_cells(&self) -> f64 {
        self.square_cells
    }

    /// Whether a point is inside.
    #[must_use]
    pub fn holds(&self, point: MapPoint) -> bool {
        // The box holds its far edges too, which do not belong to the area; so the ring is asked in any case.
        point.layer == self.layer() && self.around.holds(point) && is_inside(&self.ring, point)
    }

    /// What every observation saw.
    #[must_use]
    pub fn samples(&self) -> &[AreaSample] {
        &self.samples
    }

    /// Means over the observations that ended after `after_s` and up to `until_s`, in seconds.
    #[must_use]
    pub fn means(&self, after_s: f64, until_s: f64) -> AreaMeans {
        let upto = |time: f64| self.samples.partition_point(|sample| sample.time_s <= time);
        let samples = self.samples.get(upto(after_s)..upto(until_s)).unwrap_or_default();
        let mut means = AreaMeans {
            samples: samples.len() as u64,
            ..AreaMeans::default()
        };
        let (mut seconds, mut agent_seconds, mut density) = (0.0, 0.0, 0.0);
        let (mut speed, mut along, mut flow) = (0.0, 0.0, 0.0);
        for sample in samples {
            let inside = f64::from(sample.agents) * sample.takes_s;
            seconds += sample.takes_s;
            agent_seconds += inside;
            density += sample.density * sample.takes_s;
            speed += sample.speed * inside;
            along += sample.speed_along.unwrap_or(0.0) * inside;
            flow += sample.flow.unwrap_or(0.0) * sample.takes_s;
            means.most_agents = means.most_agents.max(sample.agents);
        }
        let share = |sum: f64, of: f64| if of > 0.0 { sum / of } else { 0.0 };
        means.agents = share(agent_seconds, seconds);
        means.density = share(density, seconds);
        means.speed = share(speed, agent_seconds);
        means.speed_along = self.along.map(|_| share(along, agent_seconds));
        means.flow = self.width.map(|_| share(flow, seconds));
        means
    }

    /// Takes in somebody on this layer; `velocity` in cells per second.
    pub(super) fn take_in(&mut self, position: MapPoint, velocity: [f64; 2]) {
        if !self.holds(position) {
            return;
        }
        self.inside.agents += 1;
        self.inside.speed += (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
        if let Some([x, y]) = self.along {
            self.inside.along += velocity[0] * x + velocity[1] * y;
        }
    }

    /// Ends an observation.
    pub(super) fn end(&mut self, tick: u64, time_s: f64, takes_s: f64, cell_size: f64) {
        let inside = core::mem::take(&mut self.inside);
        let agents = f64::from(inside.agents);
        let mean = |sum: f64| {
            if inside.agents == 0 {
                0.0
            } else {
                sum / agents * cell_size
            }
        };
        let density = agents / (self.square_cells * cell_size * cell_size);
        let speed_along = self.along.map(|_| mean(inside.along));
        self.samples.push(AreaSample {
            tick,
            time_s,
            takes_s,
            agents: inside.agents,
            density,
            speed: mean(inside.speed),
            speed_along,
            flow: self
                .width
                .zip(speed_along)
                .map(|(width, along)| density * along * width),
        });
    }
}
