//! Sweeps between any two points: they stop exactly where the rules do, and what they allow is clear.

use crate::make;
use arbitrary::{Result, Unstructured};
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, CellId, Direction, MapPoint, SUBCELLS};
use thalweg_core::integrate::reachable_from;
use thalweg_core::movement::Movement;
use thalweg_crowd::{SweepStop, sweep};

/// A map, a profile, and segments on it.
pub fn run(data: &[u8]) {
    // Running out of bytes is no finding: the input is then only shorter than it wants to be.
    let _ = check(&mut Unstructured::new(data));
}

fn check(u: &mut Unstructured<'_>) -> Result<()> {
    let costs: CostField = make::costs(u, 12, Cell::new(0, 0))?;
    let movement = Movement::compile(&costs, &make::profile(u)?);
    let mut from = point(u, &movement)?;
    for _ in 0..u.int_in_range(1..=8)? {
        let to = point(u, &movement)?;
        check_segment(&movement, from, to);
        check_segment(&movement, to, from);
        from = to;
    }
    Ok(())
}

/// A point of the map, on or beside a border or a centre line more often than not; sometimes beside the map, sometimes
/// anywhere.
fn point(u: &mut Unstructured<'_>, movement: &Movement) -> Result<MapPoint> {
    let (width, height) = (movement.grid().width(), movement.grid().height());
    let mut one = |cells: u32| -> Result<i32> {
        let cells = cells.cast_signed();
        let cell = match u.int_in_range(0..=15)? {
            15 => return u.arbitrary(),
            14 => return Ok(*u.choose(&[i32::MIN, i32::MIN + 1, i32::MAX, i32::MAX - 1])?),
            13 => u.int_in_range(-3..=cells + 3)?,
            _ => u.int_in_range(0..=cells - 1)?,
        };
        let inside = match u.int_in_range(0..=6)? {
            0 => SUBCELLS / 2,
            1 => 0,
            2 => 1,
            3 => SUBCELLS - 1,
            4 => SUBCELLS / 4,
            _ => i32::from(u.arbitrary::<u16>()?),
        };
        Ok(cell * SUBCELLS + inside)
    };
    Ok(MapPoint::new(one(width)?, one(height)?))
}

fn check_segment(movement: &Movement, from: MapPoint, to: MapPoint) {
    let grid = movement.grid();
    let swept = sweep(movement, from, to);
    let context = || format!("from {from:?} to {to:?} on {movement:?}: {swept:?}");
    let Some(start) = from.cell_id(grid) else {
        assert_eq!(swept.stop, SweepStop::Outside, "{}", context());
        assert_eq!(swept.end, from, "{}", context());
        return;
    };
    let Some(end) = swept.end.cell_id(grid) else {
        panic!("ends off the map: {}", context());
    };
    // From inside a wall nothing is legal, but the own cell may be walked.
    let reachable = reachable_from(movement, start);
    assert!(
        end == start || reachable.contains(end),
        "ends where no legal crossings lead: {}",
        context()
    );
    match (swept.stop, refusal(movement, from, to, start)) {
        (SweepStop::Clear, None) => assert_eq!(swept.end, to, "{}", context()),
        (SweepStop::Wall { cell, direction }, Some(refused)) => {
            assert_eq!((cell, direction), refused, "{}", context());
            assert!(end == cell || swept.end == from, "{}", context());
            assert!(
                swept.end == from || is_beside(swept.end, from, to),
                "{}",
                context()
            );
        }
        (_, refused) => panic!("should be refused at {refused:?}: {}", context()),
    }
    let again = sweep(movement, from, swept.end);
    assert_eq!(
        again.stop,
        SweepStop::Clear,
        "what was allowed is refused: {}",
        context()
    );
    assert_eq!(again.end, swept.end, "{}", context());
}

/// Where a segment is refused first, found in another way than the sweep's: all border lines of the map that it crosses
/// are listed with the exact fraction of the segment at which it meets them, and sorted by it.
fn refusal(movement: &Movement, from: MapPoint, to: MapPoint, start: CellId) -> Option<(CellId, Direction)> {
    let grid = movement.grid();
    // Distance over length, and whether the line is a column's.
    let mut meetings: Vec<(i128, i128, bool)> = Vec::new();
    for (is_x, from, to, cells) in [
        (true, from.x, to.x, grid.width()),
        (false, from.y, to.y, grid.height()),
    ] {
        let (first, last) = (from.div_euclid(SUBCELLS), to.div_euclid(SUBCELLS));
        for line in 0..=cells.cast_signed() {
            // Line n is the low side of column n, so it is crossed between columns n - 1 and n.
            if (first < line) != (last < line) {
                let distance = (i128::from(line) * i128::from(SUBCELLS) - i128::from(from)).abs();
                meetings.push((distance, (i128::from(to) - i128::from(from)).abs(), is_x));
            }
        }
    }
    meetings.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
    let step = (
        if to.x > from.x { 1 } else { -1 },
        if to.y > from.y { 1 } else { -1 },
    );
    let straight = |is_x: bool| {
        Direction::from_offset(if is_x { step.0 } else { 0 }, if is_x { 0 } else { step.1 })
            .expect("a straight step")
    };
    let diagonal = Direction::from_offset(step.0, step.1).expect("a diagonal step");
    let goes = |cell: CellId, direction: Direction| movement.step_target(cell, direction);
    let goes_round = |cell, first, second| goes(cell, first).and_then(|side| goes(side, second));
    let mut cell = start;
    let mut rest = meetings.as_slice();
    while let Some((&(distance, length, is_x), others)) = rest.split_first() {
        rest = others;
        let is_corner = others
            .first()
            .is_some_and(|other| other.0 * length == distance * other.1);
        let (direction, next) = if is_corner {
            rest = &others[1..];
            let round = goes_round(cell, straight(true), straight(false)).and(goes_round(
                cell,
                straight(false),
                straight(true),
            ));
            (diagonal, goes(cell, diagonal).or(round))
        } else {
            (straight(is_x), goes(cell, straight(is_x)))
        };
        match next {
            Some(next) => cell = next,
            None => return Some((cell, direction)),
        }
    }
    None
}

/// Whether a point is at most two subcells beside the segment, along one axis.
fn is_beside(point: MapPoint, from: MapPoint, to: MapPoint) -> bool {
    let [dx, dy] = [(to.x, from.x), (to.y, from.y)].map(|(to, from)| i128::from(to) - i128::from(from));
    let [x, y] = [(point.x, from.x), (point.y, from.y)].map(|(at, from)| i128::from(at) - i128::from(from));
    (dx * y - dy * x).abs() <= 2 * dx.abs().max(dy.abs())
}
