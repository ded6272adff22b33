//! Seeded random numbers that depend on what they are for, not on the order they are drawn in.

/// SplitMix64's finaliser (Steele, Lea, Flood, OOPSLA 2014) over a counter.
const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of numbers named by (seed, group, agent): adding an agent does not move the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Random {
    key: u64,
    counter: u64,
}

impl Random {
    pub(crate) const fn new(seed: u64, group: u64, agent: u64) -> Self {
        Self {
            key: mix(mix(mix(seed) ^ group) ^ agent),
            counter: 0,
        }
    }

    pub(crate) const fn next_u64(&mut self) -> u64 {
        self.counter += 1;
        mix(self.key ^ self.counter.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// A whole number in `0..bound`, by the high half of a product; the bias is below 2^-32.
    pub(crate) const fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as u32
    }

    /// A number in `0.0..1.0` with 53 random bits.
    pub(crate) fn unit(&mut self) -> f64 {
        let bits = (self.next_u64() >> 11) as f64;
        bits / (1u64 << 53) as f64
    }
}
