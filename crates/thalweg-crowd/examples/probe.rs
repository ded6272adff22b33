#[allow(clippy::all, unused, unreachable_pub)]
#[path = "../tests/common/mod.rs"]
mod common;
use common::*;
use thalweg_core::movement::*;
use thalweg_crowd::*;
fn main() {
    let map: Vec<String> = (0..21)
        .map(|y| {
            (0..36)
                .map(|x| match (x, y) {
                    (34, 10) => 'G',
                    (20, y) if y != 10 => '#',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    let w = World::of_map(&map, &profile(Connectivity::Eight, CornerRule::BothFree)).leaving();
    let mut c = crowd_of(&w);
    scatter(
        &mut c,
        &w.movement,
        &mut Random(1),
        300,
        [0.0, 0.0, 19.0, 21.0],
        0.3,
        GroupId(0),
    );
    for t in 0..1800 {
        let r = step(&mut c, &w, 1.0 / 30.0);
        if r.deepest_overlap > 0.2 && t > 100 {
            let v: Vec<_> = c.agents().collect();
            for i in 0..v.len() {
                for j in 0..i {
                    let (a, b) = (v[i].1.position.to_map(), v[j].1.position.to_map());
                    let d = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
                    if d < 0.4 {
                        println!(
                            "{t} overlap {} {} d {d:.3} {:?} {:?} {} {}",
                            v[i].0, v[j].0, a, b, v[i].1.outcome, v[j].1.outcome
                        );
                    }
                }
            }
        }
        if (600..616).contains(&t) {
            let mut n = 0;
            for (id, v) in c
                .agents()
                .filter(|(_, v)| v.outcome == Outcome::Waiting)
                .skip(40)
                .take(3)
            {
                let p = v.position.to_map();
                print!(
                    "{id} ({:.3},{:.3}) v ({:+.2},{:+.2}) h ({:+.2},{:+.2})   ",
                    p[0], p[1], v.velocity[0], v.velocity[1], v.heading[0], v.heading[1]
                );
            }
            println!();
            let w: Vec<f32> = c
                .agents()
                .filter(|(_, v)| v.outcome == Outcome::Waiting)
                .map(|(_, v)| (v.velocity[0].powi(2) + v.velocity[1].powi(2)).sqrt())
                .collect();
            println!(
                "waiting {} mean speed {:.3}",
                w.len(),
                w.iter().sum::<f32>() / w.len() as f32
            );
        }
    }
}
