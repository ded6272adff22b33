//! Components equal floods by an independent oracle, and "what would this cut off?" equals blocking it and looking, under
//! all corner rules. Many more maps: `THALWEG_LONG=1 cargo test -p thalweg-core --release --test components`.

use std::collections::{BTreeMap, BTreeSet};
use thalweg_core::components::{Components, ComponentsError, CutReport};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::movement::{Connectivity, CornerRule, Movement, MovementProfile};
use thalweg_testkit::cases::{Row, cases_file, read_rows, say, skipped};
use thalweg_testkit::literal::map;
use thalweg_testkit::oracle::Oracle;
use thalweg_testkit::random_map::{SplitMix64, small_map};

fn rounds(short: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        short * 20
    } else {
        short
    }
}

fn shapes() -> [MovementProfile; 8] {
    let base = MovementProfile::new();
    let body = |text: &str| base.with_footprint(text.parse().unwrap());
    [
        body("square:2"),
        body("rectangle:3x1").with_connectivity(Connectivity::Four),
        body("disc:0.6").with_corner_rule(CornerRule::Always),
        body("disc:1.2"),
        base.with_connectivity(Connectivity::Four),
        base.with_corner_rule(CornerRule::BothFree),
        base.with_corner_rule(CornerRule::OneFree),
        base.with_corner_rule(CornerRule::Always),
    ]
}

/// The lowest cell that reaches each cell, by floods of the oracle; steps without one-way borders go both ways.
fn floods(costs: &CostField, profile: &MovementProfile) -> Vec<Option<usize>> {
    let oracle = Oracle::new(costs, profile);
    let mut names = vec![None; oracle.len()];
    for root in (0..oracle.len()).filter(|&cell| oracle.is_free(cell)) {
        if names[root].is_some() {
            continue;
        }
        names[root] = Some(root);
        let mut open = vec![root];
        while let Some(cell) = open.pop() {
            for (_, to) in oracle.steps(cell) {
                if names[to].is_none() {
                    names[to] = Some(root);
                    open.push(to);
                }
            }
        }
    }
    names
}

#[test]
fn labels_are_those_of_floods_on_random_maps_under_all_corner_rules() {
    let mut parts = 0;
    for seed in 0..rounds(1_000) {
        let drawn = small_map(seed + 20_000_000);
        for profile in shapes() {
            let components = Components::of(&Movement::compile(&drawn.costs, &profile));
            let names = floods(&drawn.costs, &profile);
            assert!(components.is_symmetric());
            let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
            names
                .iter()
                .flatten()
                .for_each(|&name| *sizes.entry(name).or_default() += 1);
            assert_eq!(components.len(), sizes.len(), "seed {seed} {profile:?}");
            parts += sizes.len();
            // Roots ascend, so the number of a component is the place of its root.
            let places: Vec<usize> = sizes.keys().copied().collect();
            for (index, &name) in names.iter().enumerate() {
                let id = CellId::from_index(index);
                let got = components.component(id);
                let expected = name.and_then(|name| places.binary_search(&name).ok());
                assert_eq!(got.map(|got| got.0 as usize), expected, "seed {seed} {profile:?}");
                if let (Some(got), Some(name)) = (got, name) {
                    assert_eq!(components.size(got), sizes[&name], "seed {seed}");
                    let root = CellId::from_index(name);
                    assert!(components.can_reach(root, id) && components.can_reach(id, root));
                }
                let first = CellId(0);
                let joined = name.is_some() && name == names[0];
                assert_eq!(components.can_reach(first, id), joined, "seed {seed} {profile:?}");
            }
        }
    }
    assert!(parts > 8_000, "only {parts} components were drawn");
}

/// What blocking does, by blocking: for each old part that falls apart, the parts of what is left.
fn by_blocking(
    costs: &CostField,
    profile: &MovementProfile,
    cells: &[Cell],
) -> BTreeMap<usize, Vec<BTreeSet<usize>>> {
    let mut walled = costs.clone();
    for &cell in cells.iter().filter(|cell| costs.grid().contains(**cell)) {
        walled.set(cell, Cost::IMPASSABLE).unwrap();
    }
    let (old, new) = (floods(costs, profile), floods(&walled, profile));
    let mut parts: BTreeMap<usize, BTreeMap<usize, BTreeSet<usize>>> = BTreeMap::new();
    for (index, (old, new)) in old.iter().zip(&new).enumerate() {
        if let (Some(old), Some(new)) = (old, new) {
            parts
                .entry(*old)
                .or_default()
                .entry(*new)
                .or_default()
                .insert(index);
        }
    }
    parts
        .into_iter()
        .map(|(old, parts)| (old, parts.into_values().collect::<Vec<_>>()))
        .filter(|(_, parts)| parts.len() > 1)
        .collect()
}

fn compare(
    costs: &CostField,
    report: &CutReport,
    expected: &BTreeMap<usize, Vec<BTreeSet<usize>>>,
    context: &str,
) {
    assert!(
        report.lost_ways.is_empty(),
        "{context}: every edge has a way back"
    );
    assert_eq!(report.cuts_anyone_off(), !expected.is_empty(), "{context}");
    assert_eq!(report.splits.len(), expected.len(), "{context}");
    let mut outside = 0;
    for (split, parts) in report.splits.iter().zip(expected.values()) {
        let mut sizes: Vec<usize> = parts.iter().map(BTreeSet::len).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let got: Vec<usize> = split.pieces.iter().map(|piece| piece.size).collect();
        assert_eq!(got, sizes, "{context}");
        outside += sizes.iter().skip(1).sum::<usize>();
        let mut left = parts.clone();
        for piece in &split.pieces {
            let index = costs.grid().id(piece.cell).unwrap().index();
            let place = left
                .iter()
                .position(|part| part.contains(&index) && part.len() == piece.size);
            left.remove(place.unwrap_or_else(|| panic!("{context}: no part holds {}", piece.cell)));
        }
    }
    assert_eq!(report.cells_cut_off(), outside, "{context}");
}

#[test]
fn what_a_set_would_cut_off_is_what_blocking_it_cuts_off() {
    let (mut cut, mut whole, mut questions) = (0u32, 0u32, 0u32);
    for seed in 0..rounds(2_500) {
        let drawn = small_map(seed + 21_000_000);
        let grid = drawn.costs.grid().clone();
        let mut random = SplitMix64::new(seed);
        let count = random.pick(&[1, 1, 2, 3, 5, 9]);
        let in_a_row = random.percent(40);
        let start = random.below(u32::try_from(grid.len()).unwrap());
        let end = u32::try_from(grid.len()).unwrap();
        let mut cells = Vec::new();
        for index in 0..count {
            let id = if in_a_row {
                (start + index) % end
            } else {
                random.below(end)
            };
            cells.push(grid.cell(CellId(id)));
        }
        if random.percent(10) {
            cells.push(Cell::new(1_000, 0));
        }
        for profile in shapes() {
            let movement = Movement::compile(&drawn.costs, &profile);
            let plain = Components::of(&movement);
            let prepared = plain.clone().with_cut_points(&movement).unwrap();
            let expected = by_blocking(&drawn.costs, &profile, &cells);
            let context = format!("seed {seed} {profile:?} {cells:?}");
            let report = plain.would_cut_off(&movement, &cells).unwrap();
            compare(&drawn.costs, &report, &expected, &context);
            compare(
                &drawn.costs,
                &prepared.would_cut_off(&movement, &cells).unwrap(),
                &expected,
                &context,
            );
            let usable = |cell: &Cell| {
                grid.id(*cell)
                    .is_some_and(|id| movement.ground_costs()[id.index()] != 255)
            };
            let distinct: BTreeSet<Cell> = cells.iter().copied().filter(usable).collect();
            // How many anchors a body loses is compared with a compiled map in footprints.rs.
            if profile.footprint.is_point() {
                assert_eq!(report.blocked, distinct.len(), "{context}");
            }
            let ignored: Vec<Cell> = cells.iter().copied().filter(|cell| !usable(cell)).collect();
            assert_eq!(report.ignored, ignored, "{context}");
            questions += 2;
            if expected.is_empty() { whole += 1 } else { cut += 1 }
        }
    }
    say(&format!(
        "would_cut_off: {questions} questions, {cut} cut and {whole} did not"
    ));
    assert!(cut > 800 && whole > 3_000, "{cut} cut, {whole} did not");
}

#[test]
fn every_single_cell_of_a_map_cuts_what_blocking_it_cuts_with_and_without_cut_points() {
    let (mut cut, mut questions) = (0u32, 0u32);
    for seed in 0..rounds(150) {
        let drawn = small_map(seed + 22_000_000);
        for profile in shapes() {
            let movement = Movement::compile(&drawn.costs, &profile);
            let plain = Components::of(&movement);
            let prepared = plain.clone().with_cut_points(&movement).unwrap();
            for id in drawn.costs.grid().ids() {
                let cells = [drawn.costs.grid().cell(id)];
                let expected = by_blocking(&drawn.costs, &profile, &cells);
                let context = format!("seed {seed} {profile:?} {cells:?}");
                for components in [&plain, &prepared] {
                    let report = components.would_cut_off(&movement, &cells).unwrap();
                    compare(&drawn.costs, &report, &expected, &context);
                }
                questions += 1;
                cut += u32::from(!expected.is_empty());
            }
        }
    }
    assert!(cut > 1_000, "only {cut} of {questions} cells cut anything");
}

#[test]
fn a_blocked_cell_takes_a_diagonal_with_it_where_the_rule_says_so() {
    // The only way between the two rooms is the diagonal past the cell at (1,0), whose other side is a wall.
    let costs = map(&["..", "#."]);
    let ask = |profile: MovementProfile| {
        let movement = Movement::compile(&costs, &profile);
        let components = Components::of(&movement).with_cut_points(&movement).unwrap();
        components
            .would_cut_off(&movement, &[Cell::new(1, 0)])
            .unwrap()
            .cells_cut_off()
    };
    let points = shapes()
        .into_iter()
        .filter(|profile| profile.footprint.is_point());
    assert_eq!(points.map(ask).collect::<Vec<_>>(), [1, 1, 1, 0]);
}

#[test]
fn components_of_an_edited_map_are_stale_and_say_so() {
    let mut costs = map(&["....", "...."]);
    let profile = MovementProfile::new();
    let components = Components::of(&Movement::compile(&costs, &profile));
    costs.set(Cell::new(1, 1), Cost::IMPASSABLE).unwrap();
    let edited = Movement::compile(&costs, &profile);
    assert!(!components.is_current(&edited));
    let refused = components.would_cut_off(&edited, &[]).unwrap_err();
    assert!(matches!(refused, ComponentsError::Stale { .. }));
    let text = refused.to_string();
    assert!(text.contains("version 0") && text.contains("version 1"), "{text}");
    assert!(components.with_cut_points(&edited).is_err());
}

#[test]
fn a_map_of_walls_has_no_components_and_a_corridor_of_a_million_cells_has_one() {
    let grid = Grid::new(1_000_000, 1).unwrap();
    let profile = MovementProfile::new();
    let walls = Components::of(&Movement::compile(
        &CostField::filled(grid.clone(), Cost::IMPASSABLE),
        &profile,
    ));
    assert!(walls.is_empty() && walls.largest().is_none());
    assert!(!walls.can_reach(CellId(3), CellId(3)));
    let movement = Movement::compile(&CostField::filled(grid, Cost::PLAIN), &profile);
    let corridor = Components::of(&movement).with_cut_points(&movement).unwrap();
    assert_eq!(corridor.len(), 1);
    let report = corridor
        .would_cut_off(&movement, &[Cell::new(250_000, 0)])
        .unwrap();
    let sizes: Vec<usize> = report.splits[0].pieces.iter().map(|piece| piece.size).collect();
    assert_eq!(sizes, [749_999, 250_000]);
}

#[test]
fn the_cut_map_answers_in_one_look_and_keeps_its_no_until_the_map_changes() {
    let Some(path) = cases_file() else {
        skipped("cases.jsonl");
        return;
    };
    let rows = read_rows(&std::fs::read_to_string(path).unwrap());
    let row = rows.iter().find_map(|row| match row {
        Row::Grid(row) if row.id == "cut-256" => Some(row),
        _ => None,
    });
    let row = row.expect("the file has row cut-256");
    let mut costs = row.r#gen.as_ref().unwrap().build();
    let profile = MovementProfile::new();
    let movement = Movement::compile(&costs, &profile);
    let components = Components::of(&movement).with_cut_points(&movement).unwrap();
    let grid = costs.grid().clone();
    let [x, y] = row.goals[0];
    let goal = grid.id(Cell::new(x, y)).unwrap();
    let reached = grid.ids().filter(|&id| components.can_reach(id, goal)).count();
    assert_eq!(reached, row.reached_cells);
    assert_eq!(components.len(), 2);
    assert_eq!(
        components.size(components.component(goal).unwrap()),
        row.reached_cells
    );
    assert_eq!(components.size(components.component(CellId(0)).unwrap()), 32_768);
    for (key, expected) in &row.expect {
        let (x, y) = key.split_once(',').unwrap();
        let id = grid
            .id(Cell::new(x.parse().unwrap(), y.parse().unwrap()))
            .unwrap();
        assert_eq!(components.can_reach(id, goal), expected.is_some(), "{key}");
    }
    // The other way round: with one gap in the wall, closing the gap is known to cut the north off before it is done.
    let gap = Cell::new(40, 128);
    costs.set(gap, Cost::PLAIN).unwrap();
    let open = Movement::compile(&costs, &profile);
    assert!(!components.is_current(&open));
    let components = Components::of(&open).with_cut_points(&open).unwrap();
    let report = components.would_cut_off(&open, &[gap]).unwrap();
    assert_eq!(report.cells_cut_off(), row.reached_cells);
    let beside = [Cell::new(39, 127), Cell::new(40, 127), Cell::new(41, 127)];
    assert_eq!(
        components.would_cut_off(&open, &beside).unwrap().cells_cut_off(),
        row.reached_cells + 1
    );
}
