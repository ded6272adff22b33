//! Hashes by which a saved bundle knows what it was made for.
//!
//! XXH3 with 128 bits over numbers in little-endian order: the same on every machine and in every build of the same format
//! version. They tell things apart that differ by chance or edit; against somebody who looks for two maps with one hash
//! there is the check of every cost at loading.

use core::fmt;
use thalweg_core::grid::{DirectionSet, Grid};
use thalweg_core::integrate::ResolvedGoals;
use thalweg_core::movement::{
    Charge, Connectivity, CornerRule, EdgeKind, Footprint, Movement, MovementProfile,
};
use xxhash_rust::xxh3::Xxh3;

macro_rules! hashes {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
            #[repr(transparent)]
            pub struct $name(pub u128);

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, "{:032x}", self.0)
                }
            }
        )*
    };
}

hashes! {
    /// Of a map as a profile sees it: grid, costs, unknown cells, exits, portals and what steps cost beside the charge of cells. Where
    /// it is the same, the same field is right. For a body with extent costs are those of its anchors: a change of the ground
    /// under them that makes no anchor dearer changes nothing.
    MapHash,
    /// Of a profile.
    ProfileHash,
    /// Of goals as they lie on a map: cells, starting costs and which goal each belongs to.
    GoalsHash,
}

/// Takes in numbers; many at a time, because each call costs something.
struct Hasher {
    hash: Xxh3,
    waiting: Vec<u8>,
}

/// What waits is taken in when it is so long, in bytes.
const WAITING: usize = 4096;

impl Hasher {
    fn new() -> Self {
        Self {
            hash: Xxh3::new(),
            waiting: Vec::with_capacity(WAITING + 16),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.hash.update(&self.waiting);
        self.waiting.clear();
        self.hash.update(bytes);
    }

    fn u8(&mut self, value: u8) {
        self.waiting.push(value);
        if self.waiting.len() >= WAITING {
            self.bytes(&[]);
        }
    }

    fn u32(&mut self, value: u32) {
        self.waiting.extend(value.to_le_bytes());
        if self.waiting.len() >= WAITING {
            self.bytes(&[]);
        }
    }

    fn list(&mut self, numbers: &[u32]) {
        self.bytes(&(numbers.len() as u64).to_le_bytes());
        for &number in numbers {
            self.u32(number);
        }
    }

    fn finish(mut self) -> u128 {
        self.bytes(&[]);
        self.hash.digest128()
    }
}

impl MapHash {
    /// The hash of what a movement was compiled from. O(cells).
    #[must_use]
    pub fn of(movement: &Movement) -> Self {
        let mut hash = Hasher::new();
        let grid = movement.grid();
        grid_into(&mut hash, grid);
        hash.bytes(movement.costs());
        for exits in movement.all_exits() {
            hash.u8(exits.bits());
        }
        // Lists of what most maps have nothing of, each with its length. A movement that knows of no portal and one that was
        // made with an empty list of them are the same, so that nothing here may ask how it was made.
        let unknown: Vec<u32> = if movement.has_unknown() {
            let ids = grid.ids().filter(|&id| !movement.is_known(id));
            ids.map(|id| id.0).collect()
        } else {
            Vec::new()
        };
        hash.list(&unknown);
        let mut charged = Vec::new();
        if movement.has_edge_charges() {
            let (steps, costs) = (movement.steps(), movement.costs());
            for id in grid.ids() {
                for direction in movement.exits(id) {
                    let (Some(next), Some(cost)) = (
                        movement.step_target(id, direction),
                        movement.step_cost(id, direction),
                    ) else {
                        continue;
                    };
                    if cost != steps.step(direction, costs[id.index()], costs[next.index()]) {
                        charged.extend([id.0, u32::from(DirectionSet::EMPTY.with(direction).bits()), cost]);
                    }
                }
            }
        }
        hash.list(&charged);
        let mut portals = Vec::new();
        if !movement.is_plain() {
            for id in grid.ids() {
                for edge in movement.edges_from(id) {
                    if let EdgeKind::Portal(index) = edge.kind {
                        portals.extend([id.0, index.0, edge.other.0, edge.cost]);
                    }
                }
            }
        }
        hash.list(&portals);
        Self(hash.finish())
    }
}

fn grid_into(hash: &mut Hasher, grid: &Grid) {
    hash.u32(u32::try_from(grid.layers().len()).unwrap_or(u32::MAX));
    for layer in grid.layers() {
        let first = layer.first_cell();
        for number in [
            layer.width(),
            layer.height(),
            first.x.cast_unsigned(),
            first.y.cast_unsigned(),
        ] {
            hash.u32(number);
        }
    }
}

impl ProfileHash {
    /// The hash of a profile.
    #[must_use]
    pub fn of(profile: &MovementProfile) -> Self {
        let mut hash = Hasher::new();
        // Codes of their own: the order of variants in a source file is not part of a format.
        hash.u8(match profile.connectivity {
            Connectivity::Four => 4,
            Connectivity::Eight => 8,
        });
        hash.u8(match profile.corner_rule {
            CornerRule::BothFree => 2,
            CornerRule::OneFree => 1,
            CornerRule::Always => 0,
        });
        hash.u8(match profile.charge {
            Charge::Depart => 0,
            Charge::Arrive => 1,
            Charge::Mean => 2,
        });
        hash.u32(profile.scale.straight());
        hash.u32(profile.scale.diagonal());
        match profile.footprint {
            Footprint::Point => hash.u8(0),
            Footprint::Rectangle(body) => {
                hash.u8(1);
                hash.u32(body.width());
                hash.u32(body.height());
            }
            Footprint::Disc(body) => {
                hash.u8(2);
                hash.u32(body.radius_subcells());
            }
            // A kind of body that came after this format: by its name.
            other => {
                hash.u8(255);
                hash.bytes(other.to_string().as_bytes());
            }
        }
        Self(hash.finish())
    }
}

impl GoalsHash {
    /// The hash of goals on a map.
    #[must_use]
    pub fn of(goals: &ResolvedGoals) -> Self {
        let mut hash = Hasher::new();
        hash.u32(goals.goal_count());
        for seed in goals.seeds() {
            for number in [seed.cell.0, seed.bias, seed.goal] {
                hash.u32(number);
            }
        }
        Self(hash.finish())
    }
}
