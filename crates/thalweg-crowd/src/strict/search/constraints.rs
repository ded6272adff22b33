//! The low level: which choices of which agents are fixed, one set of them after the other.

use super::fold::number_after;

/// The place in one node's tree of constraints.
///
/// Depth `d` of the tree fixes the choices of the first `d` agents of the node's order; the tree is gone through by
/// breadth: first nothing is fixed, then each choice of the first agent, then each pair of choices of the first two, to
/// the leaves where all are fixed. In the papers this is a queue of tree nodes. That queue always holds the same things
/// in the same order, so a counter with one digit per fixed agent says as much: a node takes the bytes of its digits
/// and not of a queue that grows with every visit.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    /// The choice of each fixed agent, in the node's order: what is to be tried next.
    digits: Vec<u32>,
    is_done: bool,
}

impl Constraints {
    /// Whether all sets were tried.
    pub(super) const fn is_done(&self) -> bool {
        self.is_done
    }

    /// Writes the fixed choices to be tried next, as (agent, choice).
    ///
    /// Digit 0 is not choice 0: which one comes first is turned by an amount that is fixed for each node and agent.
    /// Otherwise everybody would first be made to go north wherever it is, and the search walks whole groups into a
    /// corner before it tries the rest. `choices` is how many an agent has.
    pub(super) fn write(
        &self,
        node: u32,
        order: &[u32],
        choices: impl Fn(u32) -> usize,
        fixed: &mut Vec<(u32, u32)>,
    ) {
        fixed.clear();
        fixed.extend(order.iter().zip(&self.digits).map(|(&agent, &digit)| {
            let count = number_after(choices(agent)).max(1);
            (agent, digit.wrapping_add(mix(node, agent)) % count)
        }));
    }

    /// Goes on to the next set, leaving out all of this depth that begin like the present one in their first `kept`
    /// choices. `kept` of the whole depth leaves out only the present one.
    ///
    /// `agents` is how many there are, `choices` how many choices one has, by its place in the order.
    pub(super) fn go_on(&mut self, kept: usize, agents: usize, choices: impl Fn(usize) -> usize) {
        let depth = self.digits.len();
        self.digits.truncate(kept);
        while let Some(digit) = self.digits.pop() {
            if digit as usize + 1 < choices(self.digits.len()) {
                self.digits.push(digit + 1);
                self.digits.resize(depth, 0);
                return;
            }
        }
        if depth == agents {
            self.is_done = true;
            return;
        }
        // To fix the only choice of somebody changes nothing: on to the next agent with two or more, and to the leaves
        // where there is none.
        let has_several = |&place: &usize| choices(place) > 1;
        let next = (depth..agents)
            .find(has_several)
            .map_or(agents, |place| place + 1);
        let is_last = (next..agents).find(has_several).is_none();
        self.digits.resize(if is_last { agents } else { next }, 0);
    }

    /// Nothing can be completed from here: no set is tried any more.
    pub(super) fn give_up(&mut self) {
        self.is_done = true;
    }
}

/// A fixed number for a node and an agent, without a pattern.
const fn mix(node: u32, agent: u32) -> u32 {
    let mixed = (node.wrapping_mul(0x9e37_79b1) ^ agent).wrapping_mul(0x85eb_ca77);
    (mixed ^ (mixed >> 15)).wrapping_mul(0xc2b2_ae3d) >> 16
}

#[cfg(test)]
mod tests {
    use super::{Constraints, mix, number_after};

    /// All sets in the order in which they come, for agents 0, 1, 2… with so many choices each.
    fn all(choices: &[usize], kept: impl Fn(&[u32]) -> usize) -> Vec<Vec<u32>> {
        let order: Vec<u32> = (0u32..).take(choices.len()).collect();
        let (mut constraints, mut fixed, mut sets) = (Constraints::default(), Vec::new(), Vec::new());
        while !constraints.is_done() {
            constraints.write(9, &order, |agent| choices[agent as usize], &mut fixed);
            // Turned back to digits.
            let turned_back = |&(agent, choice): &(u32, u32)| {
                let count = number_after(choices[agent as usize]);
                (choice + count - mix(9, agent) % count) % count
            };
            let set: Vec<u32> = fixed.iter().map(turned_back).collect();
            assert_eq!(set, constraints.digits);
            constraints.go_on(kept(&set), choices.len(), |place| choices[place]);
            sets.push(set);
        }
        sets
    }

    #[test]
    fn sets_come_by_depth_and_leave_nothing_out() {
        let sets = all(&[2, 3], <[u32]>::len);
        let expected: [&[u32]; 9] = [
            &[],
            &[0],
            &[1],
            &[0, 0],
            &[0, 1],
            &[0, 2],
            &[1, 0],
            &[1, 1],
            &[1, 2],
        ];
        assert_eq!(sets, expected);
    }

    #[test]
    fn agents_with_one_choice_take_no_depth_of_their_own() {
        let sets = all(&[1, 2, 1, 2, 1], <[u32]>::len);
        let expected: [&[u32]; 7] = [
            &[],
            &[0, 0],
            &[0, 1],
            &[0, 0, 0, 0, 0],
            &[0, 0, 0, 1, 0],
            &[0, 1, 0, 0, 0],
            &[0, 1, 0, 1, 0],
        ];
        assert_eq!(sets, expected);
        assert_eq!(all(&[1, 1], <[u32]>::len), [vec![], vec![0, 0]]);
        assert_eq!(all(&[], <[u32]>::len), [vec![]]);
    }

    #[test]
    fn a_refused_beginning_is_left_out_with_all_that_begins_so() {
        // Whatever begins with choice 1 is refused for its first choice.
        let sets = all(
            &[2, 2, 2],
            |set| if set.first() == Some(&1) { 1 } else { set.len() },
        );
        let leaves: Vec<&Vec<u32>> = sets.iter().filter(|set| set.len() == 3).collect();
        assert_eq!(
            leaves,
            [&[0, 0, 0], &[0, 0, 1], &[0, 1, 0], &[0, 1, 1], &[1, 0, 0]]
        );
    }
}
