//! Scratch.
use std::time::Instant;
use thalweg_core::cost::CostField;
use thalweg_core::flow::*;
use thalweg_core::grid::*;
use thalweg_core::integrate::*;
use thalweg_core::movement::*;
use thalweg_core::workers::*;
use thalweg_crowd::strict::*;
use thalweg_crowd::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let rows: Vec<&str> = text.lines().skip(4).collect();
    let w = rows[0].len() as u32;
    let grid = Grid::new(w, rows.len() as u32).unwrap();
    let costs = CostField::from_bytes(
        grid.clone(),
        rows.iter()
            .flat_map(|r| r.bytes())
            .map(|c| if c == b'.' || c == b'G' { 1 } else { 255 })
            .collect(),
    )
    .unwrap();
    let profile = MovementProfile::new().with_connectivity(if args.len() > 5 {
        Connectivity::Eight
    } else {
        Connectivity::Four
    });
    let movement = Movement::compile(&costs, &profile);
    let scen = std::fs::read_to_string(&args[2]).unwrap();
    let n: usize = args[3].parse().unwrap();
    let ticks: u32 = args[4].parse().unwrap();
    let mut crowd = StrictCrowd::new(grid.clone(), StrictOptions::default()).unwrap();
    let mut fields = Vec::new();
    let mut scratch = IntegrateScratch::new();
    let mut lower = 0u64;
    for line in scen.lines().skip(1).take(n) {
        let c: Vec<&str> = line.split('\t').collect();
        let v = |i: usize| c[i].parse::<i32>().unwrap();
        let goals = GoalSet::new()
            .with_goal(Goal::cell(Cell::new(v(6), v(7))))
            .resolve(&movement)
            .unwrap();
        let mut field = IntegrationField::new(grid.clone());
        integrate(
            &movement,
            &goals,
            &IntegrateOptions::new(),
            &mut scratch,
            &mut field,
        )
        .unwrap();
        let mut flow = FlowField::new(grid.clone());
        extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
        let start = Cell::new(v(4), v(5));
        lower += u64::from(field.cost(grid.id(start).unwrap()).unwrap().0) / 10;
        crowd
            .add(&StrictSpec::new(start, GroupId(fields.len() as u16)), &movement)
            .unwrap();
        fields.push((field, flow));
    }
    let groups: Vec<StrictGroup<'_>> = fields
        .iter()
        .map(|(a, b)| StrictGroup::new(&movement, a, b))
        .collect();
    let start = Instant::now();
    let mut best = 0;
    for tick in 1..=ticks {
        let r = crowd.step(&groups, &Serial).unwrap();
        let at = r.outcomes[Outcome::Arrived];
        best = best.max(at);
        if tick.is_power_of_two() || at as usize == n || tick == ticks {
            println!(
                "tick {tick}: at goal {at} best {best} moved {} refused {} waiting {} longest {} arrived_total {} searched {}",
                r.outcomes[Outcome::Moved],
                r.outcomes[Outcome::ReservationRefused],
                r.outcomes[Outcome::Waiting],
                crowd.longest_wait(),
                crowd.arrived_total(),
                r.searched
            );
        }
        if at as usize == n {
            break;
        }
    }
    let t = start.elapsed();
    println!(
        "lower bound soc {lower}; {:?}, {} ns per agent-step",
        t,
        t.as_nanos() as u64 / (crowd.tick() * n as u64)
    );
}
