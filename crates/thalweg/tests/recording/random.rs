//! Random inputs, fitting and not: recorded, they replay; whatever they are, nothing panics and nobody is in a wall.

use crate::kit::{TWO_ROOMS, record, replay, strict};
use proptest::prelude::*;
use thalweg::crowd::AgentId;
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::recording::{LastTick, RecordingOptions, ReplayStep};
use thalweg::scene::EventAction;
use thalweg::simulation::{Input, Place};

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        9 => (0..12, 0..6).prop_map(|(x, y)| Cell::new(x, y)),
        1 => (0..3u16, -1..13, -1..7).prop_map(|(layer, x, y)| Cell::on(layer, x, y)),
    ]
}

fn agent() -> impl Strategy<Value = AgentId> {
    (0..24u64, prop_oneof![8 => Just(0u64), 1 => 0..3u64])
        .prop_map(|(slot, generation)| AgentId::from_bits(generation << 32 | slot))
}

fn act() -> impl Strategy<Value = EventAction> {
    prop_oneof![
        (0..3usize).prop_map(EventAction::Close),
        (0..3usize).prop_map(EventAction::Open),
        (0..2usize).prop_map(EventAction::Put),
        (0..2usize).prop_map(EventAction::Take),
        (0..2usize).prop_map(EventAction::Hold),
        (0..2usize).prop_map(EventAction::Release),
        (cell(), cell(), any::<u8>()).prop_map(|(a, b, cost)| EventAction::SetCost {
            corners: (a, b),
            cost: Cost::from_byte(cost),
        }),
        (0..3usize, cell()).prop_map(|(goal, to)| EventAction::MoveGoal { goal, to }),
    ]
}

fn along() -> impl Strategy<Value = f32> {
    prop_oneof![
        9 => -3.0..3.0f32,
        1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(-1024.0), Just(0.0)],
    ]
}

fn input() -> impl Strategy<Value = Input> {
    let coordinate = || prop_oneof![9 => 0..400_000i32, 1 => any::<i32>()];
    prop_oneof![
        3 => act().prop_map(Input::Act),
        3 => (0..3usize, cell()).prop_map(|(group, cell)| Input::Add { group, place: Place::Cell(cell) }),
        1 => (0..3usize, 0..2u16, coordinate(), coordinate()).prop_map(|(group, layer, x, y)| Input::Add {
            group,
            place: Place::Point(MapPoint::new(x, y).on(layer)),
        }),
        2 => agent().prop_map(Input::Remove),
        2 => (agent(), along(), along()).prop_map(|(agent, x, y)| Input::Push { agent, way: [x, y] }),
        1 => agent().prop_map(Input::HoldAgent),
        1 => agent().prop_map(Input::LetGo),
        2 => (agent(), 0..3usize).prop_map(|(agent, group)| Input::SetGroup { agent, group }),
    ]
}

fn script() -> impl Strategy<Value = Vec<Vec<Input>>> {
    prop::collection::vec(prop::collection::vec(input(), 0..4), 1..30)
}

fn replays(text: &str, script: &Vec<Vec<Input>>, ticks: u64, block_ticks: u32) {
    let options = RecordingOptions::new().with_block_ticks(block_ticks);
    let (bytes, seen) = record(text, script, ticks, options);
    let costs = |simulation: &Simulation, group: u16| {
        let plan = &simulation.scene().groups[usize::from(group)];
        simulation.profile_costs(plan.profile).clone()
    };
    let workers = RayonWorkers::new(2).expect("a pool");
    let (replay, end) = replay(&bytes, &workers);
    assert_eq!(end, ReplayStep::End(LastTick::None));
    let simulation = replay.simulation();
    assert_eq!(seen.hashes.last(), Some(&simulation.crowd().state_hash()));
    let is_free = simulation.crowd().free().is_some();
    for (id, view) in simulation.crowd().agents() {
        let costs = costs(simulation, view.group.0);
        let is_all_wall = |layer| {
            let layer = costs.grid().layers().get(usize::from(layer));
            layer.is_none_or(|_| costs.bytes().iter().all(|&byte| byte == 255))
        };
        let cell = view.position.cell_id(costs.grid());
        let is_on_ground = cell.is_some_and(|cell| costs.bytes()[cell.index()] != 255);
        // In strict mode a body on which a wall came down stands in it until the wall goes.
        assert!(
            !is_free || is_on_ground || is_all_wall(view.position.layer),
            "{id} at {:?}",
            view.position
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn random_inputs_replay_in_a_crowd_that_moves_freely(script in script(), block_ticks in 1..20u32) {
        replays(TWO_ROOMS, &script, 40, block_ticks);
    }

    #[test]
    fn random_inputs_replay_in_strict_mode(script in script(), block_ticks in 1..20u32) {
        replays(&strict(), &script, 40, block_ticks);
    }
}

fn cases() -> u32 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        5_000
    } else {
        60
    }
}
