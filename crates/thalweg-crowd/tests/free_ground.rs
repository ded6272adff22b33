//! On ground that costs nothing, cost-to-goal alone does not tell the way; agents must still get there.

mod common;

use common::{Random, World};
use thalweg_core::cost::CostField;
use thalweg_core::flow::Guidance;
use thalweg_core::grid::{Grid, MapPoint};
use thalweg_core::movement::{Charge, MovementProfile};
use thalweg_core::workers::Serial;
use thalweg_crowd::{AgentSpec, Avoidance, Crowd, CrowdOptions, GroupId};

#[test]
fn agents_cross_free_ground_without_going_to_and_fro() {
    let mut random = Random(0x00f7_ee00);
    let mut walked = 0;
    for round in 0..150 {
        let grid = Grid::new(4 + random.below(8) as u32, 4 + random.below(8) as u32).unwrap();
        let bytes = (0..grid.len())
            .map(|_| [0, 0, 0, 1, 3, 255][random.below(6) as usize])
            .collect();
        let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
        let charge = [Charge::Depart, Charge::Arrive, Charge::Mean][round % 3];
        let profile = MovementProfile::new().with_charge(charge);
        let free: Vec<_> = grid
            .ids()
            .filter(|&id| costs.get(id).is_some_and(|cost| cost.is_passable()))
            .collect();
        let Some(&goal) = free.get(random.below(free.len().max(1) as u64) as usize) else {
            continue;
        };
        for world in World::new(&costs, &profile, &[grid.cell(goal)])
            .leaving()
            .both_ways()
        {
            let options = CrowdOptions::new().with_avoidance(Avoidance::Off);
            let mut crowd = Crowd::new(grid.clone(), options).unwrap();
            for &id in &free {
                if !matches!(world.flow.guidance(id), Guidance::Toward(_)) {
                    continue;
                }
                let (column, row) = grid.column_row_of(id);
                let centre = MapPoint::centre_of(column, row);
                let off = |random: &mut Random| random.below(40_000) as i32 - 20_000;
                let position = MapPoint::new(centre.x + off(&mut random), centre.y + off(&mut random));
                crowd
                    .add(
                        &world.movement,
                        AgentSpec {
                            position,
                            radius: 0.1,
                            max_speed: 2.0,
                            group: GroupId(0),
                        },
                    )
                    .unwrap();
                walked += 1;
            }
            // The longest way visits every cell once.
            for _ in 0..(grid.len() * 2) {
                if crowd.is_empty() {
                    break;
                }
                crowd.step(&[world.input()], 0.5, &Serial).unwrap();
            }
            let stuck: Vec<_> = crowd
                .agents()
                .map(|(_, agent)| (agent.position, agent.outcome))
                .collect();
            assert!(
                stuck.is_empty(),
                "round {round}, {charge:?}, headings {}: {stuck:?}\n{}\n{}",
                world.headings.is_some(),
                thalweg_core::debug::print_costs(&costs),
                thalweg_core::debug::print_arrows(&world.flow)
            );
        }
    }
    assert!(walked > 6000, "{walked} agents walked");
}
