//! Which frame of one side stands beside which of the other: the longest common sequence of kinds.

use super::frame::Frame;
use super::rules::Divided;

pub(super) enum Pairing {
    Both(Frame, Frame),
    Theirs(Frame),
    Ours(Frame),
}

/// Frames in order are aligned by order; those that come when they come, kind by kind.
pub(super) fn align(theirs: Divided, ours: Divided) -> Vec<Pairing> {
    let mut pairings = in_order(theirs.ordered, ours.ordered);
    pairings.extend(by_kind(theirs.loose, ours.loose));
    pairings
}

fn in_order(theirs: Vec<Frame>, ours: Vec<Frame>) -> Vec<Pairing> {
    let lengths = lengths(&theirs, &ours);
    let (their_count, our_count) = (theirs.len(), ours.len());
    let (mut theirs, mut ours) = (theirs.into_iter().peekable(), ours.into_iter().peekable());
    let mut pairings = Vec::new();
    loop {
        let (at, beside) = (their_count - theirs.len(), our_count - ours.len());
        match (theirs.peek(), ours.peek()) {
            (Some(their), Some(our)) if their.kind == our.kind => {
                pairings.extend(theirs.next().zip(ours.next()).map(|(t, o)| Pairing::Both(t, o)));
            }
            (Some(_), Some(_)) if lengths[at + 1][beside] >= lengths[at][beside + 1] => {
                pairings.extend(theirs.next().map(Pairing::Theirs));
            }
            (_, Some(_)) => pairings.extend(ours.next().map(Pairing::Ours)),
            (Some(_), None) => pairings.extend(theirs.next().map(Pairing::Theirs)),
            (None, None) => return pairings,
        }
    }
}

/// How many frames can be aligned from each pair of places on.
fn lengths(theirs: &[Frame], ours: &[Frame]) -> Vec<Vec<usize>> {
    let mut lengths = vec![vec![0; ours.len() + 1]; theirs.len() + 1];
    for (at, their) in theirs.iter().enumerate().rev() {
        for (beside, our) in ours.iter().enumerate().rev() {
            lengths[at][beside] = if their.kind == our.kind {
                lengths[at + 1][beside + 1] + 1
            } else {
                lengths[at + 1][beside].max(lengths[at][beside + 1])
            };
        }
    }
    lengths
}

fn by_kind(theirs: Vec<Frame>, mut ours: Vec<Frame>) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for their in theirs {
        match ours.iter().position(|our| our.kind == their.kind) {
            Some(beside) => pairings.push(Pairing::Both(their, ours.remove(beside))),
            None => pairings.push(Pairing::Theirs(their)),
        }
    }
    pairings.extend(ours.into_iter().map(Pairing::Ours));
    pairings
}
