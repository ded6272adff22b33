use thalweg::generate::MapKind;
use thalweg_core::grid::CellId;
use thalweg_core::integrate::*;
use thalweg_core::movement::*;
use thalweg_core::workers::Serial;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let kind: MapKind = a[1].parse().unwrap();
    let side: u32 = a[2].parse().unwrap();
    let n: usize = a[3].parse().unwrap();
    let how = &a[4];
    let secs: f64 = a[5].parse().unwrap();
    let map = kind.generate(side, 0).unwrap();
    let m = Movement::compile(&map.cost_field(), &MovementProfile::new());
    let g = m.grid().clone();
    let own = [GoalSet::from_cells([map.goal_cell()]).resolve(&m).unwrap()];
    let mut f = Vec::new();
    let mut sc = BatchScratch::new();
    integrate_batch(&m, &own, &BatchOptions::new(), &Serial, &mut sc, &mut f).unwrap();
    let reached: Vec<CellId> = g.ids().filter(|&id| f[0].cost(id).is_some()).collect();
    let sets: Vec<_> = (0..n)
        .map(|i| {
            let s = (i as f64 * 0.61803398875 + 0.31).fract();
            GoalSet::from_cells([g.cell(reached[(s * reached.len() as f64) as usize])])
                .resolve(&m)
                .unwrap()
        })
        .collect();
    let (e, me) = match how.as_str() {
        "lanes" => (Engine::Auto, BatchMethod::Lanes),
        "tiles" => (Engine::Tiles, BatchMethod::OneByOne),
        _ => (Engine::Auto, BatchMethod::OneByOne),
    };
    let o = BatchOptions::from(IntegrateOptions::new().with_engine(e)).with_method(me);
    let t = std::time::Instant::now();
    let mut best = f64::MAX;
    let mut k = 0;
    while t.elapsed().as_secs_f64() < secs {
        let s = std::time::Instant::now();
        let st = integrate_batch(&m, &sets, &o, &Serial, &mut sc, &mut f).unwrap();
        best = best.min(s.elapsed().as_secs_f64());
        k += 1;
        if k == 1 {
            eprintln!("{st:?}");
        }
    }
    println!(
        "{} {side} {n} {how}: best {:.3} ns/cell/set over {k}",
        a[1],
        best * 1e9 / (reached.len() * n) as f64
    );
}
