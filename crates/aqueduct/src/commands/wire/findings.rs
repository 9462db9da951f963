//! What a check finds: counts, drift and faults, in a bounded amount of memory.

use std::collections::HashMap;

use aqueduct_wire::json::{Leftover, LeftoverKind};

use super::kind::Side;
use crate::redact;

/// How many kinds, how many places of drift and how many faults are kept apart. What comes after that is
/// counted only.
const MOST: usize = 1000;
/// How much of a value is shown as an example.
const EXAMPLE: usize = 60;
/// How long the names of kinds and the paths to members may be. Only a stream that is out to harm has longer
/// ones.
pub(super) const LONGEST: usize = 400;

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct WireFindings {
    pub(super) lines: u64,
    pub(super) frames: u64,
    pub(super) bytes: u64,
    /// By side: the agent's, the host's.
    kinds: [HashMap<Box<str>, FindingCount>; 2],
    drift: HashMap<String, Drift>,
    pub(super) faults: Vec<LineProblem>,
    pub(super) fault_count: u64,
    /// How many findings did not fit.
    pub(super) left_out: u64,
}

/// How often something was seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct FindingCount {
    pub(super) count: u64,
    /// The line where it was seen first.
    pub(super) line: u64,
}

/// Something that the tables don't know, with all places where it was seen.
#[derive(Debug, Clone)]
pub(super) struct Drift {
    pub(super) class: Class,
    /// The kind of frame.
    pub(super) kind: Box<str>,
    /// The way from the frame to the member.
    pub(super) path: String,
    /// The family of kinds or list of names; empty for members.
    pub(super) family: &'static str,
    /// What is missing, for a misfit.
    pub(super) wanted: &'static str,
    pub(super) seen: FindingCount,
    pub(super) example: String,
}

/// In which way something is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// A type, subtype, block, delta or event that no table lists.
    UnknownKind,
    /// A known kind that lacks what makes it one.
    Misfit,
    /// A member that no table lists.
    UnknownField,
    /// A known member with a value of another shape.
    UnexpectedShape,
    /// A name that is not in its list.
    UnknownName,
}

impl Class {
    /// Whether it makes the check fail by itself.
    pub(super) fn is_fault(self) -> bool {
        matches!(self, Class::UnknownKind | Class::Misfit)
    }
}

/// A line that is wrong.
#[derive(Debug)]
pub(super) struct LineProblem {
    pub(super) line: u64,
    pub(super) what: LineProblemKind,
}

#[derive(Debug)]
pub(super) enum LineProblemKind {
    /// The line is not a frame.
    BadLine(String),
    /// The frame differs when it is written back. Its kind, and what it was: the frame itself,
    /// or a payload in it.
    RoundTrip(String, &'static str),
}

impl WireFindings {
    pub(super) fn count(&mut self, side: Side, kind: &str, line: u64) {
        self.frames += 1;
        let kinds = &mut self.kinds[side as usize];
        if let Some(seen) = kinds.get_mut(kind) {
            seen.count += 1;
        } else if kinds.len() < MOST {
            kinds.insert(kind.into(), FindingCount { count: 1, line });
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn fault(&mut self, line: u64, what: LineProblemKind) {
        self.fault_count += 1;
        if self.faults.len() < MOST {
            self.faults.push(LineProblem { line, what });
        }
    }

    /// Adds something that was kept without a type. `prefix` leads from the frame to the payload that was
    /// looked at. `lenient` is for payloads that a model makes up: a mismatch there is not a fault.
    pub(super) fn leftover(
        &mut self,
        kind: &str,
        prefix: &str,
        lenient: bool,
        line: u64,
        found: &Leftover<'_>,
    ) {
        let (class, family, last, wanted) = match found.kind {
            LeftoverKind::Field(name) => (Class::UnknownField, "", name, ""),
            LeftoverKind::Shape(name) => (Class::UnexpectedShape, "", name, ""),
            LeftoverKind::Tag { family, tag } => (Class::UnknownKind, family, tag.unwrap_or_default(), ""),
            LeftoverKind::Misfit { family, tag, wanted } => (Class::Misfit, family, tag, wanted),
            LeftoverKind::Name { family } => (Class::UnknownName, family, found.value, ""),
            _ => (Class::UnknownField, "", "", ""),
        };
        let class = if lenient && class.is_fault() { Class::UnexpectedShape } else { class };
        let mut path = String::from(prefix);
        let is_member = matches!(class, Class::UnknownField | Class::UnexpectedShape) && family.is_empty();
        for step in found.path.iter().copied().chain(is_member.then_some(last)) {
            if !(path.is_empty() || step == "[]") {
                path.push('.');
            }
            path.push_str(step);
        }
        let name = if is_member { "" } else { last };
        self.drift(class, kind, path, family, name, wanted, line, last, found.value);
    }

    /// Adds a payload that lacks what its type needs.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn misfit(
        &mut self,
        kind: &str,
        path: &str,
        lenient: bool,
        line: u64,
        family: &'static str,
        wanted: &'static str,
        value: &str,
    ) {
        let class = if lenient { Class::UnexpectedShape } else { Class::Misfit };
        let name = example("", value);
        self.drift(class, kind, path.to_owned(), family, &name, wanted, line, "", value);
    }

    #[allow(clippy::too_many_arguments)]
    fn drift(
        &mut self,
        class: Class,
        kind: &str,
        path: String,
        family: &'static str,
        name: &str,
        wanted: &'static str,
        line: u64,
        member: &str,
        value: &str,
    ) {
        let (name, path) = (shorten(name), cut(path));
        let key = format!("{}\0{kind}\0{path}\0{family}\0{name}", class as u8);
        if let Some(drift) = self.drift.get_mut(&key) {
            drift.seen.count += 1;
        } else if self.drift.len() < MOST {
            let example = match class {
                Class::UnknownName | Class::UnknownKind | Class::Misfit => name,
                _ => example(member, value),
            };
            let seen = FindingCount { count: 1, line };
            self.drift.insert(key, Drift { class, kind: kind.into(), path, family, wanted, seen, example });
        } else {
            self.left_out += 1;
        }
    }

    /// The kinds of frames by name, the agent's first.
    pub(super) fn sorted_kinds(&self) -> Vec<(Side, &str, FindingCount)> {
        let side =
            |side: Side| self.kinds[side as usize].iter().map(move |(kind, seen)| (side, &**kind, *seen));
        let mut kinds: Vec<_> = side(Side::Agent).chain(side(Side::Host)).collect();
        kinds.sort_by_key(|(side, kind, _)| (*side, *kind));
        kinds
    }

    /// The drift, faults first and the rest by place.
    pub(super) fn sorted_drift(&self) -> Vec<&Drift> {
        let mut drift: Vec<_> = self.drift.values().collect();
        drift.sort_by(|a, b| {
            (a.class, &a.kind, &a.path, &a.example).cmp(&(b.class, &b.kind, &b.path, &b.example))
        });
        drift
    }

    /// Whether the check fails: on drift too, if that is asked for.
    pub(super) fn failed(&self, strict: bool) -> bool {
        self.fault_count > 0
            || self.drift.values().any(|drift| strict || drift.class.is_fault())
            || (strict && self.left_out > 0)
    }

    /// How many faults there are: wrong lines, and frames of unknown or broken kinds.
    pub(super) fn all_faults(&self) -> u64 {
        let kinds = self.drift.values().filter(|drift| drift.class.is_fault());
        self.fault_count + kinds.map(|drift| drift.seen.count).sum::<u64>()
    }
}

/// A path, as far as anyone would read it.
fn cut(mut path: String) -> String {
    path.truncate(path.floor_char_boundary(LONGEST.min(path.len())));
    path
}

/// A value as an example: short, and without secrets.
fn example(member: &str, value: &str) -> String {
    if redact::is_secret(member) && value.starts_with(['"', '{', '[']) {
        return "[redacted]".to_owned();
    }
    // Cut first: a value can be a whole file. A secret that is cut in two still begins like one.
    let end = value.floor_char_boundary(4096.min(value.len()));
    let json = redact::json(&value[..end]);
    shorten(&json)
}

pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(EXAMPLE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
