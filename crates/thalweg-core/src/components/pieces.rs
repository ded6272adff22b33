//! What is left of a graph when nodes are taken away: which nodes lose edges, what falls apart, which ways are lost.

use super::condensation::root_of;
use super::graph::{Graph, Restricted, nodes};
use super::strong::{NONE, strong_components};
use std::collections::VecDeque;

/// Of these nodes, those that stay and lose an edge that leaves or enters them; in ascending order.
pub(super) fn losers(before: &impl Graph, after: &impl Graph, mut nodes: Vec<u32>) -> Vec<u32> {
    nodes.sort_unstable();
    nodes.dedup();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    nodes.retain(|&node| {
        old.clear();
        new.clear();
        before.targets(node, &mut old);
        before.sources(node, &mut old);
        after.targets(node, &mut new);
        after.sources(node, &mut new);
        after.has(node) && old.len() != new.len()
    });
    nodes
}

/// Where every edge has a way back: the pieces that hold the starts, each with one of its nodes and its size, given how
/// many nodes all of them have together.
///
/// The floods take turns, node by node, and join where they meet. All but one must fill their piece or join; the last
/// need not be walked, because what is left is its size.
pub(super) fn pieces_of(
    after: &impl Graph,
    starts: &[u32],
    together: u32,
    owners: &mut [u32],
) -> Vec<(u32, u32)> {
    let count = u32::try_from(starts.len()).unwrap_or(NONE);
    let mut parents: Vec<u32> = (0..count).collect();
    let mut queues: Vec<VecDeque<u32>> = starts.iter().map(|&start| VecDeque::from([start])).collect();
    let mut sizes = vec![1u32; starts.len()];
    for (number, &start) in (1u32..).zip(starts) {
        owners[start as usize] = number;
    }
    let mut running: Vec<u32> = (0..count).collect();
    let mut pieces = Vec::new();
    let mut next = Vec::new();
    while running.len() > 1 {
        for &flood in &running {
            let own = root_of(&mut parents, flood);
            if own != flood {
                continue;
            }
            let Some(node) = queues[own as usize].pop_front() else {
                continue;
            };
            after.targets(node, &mut next);
            let mut own = own;
            for to in next.drain(..) {
                let owner = owners[to as usize];
                if owner == 0 {
                    owners[to as usize] = own + 1;
                    sizes[own as usize] += 1;
                    queues[own as usize].push_back(to);
                    continue;
                }
                let other = root_of(&mut parents, owner - 1);
                if other != own {
                    let (keep, give) = (own.min(other), own.max(other));
                    parents[give as usize] = keep;
                    sizes[keep as usize] += sizes[give as usize];
                    let mut given = core::mem::take(&mut queues[give as usize]);
                    queues[keep as usize].append(&mut given);
                    own = keep;
                }
            }
        }
        running.retain(|&flood| {
            let is_joined = parents[flood as usize] != flood;
            let is_full = queues[flood as usize].is_empty();
            if is_full && !is_joined {
                pieces.push((starts[flood as usize], sizes[flood as usize]));
            }
            !is_joined && !is_full
        });
    }
    if let [last] = running[..] {
        let walked: u32 = pieces.iter().map(|&(_, size)| size).sum();
        pieces.push((starts[last as usize], together.saturating_sub(walked)));
    }
    pieces
}

/// Every pair of nodes that stay, where the first led to the second through what is taken away (an edge, or nodes one
/// after the other) and no longer reaches it at all. If there is none, every way can be mended, so nothing is lost.
pub(super) fn lost_pairs(before: &impl Graph, after: &impl Graph, losers: &[u32]) -> Vec<(u32, u32)> {
    let mut lost = Vec::new();
    let mut stamps = vec![0u32; if losers.is_empty() { 0 } else { before.len() }];
    let mut stamp = 0;
    for &from in losers {
        let mut kept = Vec::new();
        after.targets(from, &mut kept);
        let mut through = Vec::new();
        before.targets(from, &mut through);
        through.retain(|node| !kept.contains(node));
        // Through the nodes taken away, to where the way comes out.
        stamp += 1;
        let mut wanted = Vec::new();
        while let Some(node) = through.pop() {
            if core::mem::replace(&mut stamps[node as usize], stamp) == stamp {
                continue;
            }
            if after.has(node) {
                wanted.push(node);
            } else {
                before.targets(node, &mut through);
            }
        }
        stamp += 1;
        stamps[from as usize] = stamp;
        let mut open = vec![from];
        wanted.retain(|&node| node != from);
        let mut missing = wanted.len();
        let mut next = Vec::new();
        while let Some(node) = open.pop().filter(|_| missing > 0) {
            after.targets(node, &mut next);
            for to in next.drain(..) {
                if core::mem::replace(&mut stamps[to as usize], stamp) != stamp {
                    missing -= usize::from(wanted.contains(&to));
                    open.push(to);
                }
            }
        }
        wanted.retain(|&node| stamps[node as usize] != stamp);
        wanted.sort_unstable();
        lost.extend(wanted.into_iter().map(|to| (from, to)));
    }
    lost
}

/// The strongly connected components that are left of one, each with its first node and its size.
pub(super) fn strong_pieces(after: &impl Graph, labels: &[u32], label: u32) -> Vec<(u32, u32)> {
    let part = Restricted {
        graph: after,
        labels,
        label,
    };
    let (pieces, count) = strong_components(&part);
    let mut found = vec![(NONE, 0u32); count as usize];
    for node in nodes(&part) {
        let (first, size) = &mut found[pieces[node as usize] as usize];
        *first = node.min(*first);
        *size += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::Digraph;
    use super::*;
    use thalweg_testkit::random_map::SplitMix64;

    #[test]
    fn in_a_directed_graph_lost_pairs_and_pieces_are_exact() {
        let (mut cut, mut whole, mut across) = (0, 0, 0);
        for seed in 0..4_000 {
            let before = Digraph::random(seed + 90_000);
            let mut random = SplitMix64::new(seed);
            let end = u32::try_from(before.len()).unwrap();
            let mut blocked: Vec<u32> = (0..1 + random.below(3)).map(|_| random.below(end)).collect();
            blocked.retain(|&node| before.has(node));
            let after = before.without(&blocked);
            let (old, new) = (before.closure(), after.closure());
            let lost = lost_pairs(&before, &after, &losers(&before, &after, (0..end).collect()));
            let really = |from: usize, to: usize| {
                !after.gone[from] && !after.gone[to] && old[from][to] && !new[from][to]
            };
            for &(from, to) in &lost {
                assert!(really(from as usize, to as usize), "seed {seed}: {from} to {to}");
            }
            let (labels, _) = strong_components(&before);
            for from in 0..before.len() {
                for to in (0..before.len()).filter(|&to| really(from, to)) {
                    let explained = lost
                        .iter()
                        .any(|&(u, v)| old[from][u as usize] && old[v as usize][to]);
                    assert!(
                        explained,
                        "seed {seed}: {from} to {to} is lost for no reason in {lost:?}"
                    );
                    across += usize::from(labels[from] != labels[to]);
                }
            }
            for label in labels.iter().copied().filter(|&label| label != NONE) {
                let members = |node: &usize| labels[*node] == label && !after.gone[*node];
                let all: Vec<usize> = (0..before.len()).filter(members).collect();
                let torn = all.iter().any(|&a| all.iter().any(|&b| !new[a][b]));
                let told = lost.iter().any(|&(u, _)| {
                    labels[u as usize] == label
                        && lost.iter().any(|&(w, v)| w == u && labels[v as usize] == label)
                });
                assert_eq!(torn, told, "seed {seed} component {label}");
                let pieces = strong_pieces(&after, &labels, label);
                assert_eq!(pieces.len() > 1, torn, "seed {seed}");
                for (node, size) in pieces {
                    let piece = all
                        .iter()
                        .filter(|&&a| new[a][node as usize] && new[node as usize][a]);
                    assert_eq!(piece.count(), size as usize, "seed {seed}");
                }
            }
            if lost.is_empty() { whole += 1 } else { cut += 1 }
        }
        assert!(
            cut > 300 && whole > 300 && across > 300,
            "{cut} cut, {whole} whole, {across} across"
        );
    }
}
