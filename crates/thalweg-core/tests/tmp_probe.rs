use thalweg_core::cost::CostField;
use thalweg_core::grid::{Grid, SUBCELLS};
use thalweg_core::integrate::{Engine, GoalSet};
use thalweg_core::movement::*;
use thalweg_testkit::any_angle::AnyAngle;
use thalweg_testkit::cases::data_folder;
use thalweg_testkit::solve::solve;
use thalweg_testkit::walker::Ways;
fn map(text: &str) -> CostField {
    let rows: Vec<&str> = text.lines().skip(4).collect();
    let width = rows[0].trim_end().len();
    let bytes: Vec<u8> = rows
        .iter()
        .flat_map(|row| row.trim_end().bytes())
        .map(|l| if matches!(l, b'.' | b'G') { 1 } else { 255 })
        .collect();
    let height = bytes.len() / width;
    CostField::from_bytes(Grid::new(width as u32, height as u32).unwrap(), bytes).unwrap()
}
#[test]
fn probe() {
    let folder = data_folder().unwrap();
    for (m, s, rule) in [
        (
            "movingai/dao/den312d.map",
            "movingai/dao/den312d.map.scen",
            CornerRule::BothFree,
        ),
        (
            "mapf/random-32-32-20.map",
            "mapf/random-32-32-20-random-1.scen",
            CornerRule::BothFree,
        ),
        (
            "mapf/random-32-32-20.map",
            "mapf/random-32-32-20-random-1.scen",
            CornerRule::OneFree,
        ),
        (
            "movingai/dao/den312d.map",
            "movingai/dao/den312d.map.scen",
            CornerRule::OneFree,
        ),
    ] {
        let costs = map(&std::fs::read_to_string(folder.join(m)).unwrap());
        let oracle = AnyAngle::new(&costs);
        let profile = MovementProfile::new().with_corner_rule(rule);
        let movement = Movement::compile(&costs, &profile);
        let grid = *costs.grid();
        let free: Vec<_> = grid.ids().filter(|&i| movement.is_passable(i)).collect();
        // centre graph
        let mut adj: Vec<Vec<(usize, f64)>> = vec![vec![]; grid.len()];
        for &a in &free {
            for &b in &free {
                if a < b && sight(&movement, a, b) != Sight::Blocked {
                    let (p, q) = (grid.column_row_of(a), grid.column_row_of(b));
                    let d = (p.0 as f64 - q.0 as f64).hypot(p.1 as f64 - q.1 as f64);
                    adj[a.index()].push((b.index(), d));
                    adj[b.index()].push((a.index(), d));
                }
            }
        }
        let text = std::fs::read_to_string(folder.join(s)).unwrap();
        let (mut n, mut ce, mut wa, mut oc, mut cw) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for line in text.lines().skip(1).step_by(4) {
            let p: Vec<&str> = line.split_whitespace().collect();
            if p.len() < 9 {
                continue;
            }
            let q: Vec<u32> = (4..8).map(|i| p[i].parse().unwrap()).collect();
            let goal = grid.id_at(q[2], q[3]).unwrap();
            let start = grid.id_at(q[0], q[1]).unwrap();
            let Some(best) = oracle.shortest((q[0], q[1]), (q[2], q[3])).filter(|b| *b > 0.0) else {
                continue;
            };
            let mut dist = vec![f64::INFINITY; grid.len()];
            let mut done = vec![false; grid.len()];
            dist[goal.index()] = 0.0;
            loop {
                let mut b = usize::MAX;
                for &f in &free {
                    let i = f.index();
                    if !done[i] && dist[i].is_finite() && (b == usize::MAX || dist[i] < dist[b]) {
                        b = i;
                    }
                }
                if b == usize::MAX || b == start.index() {
                    break;
                }
                done[b] = true;
                for &(o, d) in &adj[b] {
                    if dist[b] + d < dist[o] {
                        dist[o] = dist[b] + d;
                    }
                }
            }
            let centre = dist[start.index()];
            let ways = Ways::new(solve(
                &costs,
                &profile,
                &GoalSet::from_cells([grid.cell(goal)]),
                Engine::Auto,
            ));
            let walked = ways.walk_from(start, SUBCELLS / 8).unwrap().length;
            n += 1.0;
            ce += centre / best;
            wa += walked / best;
            oc += ways.lengths.length(start).unwrap().cells() / best;
            cw += walked / centre;
        }
        println!(
            "{m} {rule}: centre optimum {:.4} walked {:.4} octile {:.4}; walked to centre optimum {:.4}",
            ce / n,
            wa / n,
            oc / n,
            cw / n
        );
    }
}
