//! Differences that are meant. The list in docs/conformance.md is written from this table.

use super::finding::{Finding, What};
use super::rules::fits;

pub(in crate::conformance) struct Known {
    /// Patterns: `*` stands for anything.
    pub(in crate::conformance) scenario: &'static str,
    pub(in crate::conformance) kind: &'static str,
    /// Empty: the frame as a whole.
    pub(in crate::conformance) field: &'static str,
    pub(in crate::conformance) what: What,
    pub(in crate::conformance) reason: &'static str,
}

/// A member that the reference has and the agent has not, in all scenarios.
const fn missing(kind: &'static str, field: &'static str, reason: &'static str) -> Known {
    Known { scenario: "*", kind, field, what: What::Missing, reason }
}

const NO_SUCH_FEATURE: &str = "tells of a feature of the reference that the agent does not have";
const STATISTICS: &str = "statistics of the reference about itself; no host reads them";

pub(in crate::conformance) const KNOWN: &[Known] = &[
    missing("system/init", "messaging_socket_path", NO_SUCH_FEATURE),
    missing("system/init", "terminal_slash_commands", NO_SUCH_FEATURE),
    missing("system/init", "ultrathink_*", NO_SUCH_FEATURE),
    missing("system/init", "per_turn_effort_active", NO_SUCH_FEATURE),
    missing("system/init", "view_mode", NO_SUCH_FEATURE),
    missing("system/init", "fast_mode_disabled_reason", NO_SUCH_FEATURE),
    missing("result", "fast_mode_disabled_reason", NO_SUCH_FEATURE),
    missing("result", "safety_stops", STATISTICS),
    missing("result", "subagent_stats", STATISTICS),
    missing("result", "first_content_frame_ms", STATISTICS),
    missing("result", "time_to_request_ms", STATISTICS),
    missing("stream_event/*", "thinking_display", NO_SUCH_FEATURE),
];

pub(super) fn explain(scenario: &str, finding: &Finding) -> Option<&'static Known> {
    KNOWN.iter().find(|known| {
        known.what == finding.what
            && fits(known.scenario, scenario)
            && fits(known.kind, &finding.kind)
            && fits(known.field, &finding.field)
    })
}
