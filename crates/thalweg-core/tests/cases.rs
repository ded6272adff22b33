//! Every row of the case file that the core can express, under every engine, charge and scale.
//!
//! The file is test input that a clone may lack: set `THALWEG_CASES` to its place. `worked_maps.rs` holds small cases of
//! our own, so that every kind is tested without it.

use std::collections::BTreeMap;
use thalweg_testkit::cases::{Checked, cases_file, check_row, read_rows, say, skipped};

const SIGHT: &str = "tested in sight.rs, not by engines";

/// Rows about what the core does not have yet, by id, with the reason. A row moves out of here when its subject is built;
/// a row that is neither here nor checked fails the test.
const NOT_YET: [(&str, &str); 2] = [("sight-10", SIGHT), ("sight-pillar", SIGHT)];

#[test]
fn every_case_holds_under_every_engine_charge_and_scale() {
    let Some(path) = cases_file() else {
        skipped("cases.jsonl");
        return;
    };
    let rows = read_rows(&std::fs::read_to_string(path).unwrap());
    let not_yet: BTreeMap<&str, &str> = NOT_YET.into_iter().collect();
    let (mut ran, mut waiting, mut comparisons) = (0, 0, 0);
    for row in &rows {
        match (check_row(row), not_yet.get(row.id())) {
            (Checked::Holds { comparisons: some }, None) => {
                assert!(some > 0, "row {} was checked by nothing", row.id());
                ran += 1;
                comparisons += some;
            }
            (Checked::NotBuilt, Some(_)) => waiting += 1,
            (Checked::Holds { .. }, Some(reason)) => {
                panic!("row {} holds now: take it out of NOT_YET ({reason})", row.id());
            }
            (Checked::NotBuilt, None) => {
                panic!(
                    "row {} ({}) is neither checked nor in NOT_YET",
                    row.id(),
                    row.kind()
                );
            }
        }
    }
    say(&format!(
        "cases: {ran} rows hold ({comparisons} comparisons), {waiting} wait for what is not built yet"
    ));
    assert!(ran >= 98, "only {ran} rows ran");
}
