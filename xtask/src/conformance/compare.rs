//! Two recordings of one scenario, compared frame by frame.
//!
//! ```text
//! recording   a program's output, and how it ended
//! names       ids, paths and times by the order in which they appear
//! frame       a frame and its kind; neighbouring deltas are one
//! answers     answers of tools, in the order of the calls
//! align       which frame corresponds to which
//! fields      two frames, member by member, each by its rule
//! rules       how members are compared; kinds that come when they come
//! known       differences that are meant, each with its reason
//! ```

mod align;
mod answers;
mod fields;
mod finding;
mod frame;
mod known;
mod names;
mod recording;
mod rules;

#[cfg(test)]
mod tests;

use serde_json::Value;

use self::frame::Frame;

pub(super) use self::finding::{Finding, What};
pub(super) use self::known::{KNOWN, Known};
pub(super) use self::names::Places;
pub(super) use self::recording::Recording;
pub(super) use self::rules::{AT_ANY_TIME, Treatment};

/// What the sessions of one side left behind.
#[derive(Default)]
pub(super) struct Side {
    pub(super) recordings: Vec<Recording>,
    /// What else is compared, as frames behind those of the last session.
    pub(super) traces: Vec<Value>,
    pub(super) places: Places,
}

/// What the comparison of one scenario came to.
#[derive(Default)]
pub(super) struct Comparison {
    /// Pairs of frames that were compared.
    pub(super) pairs: usize,
    /// Unexplained differences.
    pub(super) findings: Vec<Finding>,
    /// Differences that are meant.
    pub(super) known: Vec<(Finding, &'static Known)>,
    /// Texts that the programs word themselves, and word differently.
    pub(super) wordings: Vec<Finding>,
}

impl Comparison {
    pub(super) fn is_well(&self) -> bool {
        self.findings.is_empty() && self.pairs > 0
    }
}

/// Compares session by session.
pub(super) fn compare(scenario: &str, theirs: Side, ours: Side) -> Comparison {
    let mut findings = Vec::new();
    let mut pairs = 0;
    let (their_count, our_count) = (theirs.recordings.len(), ours.recordings.len());
    let their_sessions = sessions(theirs);
    let our_sessions = sessions(ours);
    for (theirs, ours) in their_sessions.into_iter().zip(our_sessions) {
        pairs += compare_session(scenario, theirs, ours, &mut findings);
    }
    if their_count != our_count {
        let count = |count: usize| Some(serde_json::json!(count));
        findings.push(Finding::new("session", "count", What::Differs, count(their_count), count(our_count)));
    }
    sort_out(scenario, pairs, findings)
}

fn sessions(side: Side) -> Vec<Vec<Frame>> {
    let mut names = names::Names::new(side.places);
    let mut sessions: Vec<Vec<Value>> = side.recordings.into_iter().map(Recording::into_frames).collect();
    if let Some(last) = sessions.last_mut() {
        last.extend(side.traces);
    }
    sessions.into_iter().map(|values| names.replace(frame::frames(values))).collect()
}

fn compare_session(
    scenario: &str,
    theirs: Vec<Frame>,
    ours: Vec<Frame>,
    findings: &mut Vec<Finding>,
) -> usize {
    let mut pairs = 0;
    for pairing in align::align(divide(theirs), divide(ours)) {
        match pairing {
            align::Pairing::Both(theirs, ours) => {
                pairs += 1;
                fields::compare(scenario, &theirs, &ours, findings);
            }
            align::Pairing::Theirs(frame) => {
                findings.push(Finding::new(&frame.kind, "", What::Missing, Some(frame.value), None));
            }
            align::Pairing::Ours(frame) => {
                findings.push(Finding::new(&frame.kind, "", What::Extra, None, Some(frame.value)));
            }
        }
    }
    pairs
}

/// Frames with a fixed place, in which results follow the message whose calls they answer, and the others.
fn divide(frames: Vec<Frame>) -> rules::Divided {
    let rules::Divided { ordered, loose } = rules::divide(frames);
    rules::Divided { ordered: answers::settle(ordered), loose }
}

fn sort_out(scenario: &str, pairs: usize, findings: Vec<Finding>) -> Comparison {
    let mut comparison = Comparison { pairs, ..Comparison::default() };
    for finding in findings {
        if finding.what == What::Worded {
            comparison.wordings.push(finding);
        } else if let Some(known) = known::explain(scenario, &finding) {
            comparison.known.push((finding, known));
        } else {
            comparison.findings.push(finding);
        }
    }
    comparison
}
