//! Who touches whom, where the crowd does not say.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use thalweg_core::grid::{LayerIndex, MapPoint, SUBCELLS};
use thalweg_crowd::{AgentId, AgentView, Crowd};

/// How far beyond contact counts as touching, in cells.
const SLACK: f32 = 0.1;

type Bins = BTreeMap<(LayerIndex, i32, i32), Vec<(AgentId, MapPoint, f32)>>;

/// The agents of a crowd in square bins; these are made when somebody asks for the first time.
#[derive(Debug)]
pub(super) struct Touching<'a> {
    crowd: &'a Crowd,
    bins: OnceCell<(u32, Bins)>,
}

impl<'a> Touching<'a> {
    pub(super) const fn new(crowd: &'a Crowd) -> Self {
        Self {
            crowd,
            bins: OnceCell::new(),
        }
    }

    /// Of those an agent touches the one most nearly in the direction it wants to go, if one is ahead at all; ties go to the
    /// lower slot.
    pub(super) fn ahead_of(&self, view: &AgentView) -> Option<AgentId> {
        let (shift, bins) = self.bins.get_or_init(|| self.sort());
        let (x, y) = (view.position.x >> shift, view.position.y >> shift);
        let mut best: Option<(f32, AgentId)> = None;
        let near = (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
            .filter_map(|(dx, dy)| bins.get(&(view.position.layer, x + dx, y + dy)))
            .flatten();
        for &(agent, at, radius) in near {
            let [dx, dy] = apart(view.position, at);
            let distance = (dx * dx + dy * dy).sqrt();
            // The agent itself is not ahead of itself.
            if distance == 0.0 || distance > view.radius + radius + SLACK {
                continue;
            }
            let ahead = (dx * view.heading[0] + dy * view.heading[1]) / distance;
            let is_better = best.is_none_or(|(most, other)| ahead > most || (ahead == most && agent < other));
            if ahead > 0.0 && is_better {
                best = Some((ahead, agent));
            }
        }
        best.map(|(_, agent)| agent)
    }

    fn sort(&self) -> (u32, Bins) {
        let largest = self
            .crowd
            .agents()
            .map(|(_, agent)| agent.radius)
            .fold(0.0, f32::max);
        let mut shift = 16;
        let mut side = 1.0;
        while side < 2.0 * largest + SLACK {
            side *= 2.0;
            shift += 1;
        }
        let mut bins = Bins::new();
        for (agent, view) in self.crowd.agents() {
            let at = view.position;
            let bin = (at.layer, at.x >> shift, at.y >> shift);
            bins.entry(bin).or_default().push((agent, at, view.radius));
        }
        (shift, bins)
    }
}

/// From one point to another, in cells.
#[expect(clippy::cast_precision_loss, reason = "a direction")]
fn apart(from: MapPoint, to: MapPoint) -> [f32; 2] {
    let cells = |from: i32, to: i32| to.wrapping_sub(from) as f32 / SUBCELLS as f32;
    [cells(from.x, to.x), cells(from.y, to.y)]
}
