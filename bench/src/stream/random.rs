/// A small generator of random numbers (SplitMix64): the same numbers for the same seed, everywhere.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both possible.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }

    /// True `percent` times in a hundred.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.between(1, 100) <= percent
    }

    /// A size from `low` to `high`, as often between 200 and 400 as between 4000 and 8000.
    pub(super) fn size(&mut self, low: usize, high: usize) -> usize {
        let doublings = (high / low).ilog2() as usize;
        let base = low << self.between(0, doublings);
        self.between(base, (base * 2).min(high).max(base))
    }

    /// One of several.
    pub(super) fn one_of<'t, T: ?Sized>(&mut self, things: &[&'t T]) -> &'t T {
        things[self.between(0, things.len() - 1)]
    }

    /// A UUID (version 4).
    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            0x8000 | (low >> 48 & 0x3fff),
            low & 0xffff_ffff_ffff
        )
    }

    /// An identifier as the Messages API makes them: a prefix and 22 letters and digits.
    pub(super) fn id(&mut self, prefix: &str) -> String {
        format!("{prefix}_01{}", self.letters(22))
    }

    /// Letters and digits, as in base 64.
    pub(super) fn letters(&mut self, length: usize) -> String {
        const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        (0..length).map(|_| char::from(ALPHABET[self.between(0, 61)])).collect()
    }
}
