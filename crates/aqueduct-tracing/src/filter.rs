use std::fmt;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

/// The parts of Aqueduct that a filter can name without `aqueduct::`.
pub const SOURCES: &[&str] = &["agent", "bridge", "client", "keeper"];

/// The target of all our events and spans begins with this.
const OURS: &str = "aqueduct";

/// The levels, by name.
const LEVELS: &[(&str, LevelFilter)] = &[
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
    ("trace", LevelFilter::TRACE),
];

/// Which events are written: a level for all of Aqueduct, and levels for parts of it.
///
/// `info`, `warn,bridge=debug` and `info,hyper=debug` are filters. A level without a name is for the events of Aqueduct
/// only: those of other libraries may hold anything, and are written where they are named.
#[derive(Debug, Clone, PartialEq)]
pub struct LogFilter {
    text: String,
    targets: Targets,
}

impl LogFilter {
    /// Reads a filter: a level, and `NAME=LEVEL` as often as needed, separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        let mut targets = Targets::new();
        let mut parts = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (name, level) = match part.split_once('=') {
                Some((name, level)) => (Some(known_name(name.trim())?), level.trim()),
                None => (None, part),
            };
            let (written, level) = LEVELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(level))?;
            targets = match name {
                Some(name) if SOURCES.contains(&name) => {
                    targets.with_target(format!("{OURS}::{name}"), *level)
                }
                Some(name) => targets.with_target(name, *level),
                None => targets.with_target(OURS, *level),
            };
            parts.push(match name {
                Some(name) => format!("{name}={written}"),
                None => (*written).to_owned(),
            });
        }
        Some(LogFilter { text: parts.join(","), targets })
    }

    /// Whether nothing is written.
    pub fn is_off(&self) -> bool {
        self.targets.iter().all(|(_, level)| level == LevelFilter::OFF)
    }

    pub(crate) fn into_targets(self) -> Targets {
        self.targets
    }
}

/// The filter as it is read.
impl fmt::Display for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A name, if it can be that of a target.
fn known_name(name: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '-');
    (!name.is_empty() && name.chars().all(is_part)).then_some(name)
}
