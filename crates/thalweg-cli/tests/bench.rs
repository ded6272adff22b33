//! `thalweg bench crowd` as a user runs it.

mod support;

use support::{folder, thalweg};

#[test]
fn a_crowd_is_measured_stage_by_stage() {
    let folder = folder(&[]);
    let words =
        "bench crowd --json --scenes open --agents 200 --threads 1 2 --ticks 2 --warm 1 --rounds 1 --sorting";
    let words: Vec<&str> = words.split(' ').collect();
    let report = thalweg(folder.path(), &words).json();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for (row, threads) in rows.iter().zip([1, 2]) {
        assert_eq!(row["scene"], "open");
        assert_eq!(row["agents"], 200);
        assert_eq!(row["threads"], threads);
        assert!(row["ns_per_agent_step"].as_f64().unwrap() > 0.0);
        let stages = row["stages"].as_object().unwrap();
        assert!(
            stages.contains_key("gather") && stages.contains_key("walk"),
            "{row}"
        );
    }
    assert_eq!(report["sorts"].as_array().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let folder = folder(&[]);
    for (words, sentence) in [
        ("--ticks 0", "--ticks is 0; it must be at least 1"),
        ("--agents 0", "--agents is 0; it must be at least 1"),
        ("--threads 0", "--threads is 0; it must be at least 1"),
        ("--dt -1", "--dt is -1; it must be 0.0001 to 60"),
        ("--cell NaN", "--cell is NaN; it must be 0.05 to 10"),
        ("--neighbours 17", "option neighbours is 17, outside 1 to 16"),
        ("--look-ahead 99", "option look_ahead is 198, outside 0 to 4"),
    ] {
        let words = words.replace(' ', "=");
        let run = thalweg(
            folder.path(),
            &["bench", "crowd", "--rounds", "1", "--warm", "0", &words],
        );
        assert_eq!(run.refusal(), sentence, "{words}");
    }
}
