//! Lines that count who passes them.

use super::RecorderError;
use super::geometry::{Box2, hand};
use std::collections::BTreeMap;
use thalweg_core::grid::{LayerIndex, MapPoint, SUBCELLS};
use thalweg_crowd::AgentId;

/// Which way a line was passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Way {
    /// To the left hand of whoever walks along the line from its beginning to its end, as the map is drawn. A line drawn
    /// from north to south counts eastward passages as forward.
    Forward,
    /// To the right hand.
    Backward,
}

/// Somebody passed a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Passage {
    /// Who.
    pub agent: AgentId,
    /// Which way.
    pub way: Way,
    /// In which observation, from 0: the tick, if every tick is observed.
    pub tick: u64,
    /// When, in seconds since the first observation began; between two observations by the part of the step before the
    /// line.
    pub time_s: f64,
    /// Where on the line: 0 at its beginning, 1 at its end.
    pub at: f64,
}

/// A segment on one layer that counts passages, each direction by itself.
///
/// # The rule
/// Everybody has a side of the straight line through the segment: left or right. Whoever stands exactly on it keeps the
/// side it came from. A passage is a change of side; it lies where the agent *leaves* the straight line, and counts if that
/// is on the segment. So touching the line and going back is no passage, standing on it for a while is none or one, and
/// **forward − backward is the change of side** of everybody who never goes round the ends.
///
/// An end that lies exactly on somebody's step counts as lying left of it, the step taken from west to east (or southward).
/// So lines that meet at their ends share nobody and lose nobody: of four lines round a block the balance is who is in it.
/// Whoever halts exactly on an end passes with the beginning of a line, and not with its end.
///
/// Rejected: a half-open rule without memory ("on the line is right of it"). It needs no state and has the same balance,
/// but counts two passages for whoever touches the line from the left and goes back.
#[derive(Clone, Debug)]
pub struct CountLine {
    name: String,
    from: MapPoint,
    to: MapPoint,
    around: Box2,
    /// Those who stand exactly on the straight line, and the side they came from (above 0: right).
    on_line: BTreeMap<AgentId, i8>,
    passages: Vec<Passage>,
    counts: [u64; 2],
}

/// A step of an agent, as a line sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) agent: AgentId,
    pub(super) from: MapPoint,
    pub(super) to: MapPoint,
    pub(super) tick: u64,
    /// When it begins, in seconds.
    pub(super) begins_s: f64,
    /// How long it takes, in seconds.
    pub(super) takes_s: f64,
}

impl CountLine {
    /// A line between two points of a layer.
    ///
    /// # Errors
    /// [`RecorderError::NoLength`], [`RecorderError::Layers`].
    pub fn new(name: impl Into<String>, from: MapPoint, to: MapPoint) -> Result<Self, RecorderError> {
        if from.layer != to.layer {
            return Err(RecorderError::Layers {
                point: to,
                layer: from.layer,
            });
        }
        if from == to {
            return Err(RecorderError::NoLength(from));
        }
        Ok(Self {
            name: name.into(),
            from,
            to,
            around: Box2::around(&[from, to]),
            on_line: BTreeMap::new(),
            passages: Vec::new(),
            counts: [0; 2],
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its ends.
    #[must_use]
    pub const fn ends(&self) -> (MapPoint, MapPoint) {
        (self.from, self.to)
    }

    /// Its layer.
    #[must_use]
    pub const fn layer(&self) -> LayerIndex {
        self.from.layer
    }

    /// Its length in cells.
    #[must_use]
    pub fn length_cells(&self) -> f64 {
        let along = |to: i32, from: i32| (f64::from(to) - f64::from(from)) / f64::from(SUBCELLS);
        let (x, y) = (along(self.to.x, self.from.x), along(self.to.y, self.from.y));
        (x * x + y * y).sqrt()
    }

    /// Everybody who passed, in the order of time; at one instant in the order of ids.
    #[must_use]
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// How often it was passed this way.
    #[must_use]
    pub const fn count(&self, way: Way) -> u64 {
        self.counts[way as usize]
    }

    /// Forward less backward.
    #[must_use]
    pub fn net(&self) -> i64 {
        self.count(Way::Forward)
            .cast_signed()
            .wrapping_sub(self.count(Way::Backward).cast_signed())
    }

    /// Those who passed after `after_s` and up to `until_s`, in seconds.
    #[must_use]
    pub fn passages_between(&self, after_s: f64, until_s: f64) -> &[Passage] {
        let upto = |time: f64| self.passages.partition_point(|passage| passage.time_s <= time);
        let (first, end) = (upto(after_s), upto(until_s));
        self.passages.get(first..end).unwrap_or_default()
    }

    /// Passages this way after `after_s` and up to `until_s`, in seconds.
    #[must_use]
    pub fn count_between(&self, way: Way, after_s: f64, until_s: f64) -> u64 {
        let passages = self.passages_between(after_s, until_s).iter();
        passages.filter(|passage| passage.way == way).count() as u64
    }

    /// Passages a second this way, over the time after `after_s` and up to `until_s`; 0 if no time lies between.
    #[must_use]
    pub fn flow(&self, way: Way, after_s: f64, until_s: f64) -> f64 {
        let seconds = until_s - after_s;
        if seconds > 0.0 {
            count_as_f64(self.count_between(way, after_s, until_s)) / seconds
        } else {
            0.0
        }
    }

    /// Passages a second this way from the first of them to the last: (N − 1) / (t_N − t_1), the usual mean of a
    /// bottleneck. `None` with fewer than two, or if they came at one instant.
    #[must_use]
    pub fn mean_flow(&self, way: Way, after_s: f64, until_s: f64) -> Option<f64> {
        let mut times = self
            .passages_between(after_s, until_s)
            .iter()
            .filter(|passage| passage.way == way)
            .map(|passage| passage.time_s);
        let first = times.next()?;
        let (more, last) = times.fold((0, first), |(more, _), time| (more + 1, time));
        (last > first).then(|| count_as_f64(more) / (last - first))
    }

    /// Forgets somebody's side: whoever is seen next begins anew.
    pub(super) fn forget(&mut self, agent: AgentId) {
        self.on_line.remove(&agent);
    }

    /// Forgets the sides of all others.
    pub(super) fn forget_unless(&mut self, is_there: impl Fn(AgentId) -> bool) {
        self.on_line.retain(|&agent, _| is_there(agent));
    }

    /// Puts the passages of one observation, those from the index on, into the order of time.
    pub(super) fn sort_from(&mut self, first: usize) {
        if let Some(new) = self.passages.get_mut(first..) {
            new.sort_by(|a, b| a.time_s.total_cmp(&b.time_s).then(a.agent.cmp(&b.agent)));
        }
    }

    /// Takes in a step of somebody who was on this layer before and after it.
    pub(super) fn take_in(&mut self, step: &Step) {
        if step.from == step.to {
            return;
        }
        // Whoever has stood on the line may have been pushed off the segment along it, so it is looked at in any case.
        let is_near = self.around.meets(step.from, step.to);
        if !is_near && (self.on_line.is_empty() || !self.on_line.contains_key(&step.agent)) {
            return;
        }
        let before = hand(self.from, self.to, step.from);
        let after = hand(self.from, self.to, step.to);
        if before == 0 && after == 0 {
            return;
        }
        if after == 0 {
            self.on_line.insert(step.agent, sign(before));
            return;
        }
        let came_from = if before == 0 {
            // Nobody knows the side of who began on the line: it is the one it leaves to.
            match self.on_line.remove(&step.agent) {
                Some(side) => side,
                None => return,
            }
        } else {
            sign(before)
        };
        if came_from == sign(after) {
            return;
        }
        let part = as_f64(before) / (as_f64(before) - as_f64(after));
        if !self.is_on_segment(step, before) {
            return;
        }
        let way = if after < 0 { Way::Forward } else { Way::Backward };
        self.counts[way as usize] += 1;
        self.passages.push(Passage {
            agent: step.agent,
            way,
            tick: step.tick,
            time_s: step.begins_s + step.takes_s * part,
            at: self.place_of(step, part),
        });
    }

    /// Whether the point at which a step leaves the straight line is on the segment; exact. `before` and `after` are the
    /// hand of its beginning.
    fn is_on_segment(&self, step: &Step, before: i128) -> bool {
        if before == 0 {
            // The point is a whole one.
            return self.is_between(step.from);
        }
        // The hands of the ends seen from the step, which is taken from west to east (or southward) whichever way it was
        // walked: both ways, and all lines that meet at an end, then answer alike.
        let (start, end) = if (step.from.x, step.from.y) <= (step.to.x, step.to.y) {
            (step.from, step.to)
        } else {
            (step.to, step.from)
        };
        (hand(start, end, self.from) > 0) != (hand(start, end, self.to) > 0)
    }

    fn is_between(&self, point: MapPoint) -> bool {
        // The point is on the straight line: one axis on which the ends differ tells.
        let (from, to, at) = if self.from.x == self.to.x {
            (self.from.y, self.to.y, point.y)
        } else {
            (self.from.x, self.to.x, point.x)
        };
        if from < to {
            from <= at && at < to
        } else {
            to < at && at <= from
        }
    }

    fn place_of(&self, step: &Step, part: f64) -> f64 {
        let between = |from: i32, to: i32| f64::from(from) + (f64::from(to) - f64::from(from)) * part;
        let (x, y) = (
            between(step.from.x, step.to.x) - f64::from(self.from.x),
            between(step.from.y, step.to.y) - f64::from(self.from.y),
        );
        let (along_x, along_y) = (
            f64::from(self.to.x) - f64::from(self.from.x),
            f64::from(self.to.y) - f64::from(self.from.y),
        );
        ((x * along_x + y * along_y) / (along_x * along_x + along_y * along_y)).clamp(0.0, 1.0)
    }
}

const fn sign(hand: i128) -> i8 {
    if hand > 0 { 1 } else { -1 }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
const fn as_f64(hand: i128) -> f64 {
    hand as f64
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(super) const fn count_as_f64(count: u64) -> f64 {
    count as f64
}
