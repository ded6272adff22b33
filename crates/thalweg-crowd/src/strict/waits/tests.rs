use super::{Outlook, WaitGraph, Waits, WaitsFor};
use proptest::prelude::*;
use std::collections::BTreeSet;
use thalweg_testkit::random_map::SplitMix64;

/// Agents with alternatives with blockers.
type Plain = Vec<Vec<Vec<WaitsFor>>>;

fn graph(plain: &Plain) -> WaitGraph {
    let mut graph = WaitGraph::new();
    for alternatives in plain {
        graph.add_agent();
        for blockers in alternatives {
            graph.add_alternative(blockers.iter().copied());
        }
    }
    graph
}

/// Stalled blockers that count.
fn stalled(plain: &Plain, agent: usize, blockers: &[WaitsFor]) -> Vec<usize> {
    let number = |blocker: &WaitsFor| match blocker {
        WaitsFor::Stalled(other) => {
            Some(*other as usize).filter(|&other| other != agent && other < plain.len())
        }
        _ => None,
    };
    blockers.iter().filter_map(number).collect()
}

/// The same by looking at every subset of the agents.
fn by_subsets(plain: &Plain) -> (Vec<Waits>, Vec<BTreeSet<usize>>) {
    let len = plain.len();
    let subsets = || (0u32..1 << len).map(|bits| (0..len).filter(|&agent| bits >> agent & 1 == 1).collect());
    let blocked_by = |set: &BTreeSet<usize>, agent: usize, alternative: &[WaitsFor]| {
        stalled(plain, agent, alternative)
            .iter()
            .any(|other| set.contains(other))
    };
    // Held: the least set that everybody is of whose every alternative is blocked by it or by somebody held.
    let is_walled = |set: &BTreeSet<usize>, agent: usize| {
        plain[agent]
            .iter()
            .all(|way| way.contains(&WaitsFor::Held) || blocked_by(set, agent, way))
    };
    let held: BTreeSet<usize> = subsets()
        .filter(|set: &BTreeSet<usize>| (0..len).all(|agent| set.contains(&agent) || !is_walled(set, agent)))
        .reduce(|a, b| a.intersection(&b).copied().collect())
        .unwrap();
    // Stuck: the greatest set whose members' every alternative is blocked by it or by somebody held.
    let stuck: BTreeSet<usize> = subsets()
        .filter(|set: &BTreeSet<usize>| set.iter().all(|&agent| is_walled(set, agent)))
        .flatten()
        .collect();
    let lives = |agent: usize| {
        let is_live = |way: &&Vec<WaitsFor>| !way.contains(&WaitsFor::Held) && !blocked_by(&held, agent, way);
        plain[agent].iter().filter(is_live).collect::<Vec<_>>()
    };
    let waits_for = |agent: usize| -> BTreeSet<usize> {
        let ways = lives(agent);
        ways.iter().flat_map(|way| stalled(plain, agent, way)).collect()
    };
    // Who is reached within a set.
    let reach = |set: &BTreeSet<usize>, from: usize| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(agent) = open.pop() {
            for other in waits_for(agent) {
                if set.contains(&other) && seen.insert(other) {
                    open.push(other);
                }
            }
        }
        seen
    };
    let is_knot = |set: &BTreeSet<usize>| {
        set.len() > 1
            && set.iter().all(|&agent| {
                let ways = lives(agent);
                !held.contains(&agent) && ways.iter().all(|way| blocked_by(set, agent, way))
            })
            && set.iter().all(|&agent| reach(set, agent) == *set)
    };
    let all: Vec<BTreeSet<usize>> = subsets().filter(is_knot).collect();
    let mut knots: Vec<BTreeSet<usize>> = all
        .iter()
        .filter(|knot| !all.iter().any(|other| other != *knot && other.is_superset(knot)))
        .cloned()
        .collect();
    knots.sort();
    let knot_of = |agent: usize| knots.iter().position(|knot| knot.contains(&agent));
    let outside: BTreeSet<usize> = (0..len).filter(|&agent| knot_of(agent).is_none()).collect();
    let told = |agent: usize| {
        if !stuck.contains(&agent) {
            Waits::Free
        } else if held.contains(&agent) {
            Waits::BehindHeld
        } else if let Some(knot) = knot_of(agent) {
            Waits::Knot(u32::try_from(knot).unwrap())
        } else {
            let mut through = reach(&outside, agent);
            through.insert(agent);
            let first = through
                .iter()
                .flat_map(|&agent| waits_for(agent))
                .filter_map(knot_of)
                .min();
            Waits::BehindKnot(u32::try_from(first.expect("stuck behind something")).unwrap())
        }
    };
    ((0..len).map(told).collect(), knots)
}

fn knots(outlook: &Outlook) -> Vec<BTreeSet<usize>> {
    let knots = 0..u32::try_from(outlook.knots()).unwrap();
    knots
        .map(|knot| {
            outlook
                .members(knot)
                .iter()
                .map(|&member| member as usize)
                .collect()
        })
        .collect()
}

fn blocker() -> impl Strategy<Value = WaitsFor> {
    prop_oneof![
        // The last numbers are those of nobody.
        12 => (0u32..9).prop_map(WaitsFor::Stalled),
        1 => Just(WaitsFor::Moving),
        1 => Just(WaitsFor::Held),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

    #[test]
    fn the_outlook_is_that_of_all_subsets(
        plain in prop::collection::vec(prop::collection::vec(prop::collection::vec(blocker(), 0..4), 0..4), 0..8)
    ) {
        let outlook = graph(&plain).outlook();
        let (waits, expected) = by_subsets(&plain);
        prop_assert_eq!(outlook.waits(), &waits[..]);
        prop_assert_eq!(knots(&outlook), expected);
    }
}

#[test]
fn crowded_graphs_have_the_outlook_of_all_subsets_and_everything_comes_about() {
    let (mut free, mut knotted, mut behind, mut held, mut several) = (0, 0, 0, 0, 0);
    for seed in 0..3_000 {
        let mut random = SplitMix64::new(seed);
        let agents = 2 + random.below(7);
        let most = 1 + random.below(3);
        let way = |random: &mut SplitMix64| {
            let count = 1 + random.below(most);
            let one = |random: &mut SplitMix64| match random.below(40) {
                0 => WaitsFor::Held,
                1 => WaitsFor::Moving,
                _ => WaitsFor::Stalled(random.below(agents)),
            };
            (0..count).map(|_| one(random)).collect::<Vec<_>>()
        };
        let plain: Plain = (0..agents)
            .map(|_| (0..1 + random.below(most)).map(|_| way(&mut random)).collect())
            .collect();
        let outlook = graph(&plain).outlook();
        let (waits, expected) = by_subsets(&plain);
        assert_eq!(
            (outlook.waits(), knots(&outlook)),
            (&waits[..], expected),
            "{plain:?}"
        );
        several += usize::from(outlook.knots() > 1);
        for waits in waits {
            match waits {
                Waits::Free => free += 1,
                Waits::Knot(_) => knotted += 1,
                Waits::BehindKnot(_) => behind += 1,
                Waits::BehindHeld => held += 1,
            }
        }
    }
    assert!(
        free > 2_000 && knotted > 2_000 && behind > 1_000 && held > 500 && several > 30,
        "{free} free, {knotted} in knots, {behind} behind knots, {held} held, {several} with several"
    );
}

#[test]
fn where_everybody_waits_for_one_the_knots_are_the_cycles_that_colouring_finds() {
    for seed in 0..500 {
        let mut random = SplitMix64::new(seed);
        let agents = 1 + random.below(400);
        let next: Vec<Option<u32>> = (0..agents)
            .map(|agent| {
                (random.below(50) > 0)
                    .then(|| random.below(agents))
                    .filter(|&to| to != agent)
            })
            .collect();
        let plain: Plain = next
            .iter()
            .map(|next| vec![vec![next.map_or(WaitsFor::Moving, WaitsFor::Stalled)]])
            .collect();
        let outlook = graph(&plain).outlook();
        // Go on from each agent until somebody who has a colour; if it is the colour of this walk, a cycle is closed.
        let mut colours = vec![0; next.len()];
        let mut cycle_of = vec![None; next.len()];
        for start in 0..next.len() {
            let mut at = Some(start);
            while let Some(here) = at.filter(|&here| colours[here] == 0) {
                colours[here] = start + 1;
                at = next[here].map(|to| to as usize);
            }
            let Some(first) = at.filter(|&here| colours[here] == start + 1 && cycle_of[here].is_none())
            else {
                continue;
            };
            let mut cycle = vec![first];
            while let Some(to) = next[cycle[cycle.len() - 1]]
                .map(|to| to as usize)
                .filter(|&to| to != first)
            {
                cycle.push(to);
            }
            let least = *cycle.iter().min().unwrap();
            cycle.into_iter().for_each(|agent| cycle_of[agent] = Some(least));
        }
        let leasts: BTreeSet<usize> = cycle_of.iter().flatten().copied().collect();
        assert_eq!(outlook.knots(), leasts.len(), "seed {seed}");
        for (knot, &least) in (0..).zip(&leasts) {
            let members: Vec<u32> = (0u32..)
                .zip(&cycle_of)
                .filter(|c| *c.1 == Some(least))
                .map(|c| c.0)
                .collect();
            assert_eq!(outlook.members(knot), members, "seed {seed}");
        }
        for (agent, waits) in outlook.waits().iter().enumerate() {
            let mut end = agent;
            for _ in 0..next.len() {
                end = next[end].map_or(end, |to| to as usize);
            }
            let knot = cycle_of[end].and_then(|least| leasts.iter().position(|&other| other == least));
            let expected = match knot.map(|knot| u32::try_from(knot).unwrap()) {
                None => Waits::Free,
                Some(knot) if cycle_of[agent].is_some() => Waits::Knot(knot),
                Some(knot) => Waits::BehindKnot(knot),
            };
            assert_eq!(*waits, expected, "seed {seed} agent {agent}");
        }
    }
}

#[test]
fn a_cycle_with_another_way_out_is_no_knot_and_a_body_that_needs_two_cells_makes_one_of_two() {
    use WaitsFor::{Held, Moving, Stalled};
    let told = |plain: &Plain| graph(plain).outlook().waits().to_vec();
    let (free, knot, behind, held) = (
        Waits::Free,
        Waits::Knot(0),
        Waits::BehindKnot(0),
        Waits::BehindHeld,
    );
    // A facing pair, and who stands behind it.
    let pair = vec![
        vec![vec![Stalled(1)]],
        vec![vec![Stalled(0)]],
        vec![vec![Stalled(1)]],
    ];
    assert_eq!(told(&pair), [knot, knot, behind]);
    // One of the pair may also go where somebody moves away.
    let open = vec![
        vec![vec![Stalled(1)], vec![Moving]],
        vec![vec![Stalled(0)]],
        vec![vec![Stalled(1)]],
    ];
    assert_eq!(told(&open), [free; 3]);
    // A way that needs both: the one who moves and the one in the knot.
    let both = vec![vec![vec![Stalled(1), Moving]], vec![vec![Stalled(0)]]];
    assert_eq!(told(&both), [knot; 2]);
    // What somebody held blocks is a wall, not a way out.
    let walled = vec![
        vec![vec![Stalled(1)], vec![Held]],
        vec![vec![Stalled(0)]],
        vec![vec![Held]],
        vec![vec![Stalled(2)]],
    ];
    assert_eq!(told(&walled), [knot, knot, held, held]);
    // Nobody in the way of one, no way at all for another.
    assert_eq!(told(&vec![vec![vec![]], vec![]]), [free, held]);
    // Two knots, and one who would take either way.
    let two = vec![
        vec![vec![Stalled(3)]],
        vec![vec![Stalled(2)]],
        vec![vec![Stalled(1)]],
        vec![vec![Stalled(0)]],
        vec![vec![Stalled(2)], vec![Stalled(3)]],
    ];
    let outlook = graph(&two).outlook();
    assert_eq!(
        (outlook.members(0), outlook.members(1)),
        (&[0, 3][..], &[1, 2][..])
    );
    assert_eq!(outlook.waits()[4], behind);
    assert!(outlook.members(2).is_empty());
    // A cycle that would open if the knot it waits for did is not a knot of its own; one that would not is.
    let hangs = vec![
        vec![vec![Stalled(1)]],
        vec![vec![Stalled(0)]],
        vec![vec![Stalled(3)]],
        vec![vec![Stalled(2)], vec![Stalled(0)]],
    ];
    assert_eq!(told(&hangs), [knot, knot, behind, behind]);
    let needs_both = vec![
        vec![vec![Stalled(1)]],
        vec![vec![Stalled(0)]],
        vec![vec![Stalled(3)]],
        vec![vec![Stalled(2), Stalled(0)]],
    ];
    assert_eq!(told(&needs_both), [knot, knot, Waits::Knot(1), Waits::Knot(1)]);
}

#[test]
fn the_order_of_alternatives_and_blockers_changes_nothing_and_a_ring_of_many_overflows_no_stack() {
    let mut plain: Plain = (0..200_000)
        .map(|agent| vec![vec![WaitsFor::Stalled((agent + 1) % 200_000)]])
        .collect();
    let ring = graph(&plain).outlook();
    assert_eq!((ring.knots(), ring.members(0).len()), (1, 200_000));
    plain.truncate(60);
    let mut random = SplitMix64::new(1);
    for ways in &mut plain {
        ways.push((0..3).map(|_| WaitsFor::Stalled(random.below(60))).collect());
        ways.push(vec![
            WaitsFor::Stalled(random.below(60)),
            WaitsFor::Stalled(random.below(60)),
        ]);
    }
    let before = graph(&plain).outlook();
    for ways in &mut plain {
        ways.reverse();
        ways.iter_mut().for_each(|way| way.reverse());
    }
    assert_eq!(graph(&plain).outlook(), before);
    let mut reused = graph(&plain);
    reused.clear();
    assert!(reused.len() == 0 && reused.outlook() == Outlook::default());
    reused.add_alternative([WaitsFor::Held]);
    assert!(reused.len() == 0);
}
