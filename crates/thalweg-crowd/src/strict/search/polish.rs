//! A cheap pass over a way that was found.

use super::fold::{Table, hash_of, number_after};
use core::hash::Hash;

/// Takes out of a way what is plainly not needed, and keeps its first and its last configuration.
///
/// A depth-first search walks about: it comes back to configurations, and goes three ticks where one would do. Here all
/// between two visits of one configuration goes; then, of all ways that only leave configurations out, one with the fewest
/// ticks is taken, among equals the one that leaves out most at the earliest tick. `is_tick` says whether one legal tick
/// leads from a configuration to another; neighbours in the way are not asked for. It is asked for pairs that are at most
/// `reach` apart, so at most configurations times `reach` times, from the end of the way to its start.
pub(crate) fn polish<C: Eq + Hash>(way: &mut Vec<C>, reach: usize, mut is_tick: impl FnMut(&C, &C) -> bool) {
    cut_circles(way);
    let last = way.len().saturating_sub(1);
    // From each configuration: the fewest ticks to the last, and the next one on that way.
    let mut fewest = vec![(0, last); way.len()];
    for at in (0..last).rev() {
        fewest[at] = (fewest[at + 1].0 + 1, at + 1);
        let farthest = at.saturating_add(reach).min(last);
        for next in at + 2..=farthest {
            let ticks = fewest[next].0 + 1;
            // The question is dearer than the comparison.
            if ticks <= fewest[at].0 && is_tick(&way[at], &way[next]) {
                fewest[at] = (ticks, next);
            }
        }
    }
    let (mut place, mut kept) = (0, 0);
    way.retain(|_| {
        let keeps = place == kept;
        if keeps {
            kept = fewest[place].1;
        }
        place += 1;
        keeps
    });
}

/// Takes out what lies between two visits of one configuration, and one of the visits.
fn cut_circles<C: Eq + Hash>(way: &mut Vec<C>) {
    let mut table = Table::default();
    // For each different configuration: its last place.
    let mut last_visits: Vec<usize> = Vec::new();
    let mut kinds = Vec::with_capacity(way.len());
    for (place, configuration) in way.iter().enumerate() {
        let hash = hash_of(configuration);
        let kind = table.find(hash, |kind| way[last_visits[kind as usize]] == *configuration);
        let kind = kind.unwrap_or_else(|| {
            let kind = number_after(last_visits.len());
            table.insert(hash, kind);
            last_visits.push(place);
            kind
        });
        last_visits[kind as usize] = place;
        kinds.push(kind);
    }
    let (mut place, mut kept) = (0, 0);
    way.retain(|_| {
        let keeps = place == kept;
        if keeps {
            // What follows its last visit is next.
            kept = last_visits[kinds[place] as usize] + 1;
        }
        place += 1;
        keeps
    });
}

#[cfg(test)]
mod tests {
    use super::polish;

    fn polished(way: &[u32], reach: usize, is_tick: impl FnMut(&u32, &u32) -> bool) -> Vec<u32> {
        let mut way = way.to_vec();
        polish(&mut way, reach, is_tick);
        way
    }

    #[test]
    fn circles_go_and_ends_stay() {
        let never = |_: &u32, _: &u32| false;
        assert_eq!(polished(&[], 9, never), [] as [u32; 0]);
        assert_eq!(polished(&[4], 9, never), [4]);
        assert_eq!(polished(&[4, 4, 4], 9, never), [4]);
        assert_eq!(polished(&[1, 2, 3, 2, 4, 1, 5], 9, never), [1, 5]);
        assert_eq!(polished(&[1, 2, 3, 2, 4, 5, 4, 6], 9, never), [1, 2, 4, 6]);
        assert_eq!(polished(&[1, 2, 3, 1], 9, never), [1]);
    }

    #[test]
    fn the_fewest_ticks_are_taken_not_the_longest_leap() {
        // The longest leap from 0 is to 3; by way of 2 it takes a tick less.
        let way = [0, 1, 2, 3, 4, 5, 6, 7];
        let ticks = [(0, 3), (0, 2), (2, 7)];
        let is_tick = |from: &u32, to: &u32| ticks.contains(&(*from, *to));
        assert_eq!(polished(&way, 9, is_tick), [0, 2, 7]);
        assert_eq!(polished(&way, 4, is_tick), [0, 3, 4, 5, 6, 7]);
        assert_eq!(polished(&way, 1, is_tick), way);
        assert_eq!(polished(&way, usize::MAX, |_, _| true), [0, 7]);
    }

    #[test]
    fn no_more_is_asked_than_was_said() {
        let mut asked = 0;
        let way: Vec<u32> = (0..100).collect();
        let kept = polished(&way, 7, |from, to| {
            assert!(to - from >= 2 && to - from <= 7);
            asked += 1;
            false
        });
        assert_eq!(kept, way);
        assert!(asked <= 700, "{asked}");
    }
}
