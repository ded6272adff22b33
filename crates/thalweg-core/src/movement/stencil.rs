//! A set of cell offsets as spans, one per row, and the maximum over it for every cell of a map.
//!
//! **Maxima.** For each row of the map the maxima over windows of all widths the stencil needs are made one from the
//! other: the maximum over a wider window is that of two narrower ones that together cover it. Each is one pass of byte
//! maxima over a row, which the compiler turns into vectors, and each row of the stencil is one more. A disc of radius r
//! so takes about 4 r vector operations a cell and a rectangle its height, where its area would be r² · π.
//!
//! Rejected: the van Herk-Gil-Werman running maximum. It needs three comparisons a cell whatever the window, but one
//! after the other; below windows of some hundred cells vectors are faster, and 64 cells is the largest radius.

use super::Footprint;
use crate::grid::{Cell, CellId, Grid};
use core::ops::Range;

/// The offsets of one row: `first..first + len` columns east, `dy` rows south.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    dy: i32,
    first: i32,
    len: u32,
}

/// A set of offsets, each row in one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stencil {
    spans: Vec<Span>,
}

impl Stencil {
    /// The cells a body covers, seen from its anchor.
    pub(crate) fn covered(footprint: &Footprint) -> Self {
        Self::of(footprint.reach(), |dx, dy| footprint.covers(dx, dy))
    }

    /// The goal cells a body meets, seen from its anchor.
    pub(crate) fn met(footprint: &Footprint) -> Self {
        Self::of(footprint.reach(), |dx, dy| footprint.meets(dx, dy))
    }

    fn of(reach: i32, holds: impl Fn(i32, i32) -> bool) -> Self {
        let spans = (-reach..=reach).filter_map(|dy| {
            let first = (-reach..=reach).find(|&dx| holds(dx, dy))?;
            let len = (first..=reach).take_while(|&dx| holds(dx, dy)).count();
            Some(Span {
                dy,
                first,
                len: u32::try_from(len).ok()?,
            })
        });
        Self {
            spans: spans.collect(),
        }
    }

    /// The same set seen from the other end: the anchors of the bodies that cover a cell, seen from the cell.
    pub(crate) fn reflected(mut self) -> Self {
        for span in &mut self.spans {
            span.dy = -span.dy;
            span.first = 1 - span.first - span.len.cast_signed();
        }
        self
    }

    /// How many cells it has.
    pub(crate) fn area(&self) -> usize {
        self.spans.iter().map(|span| span.len as usize).sum()
    }

    /// How many rows it has.
    pub(crate) const fn rows(&self) -> usize {
        self.spans.len()
    }

    /// Whether it is the cell itself and nothing else.
    pub(crate) fn is_single(&self) -> bool {
        matches!(
            &self.spans[..],
            [Span {
                dy: 0,
                first: 0,
                len: 1
            }]
        )
    }

    /// The cells of the map at these offsets from a cell, as runs of ids; the cell may lie off the map.
    pub(crate) fn around<'a>(&'a self, grid: &'a Grid, cell: Cell) -> impl Iterator<Item = Range<u32>> + 'a {
        let layer = grid.layer(cell.layer);
        self.spans.iter().filter_map(move |span| {
            let first = layer?.first_cell();
            let last_x = i64::from(first.x) + i64::from(layer?.width()) - 1;
            let begin = (i64::from(cell.x) + i64::from(span.first)).max(i64::from(first.x));
            let end = (i64::from(cell.x) + i64::from(span.first) + i64::from(span.len) - 1).min(last_x);
            let len = u32::try_from(end - begin + 1).ok().filter(|&len| len > 0)?;
            let start = Cell {
                x: i32::try_from(begin).ok()?,
                y: cell.y.checked_add(span.dy)?,
                ..cell
            };
            // Within a row of a map ids follow each other.
            grid.id(start).map(|id| id.0..id.0 + len)
        })
    }

    /// For every cell of a rectangle of `width` columns the largest of `values` over the stencil there; `outside` is what
    /// lies off the rectangle.
    pub(crate) fn maxima(&self, values: &[u8], width: usize, outside: u8) -> Vec<u8> {
        let height = values.len() / width;
        let mut out = vec![0u8; values.len()];
        let padding = self
            .spans
            .iter()
            .map(|span| span.first.unsigned_abs().max(span.len) as usize + span.len as usize)
            .max()
            .unwrap_or(0);
        let mut by_len = self.spans.clone();
        by_len.sort_by_key(|span| span.len);
        // `windows[x]` is the maximum over the cells from column `x - padding` on, as many as the window is wide.
        let mut windows = vec![outside; width + 2 * padding];
        let mut wider = windows.clone();
        for (y, row) in values.chunks_exact(width).enumerate() {
            windows.fill(outside);
            windows[padding..padding + width].copy_from_slice(row);
            let mut len = 1;
            for span in &by_len {
                while len < span.len {
                    let step = (span.len - len).min(len);
                    widen(&windows, step as usize, outside, &mut wider);
                    core::mem::swap(&mut windows, &mut wider);
                    len += step;
                }
                let target = y.checked_add_signed(-span.dy as isize);
                if let Some(target) = target.filter(|&target| target < height) {
                    let start = padding.saturating_add_signed(span.first as isize);
                    raise(&mut out[target * width..][..width], &windows[start..][..width]);
                }
            }
        }
        // Rows of the stencil that lie off the map.
        for span in &self.spans {
            for (y, row) in out.chunks_exact_mut(width).enumerate() {
                let source = y.checked_add_signed(span.dy as isize);
                if source.is_none_or(|source| source >= height) {
                    row.iter_mut().for_each(|value| *value = outside.max(*value));
                }
            }
        }
        out
    }
}

/// Windows wider by `step`, which is at most their width: each is covered by the one that begins with it and the one that
/// ends with it.
fn widen(windows: &[u8], step: usize, outside: u8, wider: &mut [u8]) {
    let kept = windows.len() - step;
    let (near, far) = (&windows[..kept], &windows[step..]);
    for ((wide, &a), &b) in wider[..kept].iter_mut().zip(near).zip(far) {
        *wide = a.max(b);
    }
    for (wide, &a) in wider[kept..].iter_mut().zip(&windows[kept..]) {
        *wide = a.max(outside);
    }
}

fn raise(row: &mut [u8], by: &[u8]) {
    for (value, &other) in row.iter_mut().zip(by) {
        *value = other.max(*value);
    }
}

/// Runs of ids that may overlap, as the ids they hold, each once, in order.
pub(crate) fn merged(mut runs: Vec<Range<u32>>) -> impl Iterator<Item = CellId> {
    runs.sort_unstable_by_key(|run| (run.start, run.end));
    let mut done = 0;
    runs.into_iter().flat_map(move |run| {
        let start = run.start.max(done);
        done = done.max(run.end);
        (start..run.end).map(CellId)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg_testkit::random_map::SplitMix64;

    /// Bodies of every kind, the ends of their ranges included.
    fn bodies() -> Vec<Footprint> {
        let texts = [
            "point",
            "square:1",
            "square:2",
            "square:5",
            "rectangle:3x1",
            "rectangle:1x4",
            "rectangle:7x2",
            "disc:0.1",
            "disc:0.5",
            "disc:0.50001",
            "disc:0.70711",
            "disc:0.7072",
            "disc:1",
            "disc:1.5",
            "disc:2.3",
            "disc:6",
        ];
        texts.map(|text| text.parse().unwrap()).to_vec()
    }

    #[test]
    fn maxima_are_those_of_every_covered_cell_looked_at() {
        for seed in 0..120 {
            let mut random = SplitMix64::new(seed);
            // Some rows wider than any vector.
            let longest = if seed % 30 == 0 { 200 } else { 20 };
            let (width, height) = (1 + random.below(longest), 1 + random.below(20));
            let values: Vec<u8> = (0..width * height)
                .map(|_| u8::try_from(random.below(256)).unwrap())
                .collect();
            let outside = random.pick(&[0u8, 2, 255]);
            for body in bodies() {
                for stencil in [Stencil::covered(&body), Stencil::covered(&body).reflected()] {
                    let got = stencil.maxima(&values, width as usize, outside);
                    for (place, &got) in (0i64..).zip(&got) {
                        let (x, y) = (place % i64::from(width), place / i64::from(width));
                        let mut wanted = 0;
                        for span in &stencil.spans {
                            for dx in 0..i64::from(span.len) {
                                let (x, y) = (x + i64::from(span.first) + dx, y + i64::from(span.dy));
                                let inside =
                                    (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y);
                                let value = if inside {
                                    values[usize::try_from(y * i64::from(width) + x).unwrap()]
                                } else {
                                    outside
                                };
                                wanted = value.max(wanted);
                            }
                        }
                        assert_eq!(got, wanted, "seed {seed} {body} at ({x},{y})");
                    }
                }
            }
        }
    }

    #[test]
    fn the_spans_of_a_stencil_hold_exactly_the_offsets_of_the_body() {
        for body in bodies()
            .into_iter()
            .chain(["square:64", "disc:64"].map(|text| text.parse().unwrap()))
        {
            for (stencil, holds) in [
                (
                    Stencil::covered(&body),
                    Footprint::covers as fn(&Footprint, i32, i32) -> bool,
                ),
                (Stencil::met(&body), Footprint::meets),
            ] {
                let wanted = (-70..=70)
                    .flat_map(|dy| (-70..=70).map(move |dx| (dx, dy)))
                    .filter(|&(dx, dy)| holds(&body, dx, dy))
                    .count();
                let got: u32 = stencil.spans.iter().map(|span| span.len).sum();
                assert_eq!(got as usize, wanted, "{body}");
            }
        }
    }
}
