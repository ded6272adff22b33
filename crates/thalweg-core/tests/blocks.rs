//! Blocks and corridors equal what is found by taking every cell and every edge away in turn and flooding what is left: on
//! worlds of everything at once (bodies, floors, portals, one-way borders), from their listed edges; and a cut cell is what
//! blocking the cell cuts. Many more worlds: `THALWEG_LONG=1 cargo test -p thalweg-core --release --test blocks`.

use std::collections::{BTreeMap, BTreeSet};
use thalweg_core::components::{BlockKind, Blocks, Components, CorridorKind};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::movement::{Connectivity, CornerRule, EdgeKind, Movement, MovementProfile};
use thalweg_testkit::cases::{data_folder, say, skipped};
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::literal::map;
use thalweg_testkit::random_map::{SplitMix64, small_map};
use thalweg_testkit::world::{Listed, Product, Rules, World};

fn rounds(short: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        short * 20
    } else {
        short
    }
}

/// The graph by its definition, from a list of edges.
struct Literal {
    ends: Vec<BTreeSet<usize>>,
    one_way: Vec<bool>,
    /// Diagonals that two straight steps replace, both ways.
    replaced: Vec<BTreeSet<usize>>,
}

impl Literal {
    fn new(cells: usize, edges: &[Listed], rule: CornerRule) -> Self {
        // Whether it is a portal, and whether it is a diagonal.
        let kind = |edge: &Listed| match edge.kind {
            EdgeKind::Step(direction) => (false, direction.is_diagonal()),
            _ => (true, false),
        };
        let all: BTreeSet<(usize, usize, bool, bool)> = edges
            .iter()
            .map(|edge| (edge.from, edge.to, kind(edge).0, kind(edge).1))
            .collect();
        let mut graph = Self {
            ends: vec![BTreeSet::new(); cells],
            one_way: vec![false; cells],
            replaced: vec![BTreeSet::new(); cells],
        };
        let paired = |&(from, to, portal, diagonal): &(usize, usize, bool, bool)| {
            all.contains(&(to, from, portal, diagonal))
        };
        let straight = |from: usize, to: usize| {
            let step = (from, to, false, false);
            all.contains(&step) && paired(&step)
        };
        for edge in &all {
            let &(from, to, _, diagonal) = edge;
            if !paired(edge) {
                graph.one_way[from] = true;
                graph.one_way[to] = true;
            } else if diagonal
                && rule != CornerRule::Always
                && (0..cells).any(|side| straight(from, side) && straight(side, to))
            {
                graph.replaced[from].insert(to);
            } else {
                graph.ends[from].insert(to);
            }
        }
        graph
    }

    fn of(movement: &Movement) -> Self {
        let from = |id: CellId| {
            movement.edges_from(id).map(move |edge| Listed {
                from: id.index(),
                kind: edge.kind,
                to: edge.other.index(),
                cost: 0,
            })
        };
        let edges: Vec<Listed> = movement.grid().ids().flat_map(from).collect();
        Self::new(
            movement.grid().len(),
            &edges,
            movement.profile().corner_rule_in_force(),
        )
    }

    /// What is reached from a cell without these cells and without this edge.
    fn flood(&self, from: usize, gone: &[usize], cut: Option<(usize, usize)>) -> BTreeSet<usize> {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(cell) = open.pop() {
            for &to in &self.ends[cell] {
                let is_cut = cut == Some((cell, to)) || cut == Some((to, cell));
                if !is_cut && !gone.contains(&to) && seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen
    }

    fn is_cut(&self, cell: usize) -> bool {
        let Some(&first) = self.ends[cell].first() else {
            return false;
        };
        let seen = self.flood(first, &[cell], None);
        !self.ends[cell].iter().all(|end| seen.contains(end))
    }

    fn is_bridge(&self, a: usize, b: usize) -> bool {
        !self.flood(a, &[], Some((a, b))).contains(&b)
    }

    /// The blocks as sets of cells: edges that meet at a cell belong together if their other ends hold together without it.
    fn blocks(&self) -> BTreeSet<BTreeSet<usize>> {
        let mut blocks: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
        let mut done: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (a, ends) in self.ends.iter().enumerate() {
            for &b in ends {
                if a > b || done.contains(&(a, b)) {
                    continue;
                }
                let mut block = BTreeSet::new();
                let mut open = vec![(a, b)];
                while let Some((a, b)) = open.pop() {
                    if !done.insert((a.min(b), a.max(b))) {
                        continue;
                    }
                    block.extend([a, b]);
                    for (at, other) in [(a, b), (b, a)] {
                        let seen = self.flood(other, &[at], None);
                        let together = self.ends[at].iter().filter(|&end| seen.contains(end));
                        open.extend(together.map(|&end| (at, end)));
                    }
                }
                blocks.insert(block);
            }
        }
        blocks
    }

    fn is_inner(&self, cell: usize) -> bool {
        !self.one_way[cell]
            && self.ends[cell].len() <= 2
            && self.ends[cell].iter().all(|&end| self.is_bridge(cell, end))
    }
}

/// How much a sweep saw.
#[derive(Default, Debug)]
struct Seen {
    cuts: u32,
    bridges: u32,
    cycles: u32,
    through: u32,
    dead_ends: u32,
    whole: u32,
    shortcuts: u32,
    long: u32,
    one_way: u32,
}

fn compare(movement: &Movement, graph: &Literal, seen: &mut Seen, context: &str) {
    let blocks = Blocks::of(movement);
    assert!(blocks.is_current(movement), "{context}");
    let cells = movement.grid().len();
    let is_free = |cell: usize| movement.is_passable(CellId::from_index(cell));
    let truth = graph.blocks();
    assert_eq!(blocks.len(), truth.len(), "{context}");
    let mut by_block: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    for (cell, ends) in graph.ends.iter().enumerate() {
        let id = CellId::from_index(cell);
        assert_eq!(
            blocks.degree(id) as usize,
            ends.len().min(15),
            "degree of {cell}, {context}"
        );
        assert_eq!(
            blocks.is_cut(id),
            graph.is_cut(cell),
            "cut cell {cell}, {context}"
        );
        assert_eq!(
            blocks.has_one_way(id),
            graph.one_way[cell],
            "one-way at {cell}, {context}"
        );
        seen.cuts += u32::from(blocks.is_cut(id));
        seen.one_way += u32::from(graph.one_way[cell]);
        for block in blocks.blocks_at(id) {
            by_block.entry(block.0).or_default().insert(cell);
        }
        for &end in ends {
            let other = CellId::from_index(end);
            assert_eq!(
                blocks.is_bridge(id, other),
                graph.is_bridge(cell, end),
                "edge {cell} to {end}, {context}"
            );
        }
        // Of any two cells at most one block holds both, neighbours or not.
        for other in 0..cells {
            let holds = |block: &&BTreeSet<usize>| block.contains(&cell) && block.contains(&other);
            let together = truth.iter().filter(holds).count();
            let got = blocks.block_of(id, CellId::from_index(other));
            if cell != other {
                assert_eq!(
                    together,
                    usize::from(got.is_some()),
                    "{cell} and {other}, {context}"
                );
            }
            if let Some(block) = got {
                assert!(
                    by_block
                        .get(&block.0)
                        .is_none_or(|cells| cells.len() <= blocks.size(block))
                );
                assert!(blocks.blocks_at(id).any(|at| at == block), "{context}");
            }
        }
    }
    for (&number, cells) in &by_block {
        let block = thalweg_core::components::BlockId(number);
        assert_eq!(blocks.size(block), cells.len(), "{context}");
        let kind = if cells.len() == 2 {
            BlockKind::Bridge
        } else {
            BlockKind::Cycle
        };
        assert_eq!(blocks.kind(block), Some(kind), "{context}");
        match kind {
            BlockKind::Bridge => seen.bridges += 1,
            BlockKind::Cycle => seen.cycles += 1,
        }
    }
    assert_eq!(
        by_block.into_values().collect::<BTreeSet<_>>(),
        truth,
        "{context}"
    );
    assert_eq!(
        blocks.bridges(),
        truth.iter().filter(|block| block.len() == 2).count()
    );
    compare_corridors(&blocks, graph, &is_free, seen, context);
}

fn compare_corridors(
    blocks: &Blocks,
    graph: &Literal,
    is_free: &impl Fn(usize) -> bool,
    seen: &mut Seen,
    context: &str,
) {
    let inner: Vec<bool> = (0..graph.ends.len())
        .map(|cell| is_free(cell) && graph.is_inner(cell))
        .collect();
    let mut firsts = Vec::new();
    let mut covered = vec![false; inner.len()];
    for (number, corridor) in (0u32..).zip(blocks.corridors()) {
        let cells: Vec<usize> = corridor.cells.iter().map(|cell| cell.index()).collect();
        assert!(!cells.is_empty(), "{context}");
        firsts.push(*cells.iter().min().unwrap());
        for (position, &cell) in cells.iter().enumerate() {
            assert!(
                inner[cell] && !covered[cell],
                "cell {cell} of {cells:?}, {context}"
            );
            covered[cell] = true;
            let at = blocks.corridor_at(CellId::from_index(cell));
            assert_eq!(
                at.map(|(index, position)| (index.0, position)),
                Some((number, position)),
                "{context}"
            );
        }
        for pair in cells.windows(2) {
            assert!(graph.ends[pair[0]].contains(&pair[1]), "{cells:?}, {context}");
        }
        // Maximal: what follows beyond either end is no cell of a corridor.
        let mut beyond = [None, None];
        for (end, &cell) in [cells[0], cells[cells.len() - 1]].iter().enumerate() {
            let mouth = corridor.mouths[end].map(CellId::index);
            beyond[end] = mouth;
            let room = mouth.map_or(0, |mouth| {
                assert!(graph.ends[cell].contains(&mouth) && !inner[mouth], "{context}");
                graph.flood(mouth, &cells, None).len()
            });
            assert_eq!(corridor.room[end] as usize, room, "room of {cells:?}, {context}");
        }
        let inside = 2 * (cells.len() - 1) + beyond.iter().flatten().count();
        let degrees: usize = cells.iter().map(|&cell| graph.ends[cell].len()).sum();
        assert_eq!(degrees, inside, "nothing else joins {cells:?}, {context}");
        let (first, last) = (cells[0], cells[cells.len() - 1]);
        let kind = match beyond {
            [Some(a), Some(b)] => {
                assert!(first < last || first == last && a < b, "{context}");
                seen.through += 1;
                CorridorKind::Through
            }
            [Some(_), None] => {
                seen.dead_ends += 1;
                CorridorKind::DeadEnd
            }
            [None, None] => {
                assert!(first <= last, "{context}");
                assert_eq!(graph.flood(first, &[], None).len(), cells.len(), "{context}");
                seen.whole += 1;
                CorridorKind::Whole
            }
            [None, Some(_)] => panic!("a dead end begins at its mouth, {context}"),
        };
        assert_eq!(corridor.kind(), kind, "{context}");
        assert_eq!(
            blocks.is_path(CellId::from_index(first)),
            kind == CorridorKind::Whole,
            "{context}"
        );
        let chain: Vec<usize> = beyond[0]
            .into_iter()
            .chain(cells.clone())
            .chain(beyond[1])
            .collect();
        let passes = chain
            .windows(3)
            .any(|three| graph.replaced[three[0]].contains(&three[2]));
        let touches = cells.iter().any(|&cell| !graph.replaced[cell].is_empty());
        assert_eq!(corridor.has_shortcut, passes || touches, "{cells:?}, {context}");
        seen.shortcuts += u32::from(corridor.has_shortcut);
        seen.long += u32::from(cells.len() > 3);
    }
    assert_eq!(
        inner, covered,
        "every cell of a corridor is in exactly one, {context}"
    );
    assert!(firsts.is_sorted(), "{context}");
    for cell in (0..inner.len()).filter(|&cell| !inner[cell]) {
        let id = CellId::from_index(cell);
        assert!(
            blocks.corridor_at(id).is_none() && !blocks.is_path(id),
            "{context}"
        );
    }
}

#[test]
fn blocks_and_corridors_of_random_worlds_are_those_of_taking_away_and_flooding() {
    let mut seen = Seen::default();
    for seed in 0..rounds(700) {
        let mut random = SplitMix64::new(seed + 90_000_000);
        let mut world = World::draw(&mut random, 9);
        let product = Product::new(&world);
        let costs = product.costs();
        for (connectivity, rule) in [
            (Connectivity::Four, CornerRule::BothFree),
            (Connectivity::Eight, CornerRule::BothFree),
            (Connectivity::Eight, CornerRule::OneFree),
            (Connectivity::Eight, CornerRule::Always),
        ] {
            world.profile = world
                .profile
                .with_connectivity(connectivity)
                .with_corner_rule(rule);
            let movement = Movement::compile_edges(&costs, &product.edges(), &world.profile).unwrap();
            let rules = Rules::new(&world);
            let edges = rules.edges(&rules.no_walls());
            let in_force = movement.profile().corner_rule_in_force();
            let graph = Literal::new(costs.grid().len(), &edges, in_force);
            compare(&movement, &graph, &mut seen, &format!("seed {seed} {world:?}"));
        }
    }
    say(&format!("{seen:?}"));
    assert!(
        seen.cuts > 2_000 && seen.bridges > 4_000 && seen.cycles > 500,
        "{seen:?}"
    );
    assert!(
        seen.through > 400 && seen.dead_ends > 500 && seen.whole > 500,
        "{seen:?}"
    );
    assert!(
        seen.shortcuts > 30 && seen.long > 100 && seen.one_way > 1_000,
        "{seen:?}"
    );
}

#[test]
fn blocks_and_corridors_of_plain_maps_and_of_the_corpus_are_those_of_taking_away_and_flooding() {
    let profiles = [
        MovementProfile::new().with_connectivity(Connectivity::Four),
        MovementProfile::new(),
        MovementProfile::new().with_corner_rule(CornerRule::OneFree),
        MovementProfile::new().with_corner_rule(CornerRule::Always),
        MovementProfile::new().with_footprint("square:2".parse().unwrap()),
    ];
    let mut seen = Seen::default();
    let random = (0..rounds(300)).map(|seed| small_map(seed + 91_000_000).costs);
    let drawn = corpus().into_iter().map(|scene| scene.costs);
    for costs in random.chain(drawn.filter(|costs| costs.grid().len() < 450)) {
        for profile in &profiles {
            let movement = Movement::compile(&costs, profile);
            compare(
                &movement,
                &Literal::of(&movement),
                &mut seen,
                &format!("{profile:?} {costs:?}"),
            );
        }
    }
    assert!(
        seen.shortcuts > 20 && seen.long > 100 && seen.through > 200,
        "{seen:?}"
    );
}

#[test]
fn a_cut_cell_is_one_whose_blocking_cuts_and_room_is_what_it_cuts_off() {
    let mut questions = 0;
    for seed in 0..rounds(300) {
        let costs = small_map(seed + 92_000_000).costs;
        for rule in [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always] {
            let movement = Movement::compile(&costs, &MovementProfile::new().with_corner_rule(rule));
            let (blocks, components) = (Blocks::of(&movement), Components::of(&movement));
            let report = |cells: &[Cell]| components.would_cut_off(&movement, cells).unwrap();
            for id in costs.grid().ids() {
                let cuts = report(&[costs.grid().cell(id)]).cuts_anyone_off();
                assert_eq!(blocks.is_cut(id), cuts, "seed {seed} {rule:?} {id:?}");
            }
            for corridor in blocks.corridors().filter(|corridor| corridor.mouths[1].is_some()) {
                let cells: Vec<Cell> = corridor.cells.iter().map(|&id| costs.grid().cell(id)).collect();
                let report = report(&cells);
                let mut sizes: Vec<usize> = corridor.room.iter().map(|&room| room as usize).collect();
                sizes.sort_unstable_by(|a, b| b.cmp(a));
                let pieces: Vec<usize> = report.splits[0].pieces.iter().map(|piece| piece.size).collect();
                assert_eq!(pieces, sizes, "seed {seed} {rule:?} {cells:?}");
                questions += 1;
            }
        }
    }
    assert!(questions > 200, "only {questions} corridors led through");
}

#[test]
fn drawn_corridors_have_the_cells_mouths_and_room_that_one_sees() {
    // Two rooms, a corridor with a bend between them, a dead end, and a lane of its own.
    let costs = map(&[
        "..####....",
        "........##",
        "####.#.###",
        "####.#.#..",
        "####.#####",
        "####..####",
        "####..####",
    ]);
    let movement = Movement::compile(
        &costs,
        &MovementProfile::new().with_connectivity(Connectivity::Four),
    );
    let blocks = Blocks::of(&movement);
    let grid = costs.grid();
    let told: Vec<(Vec<Cell>, Vec<Cell>, [u32; 2])> = blocks
        .corridors()
        .map(|corridor| {
            let cells = corridor.cells.iter().map(|&id| grid.cell(id)).collect();
            let mouths = corridor.mouths.iter().flatten().map(|&id| grid.cell(id));
            (cells, mouths.collect(), corridor.room)
        })
        .collect();
    let cells = |cells: &[(i32, i32)]| -> Vec<Cell> { cells.iter().map(|&(x, y)| Cell::new(x, y)).collect() };
    // From west to east with what hangs below: room, corridor, junction with corridor and room, corridor, room with two
    // dead ends.
    let all = 4 + 2 + (1 + 3 + 4) + 1 + (4 + 2 + 2);
    let expected = [
        (cells(&[(8, 0), (9, 0)]), cells(&[(7, 0)]), [all - 2, 0]),
        (
            cells(&[(2, 1), (3, 1)]),
            cells(&[(1, 1), (4, 1)]),
            [4, all - 4 - 2],
        ),
        (cells(&[(5, 1)]), cells(&[(4, 1), (6, 1)]), [4 + 2 + 1 + 3 + 4, 8]),
        (
            cells(&[(4, 2), (4, 3), (4, 4)]),
            cells(&[(4, 1), (4, 5)]),
            [all - 4 - 3, 4],
        ),
        (cells(&[(6, 2), (6, 3)]), cells(&[(6, 1)]), [all - 2, 0]),
        (cells(&[(8, 3), (9, 3)]), vec![], [0, 0]),
    ];
    assert_eq!(told, expected);
    let is_path = |x: i32, y: i32| blocks.is_path(grid.id(Cell::new(x, y)).unwrap());
    assert!(is_path(9, 3) && !is_path(6, 3) && !is_path(0, 0));
}

#[test]
fn blocks_of_an_edited_map_are_not_current() {
    let mut costs = map(&["....", "...."]);
    let profile = MovementProfile::new();
    let blocks = Blocks::of(&Movement::compile(&costs, &profile));
    assert_eq!((blocks.len(), blocks.bridges()), (1, 0));
    costs.set(Cell::new(1, 1), Cost::IMPASSABLE).unwrap();
    let edited = Movement::compile(&costs, &profile);
    assert!(!blocks.is_current(&edited));
    assert_eq!(Blocks::of(&edited).bridges(), 3);
}

#[test]
fn maps_of_walls_single_cells_and_a_lane_of_a_million_cells_have_blocks() {
    let profile = MovementProfile::new();
    let of = |width: u32, cost: Cost| {
        let grid = Grid::new(width, 1).unwrap();
        Blocks::of(&Movement::compile(&CostField::filled(grid, cost), &profile))
    };
    let walls = of(7, Cost::IMPASSABLE);
    assert!(walls.is_empty() && walls.corridors().len() == 0 && !walls.is_path(CellId(3)));
    let single = of(1, Cost::PLAIN);
    assert!(single.is_empty() && single.is_path(CellId(0)));
    assert_eq!(single.corridors().len(), 1);
    let lane = of(1_000_000, Cost::PLAIN);
    assert_eq!((lane.bridges(), lane.corridors().len()), (999_999, 1));
    let (index, position) = lane.corridor_at(CellId(765_432)).unwrap();
    assert_eq!((index.0, position), (0, 765_432));
    assert!(lane.is_path(CellId(0)));
}

#[test]
fn corridors_of_published_maps_are_there() {
    let Some(folder) = data_folder() else {
        skipped("mapf");
        return;
    };
    // Corridors and bridges with 4 neighbours; on small maps all of it is compared as well.
    for (file, counts) in [
        ("mapf/tiny/corners.map", (2, 4)),
        ("mapf/tiny/tunnel.map", (3, 8)),
        ("mapf/tiny/string.map", (6, 10)),
        ("mapf/empty-8-8.map", (0, 0)),
        ("mapf/random-32-32-20.map", (20, 20)),
        ("mapf/maze-32-32-2.map", (10, 38)),
        ("mapf/warehouse-10-20-10-2-1.map", (0, 0)),
    ] {
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            skipped(file);
            continue;
        };
        let rows: Vec<&str> = text.lines().skip(4).map(str::trim_end).collect();
        let bytes = rows.iter().flat_map(|row| row.bytes());
        let bytes: Vec<u8> = bytes.map(|letter| if letter == b'.' { 1 } else { 255 }).collect();
        let side = |len: usize| u32::try_from(len).unwrap();
        let grid = Grid::new(side(rows[0].len()), side(rows.len())).unwrap();
        let costs = CostField::from_bytes(grid, bytes).unwrap();
        let profile = MovementProfile::new().with_connectivity(Connectivity::Four);
        let movement = Movement::compile(&costs, &profile);
        let blocks = Blocks::of(&movement);
        assert_eq!((blocks.corridors().len(), blocks.bridges()), counts, "{file}");
        if costs.grid().len() < 100 {
            compare(&movement, &Literal::of(&movement), &mut Seen::default(), file);
        }
    }
}
