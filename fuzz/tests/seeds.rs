//! Every seed runs clean, so a plain `cargo test` here needs no fuzzer; each target also runs inputs of zeros and of
//! chance.

use std::fs;
use std::path::Path;

type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 10] = [
    ("readers", thalweg_fuzz::readers::run),
    ("recording", thalweg_fuzz::recording::run),
    ("repair", thalweg_fuzz::repair::run),
    ("saved", thalweg_fuzz::saved::run),
    ("scene", thalweg_fuzz::scene::run),
    ("field", thalweg_fuzz::field::run),
    ("world", thalweg_fuzz::world::run),
    ("sweep", thalweg_fuzz::sweep::run),
    ("crowd", thalweg_fuzz::crowd::run),
    ("strict", thalweg_fuzz::strict::run),
];

#[test]
fn every_seed_of_every_target_runs_clean() {
    for (target, run) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
        let mut seeds = 0;
        for entry in fs::read_dir(&folder).expect("every target has seeds") {
            let path = entry.expect("a folder that can be listed").path();
            println!("{target}: {}", path.display());
            run(&fs::read(path).expect("a seed that can be read"));
            seeds += 1;
        }
        assert!(seeds > 0, "target {target} has no seeds");
    }
}

#[test]
fn short_inputs_run_clean() {
    for (_, run) in TARGETS {
        for length in 0..40 {
            run(&vec![0; length]);
            run(&vec![255; length]);
        }
    }
}
