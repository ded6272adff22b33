//! How agents mind each other: velocities that do not run into others, and bodies pushed apart.
//!
//! Two parts, each pulled from the state before the (sub)step, so that neither order nor threads show:
//!
//! - **Velocity**: towards each neighbour an agent may close the gap only within the headway; what is too fast towards a
//!   neighbour is taken out, what leads past it stays. If no such velocity is left the agent waits. Whoever is behind
//!   yields to who is ahead, so queues do not push. This is the velocity constraint of position-based crowds (Weiss,
//!   Litteneker, Jiang and Terzopoulos, 2017), solved by projection instead of a linear program: ORCA's program jams
//!   symmetric crowds and costs several times as much.
//! - **Contact**: overlap that is left is taken away by averaged Jacobi passes over positions (Macklin, Müller,
//!   Chentanez and Kim, 2014). Positions, not forces: a force stiff enough for a crowd shakes at game time steps.
//!
//! Where directions cancel, fixed rules decide: opposed agents keep to the right, who comes across from another group is
//! passed behind, agents on one point part by slot. Walls count as limits of velocity too.

use crate::CrowdOptions;
use crate::fixed::{dot, limited};
use crate::mate::{Mate, Role};
use crate::slots::Record;
use crate::walk::way;
use thalweg_core::grid::{Direction, MapPoint};

/// Bodies may overlap by this part of the sum of their radii without being pushed: contact without a residual push is
/// what lets a pack come to rest.
const SLOP: f32 = 0.01;
/// The same for two whose packs are asleep: the last part of an overlap would be crept out of for a minute.
const SLOP_ASLEEP: f32 = 0.2;
/// How far the members of a pack that closes ranks press into each other, as a part of the sum of their radii.
const PRESSED: f32 = 0.5;
/// Below this length of a substep, in seconds, packs that close ranks are softer in contact.
const SOFTENED: f32 = 1.0 / 30.0;
/// How far one must be behind to let the other first whatever their slots, as a part of head-to-tail.
const BESIDE: f32 = 0.35;
/// From which precedence on another leads.
pub(crate) const BEHIND: f32 = 0.6;
/// The gap, in cells, up to which another leads.
pub(crate) const CLOSE: f32 = 0.15;
/// The part of its top speed at which an agent that goes first leans on one beside it.
pub(crate) const LEANS_BESIDE: f32 = 0.5;
/// The part of its top speed at which an agent leans on others that stand in its way.
pub(crate) const LEANS_ON: f32 = 0.3;

/// Another agent as one agent sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// From the agent to the other; length 1.
    pub(crate) toward: [f32; 2],
    /// Between the rims, in cells; negative if bodies overlap.
    pub(crate) gap: f32,
}

/// How agent `me` at `at` sees `other` at `its`.
#[inline]
pub(crate) fn see(me: &Mate, at: MapPoint, other: &Mate, its: MapPoint) -> Seen {
    let offset = way(at, its);
    let distance = crate::fixed::length(offset);
    let toward = if distance > 0.0 {
        [offset[0] / distance, offset[1] / distance]
    } else {
        parting(me.slot, other.slot)
    };
    Seen {
        toward,
        gap: distance - (me.radius + other.radius),
    }
}

/// The way from one agent to another on the same point: fixed by their slots, opposite for the other of the two.
pub(crate) fn parting(me: u32, other: u32) -> [f32; 2] {
    let (low, high) = if me < other { (me, other) } else { (other, me) };
    let mixed = (low.wrapping_mul(0x9e37_79b9) ^ high.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35);
    let [x, y] = Direction::from_index((mixed >> 29 & 7) as u8)
        .unwrap_or(Direction::E)
        .unit_vector();
    if me < other { [x, y] } else { [-x, -y] }
}

/// What a member of a pack minds of one neighbour.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limit {
    pub(crate) toward: [f32; 2],
    /// The fastest the agent may go towards it, in cells per second.
    most: f32,
}

/// How fast a member of a pack that closes ranks may go towards a neighbour: as fast as it likes until bodies overlap by a
/// little. That little is the pressure that makes a pack round; without a bound a queue in a corridor would be pressed
/// into itself, and burst when it rests.
pub(crate) fn limit_in_pack(me: &Mate, seen: &Seen, other: &Mate, headway: f32) -> Limit {
    let room = seen.gap + PRESSED * (me.radius + other.radius);
    Limit {
        toward: seen.toward,
        most: if room > 0.0 { room / headway } else { 0.0 },
    }
}

/// Whether an agent goes before another: from 1 (it is ahead on the same way) over 0 (they go against each other) to -1.
/// The other way round it is the same with the other sign. Beside each other the lower slot goes first.
#[inline(always)]
pub(crate) fn precedence(toward: [f32; 2], is_lower: bool, intent: [f32; 2], its_intent: [f32; 2]) -> f32 {
    let along = dot(intent, its_intent);
    let behind = 0.5 * dot(toward, [intent[0] + its_intent[0], intent[1] + its_intent[1]]);
    let by_slot = if is_lower { BESIDE } else { -BESIDE };
    let first = along * (by_slot - behind).clamp(-1.0, 1.0);
    if along > 0.0 { first } else { 0.0 }
}

/// The part of an excess that an agent of this precedence gives up: 1 towards one ahead or beside, 0 towards one behind that
/// goes the same way, which minds the gap itself.
#[inline(always)]
pub(crate) fn share_of(first: f32) -> f32 {
    (1.5 - 1.5 * first).clamp(0.0, 1.0)
}

/// The velocity nearest to `velocity` (within the passes) that keeps the limits of a pack.
pub(crate) fn obey(mut velocity: [f32; 2], intent: [f32; 2], limits: &[Limit]) -> [f32; 2] {
    let mut is_cut = false;
    for _ in 0..2 {
        for limit in limits {
            let excess = dot(velocity, limit.toward) - limit.most;
            if excess > 0.0 {
                velocity[0] -= limit.toward[0] * excess;
                velocity[1] -= limit.toward[1] * excess;
                is_cut = true;
            }
        }
    }
    if !is_cut {
        return velocity;
    }
    // An agent does not walk backwards by itself.
    let along = dot(velocity, intent);
    if along < 0.0 {
        velocity[0] -= intent[0] * along;
        velocity[1] -= intent[1] * along;
    }
    // Between several neighbours projections can go round in circles; then it slows down until all limits hold.
    let mut scale = 1.0f32;
    for limit in limits {
        let toward = dot(velocity, limit.toward);
        let most = if limit.most > 0.0 { limit.most } else { 0.0 };
        if toward * scale > most {
            scale = most / toward;
        }
    }
    [velocity[0] * scale, velocity[1] * scale]
}

/// What a contact pass reads, by rank.
pub(crate) struct Touching<'a> {
    pub(crate) mates: &'a [Mate],
    /// By slot.
    pub(crate) records: &'a [Record],
    pub(crate) roles: &'a [(Role, [f32; 2])],
    pub(crate) at: &'a [MapPoint],
    /// The largest radius in the crowd, in cells.
    pub(crate) largest: f32,
}

/// The displacement that takes a body out of the bodies it overlaps, in cells.
#[inline]
pub(crate) fn contact_push(
    rank: usize,
    near: &[u32],
    &Touching {
        mates,
        records,
        roles,
        at,
        largest,
    }: &Touching<'_>,
    options: &CrowdOptions,
    seconds: f32,
    most: f32,
) -> [f32; 2] {
    let me = &mates[rank];
    let from = at[rank];
    let reach = me.radius + largest;
    let mut touching = 0u32;
    // Who might touch, all at once and without a branch: most do not, and which ones do cannot be guessed.
    for (bit, &other) in near.iter().enumerate() {
        let to = at[other as usize];
        let offset = way(from, to);
        let is_near = dot(offset, offset) <= reach * reach;
        // One of them may just have passed a portal.
        touching |= u32::from(is_near & (to.layer == from.layer)) << bit;
    }
    let mut push = [0.0f32; 2];
    let mut count = 0.0f32;
    while touching != 0 {
        let other_rank = near[touching.trailing_zeros() as usize] as usize;
        touching &= touching - 1;
        let to = at[other_rank];
        let other = &mates[other_rank];
        let seen = see(me, from, other, to);
        let asleep = roles[rank].0 == Role::Resting && roles[other_rank].0 == Role::Resting;
        let slop = if asleep { SLOP_ASLEEP } else { SLOP };
        let depth = -seen.gap - slop * (me.radius + other.radius);
        if depth > 0.0 {
            let share = yielding(me, roles[rank], other, roles[other_rank], seen.toward);
            let masses = [me.slot, other.slot].map(|slot| records[slot as usize].mass);
            let part = depth * weighed(share, masses);
            push[0] -= seen.toward[0] * part;
            push[1] -= seen.toward[1] * part;
            count += 1.0;
        }
    }
    if count == 0.0 {
        return [0.0; 2];
    }
    // Leaning grows with the substep and a contact pass does not; as many members must press as hard at any step length.
    let stiffness = if roles[rank].0 == Role::Closing && seconds < SOFTENED {
        options.stiffness * (seconds / SOFTENED)
    } else {
        options.stiffness
    };
    let scale = stiffness * (2.0 / (1.0 + count));
    limited([push[0] * scale, push[1] * scale], most)
}

/// A part of an overlap, weighed by the masses of the two: what the heavier one gives way by less, the lighter one gives way by
/// more.
#[inline]
fn weighed(share: f32, [mine, its]: [f32; 2]) -> f32 {
    if mine == its {
        return share;
    }
    let (light, heavy) = (share * its, (1.0 - share) * mine);
    // The masses are positive and at least one of the parts is.
    light / (light + heavy)
}

/// The part of an overlap that `me` gives way by; the other's part makes it 1.
fn yielding(
    me: &Mate,
    (role, intent): (Role, [f32; 2]),
    other: &Mate,
    (its_role, its_intent): (Role, [f32; 2]),
    toward: [f32; 2],
) -> f32 {
    let same_group = me.group == other.group;
    let at_rest = |role: Role| matches!(role, Role::Resting | Role::Closing | Role::Idle);
    match (role, its_role) {
        (Role::Fixed, _) => 0.0,
        (_, Role::Fixed) => 1.0,
        (mine, its) if at_rest(mine) && at_rest(its) => 0.5,
        // A pack gives way to others; to mates that want to join it as much as they do, so that it grows round.
        (mine, _) if at_rest(mine) => {
            if same_group {
                0.5
            } else {
                0.6
            }
        }
        (_, its) if at_rest(its) => {
            if same_group {
                0.5
            } else {
                0.4
            }
        }
        _ => 0.5 - 0.4 * precedence(toward, me.slot < other.slot, intent, its_intent),
    }
}
