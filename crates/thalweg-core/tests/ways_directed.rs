//! Headings, lengths and single paths where borders are one-way and portals leap.

use thalweg_core::flow::Guidance;
use thalweg_core::grid::{Cell, CellId, DIRECTIONS};
use thalweg_core::integrate::{GoalSet, IntegrateOptions};
use thalweg_core::movement::{EdgeKind, EdgeRules, Movement};
use thalweg_core::route::{RouteOptions, RouteScratch, find_route};
use thalweg_testkit::random_map::{RandomMap, SplitMix64, small_map};
use thalweg_testkit::solve::{Solved, profiles, scale, try_solve_movement};
use thalweg_testkit::walker::Ways;

/// One-way borders and portals on a drawn map.
fn rules(drawn: &RandomMap, random: &mut SplitMix64) -> EdgeRules {
    let grid = drawn.costs.grid().clone();
    let mut rules = EdgeRules::new(grid.clone());
    let cell = |random: &mut SplitMix64| grid.cell(CellId(random.below(grid.width() * grid.height())));
    for _ in 0..random.below(15) {
        let from = cell(random);
        rules.close_exit(from, random.pick(&DIRECTIONS)).unwrap();
    }
    for _ in 0..random.below(4) {
        let (from, to) = (cell(random), cell(random));
        if from != to {
            rules.add_portal(from, to, random.pick(&[0, 1, 9, 60])).unwrap();
        }
    }
    rules
}

/// Follows first directions and portals: straight and diagonal steps, and the cells.
fn followed(solved: &Solved, start: CellId) -> (u32, u32, Vec<CellId>) {
    let (mut straight, mut diagonal, mut cells) = (0, 0, vec![start]);
    loop {
        let cell = cells[cells.len() - 1];
        let next = match solved.flow.guidance(cell) {
            Guidance::Toward(direction) => {
                *(if direction.is_diagonal() {
                    &mut diagonal
                } else {
                    &mut straight
                }) += 1;
                solved.movement.step_target(cell, direction)
            }
            Guidance::Through(portal) => solved
                .movement
                .edges_from(cell)
                .find(|edge| edge.kind == EdgeKind::Portal(portal))
                .map(|edge| edge.other),
            _ => return (straight, diagonal, cells),
        };
        cells.push(next.expect("an edge of the map"));
    }
}

#[test]
fn ways_on_directed_maps_are_those_of_the_field() {
    let mut scratch = RouteScratch::new();
    let mut path = Vec::new();
    let (mut walks, mut leaps) = (0, 0);
    for seed in 0..150 {
        let mut random = SplitMix64::new(seed + 40_000_000);
        let drawn = small_map(seed + 40_000_000);
        let rules = rules(&drawn, &mut random);
        let goal: Cell = drawn.goals[0].cells[0];
        for profile in profiles(scale(10, 14)) {
            let movement = Movement::compile_with(&drawn.costs, &rules, &profile).unwrap();
            let goals = GoalSet::from_cells([goal]);
            let solved =
                try_solve_movement(movement, &drawn.costs, &goals, &IntegrateOptions::new()).unwrap();
            let ways = Ways::new(solved.clone());
            for id in drawn.costs.grid().ids() {
                let context = format!("seed {seed} {profile:?} {id:?}");
                let start = drawn.costs.grid().cell(id);
                let options = RouteOptions::new();
                let found = find_route(&solved.movement, start, goal, &options, &mut scratch, &mut path);
                assert_eq!(
                    found.ok().map(|found| found.cost),
                    solved.field.cost(id),
                    "{context}"
                );
                let length = ways.lengths.length(id);
                assert_eq!(length.is_some(), solved.field.cost(id).is_some(), "{context}");
                let Some(length) = length else { continue };
                let (straight, diagonal, cells) = followed(&solved, id);
                assert_eq!(
                    (length.straight, length.diagonal),
                    (straight, diagonal),
                    "{context}"
                );
                if !solved.movement.has_zero_steps() {
                    assert_eq!(path, cells, "{context}");
                }
                leaps += usize::from(matches!(solved.flow.guidance(id), Guidance::Through(_)));
                let walked = ways.walk_from(id, 21_001);
                assert!(walked.is_ok(), "{context}: {walked:?}");
                walks += 1;
            }
        }
    }
    assert!(walks > 10_000 && leaps > 100, "{walks} walks, {leaps} leaps");
}
