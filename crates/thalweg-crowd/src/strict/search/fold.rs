//! A fixed hash, and a table of numbers that is searched by it.
//!
//! The standard library's maps were not taken: their order changes from run to run. A tree map was not taken either: it
//! compares whole configurations a dozen times per look-up, each in another place of memory. Here a look-up compares 32
//! bits of hash, and then, nearly always once, the whole value. Nothing is ever listed in the order of the table, so no
//! result depends on the hash; it is fixed all the same, so that two runs also do the same work.

use core::hash::{Hash, Hasher};

/// An odd number with no pattern in its bits: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A word at a time, in two sums by turns, and in four where a row of bytes is long.
///
/// One sum alone waits for each multiplication before it starts the next. FNV, which hashes states of the crowd, was not
/// taken: it multiplies once per byte.
#[derive(Clone, Default)]
struct Fold {
    next: u64,
    other: u64,
}

const fn fold(sum: u64, word: u64) -> u64 {
    (sum.rotate_left(23) ^ word).wrapping_mul(SPREAD)
}

impl Fold {
    const fn add(&mut self, word: u64) {
        let sum = fold(self.next, word);
        (self.next, self.other) = (self.other, sum);
    }
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks::<32>();
        if !blocks.is_empty() {
            let mut sums = [self.next, self.other, 2, 3];
            for block in blocks {
                let (words, _) = block.as_chunks::<8>();
                for (sum, word) in sums.iter_mut().zip(words) {
                    *sum = fold(*sum, u64::from_le_bytes(*word));
                }
            }
            let [first, second, third, fourth] = sums;
            (self.next, self.other) = (fold(first, second), fold(third, fourth));
        }
        for part in rest.chunks(8) {
            self.add(word(part));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.add(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.add(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }

    /// The upper half is the better one after a multiplication; it is carried down for tables that use the lower bits.
    fn finish(&self) -> u64 {
        let sum = fold(self.next, self.other);
        (sum ^ (sum >> 32)).wrapping_mul(SPREAD)
    }
}

/// 32 bits of hash: enough for a table, whose numbers have 32 bits themselves.
pub(super) fn hash_of(value: &impl Hash) -> u32 {
    let mut sum = Fold::default();
    value.hash(&mut sum);
    let [_, _, _, _, upper @ ..] = sum.finish().to_le_bytes();
    u32::from_le_bytes(upper)
}

/// Numbers of things that lie elsewhere, found by the hash of the thing. Open addressing, one slot after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Hash and number; a power of two of them, or none at all.
    slots: Vec<(u32, u32)>,
    used: usize,
}

/// No thing has this number.
pub(super) const NONE: u32 = u32::MAX;

/// The number of the next thing after `count` others. Nodes and edges are limited to fewer than 2^32; orders, agents and
/// configurations of a way are no more than memory holds of things much larger than a number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "see above: there are never so many"
)]
pub(super) const fn number_after(count: usize) -> u32 {
    count as u32
}

const FREE: (u32, u32) = (0, NONE);

impl Table {
    /// The number with this hash that is `same`.
    pub(super) fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = hash as usize & (self.slots.len() - 1);
        loop {
            match self.slots[at] {
                (_, NONE) => return None,
                (tag, number) if tag == hash && same(number) => return Some(number),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Notes a number that [`find`](Self::find) did not find.
    pub(super) fn insert(&mut self, hash: u32, number: u32) {
        debug_assert_ne!(number, NONE, "the number is taken as a mark");
        // At most half full, so that rows of used slots stay short.
        if self.used * 2 >= self.slots.len() {
            let wider = vec![FREE; (self.slots.len() * 2).max(16)];
            for (hash, number) in core::mem::replace(&mut self.slots, wider) {
                if number != NONE {
                    self.put(hash, number);
                }
            }
        }
        self.put(hash, number);
        self.used += 1;
    }

    fn put(&mut self, hash: u32, number: u32) {
        let mut at = hash as usize & (self.slots.len() - 1);
        while self.slots[at].1 != NONE {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (hash, number);
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, hash_of};

    #[test]
    fn a_table_finds_exactly_what_was_put_in() {
        let mut table = Table::default();
        let things: Vec<Vec<u32>> = (0..3000)
            .map(|number| vec![number % 50, number / 50, 7])
            .collect();
        assert_eq!(table.find(hash_of(&things[0]), |_| true), None);
        for (number, thing) in (0u32..).zip(&things) {
            // Hashes cut to eight bits meet all the time; the comparison must tell them apart.
            let hash = hash_of(thing) & 255;
            assert_eq!(table.find(hash, |other| things[other as usize] == *thing), None);
            table.insert(hash, number);
        }
        for (number, thing) in (0u32..).zip(&things) {
            let found = table.find(hash_of(thing) & 255, |other| things[other as usize] == *thing);
            assert_eq!(found, Some(number));
        }
    }

    #[test]
    fn every_place_of_a_value_counts() {
        let mut hashes = Vec::new();
        for length in 0..40 {
            for place in 0..length {
                let mut value = vec![0u32; length];
                value[place] = 1;
                hashes.push(hash_of(&value));
            }
            hashes.push(hash_of(&vec![0u32; length]));
            for place in 0..length {
                let mut value = vec![(0u32, 0u8); length];
                value[place].1 = 7;
                hashes.push(hash_of(&value));
            }
        }
        let all = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), all, "two of them have the same hash");
    }
}
