//! Which frame of one side is compared with which of the other: the longest common sequence of kinds.

use serde_json::Value;

use super::frame::Frame;
use super::rules::Divided;

pub(super) enum Pairing {
    Both(Frame, Frame),
    Theirs(Frame),
    Ours(Frame),
}

/// Members that name what a frame without a fixed place is about.
const SUBJECTS: &[&str] = &["hook_id", "task_id", "parent_tool_use_id", "request_id"];

/// Frames in order are aligned by order; those without a fixed place by kind and subject.
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

/// Frames about the same subject first: hooks, tasks and subagents that run side by side end in any order.
fn by_kind(theirs: Vec<Frame>, mut ours: Vec<Frame>) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    let mut alone = Vec::new();
    for their in theirs {
        match ours.iter().position(|our| our.kind == their.kind && subject(our) == subject(&their)) {
            Some(beside) => pairings.push(Pairing::Both(their, ours.remove(beside))),
            None => alone.push(their),
        }
    }
    for their in alone {
        match ours.iter().position(|our| our.kind == their.kind) {
            Some(beside) => pairings.push(Pairing::Both(their, ours.remove(beside))),
            None => pairings.push(Pairing::Theirs(their)),
        }
    }
    pairings.extend(ours.into_iter().map(Pairing::Ours));
    pairings
}

/// What a frame is about. The result of a call is about the call.
fn subject(frame: &Frame) -> Option<&Value> {
    let call = &frame.value["message"]["content"][0]["tool_use_id"];
    let named = || SUBJECTS.iter().map(|name| &frame.value[*name]).find(|value| value.is_string());
    Some(call).filter(|call| call.is_string()).or_else(named)
}
