use std::collections::VecDeque;

use crate::keeper::protocol::STDERR_LIMIT;

/// The end of the agent's stderr.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: VecDeque<u8>,
    /// How many bytes came before those.
    cut: u64,
}

impl Tail {
    /// Adds bytes, and forgets the oldest where there are too many.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let excess = (self.bytes.len() + bytes.len()).saturating_sub(STDERR_LIMIT);
        self.cut += excess as u64;
        let old = excess.min(self.bytes.len());
        self.bytes.drain(..old);
        self.bytes.extend(&bytes[excess - old..]);
    }

    /// What there is, and how many bytes came before.
    pub(super) fn take(&mut self) -> (Vec<u8>, u64) {
        (std::mem::take(&mut self.bytes).into(), self.cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_the_rest_is_counted() {
        let mut tail = Tail::default();
        let all: Vec<u8> = (0..STDERR_LIMIT * 3).map(|at| (at % 251) as u8).collect();
        for piece in all.chunks(4000) {
            tail.push(piece);
        }
        let (bytes, cut) = tail.take();
        assert_eq!(cut, 2 * STDERR_LIMIT as u64);
        assert_eq!(bytes, all[2 * STDERR_LIMIT..]);
    }

    #[test]
    fn a_piece_may_be_longer_than_the_tail() {
        let mut tail = Tail::default();
        tail.push(b"old");
        let all = vec![b'x'; STDERR_LIMIT + 5];
        tail.push(&all);
        let (bytes, cut) = tail.take();
        assert_eq!((bytes.len(), cut), (STDERR_LIMIT, 8));
    }
}
